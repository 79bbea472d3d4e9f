// SPDX-License-Identifier: Apache-2.0
// Help, word for word, and the width of its lines. A changed row changes these files: read the difference, then
// write them anew with TPUCTL_UPDATE_GOLDEN=1.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.hpp"
#include "cli/args.hpp"
#include "cli/globals.hpp"
#include "cli/help.hpp"
#include "cli/streams.hpp"
#include "tests/contract/tree.hpp"

namespace tpuctl::test {
namespace {

const std::string kGolden = std::string(TPUCTL_SOURCE_DIR) + "/tests/contract/golden/help";

std::string help_of(const Place& place, int width, bool brief = false) {
  cli::Args args;
  args.path = place.path;
  return cli::help_text(commands::root(), *place.command, args, cli::kGlobalFlags, {width, false, brief});
}

std::string file_of(const Place& place) {
  return kGolden + "/" + (place.path.empty() ? "tpuctl" : text::join(place.path, "_")) + ".txt";
}

/// The root, the groups, and the commands whose help is long.
std::vector<Place> chosen() {
  std::vector<Place> out;
  for (Place& place : every_command()) {
    const std::string words = place.text();
    const bool wanted = words == "tpu-vm create" || words == "queued-resources create" || words == "jobs run";
    if ((!place.command->commands.empty() && !place.command->hidden) || wanted) out.push_back(std::move(place));
  }
  return out;
}

TEST(Help, IsAsItWasReadAndAgreed) {
  const bool update = std::getenv("TPUCTL_UPDATE_GOLDEN") != nullptr;
  std::vector<std::string> known;
  for (const Place& place : chosen()) {
    const std::string path = file_of(place), now = help_of(place, 80);
    known.push_back(file::base_name(path));
    if (update) file::write_atomic(path, now, 0644);
    EXPECT_EQ(file::read_if_exists(path).value_or("(no such file)"), now)
        << "Help of " << place.text() << " differs from " << path
        << "\nIf the new text is right: TPUCTL_UPDATE_GOLDEN=1 ctest -R '^contract$', and read the difference.";
  }
  EXPECT_GE(known.size(), 8u);
  for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
    EXPECT_THAT(known, ::testing::Contains(entry.path().filename().string())) << "a golden file of no command";
  }
}

// Columns that a line cannot do without: its indentation, its longest word (quoted, it may hold blanks) and, where an example
// goes on, the backslash.
int least(std::string_view line) {
  const bool goes_on = line.ends_with(" \\");
  if (goes_on) line.remove_suffix(2);
  const auto start = std::min(line.find_first_not_of(' '), line.size());
  int longest = 0;
  for (const std::string& word : text::split(line.substr(start), ' ')) longest = std::max(longest, cli::display_width(word));
  const auto quote = line.starts_with("            ") ? line.find_first_of("'\"") : std::string_view::npos;  // an example
  if (quote != std::string_view::npos) longest = cli::display_width(line.substr(line.find_last_of(' ', quote) + 1));
  return static_cast<int>(start) + longest + (goes_on ? 2 : 0);
}

class Width : public ::testing::TestWithParam<int> {};

TEST_P(Width, NoLineIsWiderThanThePage) {
  const int width = GetParam();
  int lines = 0;
  for (const Place& place : every_command()) {
    for (const bool brief : {false, true}) {
      for (const std::string& line : text::split(help_of(place, width, brief), '\n')) {
        ++lines;
        EXPECT_TRUE(cli::display_width(line) <= width || least(line) > width) << place.text() << ": " << line;
        EXPECT_FALSE(line.ends_with(' ')) << place.text() << " ends in a blank: [" << line << "]";
        EXPECT_EQ(line.find('\t'), std::string::npos) << place.text();
      }
    }
  }
  EXPECT_GT(lines, 500);
}

INSTANTIATE_TEST_SUITE_P(Help, Width, ::testing::Values(40, 60, 80, 100), ::testing::PrintToStringParamName());

TEST(Help, AtEightyColumnsNothingIsWiderWhateverItsWords) {
  for (const Place& place : every_command()) {
    for (const std::string& line : text::split(help_of(place, 80), '\n')) {
      EXPECT_LE(cli::display_width(line), 80) << place.text() << ": " << line;
    }
  }
}

TEST(Help, TopicsKeepTheWidthToo) {
  for (const cli::Topic& topic : cli::topics()) {
    for (const std::string& line : text::split(cli::topic_text(topic, {80, false, false}), '\n')) {
      EXPECT_LE(cli::display_width(line), 80) << topic.name << ": " << line;
    }
  }
}

TEST(Help, NamesEveryFlagOfTheCommandThatIsNotHidden) {
  for (const Place& place : every_command()) {
    if (!place.command->commands.empty()) continue;
    const std::string help = help_of(place, 100);
    for (const cli::Flag& flag : place.command->flags) {
      const bool told = help.find("    --" + std::string(flag.name)) != std::string::npos ||
                        help.find("    --[no-]" + std::string(flag.name)) != std::string::npos;
      EXPECT_EQ(told, !flag.hidden) << place.text() << " --" << flag.name;
    }
  }
}

}  // namespace
}  // namespace tpuctl::test
