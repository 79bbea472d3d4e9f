// SPDX-License-Identifier: Apache-2.0
// Where a credential may be sent. A credential's file names addresses itself, and a file from elsewhere must not be
// able to send a token to whom it likes
// (https://cloud.google.com/docs/authentication/external/externally-sourced-credentials, AIP-4117).
#pragma once

#include <string>
#include <string_view>

#include "base/environment.hpp"

namespace tpuctl::auth {

/// The parts of a URL that decide whom it reaches.
struct Url {
  std::string scheme;  ///< lower case; empty when the text is no URL with a host
  std::string host;    ///< lower case, without brackets and port
  std::string query;   ///< without the '?'
  std::string path;    ///< with its slash, or empty
  bool user = false;   ///< a user name stands before the host
};
/// Everything empty for what is no plain URL: with blanks, backslashes or a fragment (which readers see differently),
/// or without a host.
Url parse_url(std::string_view text);

/// Any scheme (http, ws), to localhost, 127.x.y.z or [::1].
bool is_loopback_url(std::string_view url);

/// An https URL of this service of Google's ("sts", "iamcredentials") in this universe, also the regional, mTLS and
/// Private Service Connect forms of its host.
bool is_service_url(std::string_view url, std::string_view service, std::string_view universe);
/// The metadata address of AWS, which must be none else (AIP-4117).
bool is_aws_metadata_url(std::string_view url);
/// A token endpoint of Google's for users and service accounts.
bool is_token_url(std::string_view url, std::string_view universe);
/// Whence a subject token may be fetched: https anywhere, http from this machine or a link-local metadata address.
bool is_subject_url(std::string_view url);
/// Reached without a proxy: this machine and link-local metadata addresses.
bool is_local_url(std::string_view url);

/// Whether a credential's own addresses are taken as they are (TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS=1).
bool untrusted_urls_allowed(const Environment& env);

/// `url` with scheme, host and port of `endpoint` ("http://127.0.0.1:80/"); as it is when `endpoint` is empty.
std::string redirected(const std::string& url, const std::string& endpoint);

}  // namespace tpuctl::auth
