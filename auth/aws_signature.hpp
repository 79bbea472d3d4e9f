// SPDX-License-Identifier: Apache-2.0
// AWS Signature Version 4 over a request that is never sent by us: Google's Security Token Service sends it, and
// believes what AWS answers (https://cloud.google.com/iam/docs/workload-identity-federation-with-other-clouds,
// AIP-4117).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tpuctl::auth {

struct AwsKeys {
  std::string id;
  std::string secret;
  std::string session;  ///< empty for long-lived keys
};

struct AwsRequest {
  std::string method = "POST";
  std::string url;  ///< https://sts.REGION.amazonaws.com?Action=...
  std::string region;
  std::string date;                                            ///< "20200811T065522Z"
  std::vector<std::pair<std::string, std::string>> headers{};  ///< signed besides host, date and session token
  std::string body{};
};

/// Every step, as AWS documents them, so that each can be checked.
struct AwsSignature {
  std::string canonical_request, string_to_sign, signing_key_hex, signature_hex, signed_headers, authorization;
};

AwsSignature aws_signature(const AwsRequest& request, const AwsKeys& keys);

/// The subject token: the signed GetCallerIdentity request for `audience`, as percent-encoded JSON.
std::string aws_subject_token(AwsRequest request, const AwsKeys& keys, const std::string& audience);

}  // namespace tpuctl::auth
