// SPDX-License-Identifier: Apache-2.0
#include "auth/login.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>

#include "api/errors.hpp"
#include "auth/token_endpoint.hpp"
#include "auth/urls.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"

namespace tpuctl::auth {

namespace {

constexpr const char* kCloudPlatform = "https://www.googleapis.com/auth/cloud-platform";
constexpr std::size_t kShortestVerifier = 43, kLongestVerifier = 128;

std::string random_word(std::size_t bytes) {
  std::string raw(bytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(raw.data()), static_cast<int>(bytes)) != 1) {
    throw Error(Kind::failure, "This machine gives no random numbers.");
  }
  return text::base64url(raw);
}

// As far as time tells: no shorter for a better guess.
bool same(std::string_view a, std::string_view b) { return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0; }

std::string parameter(std::string_view query, std::string_view name) {
  for (const std::string& pair : text::split(query, '&')) {
    const auto equals = pair.find('=');
    if (equals != std::string::npos && std::string_view(pair).substr(0, equals) == name) {
      return text::percent_decode(text::replace_all(pair.substr(equals + 1), "+", " "));
    }
  }
  return {};
}

std::string form(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string out;
  for (const auto& [name, value] : pairs) out += (out.empty() ? "" : "&") + name + "=" + text::percent_encode(value);
  return out;
}

}  // namespace

ClientId read_client_id_file(const std::string& path) {
  auto refuse = [&](const std::string& reason) {
    throw Error(Kind::denied, "The client id file [" + path + "] cannot be used: " + reason,
                "Make one of the type \"Desktop app\" at https://console.cloud.google.com/apis/credentials");
  };
  const auto body = file::read_if_exists(path);
  if (!body) refuse("it was not found.");
  Json content;
  if (!Json::try_parse(*body, content) || !content.is_object()) refuse("it is not a valid JSON object.");
  if (content.members().size() != 1) refuse("it must hold exactly one client id.");
  const auto& [type, inner] = *content.members().begin();
  if (type != "installed") refuse("Only client IDs of type 'installed' are allowed, but encountered type '" + type + "'.");
  ClientId out{inner["client_id"].text(), inner["client_secret"].text(), inner["auth_uri"].text(), inner["token_uri"].text()};
  if (out.id.empty() || out.secret.empty()) refuse("it names no client_id or no client_secret.");
  secrets::remember(out.secret);
  return out;
}

std::string challenge_of(std::string_view verifier) {
  const bool plain = std::all_of(verifier.begin(), verifier.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("-._~").find(c) != std::string_view::npos;
  });
  if (!plain || verifier.size() < kShortestVerifier || verifier.size() > kLongestVerifier) {
    throw Error(Kind::failure, "A code verifier has 43 to 128 characters of A-Z a-z 0-9 - . _ ~.");
  }
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(verifier.data()), verifier.size(), digest);
  return text::base64url(std::string(digest, digest + sizeof digest));
}

Authorization::Authorization(ClientId client, std::vector<std::string> scopes, std::string redirect_uri)
    : client_(std::move(client)), scopes_(std::move(scopes)), redirect_uri_(std::move(redirect_uri)), state_(random_word(24)), verifier_(random_word(64)) {
  secrets::remember(verifier_);
}

std::string Authorization::url() const {
  return client_.auth_uri + "?" +
         form({{"response_type", "code"}, {"client_id", client_.id}, {"redirect_uri", redirect_uri_}, {"scope", text::join(scopes_, " ")},
               {"state", state_}, {"access_type", "offline"}, {"prompt", "consent"}, {"code_challenge", challenge_of(verifier_)},
               {"code_challenge_method", "S256"}});
}

std::string Authorization::code_in(std::string_view answer) const {
  answer = text::trim(answer);
  const auto question = answer.find('?');
  const bool address = question != std::string_view::npos || answer.find('=') != std::string_view::npos;
  std::string code(answer);
  if (address) {
    std::string_view query = answer.substr(question == std::string_view::npos ? 0 : question + 1);
    query = query.substr(0, query.find('#'));
    if (const std::string refused = parameter(query, "error"); !refused.empty()) {
      throw Error(Kind::denied, "You were not signed in: " + text::printable(refused) + ".");
    }
    if (!same(parameter(query, "state"), state_)) {
      throw Error(Kind::denied, "You were not signed in: (mismatching_state) the answer belongs to another attempt to sign in.", "Try again from the beginning.");
    }
    code = parameter(query, "code");
  }
  if (code.empty()) throw Error(Kind::denied, "You were not signed in: the answer holds no code.");
  secrets::remember(code);
  return code;
}

Json Authorization::exchange(const std::string& code, const std::string& token_url, const Ways& ways) const {
  Json answer = ask_for_token({.url = token_url,
                               .form = {{"grant_type", "authorization_code"}, {"client_id", client_.id}, {"client_secret", client_.secret},
                                        {"code", code}, {"redirect_uri", redirect_uri_}, {"code_verifier", verifier_}}},
                              ways);
  for (const char* name : {"access_token", "refresh_token", "id_token"}) secrets::remember(answer[name].text());
  const std::string& granted = answer["scope"].text();
  if (!granted.empty() && granted.find(kCloudPlatform) == std::string::npos) {
    throw Error(Kind::denied, std::string("You were not signed in: the scope ") + kCloudPlatform + " is required but was not consented to.",
                "Try again, and tick every box of the page.");
  }
  if (answer["refresh_token"].text().empty()) throw Error(Kind::denied, "You were not signed in: the answer holds no refresh token.");
  return answer;
}

std::string email_in(const Json& answer) {
  const auto parts = text::split(answer["id_token"].text(), '.');
  if (parts.size() != 3) return {};
  Json claims;
  const auto payload = text::from_base64url(parts[1]);
  return payload && Json::try_parse(*payload, claims) ? claims["email"].text() : "";
}

Json authorized_user_file(const ClientId& client, const Json& answer, const std::string& account) {
  return Json{{"account", account}, {"client_id", client.id}, {"client_secret", client.secret},
              {"refresh_token", answer["refresh_token"].text()}, {"type", "authorized_user"}, {"universe_domain", kDefaultUniverse}};
}

bool revoke_token(const std::string& token, const std::string& token_url, const Ways& ways) {
  api::Request request;
  request.method = "POST";
  request.url = token_url.substr(0, token_url.rfind('/')) + "/revoke";
  request.authorize = false;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = form({{"token", token}});
  const api::Response response = ways.plain.send(request);
  if (response.failure || response.status >= 500) throw refusal_of(response, request.url);
  return response.status == 200;
}

}  // namespace tpuctl::auth
