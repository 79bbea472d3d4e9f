// SPDX-License-Identifier: Apache-2.0
#include "launch/archive.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/process.hpp"
#include "tests/support/archive.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Packing : public ::testing::Test {
 protected:
  std::vector<std::string> names(const std::vector<ArchiveEntry>& entries) const {
    std::vector<std::string> out;
    for (const auto& entry : entries) out.push_back(entry.name);
    return out;
  }
  /// What tar makes of the archive, in folder `out`.
  void unpack(const Archive& archive) const {
    file::make_dirs(folder / "out");
    process::Spec spec;
    spec.argv = {"tar", "-xzpf", folder.put("archive", bytes_of(archive)), "-C", folder / "out"};
    const auto result = process::run(spec);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err, IsEmpty());
  }
  std::string unpacked(const std::string& name) const { return file::read_if_exists(folder / ("out/" + name)).value_or("(none)"); }

  TemporaryFolder folder;
  std::vector<std::string> warnings;
  Warn warn = [this](const std::string& line) { warnings.push_back(line); };
};

TEST_F(Packing, TarUnpacksWhatWentIn) {
  folder.put("in/a b", "blank");
  folder.put("in/-x", "dash");
  folder.put("in/c:d", "colon");
  folder.put("in/\xC3\xA9", "accent");
  folder.put("in/line\nbreak", "two lines");
  folder.put("in/run.sh", "#!/bin/sh\n", 0755);
  folder.put("in/private", "p", 0600);
  folder.put("in/" + std::string(90, 'd') + "/" + std::string(120, 'f'), "long name");
  folder.put("in/empty-file", "");
  folder.put("in/block", std::string(512, 'x'));
  std::string noise;
  for (unsigned i = 0; i < 700'000; ++i) noise += static_cast<char>(i * i >> 3);
  folder.put("in/noise", noise);
  file::make_dirs(folder / "in/empty folder", 0755);
  ASSERT_EQ(symlink("run.sh", (folder / "in/link").c_str()), 0);
  ASSERT_EQ(symlink(std::string(150, 't').c_str(), (folder / "in/dangling").c_str()), 0);

  const Archive archive(entries_of_workdir(folder / "in", warn));
  unpack(archive);
  EXPECT_EQ(unpacked("a b"), "blank");
  EXPECT_EQ(unpacked("-x"), "dash");
  EXPECT_EQ(unpacked("c:d"), "colon");
  EXPECT_EQ(unpacked("\xC3\xA9"), "accent");
  EXPECT_EQ(unpacked("line\nbreak"), "two lines");
  EXPECT_EQ(unpacked(std::string(90, 'd') + "/" + std::string(120, 'f')), "long name");
  EXPECT_EQ(unpacked("empty-file"), "");
  EXPECT_EQ(unpacked("block"), std::string(512, 'x'));
  EXPECT_EQ(unpacked("noise"), noise);
  EXPECT_EQ(mode_of(folder / "out/run.sh"), 0755u);
  EXPECT_EQ(mode_of(folder / "out/private"), 0600u);
  EXPECT_TRUE(file::is_dir(folder / "out/empty folder"));
  EXPECT_EQ(std::filesystem::read_symlink(folder / "out/link"), "run.sh");
  EXPECT_EQ(std::filesystem::read_symlink(folder / "out/dangling"), std::string(150, 't'));
  EXPECT_EQ(archive.files(), 13u);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(Packing, AFileBeyondEightGibibytesHasItsWholeSize) {
  const std::int64_t size = (std::int64_t{8} << 30) + 5;
  process::Spec spec;
  spec.argv = {"tar", "-tvf", folder.put("huge.tar", tar_headers({"huge", "huge", ArchiveEntry::Type::file, 0644, size, {}}))};
  EXPECT_THAT(process::run(spec).out, HasSubstr(" " + std::to_string(size) + " ")) << "although it ends early";
}

TEST_F(Packing, EqualFilesMakeEqualArchives) {
  folder.put("in/a", "one");
  folder.put("in/b", "two");
  const std::string before = Archive(entries_of_workdir(folder / "in", warn)).sum();
  EXPECT_EQ(before.size(), 64u);
  const timespec old[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, (folder / "in/a").c_str(), old, 0), 0);
  EXPECT_EQ(Archive(entries_of_workdir(folder / "in", warn)).sum(), before) << "times do not count";
  folder.put("in/b", "twO");
  EXPECT_NE(Archive(entries_of_workdir(folder / "in", warn)).sum(), before);
  folder.put("in/b", "two");
  ASSERT_EQ(chmod((folder / "in/b").c_str(), 0700), 0);
  EXPECT_NE(Archive(entries_of_workdir(folder / "in", warn)).sum(), before) << "the executable bit counts";
}

TEST_F(Packing, ItsChecksumIsThatOfItsBytes) {
  folder.put("in/a", "one");
  const Archive archive(entries_of_workdir(folder / "in", warn));
  const std::string bytes = bytes_of(archive);
  EXPECT_EQ(archive.sum(), text::sha256_hex(bytes));
  EXPECT_EQ(archive.size(), static_cast<std::int64_t>(bytes.size()));
  EXPECT_EQ(archive.content(), 3);
}

TEST_F(Packing, NoTemporaryFileCanBeLeftOver) {
  file::make_dirs(folder / "tmp");
  const char* before = std::getenv("TMPDIR");
  const std::string old = before ? before : "";
  setenv("TMPDIR", (folder / "tmp").c_str(), 1);
  const Archive archive({});
  if (before) {
    setenv("TMPDIR", old.c_str(), 1);
  } else {
    unsetenv("TMPDIR");
  }
  EXPECT_GT(archive.size(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST_F(Packing, NothingSpecialTravels) {
  folder.put("in/a", "");
  ASSERT_EQ(mkfifo((folder / "in/pipe").c_str(), 0600), 0);
  EXPECT_THAT(names(entries_of_workdir(folder / "in", warn)), ElementsAre("a"));
  EXPECT_THAT(warnings, ElementsAre(AllOf(HasSubstr("pipe]"), HasSubstr("left out"))));
}

TEST_F(Packing, WhatCannotBeReadIsNamedBeforeAnythingIsSent) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  folder.put("in/closed", "x", 0000);
  EXPECT_THAT(complaint_of([&] { entries_of_workdir(folder / "in", warn); }), AllOf(HasSubstr("in/closed]"), HasSubstr("denied")));
}

TEST_F(Packing, AFileThatShrinksIsNamed) {
  const std::string path = folder.put("in/log", "long");
  const auto entries = entries_of_workdir(folder / "in", warn);
  folder.put("in/log", "x");
  EXPECT_THAT(complaint_of([&] { const Archive archive(entries); }), AllOf(HasSubstr(path), HasSubstr("shorter")));
}

TEST_F(Packing, SourcesGoUnderTheirLastNames) {
  folder.put("in/code/.gitignore", "*\n");
  folder.put("in/code/.git/HEAD", "");
  folder.put("in/file", "");
  ASSERT_EQ(symlink("file", (folder / "in/link").c_str()), 0);
  EXPECT_THAT(names(entries_of_sources({folder / "in/file", folder / "in/code/"}, warn)),
              ElementsAre("file", "code", "code/.git", "code/.git/HEAD", "code/.gitignore"))
      << "all of it, as with scp";
  EXPECT_EQ(entries_of_sources({folder / "in/link"}, warn)[0].type, ArchiveEntry::Type::file) << "a source is followed";
  EXPECT_THAT(names(entries_of_sources({folder / "in/code/."}, warn))[0], "code");
  EXPECT_THAT(complaint_of([&] { entries_of_sources({folder / "in/file", folder / "in/code/../file"}, warn); }), HasSubstr("called [file]"));
}

}  // namespace
}  // namespace tpuctl::test
