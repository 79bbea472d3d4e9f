// SPDX-License-Identifier: Apache-2.0
// Signatures against published and independently made ones (data/).
#include <gmock/gmock.h>

#include "auth/aws_signature.hpp"
#include "auth/jwt.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "tests/support/errors.hpp"
#include "tests/unit/auth/data.hpp"

namespace tpuctl::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Jwt, IsSignedAsInTheVectorsFromEitherEncodingOfTheKey) {
  const Json all = auth_data("jwt.json");
  ASSERT_EQ(all["vectors"].size(), 12u);
  for (const char* file : {"TEST_ONLY_rsa2048_pkcs8.pem", "TEST_ONLY_rsa2048_pkcs1.pem"}) {
    const auth::SigningKey key(auth_text(file));
    for (const Json& one : all["vectors"].items()) {
      const std::string& input = one["signing_input"].text();
      EXPECT_EQ(text::sha256_hex(input), one["signing_input_sha256_hex"].text()) << one["name"].text();
      EXPECT_EQ(text::base64url(key.sign(input)), one["signature_b64url"].text()) << one["name"].text();
      const Json header = Json::parse(one["header_json"].text());
      EXPECT_EQ(auth::signed_jwt(key, header["kid"].text(), Json::parse(one["claims_json"].text())), one["jwt"].text()) << one["name"].text();
    }
  }
}

TEST(Jwt, BadKeysAreRefusedWithoutAskingOrShowingThem) {
  const Json all = auth_data("bad_key_variants.json");
  const Json vectors = auth_data("jwt.json");
  ASSERT_EQ(all["variants"].size(), 10u);
  for (const Json& one : all["variants"].items()) {
    const std::string& name = one["name"].text();
    const std::string& pem = one["private_key"].text();
    if (one.find("expect") != nullptr || name == "literal_backslash_n") {
      const Json& vector = vectors["vectors"][std::size_t{0}];
      EXPECT_EQ(text::base64url(auth::SigningKey(pem).sign(vector["signing_input"].text())), vector["signature_b64url"].text()) << name;
      continue;
    }
    const Error error = error_of([&] { auth::SigningKey{pem}; });
    EXPECT_EQ(error.kind, Kind::denied) << name;
    EXPECT_THAT(error.what(), Not(HasSubstr("MII"))) << name;
  }
}

struct BadKey {
  const char* name;
  const char* why;
};

TEST(Jwt, ABadKeyIsToldApart) {
  const BadKey cases[] = {{"empty", "PEM"}, {"not_pem", "PEM"}, {"truncated", "cut short"}, {"public_key", "public key"}, {"ec_key", "not an RSA key"}, {"encrypted", "encrypted"}};
  const Json all = auth_data("bad_key_variants.json");
  for (const BadKey& one : cases) {
    for (const Json& variant : all["variants"].items()) {
      if (variant["name"].text() != one.name) continue;
      EXPECT_THAT(error_of([&] { auth::SigningKey{variant["private_key"].text()}; }).what(), HasSubstr(one.why)) << one.name;
    }
  }
}

TEST(Jwt, TheKeyAndWhatItSignsAreKnownAsSecrets) {
  const auth::SigningKey key(auth_text("TEST_ONLY_rsa2048_pkcs8.pem"));
  const std::string jwt = auth::signed_jwt(key, "", Json{{"a", "xxxxx"}});
  EXPECT_EQ(secrets::redact(jwt), secrets::kMask);
  EXPECT_THAT(secrets::redact(auth_text("TEST_ONLY_rsa2048_pkcs8.pem")), Not(HasSubstr("MII")));
}

TEST(Jwt, ItsExpiryCanBeRead) {
  const Json jwt = auth_data("jwt.json")["vectors"][std::size_t{0}]["jwt"];
  EXPECT_EQ(auth::jwt_expiry(jwt.text()), parse_rfc3339("2023-11-14T23:13:20Z"));
  for (const char* none : {"", "a.b", "a.b.c", "a.bm90IGpzb24.c", "opaque"}) EXPECT_FALSE(auth::jwt_expiry(none)) << none;
}

auth::AwsRequest request_of(const Json& one) {
  auth::AwsRequest out{.method = one["method"].text(), .url = one["url"].text(), .region = one["region"].text(), .date = one["amz_date"].text()};
  for (const auto& [name, value] : one["extra_headers"].members()) out.headers.emplace_back(name, value.text());
  return out;
}

auth::AwsKeys keys_of(const Json& one) { return {one["access_key_id"].text(), one["secret_access_key"].text(), one["session_token"].text()}; }

void compare(const auth::AwsSignature& got, const Json& one) {
  EXPECT_EQ(got.canonical_request, one["canonical_request"].text()) << one["name"].text();
  EXPECT_EQ(got.string_to_sign, one["string_to_sign"].text()) << one["name"].text();
  EXPECT_EQ(got.signing_key_hex, one["signing_key_hex"].text()) << one["name"].text();
  EXPECT_EQ(got.signature_hex, one["signature_hex"].text()) << one["name"].text();
  EXPECT_EQ(got.authorization, one["authorization"].text()) << one["name"].text();
}

TEST(AwsSignature, EveryStepIsAsInTheVectors) {
  const Json all = auth_data("get_caller_identity.json");
  ASSERT_EQ(all["vectors"].size(), 8u);
  ASSERT_EQ(all["canonicalisation"].size(), 5u);
  for (const Json& one : all["canonicalisation"].items()) compare(auth::aws_signature(request_of(one), keys_of(one)), one);
  for (const Json& one : all["vectors"].items()) {
    auth::AwsRequest request = request_of(one);
    const bool target_signed = one["name"].text().ends_with("__target_resource_signed");
    if (target_signed) {
      const std::string token = auth::aws_subject_token(request, keys_of(one), one["audience"].text());
      EXPECT_EQ(text::percent_decode(token), one["subject_token_json"].text()) << one["name"].text();
      EXPECT_EQ(text::percent_decode(token), text::percent_decode(one["subject_token"].text()));
      request.headers.emplace_back("x-goog-cloud-target-resource", one["audience"].text());
    }
    compare(auth::aws_signature(request, keys_of(one)), one);
  }
}

}  // namespace
}  // namespace tpuctl::test
