// SPDX-License-Identifier: Apache-2.0
#include "base/file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "tests/support/errors.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) out.push_back(entry.path().filename().string());
  return out;
}

/// Files may not grow beyond `bytes` while this lives: what a full disk does, for root too.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    struct rlimit small = old_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  struct rlimit old_ = {};
  void (*old_handler_)(int) = nullptr;
};

TEST(File, AtomicWritesMakeFoldersAndModes) {
  const TemporaryFolder folder;
  const std::string path = folder / "a/b/file";
  file::write_atomic(path, std::string("bytes\0more", 10));
  EXPECT_EQ(file::read(path), std::string("bytes\0more", 10));
  EXPECT_EQ(mode_of(path), 0600u);
  EXPECT_EQ(mode_of(folder / "a/b"), 0700u);
  file::write_atomic(path, "new", 0400);
  EXPECT_EQ(file::read(path), "new");
  EXPECT_EQ(mode_of(path), 0400u) << "the mode is that of the new file";
  EXPECT_THAT(names_in(folder / "a/b"), ElementsAre("file")) << "nothing is left beside it";
}

TEST(File, AReaderThatHasTheOldFileKeepsIt) {
  const TemporaryFolder folder;
  const std::string path = folder.put("f", "old");
  const int fd = open(path.c_str(), O_RDONLY);
  file::write_atomic(path, "a new and longer text");
  char buffer[64] = {};
  EXPECT_EQ(::read(fd, buffer, sizeof buffer), 3);
  EXPECT_STREQ(buffer, "old");
  close(fd);
}

TEST(File, AFullDiskLeavesTheOldTextAndNoRubbish) {
  const TemporaryFolder folder;
  const std::string path = folder.put("f", "old");
  {
    const SmallDisk disk(1000);
    const Error error = error_of([&] { file::write_atomic(path, std::string(5000, 'x')); });
    EXPECT_EQ(error.kind, Kind::failure);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(path), HasSubstr("File too large")));
  }
  EXPECT_EQ(file::read(path), "old");
  EXPECT_THAT(names_in(folder.path), ElementsAre("f"));
}

TEST(File, FoldersThatCannotBeWrittenAreNamed) {
  const TemporaryFolder folder;
  const std::string plain = folder.put("plain", "x");
  EXPECT_THAT(error_of([&] { file::write_atomic(plain + "/below/f", "x"); }).what(), AllOf(HasSubstr(plain), HasSubstr("Not a directory")));
  EXPECT_THAT(error_of([&] { file::write_atomic("/proc/tpuctl-test", "x"); }).what(), HasSubstr("[/proc/tpuctl-test]"));
  EXPECT_THAT(error_of([&] { file::write_atomic(folder.path, "x"); }).what(), HasSubstr("[" + folder.path + "]")) << "a folder is in the way";
  EXPECT_THAT(names_in(folder.path), ElementsAre("plain")) << "no temporary file is left";
  EXPECT_THAT(error_of([&] { file::make_dirs(plain + "/x"); }).what(), HasSubstr("Cannot make the folder"));
}

TEST(File, AppendAddsAndTellsOfAFullDevice) {
  const TemporaryFolder folder;
  const std::string path = folder / "sub/log";
  file::append(path, "one\n", 0640);
  file::append(path, "two\n");
  EXPECT_EQ(file::read(path), "one\ntwo\n");
  EXPECT_EQ(mode_of(path), 0640u);
  EXPECT_THAT(error_of([] { file::append("/dev/full", "x"); }).what(), AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

TEST(File, ReadingTellsAbsentFromBroken) {
  const TemporaryFolder folder;
  EXPECT_FALSE(file::read_if_exists(folder / "none"));
  EXPECT_FALSE(file::read_if_exists(folder.put("plain", "x") + "/below"));
  EXPECT_EQ(file::read_if_exists(folder / "plain"), "x");
  EXPECT_THAT(error_of([&] { file::read(folder / "none"); }).what(), AllOf(HasSubstr("none"), HasSubstr("No such file")));
  EXPECT_THAT(error_of([&] { file::read_if_exists(folder.path); }).what(), HasSubstr("Is a directory"));
  const std::string big(200'000, 'b');
  EXPECT_EQ(file::read(folder.put("big", big)), big);
}

TEST(File, RemoveIsContentWithNothing) {
  const TemporaryFolder folder;
  const std::string path = folder.put("d/e/f", "x");
  file::remove(path);
  EXPECT_FALSE(file::exists(path));
  file::remove(path);
  error_of([&] { file::remove(folder / "d"); });
  file::remove_tree(folder / "d");
  file::remove_tree(folder / "d");
  EXPECT_FALSE(file::exists(folder / "d"));
}

TEST(File, Paths) {
  EXPECT_EQ(file::join("a", "b"), "a/b");
  EXPECT_EQ(file::join("a/", "b"), "a/b");
  EXPECT_EQ(file::join("", "b"), "b");
  EXPECT_EQ(file::base_name("/a/b"), "b");
  EXPECT_EQ(file::base_name("b"), "b");
  EXPECT_EQ(file::dir_name("/a/b"), "/a");
  EXPECT_EQ(file::dir_name("/b"), "/");
  EXPECT_EQ(file::dir_name("b"), "");
  EXPECT_EQ(file::absolute("/a/../b/./c"), "/b/c");
}

TEST(File, ALockIsHeldUntilItsEnd) {
  const TemporaryFolder folder;
  const std::string path = folder / "sub/lock";
  const auto is_free = [&path] {
    const int fd = open(path.c_str(), O_RDWR);
    const bool got = flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return got;
  };
  {
    const file::Lock lock(path);
    EXPECT_FALSE(is_free());
  }
  EXPECT_TRUE(is_free());
  EXPECT_THAT(error_of([] { const file::Lock lock("/proc/tpuctl-lock"); }).what(), HasSubstr("Cannot lock"));
}

}  // namespace
}  // namespace tpuctl::test
