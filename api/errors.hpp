// SPDX-License-Identifier: Apache-2.0
// Answers of Google services as Errors: which kind, which words, which next step. Body shapes: AIP-193, compute's errors[],
// RFC 6749 for token endpoints, HTML from front ends, and nothing at all.
#pragma once

#include <string>

#include "api/http.hpp"
#include "base/error.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

/// The Error for an answer that is no success (status outside 200..299, or none). `url` names the host in network errors.
Error to_error(const Response& response, const std::string& url);

/// The Error for a google.rpc.Status as operations and failed queued resources carry it ({code, message, details}).
Error to_error(const Json& status);

/// Parses a successful answer's body; an empty one is {}, broken text is mended. Throws Error{failure} naming the host when it
/// is no JSON object.
Json parse_answer(const Response& response, const std::string& url);

/// The answer, when it is an operation that is done or can be asked for; else throws Error{failure}.
Json operation_answer(Json answer);

/// "The clock of this machine is ... behind": from the Date header, when it differs by a minute or more; else "".
std::string clock_hint(const Response& response, TimePoint now, const std::string& url);

/// "https://tpu.googleapis.com:443" of a URL.
std::string origin(const std::string& url);

}  // namespace tpuctl::api
