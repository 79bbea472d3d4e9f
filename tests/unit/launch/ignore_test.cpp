// SPDX-License-Identifier: Apache-2.0
#include "launch/ignore.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "base/process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::ElementsAre;

struct Row {
  const char* line;
  const char* path;
  bool folder;
  bool ignored;
};

// As `git check-ignore` answers; the test after next asks it.
const std::vector<Row> kRows = {
    // A name counts at any depth, and below the folder of its file when it has a slash.
    {"build", "build", true, true},
    {"build", "build", false, true},
    {"build", "a/b/build", false, true},
    {"build", "builder", false, false},
    {"/build", "build", false, true},
    {"/build", "a/build", false, false},
    {"a/build", "a/build", false, true},
    {"a/build", "x/a/build", false, false},
    {"/a/build", "a/build", false, true},
    // A slash at the end means folders.
    {"build/", "build", true, true},
    {"build/", "build", false, false},
    {"build/", "a/build", true, true},
    {"a/build/", "a/build", true, true},
    {"a/build/", "x/a/build", true, false},
    {"*/", "x", true, true},
    {"*/", "x", false, false},
    // Wildcards stop at slashes.
    {"*.o", "a.o", false, true},
    {"*.o", "x/y/a.o", false, true},
    {"*.o", ".o", false, true},
    {"*.o", "a.obj", false, false},
    {"a/*.o", "a/b.o", false, true},
    {"a/*.o", "a/b/c.o", false, false},
    {"a/*", "a/b", true, true},
    {"*", ".hidden", false, true},
    {"?", "a", false, true},
    {"?", "ab", false, false},
    {"a?c", "abc", false, true},
    {"a/?/c", "a/b/c", false, true},
    {"a?c/d", "a/c/d", false, false},
    // Any number of folders.
    {"**/x", "x", false, true},
    {"**/x", "a/b/x", false, true},
    {"**/a/x", "a/x", false, true},
    {"**/a/x", "b/a/x", false, true},
    {"a/**", "a/b", false, true},
    {"a/**", "a/b/c", false, true},
    {"a/**", "a", true, false},
    {"a/**", "b/a/c", false, false},
    {"a/**/z", "a/z", false, true},
    {"a/**/z", "a/b/c/z", false, true},
    {"a/**/z", "a/b/zz", false, false},
    {"a/**/**/z", "a/z", false, true},
    {"/**/z", "b/z", false, true},
    {"a**b", "axxb", false, true},
    {"x/a**b", "x/a/b", false, false},
    {"**", "anything", false, true},
    {"**/", "f", false, false},
    {"**/", "d", true, true},
    // Sets.
    {"[ab].c", "a.c", false, true},
    {"[ab].c", "c.c", false, false},
    {"[!ab].c", "c.c", false, true},
    {"[^ab].c", "a.c", false, false},
    {"[a-f]x", "ex", false, true},
    {"[a-f]x", "gx", false, false},
    {"[]]x", "]x", false, true},
    {"[[:digit:]]", "7", false, true},
    {"[[:digit:]]", "d", false, false},
    {"[ab", "[ab", false, false},
    {"a[/]b", "a/b", false, false},
    // Backslashes, comments, blanks.
    {"\\#x", "#x", false, true},
    {"#x", "#x", false, false},
    {"\\!x", "!x", false, true},
    {"\\*", "*", false, true},
    {"\\*", "a", false, false},
    {"a\\ b", "a b", false, true},
    {"a b", "a b", false, true},
    {"x  ", "x", false, true},
    {"x\\ ", "x ", false, true},
    {"x\\ ", "x", false, false},
    {" x", " x", false, true},
    {" x", "x", false, false},
    {"x\t", "x\t", false, true},
    {"\xC3\xA9", "\xC3\xA9", false, true},
    {"-x", "-x", false, true},
    // Nothing.
    {"", "x", false, false},
    {"/", "x", false, false},
    {"!x", "x", false, false},
};

TEST(IgnorePattern, MatchesAsGitDoes) {
  for (const Row& row : kRows) {
    const auto pattern = parse_ignore_line(row.line);
    const bool ignored = pattern && !pattern->keeps && ignore_matches(*pattern, row.path, row.folder);
    EXPECT_EQ(ignored, row.ignored) << "[" << row.line << "] and [" << row.path << "]" << (row.folder ? " (folder)" : "");
  }
}

bool git_is_here() { return !process::find_program("git", "/usr/local/bin:/usr/bin:/bin").empty(); }

// Git as if nobody had configured it.
process::Result git(const std::string& folder, std::vector<std::string> words, const std::string& input = {}) {
  process::Spec spec;
  spec.argv = {"git", "-c", "core.excludesFile=/dev/null", "-c", "init.defaultBranch=main", "-C", folder};
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + folder, "GIT_CONFIG_NOSYSTEM=1"};
  return process::run(spec, input);
}

TEST(IgnorePattern, GitItselfAnswersTheSame) {
  ASSERT_TRUE(git_is_here()) << "scripts/setup test installs git";
  const TemporaryFolder folder;
  ASSERT_EQ(git(folder.path, {"init", "-q"}).status, 0);
  const auto place = [](std::size_t row) { return "row" + std::to_string(row) + "/"; };
  std::string questions;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    folder.put(place(i) + ".gitignore", std::string(kRows[i].line) + "\n");
    const std::string path = place(i) + kRows[i].path;
    if (kRows[i].folder) {
      file::make_dirs(folder / path);
    } else {
      folder.put(path, "");
    }
    questions += path + '\0';
  }
  const auto answer = text::split(git(folder.path, {"check-ignore", "-z", "--stdin"}, questions).out, '\0');
  const std::set<std::string> ignored(answer.begin(), answer.end());
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    EXPECT_EQ(ignored.contains(place(i) + kRows[i].path), kRows[i].ignored) << "[" << kRows[i].line << "] and [" << kRows[i].path << "]";
  }
}

