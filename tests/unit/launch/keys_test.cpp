// SPDX-License-Identifier: Apache-2.0
// The key pair: made once, however many come at once.
#include "launch/keys.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <future>
#include <set>

#include "base/file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::launch {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class MakingKeys : public ::testing::Test {
 protected:
  KeyPair pair(bool make = true) const { return {.file = folder / "ssh/key", .path_variable = std::getenv("PATH"), .make = make}; }
  static void ignore(const std::string&) {}
  test::TemporaryFolder folder;
};

TEST_F(MakingKeys, ThoseWhoComeAtOnceGetTheSamePair) {
  std::vector<std::future<std::string>> all;
  for (int i = 0; i < 6; ++i) all.push_back(std::async(std::launch::async, [this] { return public_key(pair(), ignore); }));
  std::set<std::string> keys;
  for (auto& one : all) keys.insert(one.get());
  EXPECT_THAT(keys, SizeIs(1));
  EXPECT_THAT(*keys.begin(), StartsWith("ssh-rsa "));
  EXPECT_FALSE(file::exists(folder / "ssh/key.lock")) << "nothing is left beside it";
}

TEST_F(MakingKeys, NothingIsMadeWhenItMustNotBe) {
  EXPECT_THAT(public_key(pair(false), ignore), IsEmpty());
  EXPECT_FALSE(file::exists(folder / "ssh"));
}

}  // namespace
}  // namespace tpuctl::launch
