// SPDX-License-Identifier: Apache-2.0
// The secrets that this process has read or been given, so that whatever is about to be shown can be searched for them:
// the net below redaction by field name. Safe to use from several threads.
#pragma once

#include <string>
#include <string_view>

namespace tpuctl::secrets {

/// What stands in a secret's place.
inline constexpr std::string_view kMask = "--- Token Redacted ---";

/// To be called with each token, refresh token, client secret, assertion and private key as soon as it is known. Texts
/// under 6 bytes are not kept: to mask them would spoil the log and hide nothing. Of a text of several lines (PEM) each
/// line is a secret too. From the first secret on, this process leaves no core file (RLIMIT_CORE).
void remember(std::string_view secret);

/// The text with every remembered secret masked, also where it stands percent-encoded or as a JSON string, and besides
/// whatever looks like an access token of Google's (ya29...) or a signed JWT.
std::string redact(std::string_view text);

}  // namespace tpuctl::secrets