// Every path below a folder that the rules keep, in the order of their names; folders end with a slash.
std::vector<std::string> kept(const std::string& root) {
  IgnoreRules rules(root);
  std::vector<std::string> out;
  const std::function<void(const std::string&)> walk = [&](const std::string& folder) {
    rules.enter(folder);
    std::vector<std::filesystem::directory_entry> entries;
    for (const auto& entry : std::filesystem::directory_iterator(file::join(root, folder))) entries.push_back(entry);
    std::sort(entries.begin(), entries.end());
    for (const auto& entry : entries) {
      const std::string path = (folder.empty() ? "" : folder + "/") + entry.path().filename().string();
      const bool is_folder = entry.is_directory() && !entry.is_symlink();
      if (rules.ignores(path, is_folder)) continue;
      out.push_back(path + (is_folder ? "/" : ""));
      if (is_folder) walk(path);
    }
    rules.leave();
  };
  walk("");
  return out;
}

class IgnoreFiles : public ::testing::Test {
 protected:
  TemporaryFolder folder;
};

TEST_F(IgnoreFiles, DeeperFilesAndLaterLinesDecide) {
  folder.put(".gitignore", "*.log\n!keep.log\n/out/\nsecret/\n");
  folder.put("a.log", "");
  folder.put("keep.log", "");
  folder.put("out/x", "");
  folder.put("sub/.gitignore", "keep.log\n!b.log\n/top\n");
  folder.put("sub/keep.log", "");
  folder.put("sub/b.log", "");
  folder.put("sub/out/x", "");
  folder.put("sub/top", "");
  folder.put("sub/deep/top", "");
  folder.put("secret/.gitignore", "!*\n");
  folder.put("secret/x", "");
  EXPECT_THAT(kept(folder.path), ElementsAre(".gitignore", "keep.log", "sub/", "sub/.gitignore", "sub/b.log", "sub/deep/", "sub/deep/top",
                                             "sub/out/", "sub/out/x"));
}

TEST_F(IgnoreFiles, ByteOrderMarksAndCarriageReturnsDoNotCount) {
  folder.put(".gitignore", "\xEF\xBB\xBF*.o\r\n*.a\r\n");
  folder.put("x.o", "");
  folder.put("x.a", "");
  folder.put("x.c", "");
  EXPECT_THAT(kept(folder.path), ElementsAre(".gitignore", "x.c"));
}

TEST_F(IgnoreFiles, TpuctlignoreStandsAboveGitignore) {
  folder.put(".gitignore", "*.bin\n");
  folder.put(".tpuctlignore", "!weights.bin\ndocs/\n");
  folder.put("weights.bin", "");
  folder.put("other.bin", "");
  folder.put("docs/x", "");
  folder.put("sub/.gitignore", "weights.bin\n");
  folder.put("sub/weights.bin", "");
  EXPECT_THAT(kept(folder.path), ElementsAre(".gitignore", ".tpuctlignore", "sub/", "sub/.gitignore", "sub/weights.bin", "weights.bin"));
}

TEST_F(IgnoreFiles, GitsOwnFolderStaysAtHomeUnlessAskedFor) {
  folder.put(".git/HEAD", "");
  folder.put("sub/.git", "gitdir: elsewhere\n");
  folder.put("x", "");
  EXPECT_THAT(kept(folder.path), ElementsAre("sub/", "x"));
  folder.put(".tpuctlignore", "!.git\n");
  EXPECT_THAT(kept(folder.path), ElementsAre(".git/", ".git/HEAD", ".tpuctlignore", "sub/", "sub/.git", "x"));
}

TEST_F(IgnoreFiles, FoldersAboveHaveTheirSayUpToTheRepository) {
  folder.put(".gitignore", "everything\n");  // above the repository: nobody's business
  folder.put("repository/.git/info/exclude", "mine\n");
  folder.put("repository/.gitignore", "*.tmp\n/code/generated\n");
  folder.put("repository/code/a.tmp", "");
  folder.put("repository/code/generated", "");
  folder.put("repository/code/everything", "");
  folder.put("repository/code/mine", "");
  folder.put("repository/code/sub/generated", "");
  EXPECT_THAT(kept(folder / "repository/code"), ElementsAre("everything", "sub/", "sub/generated"));
}

TEST_F(IgnoreFiles, WhatGitTracksIsNotIgnored) {
  if (!git_is_here()) GTEST_SKIP() << "git is not installed";
  ASSERT_EQ(git(folder.path, {"init", "-q"}).status, 0);
  folder.put(".gitignore", "*.json\nbuild/\n");
  folder.put("config.json", "");
  folder.put("other.json", "");
  folder.put("build/kept", "");
  folder.put("build/made", "");
  ASSERT_EQ(git(folder.path, {"add", "-f", "config.json", "build/kept"}).status, 0);
  EXPECT_THAT(kept(folder.path), ElementsAre(".gitignore", "build/", "build/kept", "config.json"));
  folder.put(".tpuctlignore", "config.json\n");
  EXPECT_THAT(kept(folder.path), ElementsAre(".gitignore", ".tpuctlignore", "build/", "build/kept"));
}

TEST_F(IgnoreFiles, WithoutAnyOfThemAllGoes) {
  folder.put("a", "");
  folder.put(".b", "");
  EXPECT_THAT(kept(folder.path), ElementsAre(".b", "a"));
}

}  // namespace
}  // namespace tpuctl::test
