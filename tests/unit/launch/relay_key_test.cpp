// SPDX-License-Identifier: Apache-2.0
#include "launch/relay_key.hpp"

#include <gmock/gmock.h>

#include "base/process.hpp"
#include "base/text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

TEST(RelayKey, OpensshReadsBothHalves) {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) {
    const auto key = launch::make_relay_key();
    process::Spec spec;
    spec.argv = {"ssh-keygen", "-y", "-P", "", "-f", folder.put("key", key.private_text)};
    const auto result = process::run(spec);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(text::trim(result.out), key.public_line + " tpuctl");
  }
}

TEST(RelayKey, EachIsAnother) { EXPECT_NE(launch::make_relay_key().private_text, launch::make_relay_key().private_text); }

}  // namespace
}  // namespace tpuctl::test
