// SPDX-License-Identifier: Apache-2.0
// Everything a credential looks at, in the hands of the test.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "api/curl.hpp"
#include "api/retry.hpp"
#include "auth/credentials.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {

inline Json user_json(const std::string& secret = "client-secret") {
  return Json{{"type", "authorized_user"}, {"client_id", "client-id"}, {"client_secret", secret}, {"refresh_token", "refresh-token"}};
}

inline Json token_answer(const std::string& value, int life = 3600) {
  return Json{{"access_token", value}, {"expires_in", life}, {"token_type", "Bearer"}};
}

/// A machine without any credential, whose gcloud directory is `folder`/gcloud.
struct Machine {
  Machine() {
    wishes.config_directory = folder / "gcloud";
    wishes.probe_metadata = false;
    env.set("PATH", folder / "bin");
  }
  std::string put(const std::string& name, const Json& json) const { return folder.put(name, json.dump()); }

  TemporaryFolder folder;
  auth::Wishes wishes;
  Environment env;
};

/// With scripted wires.
class AuthTest : public ::testing::Test, protected Machine {
 protected:
  auth::Credential find() { return auth::find_credentials(wishes, env, {plain, direct, probe, clock}); }
  /// The credential in a file of this content, as GOOGLE_APPLICATION_CREDENTIALS names it.
  auth::Credential find(const Json& json) {
    env.set("GOOGLE_APPLICATION_CREDENTIALS", put("key.json", json));
    return find();
  }
  std::string sentence() { return find().identity.sentence; }
  std::string token() { return find().source->token(clock.now()).value; }
  Error refusal() {
    return error_of([this] { find(); });
  }
  Error refusal(const Json& json) {
    return error_of([&] { find(json); });
  }
  Error refused_token(const Json& json) {
    auth::Credential found = find(json);
    return error_of([&] { found.source->token(clock.now()); });
  }
  ScriptedTransport plain, direct, probe;
  FakeClock clock;
};

}  // namespace tpuctl::test
