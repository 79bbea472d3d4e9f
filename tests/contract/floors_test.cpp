// SPDX-License-Identifier: Apache-2.0
// The floor plan: includes run down only, each vendor header has its one file, files stay short and carry their licence.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/support/sources.hpp"

namespace tpuctl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::map<std::string, std::set<std::string>> kFloors = {
    {"base", {"base"}},
    {"api", {"api", "base"}},
    {"auth", {"auth", "api", "base"}},
    {"cli", {"cli", "base"}},
    {"emulator", {"emulator", "api", "base"}},
    {"launch", {"launch", "cli", "api", "base"}},
    {"commands", {"commands", "launch", "emulator", "auth", "cli", "api", "base"}},
};
const std::vector<std::string> kRooms = {"base", "api", "auth", "cli", "emulator", "launch", "commands"};
const std::vector<std::string> kCode = {".cpp", ".hpp"};

/// Text embedded into the program belongs to the room that brings it.
const std::map<std::string, std::set<std::string>> kEmbedded = {
    {"version.hpp", {"cli", "commands"}},         {"kSupervisor.hpp", {"launch"}}, {"kMachine.hpp", {"launch"}}, {"kCloud.hpp", {"launch"}},
    {"kBashCompletion.hpp", {"commands"}},        {"kZshCompletion.hpp", {"commands"}},
    {"kFishCompletion.hpp", {"commands"}},        {"kCarriers.hpp", {"launch"}},
    {"kPorter.hpp", {"launch"}},
};

struct Vendor {
  std::string prefix;
  std::set<std::string> files;
};
const std::vector<Vendor> kVendors = {
    {"CLI/", {"cli/parse.cpp"}},
    {"rapidjson/", {"base/json_text.cpp"}},
    {"curl/", {"api/curl.cpp", "api/websocket.cpp"}},
    {"wslay/", {"api/websocket.cpp"}},
    {"isa-l/", {"api/checksum.cpp", "launch/archive.cpp"}},
    {"httplib.h", {"emulator/server.cpp"}},
    {"yaml.h", {"cli/output/yaml.cpp", "cli/flags_file.cpp"}},
    {"re2/", {"cli/output/pattern.cpp"}},
    {"date/", {"base/time.cpp"}},
};
/// Libraries that are spoken like the language itself.
const std::vector<std::string> kEverywhere = {"fmt/", "openssl/"};
/// Headers that only Linux has; the emulator's workers need them.
const std::set<std::string> kLinux = {"sys/prctl.h", "sys/signalfd.h", "sys/epoll.h", "sys/inotify.h", "sys/eventfd.h", "shadow.h"};
const std::set<std::string> kPosix = {"arpa/inet.h", "dirent.h",   "dlfcn.h",     "fcntl.h",        "fnmatch.h",     "grp.h",        "ifaddrs.h",
                                      "net/if.h",    "netdb.h",    "netinet/in.h", "netinet/tcp.h", "poll.h",       "pwd.h",
                                      "signal.h",    "spawn.h",    "sys/file.h",  "sys/ioctl.h",    "sys/mman.h",   "sys/resource.h",
                                      "sys/select.h", "sys/socket.h", "sys/stat.h", "sys/statvfs.h", "sys/time.h", "sys/types.h",
                                      "sys/un.h",    "sys/utsname.h", "sys/wait.h", "termios.h",    "unistd.h",     "utime.h"};

struct Include {
  std::string name;
  bool angle = false;
};

std::vector<Include> includes(const Source& source) {
  std::vector<Include> out;
  for (const std::string& line : source.lines) {
    const std::string_view text = text::trim(line);
    if (!text.starts_with("#")) continue;
    std::string_view rest = text::trim(text.substr(1));
    if (!rest.starts_with("include")) continue;
    rest = text::trim(rest.substr(7));
    if (rest.size() < 3) continue;
    const char end = rest[0] == '<' ? '>' : '"';
    out.push_back({std::string(rest.substr(1, rest.find(end, 1) - 1)), end == '>'});
  }
  return out;
}

/// "" when this file may include that, else why not.
std::string objection(const Source& source, const Include& include) {
  const std::string& name = include.name;
  if (name.starts_with("embedded/")) {
    const std::string what = name.substr(9);
    if (source.room() == "emulator" && what.starts_with("kWorker")) return "";
    const auto known = kEmbedded.find(what);
    return known != kEmbedded.end() && known->second.contains(source.room()) ? "" : "embedded text of another room";
  }
  for (const Vendor& vendor : kVendors) {
    if (!name.starts_with(vendor.prefix)) continue;
    return vendor.files.contains(source.path) ? "" : "vendor header outside its one file";
  }
  if (!include.angle) {
    const std::string room = name.substr(0, name.find('/'));
    if (!kFloors.contains(room)) return "not written from the root of the tree";
    return kFloors.at(source.room()).contains(room) ? "" : "goes up the floors";
  }
  for (const std::string& prefix : kEverywhere) {
    if (name.starts_with(prefix)) return "";
  }
  if (kLinux.contains(name)) return source.room() == "emulator" ? "" : "a header of Linux alone, outside the emulator";
  const bool standard = name.find_first_of("./") == std::string::npos;
  return standard || kPosix.contains(name) ? "" : "an unknown library: give it a row in this test and one file in the tree";
}

Source fake(const std::string& path, const std::string& line) { return {path, {line}}; }

