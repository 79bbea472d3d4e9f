// SPDX-License-Identifier: Apache-2.0
#include "launch/checkpoint_bucket.hpp"

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CheckpointEntries, AreNamesThatEndInTheirStep) {
  const std::pair<const char*, std::optional<long>> cases[] = {
      {"120", 120}, {"step_000120", 120}, {"checkpoint-7", 7}, {"0", 0}, {"step_120.orbax-checkpoint-tmp-1", {}},
      {"120.tmp", {}}, {"v2_120", {}}, {"latest", {}}, {"", {}}, {"step 3", {}}};
  for (const auto& [name, step] : cases) EXPECT_EQ(step_of_entry(name), step) << name;
}

Json object(const std::string& name, const std::string& time) {
  return Json{{"bucket", "b"}, {"name", name}, {"generation", "1"}, {"size", "1"}, {"timeCreated", time}};
}

class CheckpointBucket : public ::testing::Test {
 protected:
  std::string all(const std::string& folder, const char* framework) {
    std::string out;
    for (const Checkpoint& row : list_checkpoints(storage, folder, *find_framework(framework))) {
      out += std::to_string(row.step) + "@" + std::to_string(static_cast<long>(row.time)) + " ";
    }
    return out;
  }
  ScriptedTransport wire;
  FakeClock clock;
  api::Storage storage{wire, clock, "https://s/"};
};

TEST_F(CheckpointBucket, AFolderIsCommittedWhenItsMarkerIsThere) {
  Json prefixes = Json::strings({"run/10/", "run/20/", "run/30/", "run/40.orbax-checkpoint-tmp-5/"});
  wire.expect("GET", StartsWith("https://s/storage/v1/b/b/o?")).reply(200, Json{{"prefixes", prefixes}});
  wire.expect("GET", HasSubstr("/o/run%2F30%2Fcommit_success.txt")).reply_error(404, "NOT_FOUND", "No such object");
  wire.expect("GET", HasSubstr("/o/run%2F20%2Fcommit_success.txt")).reply(200, object("run/20/commit_success.txt", "1970-01-01T00:02:00Z"));
  wire.expect("GET", HasSubstr("/o/run%2F10%2Fcommit_success.txt")).reply(200, object("run/10/commit_success.txt", "1970-01-01T00:01:00Z"));
  EXPECT_EQ(all("gs://b/run", "orbax"), "20@120 10@60 ");
}

TEST_F(CheckpointBucket, AnObjectIsACheckpointAsSoonAsItIsThere) {
  Json items = Json::array();
  items.push(object("run/step_000010", "1970-01-01T00:01:00Z"));
  items.push(object("run/step_000020.part", "1970-01-01T00:02:00Z"));
  wire.expect("GET", HasSubstr("prefix=run%2F")).reply(200, Json{{"items", items}, {"prefixes", Json::strings({"run/30/"})}});
  Json inside = Json::array();
  inside.push(object("run/30/a", "1970-01-01T00:03:00Z"));
  inside.push(object("run/30/b", "1970-01-01T00:03:05Z"));
  wire.expect("GET", HasSubstr("prefix=run%2F30%2F")).reply(200, Json{{"items", inside}});
  EXPECT_EQ(all("gs://b/run/", "generic"), "10@60 30@185 ");
}

TEST_F(CheckpointBucket, NoFolderOfABucketIsRefused) {
  wire.forbid();
  EXPECT_THROW(all("/tmp/run", "generic"), Error);
}

}  // namespace
}  // namespace tpuctl::test
