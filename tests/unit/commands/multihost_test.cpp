// SPDX-License-Identifier: Apache-2.0
#include "commands/multihost.hpp"

#include <gmock/gmock.h>

#include "base/text.hpp"
#include "tests/support/errors.hpp"

namespace tpuctl::test {
namespace {

using commands::house_words;
using Words = std::vector<std::string>;

const TimePoint kNow = *parse_rfc3339("2024-05-01T10:20:30Z");

std::string translated(const Words& words) {
  Words argv = {"tpuctl", "jobs"};
  argv.insert(argv.end(), words.begin(), words.end());
  const Words out = house_words(argv, kNow);
  return text::shell_join({out.begin() + 2, out.end()});
}

TEST(MultihostFlags, OfTheRunner) {
  EXPECT_EQ(translated({"run", "--TPU_PREFIX=foo", "--COMMAND=bash setup.sh && python3 train.py", "--RUN_NAME=r1"}),
            "run --prefix=foo --workdir=. r1 -- 'bash setup.sh && python3 train.py'");
  EXPECT_EQ(translated({"run", "--TPU_PREFIX", "foo", "--PROJECT=p", "--ZONE=z", "--SCRIPT_DIR=src", "--INTERNAL_IP=true", "--SCP_TIMEOUT_SECS=60", "--COMMAND", "true"}),
            "run --prefix=foo --project=p --zone=z --workdir=src --internal-ip run-2024-05-01-10-20-30 -- true");
  EXPECT_EQ(translated({"run", "--TPU_PREFIX=foo", "--USE_EXISTING_FOLDER=True", "--INTERNAL_IP=no", "--RUN_NAME=r1", "--COMMAND=true"}),
            "run --prefix=foo --no-internal-ip r1 -- true");
}

TEST(MultihostFlags, OfTheJob) {
  EXPECT_EQ(translated({"submit", "--RUN_NAME=r1", "--BUCKET_NAME=gs://b", "--COMMAND=true"}),
            "submit --workdir=. --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --num-slices=2 --bucket=gs://b r1 -- true");
  EXPECT_EQ(translated({"submit", "--NUM_SLICES=1", "--TPU_TYPE=v5p-8", "--VERSION=v", "--RUN_NAME=r1", "--BUCKET_NAME=b", "--BUCKET_DIR=d", "--SCRIPT_DIR=s",
                        "--CQR_EXTRA_ARGS=--reserved --service-account=a@b", "--ENABLE_AUTOCHECKPOINT=true", "--COMMAND=true"}),
            "submit --num-slices=1 --accelerator-type=v5p-8 --runtime-version=v --workdir=s --reserved --service-account=a@b --enable-autocheckpoint --bucket=gs://b/d r1 -- true");
}

TEST(MultihostFlags, MixWithOurOwn) {
  EXPECT_EQ(translated({"run", "mine", "--TPU_PREFIX=foo", "--watch", "--", "python3", "t.py"}), "run mine --prefix=foo --watch --workdir=. -- python3 t.py");
}

TEST(MultihostFlags, OtherCommandLinesStayAsTheyAre) {
  for (const Words& words : {Words{"tpuctl"}, Words{"tpuctl", "jobs"}, Words{"tpuctl", "jobs", "run", "j", "--tpu=x", "--", "--TPU_PREFIX=foo"},
                             Words{"tpuctl", "jobs", "list", "--COMMAND=x"}, Words{"tpuctl", "tpu-vm", "list", "--ZONE=x"}}) {
    EXPECT_EQ(house_words(words, kNow), words);
  }
}

TEST(MultihostFlags, WhatIsWrongIsSaid) {
  EXPECT_EQ(error_of([] { translated({"run", "--BUCKET_NAME=b"}); }).kind, Kind::usage) << "the other script's";
  EXPECT_EQ(error_of([] { translated({"submit", "--ENABLE_AUTOCHECKPOINT=maybe"}); }).kind, Kind::usage);
  EXPECT_EQ(error_of([] { translated({"run", "--TPU_PREFIX"}); }).kind, Kind::usage);
}

}  // namespace
}  // namespace tpuctl::test