TEST(Floors, IncludesRunDownOnlyAndVendorsStayInTheirFile) {
  std::vector<std::string> wrong;
  for (const Source& source : sources(kRooms, kCode)) {
    for (const Include& include : includes(source)) {
      const std::string why = objection(source, include);
      if (!why.empty()) wrong.push_back(source.path + " includes " + include.name + ": " + why);
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

struct FloorCase {
  const char* path;
  const char* line;
  bool fine;
};

TEST(Floors, TheRuleItselfTellsRightFromWrong) {
  const FloorCase cases[] = {
      {"api/a.cpp", "#include \"base/json.hpp\"", true},
      {"api/a.cpp", "#include \"auth/bearer.hpp\"", false},
      {"base/a.cpp", "#include \"api/http.hpp\"", false},
      {"cli/output/a.cpp", "#include \"api/http.hpp\"", false},
      {"auth/a.cpp", "#include \"cli/config.hpp\"", false},
      {"emulator/a.cpp", "#include \"launch/job.hpp\"", false},
      {"launch/a.cpp", "#include \"auth/bearer.hpp\"", false},
      {"launch/a.cpp", "#include \"emulator/store.hpp\"", false},
      {"launch/a.cpp", "  #  include \"commands/body.hpp\"", false},
      {"commands/a.cpp", "#include \"emulator/store.hpp\"", true},
      {"cli/a.cpp", "#include \"parse.hpp\"", false},
      {"cli/a.cpp", "#include <CLI/CLI.hpp>", false},
      {"cli/parse.cpp", "#include <CLI/CLI.hpp>", true},
      {"api/client.cpp", "#include <curl/curl.h>", false},
      {"api/client.cpp", "#include \"curl/curl.h\"", false},
      {"emulator/store.cpp", "#include <httplib.h>", false},
      {"cli/config.cpp", "#include <yaml.h>", false},
      {"launch/a.cpp", "#include <boost/asio.hpp>", false},
      {"launch/a.cpp", "#include <sys/prctl.h>", false},
      {"emulator/a.cpp", "#include <sys/prctl.h>", true},
      {"api/a.cpp", "#include \"embedded/kSupervisor.hpp\"", false},
      {"emulator/a.cpp", "#include \"embedded/kWorkerSsh.hpp\"", true},
      {"launch/a.cpp", "#include \"embedded/kWorkerSsh.hpp\"", false},
      {"base/a.cpp", "#include <vector>", true},
  };
  for (const FloorCase& one : cases) {
    const Source source = fake(one.path, one.line);
    const auto found = includes(source);
    ASSERT_EQ(found.size(), 1u) << one.line;
    EXPECT_EQ(objection(source, found[0]).empty(), one.fine) << one.path << ": " << one.line;
  }
}

TEST(Floors, EveryVendorIsUsedWhereTheTableSays) {
  std::set<std::string> used;
  for (const Source& source : sources(kRooms, kCode)) {
    for (const Include& include : includes(source)) {
      for (const Vendor& vendor : kVendors) {
        if (include.name.starts_with(vendor.prefix)) used.insert(vendor.prefix);
      }
    }
  }
  for (const char* prefix : {"CLI/", "rapidjson/", "curl/", "wslay/", "httplib.h", "yaml.h", "re2/", "date/"}) {
    EXPECT_TRUE(used.contains(prefix)) << prefix << " is used nowhere: take its row away";
  }
}

/// Longer than a file may be, and why.
const std::map<std::string, std::string> kLong = {};
constexpr std::size_t kLongest = 330;

TEST(Files, AreShort) {
  std::vector<std::string> wrong;
  std::set<std::string> long_ones;
  for (const Source& source : sources(kRooms, kCode)) {
    const std::size_t lines = source.lines.size() - (source.lines.back().empty() ? 1 : 0);
    if (lines <= kLongest) continue;
    long_ones.insert(source.path);
    if (!kLong.contains(source.path)) wrong.push_back(source.path + " has " + std::to_string(lines) + " lines");
  }
  EXPECT_THAT(wrong, IsEmpty()) << "at most " << kLongest << " lines a file; a table may be exempted in kLong with a reason";
  for (const auto& [path, reason] : kLong) EXPECT_TRUE(long_ones.contains(path)) << path << " is short now: no exemption";
}

TEST(Files, CarryTheirLicence) {
  std::vector<std::string> wrong;
  auto folders = kRooms;
  folders.insert(folders.end(), {"tests", "cmake", "scripts", "completions", "examples"});
  for (const Source& source : sources(folders, {".cpp", ".hpp", ".sh", ".py", ".cmake", ".bash", "CMakeLists.txt"})) {
    const std::size_t at = source.lines[0].starts_with("#!") ? 1 : 0;
    const std::string mark = source.path.ends_with("pp") ? "// " : "# ";
    if (source.lines.size() <= at || source.lines[at] != mark + "SPDX-License-Identifier: Apache-2.0") wrong.push_back(source.path);
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Files, HeadersAreReadOnceAndOpenNoNamespace) {
  std::vector<std::string> wrong;
  for (const Source& source : sources(kRooms, kCode)) {
    const auto& lines = source.lines;
    const bool once = std::find(lines.begin(), lines.end(), "#pragma once") != lines.end();
    if (source.path.ends_with(".hpp") && !once) wrong.push_back(source.path + " lacks #pragma once");
    for (const std::string& line : lines) {
      if (line.starts_with("using namespace")) wrong.push_back(source.path + ": " + line);
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

}  // namespace
}  // namespace tpuctl::test
