// SPDX-License-Identifier: Apache-2.0
// Why a TLS connection was not made, in words that help: whose certificate it was, who issued it, what to set.
#pragma once

#include <string>

#include "api/http.hpp"

namespace tpuctl::api {

/// What OpenSSL objected to in a chain of certificates; `reason` is empty when it did not.
struct Verdict {
  std::string reason;
  std::string issuer;  ///< common name of the certificate's issuer
  bool expired = false;
  bool not_yet_valid = false;
};

/// Has OpenSSL's objections to the chains it checks with this SSL_CTX written to `verdict`, which must outlive it. What is
/// refused stays refused.
void watch_verification(void* ssl_context, Verdict& verdict);

/// Says in `failure` what to do about a certificate that was refused, and about alerts that no further try can change.
/// `ca_file` is the file of authorities in the place of the system's, or empty.
void explain_tls(Failure& failure, const Verdict& verdict, const std::string& ca_file);

}  // namespace tpuctl::api
