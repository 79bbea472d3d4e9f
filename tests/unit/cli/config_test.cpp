// SPDX-License-Identifier: Apache-2.0
#include "cli/config.hpp"
#include "cli/configurations.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "tests/unit/cli/tree.hpp"

namespace tpuctl::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Json vectors() { return Json::parse(file::read(file::join(file::dir_name(__FILE__), "data/ini_parse.json"))); }

Json as_json(const IniFile& ini) {
  Json out = Json::object();
  for (const auto& [section, names] : ini.resolved()) {
    Json& one = out.member(section);
    one = Json::object();
    for (const auto& [name, value] : names) one.member(name) = Json(value);
  }
  return out;
}

TEST(Ini, ReadsAsConfigparserDoes) {
  int cases = 0;
  const Json all = vectors();
  for (const Json& one : all["parse"].items()) {
    SCOPED_TRACE(one["name"].text());
    ++cases;
    if (one.find("parsed")) {
      EXPECT_EQ(as_json(IniFile::parse(one["text"].text(), "f")).dump(), one["parsed"].dump());
      continue;
    }
    try {
      IniFile::parse(one["text"].text(), "/dir/config_x");
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      const std::string place = one.find("line") ? "/dir/config_x:" + one["line"].scalar() + ": " : "/dir/config_x: ";
      EXPECT_THAT(error.what(), HasSubstr(place));
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_EQ(cases, 39);
}

TEST(Ini, WritesBackAsGcloudDoes) {
  const Json all = vectors();
  for (const Json& one : all["write_back"].items()) {
    SCOPED_TRACE(one["name"].text());
    IniFile ini = IniFile::parse(one["before"].text(), "f");
    bool changed = false;
    for (const Json& operation : one["operations"].items()) {
      const std::string section = operation["section"].text(), name = operation["name"].text();
      if (operation["value"].is_null()) {
        changed = ini.unset(section, name) || changed;
      } else {
        ini.set(section, name, operation["value"].text());
        changed = true;
      }
    }
    EXPECT_EQ(changed ? ini.print() : one["before"].text(), one["after"].text());
  }
}

TEST(Ini, WhatWasSetIsReadBack) {
  IniFile ini;
  for (const std::string value : {"p%40s", "a\nb", "  x", "%(name)s", "100%"}) {
    ini.set("proxy", "password", value);
    const auto again = IniFile::parse(ini.print(), "f").get("proxy", "password");
    EXPECT_EQ(again, value == "  x" ? "x" : value);
  }
}

TEST(Ini, ManyLevelsOfInterpolationEnd) {
  EXPECT_THROW(IniFile::parse("[a]\nx = %(x)s\n", "f"), Error);
  EXPECT_THROW(IniFile::parse("[a]\nx = %(y)s%(y)s\ny = %(x)s%(x)s\n", "f"), Error);
}

class ConfigTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/tpuctl-config-XXXXXX";
    dir_ = mkdtemp(name);
    env_.set("HOME", dir_);
    env_.set("CLOUDSDK_CONFIG", dir_);
  }
  void TearDown() override { file::remove_tree(dir_); }
  void write(const std::string& name, const std::string& text) { file::write_atomic(file::join(dir_, name), text); }
  std::string read(const std::string& name) const {
    return file::read_if_exists(file::join(dir_, name)).value_or("(absent)");
  }
  Args args(std::vector<std::string> words) { return test::parse_words(words).args; }
  std::string failure(const std::string& name, const std::string& value) {
    try {
      Config(env_).set(name, value);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::string dir_;
  Environment env_;
};

TEST_F(ConfigTest, FlagBeatsEnvironmentBeatsFileBeatsDefault) {
  Config plain(env_);
  EXPECT_EQ(plain.get("core/project"), std::nullopt);
  EXPECT_EQ(plain.get("ssh/port"), "22");
  EXPECT_EQ(plain.lookup("ssh/port").origin, Origin::fallback);

  write("configurations/config_default", "[core]\nproject = in-file\n[compute]\nzone = z-file\n");
  Config with_file(env_);
  EXPECT_EQ(with_file.get("core/project"), "in-file");
  EXPECT_EQ(with_file.lookup("core/project").where, file::join(dir_, "configurations/config_default"));

  env_.set("CLOUDSDK_CORE_PROJECT", "in-env");
  Config with_env(env_);
  EXPECT_EQ(with_env.get("core/project"), "in-env");
  EXPECT_EQ(with_env.lookup("core/project").where, "CLOUDSDK_CORE_PROJECT");

  with_env.apply(args({"tpu-vm", "list", "--project=in-flag", "--zone=z-flag", "--quiet"}));
  EXPECT_EQ(with_env.get("core/project"), "in-flag");
  EXPECT_EQ(with_env.lookup("compute/zone").where, "--zone");
  EXPECT_TRUE(with_env.on("core/disable_prompts"));
}

TEST_F(ConfigTest, EmptyEnvironmentHidesTheFile) {
  write("configurations/config_default", "[core]\nproject = in-file\n");
  env_.set("CLOUDSDK_CORE_PROJECT", "");
  EXPECT_EQ(Config(env_).get("core/project"), std::nullopt);
  EXPECT_EQ(Config(env_).lookup("core/project").origin, Origin::environment);
}

TEST_F(ConfigTest, ActiveConfigurationIsFlagThenEnvironmentThenFileThenDefault) {
  EXPECT_EQ(Config(env_).active_name(), "default");
  write("active_config", "dev\n");
  EXPECT_EQ(Config(env_).active_name(), "dev");
  write("active_config", "Bad Name");
  EXPECT_EQ(Config(env_).active_name(), "default");
  env_.set("CLOUDSDK_ACTIVE_CONFIG_NAME", "prod");
  Config config(env_);
  EXPECT_EQ(config.active_name(), "prod");
  config.apply(args({"tpu-vm", "list", "--configuration=test"}));
  EXPECT_EQ(config.active_name(), "test");
  EXPECT_THROW(config.apply(args({"tpu-vm", "list", "--configuration=Bad_Name"})), Error);
}

TEST_F(ConfigTest, NoneHasNoPropertiesAndCannotBeSet) {
  write("configurations/config_NONE", "[core]\nproject = p\n");
  env_.set("CLOUDSDK_ACTIVE_CONFIG_NAME", "NONE");
  EXPECT_EQ(Config(env_).get("core/project"), std::nullopt);
  EXPECT_EQ(failure("project", "p-1"), "Properties in configuration [NONE] cannot be set.");
}

TEST_F(ConfigTest, SetWritesGcloudsFiles) {
  Config config(env_);
  config.set("project", "my-project");
  EXPECT_EQ(read("configurations/config_default"), "[core]\nproject = my-project\n\n");
  EXPECT_EQ(read("active_config"), "default");
  EXPECT_EQ(read("config_sentinel"), "");
  EXPECT_EQ(config.get("core/project"), "my-project");
  struct stat info = {};
  ASSERT_EQ(stat(file::join(dir_, "configurations/config_default").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
}

TEST_F(ConfigTest, SetKeepsWhatIsNotUnderstood) {
  write("configurations/config_default", "# gone\n[strange]\nfoo = bar\n[core]\naccount = a@b.c\n");
  Config config(env_);
  config.set("compute/zone", "z");
  EXPECT_EQ(read("configurations/config_default"),
            "[strange]\nfoo = bar\n\n[core]\naccount = a@b.c\n\n[compute]\nzone = z\n\n");
  EXPECT_TRUE(config.unset("compute/zone"));
  EXPECT_FALSE(config.unset("compute/zone"));
  EXPECT_EQ(read("configurations/config_default"), "[strange]\nfoo = bar\n\n[core]\naccount = a@b.c\n\n[compute]\n\n");
}

TEST_F(ConfigTest, SetThroughALinkKeepsTheLink) {
  write("elsewhere", "");
  file::make_dirs(file::join(dir_, "configurations"));
  const std::string link = file::join(dir_, "configurations/config_default");
  ASSERT_EQ(symlink(file::join(dir_, "elsewhere").c_str(), link.c_str()), 0);
  Config(env_).set("project", "my-project");
  EXPECT_EQ(read("elsewhere"), "[core]\nproject = my-project\n\n");
}

TEST_F(ConfigTest, SetRefusesBadValues) {
  EXPECT_EQ(failure("project", "My Project"),
            "The project property must be set to a valid project ID, not the project name [My Project]");
  EXPECT_EQ(failure("project", ""), "The project property is set to the empty string, which is invalid.");
  EXPECT_EQ(failure("project", "example.com:my-project"), "");
  EXPECT_THAT(failure("disable_prompts", "maybe"), HasSubstr("The [disable_prompts] value [maybe] is not valid."));
  EXPECT_EQ(failure("disable_prompts", "Yes"), "");
  EXPECT_EQ(failure("verbosity", "foo"), "");
  EXPECT_THAT(failure("proxy/type", "foo"), HasSubstr("[http, http_no_tunnel, socks4, socks5]"));
  EXPECT_THAT(failure("api_endpoint_overrides/tpu", "http://localhost:8080"), HasSubstr("ending with a trailing '/'"));
  EXPECT_EQ(failure("api_endpoint_overrides/tpu", "http://localhost:8080/"), "");
  EXPECT_THAT(failure("core/custom_ca_certs_file", "/nowhere"), HasSubstr("must exist"));
  EXPECT_THAT(failure("ssh/port", "99999"), HasSubstr("no port number"));
  EXPECT_EQ(failure("core/nosuch", "x"), "Section [core] has no property [nosuch].");
  EXPECT_EQ(failure("nosuch/x", "x"), "Section \"nosuch\" does not exist.");
  EXPECT_EQ(failure("nosuch/", "x"), "Invalid value for [property]: Must be in the form: [SECTION/]PROPERTY");
  EXPECT_EQ(failure("", "x"), "Invalid value for [property]: Must be in the form: [SECTION/]PROPERTY");
}

TEST_F(ConfigTest, SetNeedsTheConfigurationToExist) {
  env_.set("CLOUDSDK_ACTIVE_CONFIG_NAME", "gone");
  EXPECT_EQ(failure("project", "p-1"), "Cannot set property in configuration [gone], it does not exist.");
}

TEST_F(ConfigTest, BrokenFileIsAnErrorWhenAskedAndNotBefore) {
  write("configurations/config_default", "[core\n");
  Config config(env_);
  config.apply(args({"tpu-vm", "list", "--project=p"}));
  EXPECT_EQ(config.get("core/project"), "p");
  EXPECT_THROW(config.get("core/account"), Error);
}

TEST_F(ConfigTest, AllListsEveryPropertyInOrder) {
  write("configurations/config_default", "[core]\nproject = p\n[compute]\nzone = z\n[storage]\nuse_grpc_if_available = true\n");
  env_.set("CLOUDSDK_AUTH_DISABLE_CREDENTIALS", "true");
  std::vector<std::string> all, here;
  for (const auto& [property, setting] : Config(env_).all()) {
    all.push_back(full_name(*property));
    if (setting.value && setting.origin != Origin::fallback) here.push_back(all.back());
  }
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const std::string& a, const std::string& b) {
    return text::replace_all(a, "/", "\1") < text::replace_all(b, "/", "\1");
  }));
  EXPECT_THAT(here, ElementsAre("auth/disable_credentials", "compute/zone", "core/project", "storage/use_grpc_if_available"));
  EXPECT_THAT(configuration_names(Config(env_)), ElementsAre("default"));
}

TEST(Properties, GcloudsOwnAreKnownByNameAndKind) {
  const Property& grpc = require_property("storage/use_grpc_if_available");
  EXPECT_TRUE(grpc.foreign && grpc.boolean && grpc.hidden);
  EXPECT_EQ(grpc.fallback, "False");
  EXPECT_TRUE(require_property("core/parse_error_details").foreign);
  EXPECT_FALSE(require_property("core/project").foreign);
  EXPECT_THROW(check_property_value(grpc, "maybe"), Error);
  std::string before;
  for (const Property& row : all_properties()) {
    EXPECT_NE(before, full_name(row)) << "is there twice";
    before = full_name(row);
  }
}

TEST(Properties, RowsAreSortedAndNamed) {
  std::string before;
  for (const Property& row : properties()) {
    const std::string name = std::string(row.section) + "/" + std::string(row.name);
    EXPECT_LT(before, name);
    EXPECT_FALSE(row.help.empty()) << name;
    before = name;
  }
  EXPECT_EQ(find_property("project"), find_property("core/project"));
  EXPECT_EQ(find_property("zone"), nullptr);
}

}  // namespace
}  // namespace tpuctl::cli
