// SPDX-License-Identifier: Apache-2.0
// Which files go into an archive.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/signal.hpp"
#include "launch/archive.hpp"
#include "launch/ignore.hpp"

namespace tpuctl::launch {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(Kind::failure, "Cannot read [" + path + "]: " + why + ".");
}

std::string link_target(const std::string& path) {
  std::error_code failed;
  const auto target = std::filesystem::read_symlink(path, failed);
  if (failed) fail(path, failed.message());
  return target.string();
}

class Gatherer {
 public:
  Gatherer(IgnoreRules* rules, const Warn& warn) : rules_(rules), warn_(warn) {}

  /// Everything in `path`; the names begin with `name` and a slash, if it is not empty.
  void folder(const std::string& path, const std::string& name) {
    signals::check();
    std::vector<std::string> names;
    std::error_code failed;
    std::filesystem::directory_iterator at(path, failed);
    for (; !failed && at != std::filesystem::directory_iterator(); at.increment(failed)) names.push_back(at->path().filename().string());
    if (failed) fail(path, failed.message());
    std::sort(names.begin(), names.end());
    if (rules_) rules_->enter(name);
    for (const std::string& one : names) entry(file::join(path, one), name.empty() ? one : name + "/" + one, false);
    if (rules_) rules_->leave();
  }

  void entry(const std::string& path, const std::string& name, bool follow) {
    struct stat info = {};
    if ((follow ? stat(path.c_str(), &info) : lstat(path.c_str(), &info)) != 0) fail(path, std::strerror(errno));
    const bool is_folder = S_ISDIR(info.st_mode);
    if (rules_ && rules_->ignores(name, is_folder)) return;
    ArchiveEntry out{name, path, ArchiveEntry::Type::file, static_cast<int>(info.st_mode & 0777), 0, {}};
    if (S_ISREG(info.st_mode)) {
      if (access(path.c_str(), R_OK) != 0) fail(path, std::strerror(errno));
      out.size = info.st_size;
    } else if (S_ISLNK(info.st_mode)) {
      out.type = ArchiveEntry::Type::link;
      out.mode = 0777;
      out.target = link_target(path);
    } else if (is_folder) {
      out.type = ArchiveEntry::Type::folder;
      out.mode |= 0700;  // the worker must be able to fill it
    } else {
      warn_("[" + path + "] is no file, folder or link, and is left out.");
      return;
    }
    entries.push_back(std::move(out));
    if (is_folder) folder(path, name);
  }

  std::vector<ArchiveEntry> entries;

 private:
  IgnoreRules* rules_;
  const Warn& warn_;
};

}  // namespace

std::vector<ArchiveEntry> entries_of_workdir(const std::string& folder, const Warn& warn) {
  IgnoreRules rules(folder);
  Gatherer gatherer(&rules, warn);
  gatherer.folder(folder, "");
  return std::move(gatherer.entries);
}

std::vector<ArchiveEntry> entries_of_sources(const std::vector<std::string>& sources, const Warn& warn) {
  Gatherer gatherer(nullptr, warn);
  std::set<std::string> names;
  for (const std::string& source : sources) {
    const std::string name = std::filesystem::path(file::absolute(source) + "/").parent_path().filename().string();
    if (name.empty()) fail(source, "it has no name to be copied under");
    if (!names.insert(name).second) throw Error(Kind::failure, "Two sources are called [" + name + "].", "Copy them one after the other.");
    gatherer.entry(source, name, true);
  }
  return std::move(gatherer.entries);
}

}  // namespace tpuctl::launch
