// SPDX-License-Identifier: Apache-2.0
// A day with gcloud's `config` commands, step by step: what it printed, how it ended and what its files held afterwards.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/text.hpp"
#include "tests/unit/commands/program.hpp"

namespace tpuctl::test {
namespace {

class ConfigReplay : public Program {
 protected:
  ConfigReplay() {
    env = Environment({{"CLOUDSDK_CONFIG", directory}, {"HOME", folder / "home"}, {"PATH", "/nothing"}, {"NO_GCE_CHECK", "true"}});
    env.set("CLOUDSDK_CORE_CHECK_GCE_METADATA", "false");
  }

  /// active_config and configurations/* with their text.
  Json files() const {
    Json out = Json::object();
    const std::string active = file::join(directory, "active_config");
    if (file::exists(active)) out.member("active_config") = Json(file::read(active));
    std::error_code none;
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(file::join(directory, "configurations"), none)) {
      found["configurations/" + entry.path().filename().string()] = file::read(entry.path().string());
    }
    for (const auto& [name, text] : found) out.member(name) = Json(text);
    return out;
  }

  std::string shown(const std::string& text) const { return text::replace_all(text, directory, "$CLOUDSDK_CONFIG"); }

  void step(const Json& one) {
    const Environment before = env;
    for (const auto& [name, value] : one["env"].members()) env.set(name, value.text());
    std::vector<std::string> words;
    for (const Json& word : one["args"].items()) words.push_back(word.text());
    EXPECT_EQ(run(words), one["exit"].integer());
    EXPECT_EQ(io->out_text, one["out"].text());
    EXPECT_EQ(shown(io->err_text), one["err"].text());
    EXPECT_EQ(files().dump(), one["files"].dump());
    env = before;
  }

  std::string directory = folder / "gcloud";
};

TEST_F(ConfigReplay, EveryStepPrintsAndWritesWhatGcloudDid) {
  const Json all = Json::parse(file::read(file::join(file::dir_name(__FILE__), "data/config_commands.json")));
  int number = 0;
  for (const Json& one : all["steps"].items()) {
    SCOPED_TRACE("step " + std::to_string(++number) + ": " + one["args"].dump());
    if (one.find("write")) {
      file::write_atomic(file::join(directory, one["write"].text()), one["text"].text());
    } else {
      step(one);
    }
  }
  EXPECT_EQ(number, 90);
}

}  // namespace
}  // namespace tpuctl::test
