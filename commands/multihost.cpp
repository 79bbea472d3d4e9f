// SPDX-License-Identifier: Apache-2.0
#include "commands/multihost.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::commands {

namespace {

enum class As {
  flag,      ///< --house=VALUE
  truth,     ///< --house or --no-house
  name,      ///< the positional
  command,   ///< what follows --
  bucket,    ///< with `folder`: gs://BUCKET/FOLDER
  folder,
  existing,  ///< nothing is uploaded
  words,     ///< further words of the command line
  nothing,   ///< accepted: what it asked for is always so
};

struct Row {
  std::string_view verb;  ///< empty: both
  std::string_view upper;
  std::string_view house;
  As as;
};
constexpr Row kRows[] = {
    {"run", "TPU_PREFIX", "prefix", As::flag},
    {"run", "USE_EXISTING_FOLDER", "", As::existing},
    {"run", "INTERNAL_IP", "internal-ip", As::truth},
    {"run", "SCP_TIMEOUT_SECS", "", As::nothing},     // a copy ends when its worker is silent
    {"submit", "TPU_TYPE", "accelerator-type", As::flag},
    {"submit", "VERSION", "runtime-version", As::flag},
    {"submit", "NUM_SLICES", "num-slices", As::flag},
    {"submit", "BUCKET_NAME", "", As::bucket},
    {"submit", "BUCKET_DIR", "", As::folder},
    {"submit", "CQR_EXTRA_ARGS", "", As::words},
    {"submit", "ENABLE_AUTOCHECKPOINT", "enable-autocheckpoint", As::truth},
    {"", "PROJECT", "project", As::flag},
    {"", "ZONE", "zone", As::flag},
    {"", "SCRIPT_DIR", "workdir", As::flag},
    {"", "RUN_NAME", "", As::name},
    {"", "COMMAND", "", As::command},
};

bool is_upper(const std::string& word) { return word.size() > 3 && word.starts_with("--") && word[2] >= 'A' && word[2] <= 'Z'; }

const Row& row_of(const std::string& verb, const std::string& upper) {
  for (const Row& row : kRows) {
    if (row.upper == upper && (row.verb.empty() || row.verb == verb)) return row;
  }
  throw Error(Kind::usage, "unrecognized arguments: --" + upper,
              verb == "run" ? "jobs run takes the flags of multihost_runner.py." : "jobs submit takes the flags of multihost_job.py.");
}

bool truth(const std::string& upper, const std::string& value) {
  const std::string low = text::lower(value);
  if (low == "true" || low == "1" || low == "yes") return true;
  if (low == "false" || low == "0" || low == "no") return false;
  throw Error(Kind::usage, "Invalid value for [--" + upper + "]: [" + value + "].", "Use true or false.");
}

// A time as a job's name may be: the scripts take 2024-01-31-12-00-00.
std::string name_of(TimePoint now) {
  std::string stamp = rfc3339(now).substr(0, 19);
  std::replace(stamp.begin(), stamp.end(), ':', '-');
  std::replace(stamp.begin(), stamp.end(), 'T', '-');
  return "run-" + stamp;
}

class Translation {
 public:
  explicit Translation(std::string verb) : verb_(std::move(verb)) {}

  void take(const std::string& upper, const std::string& value) {
    const Row& row = row_of(verb_, upper);
    const std::string flag = "--" + std::string(row.house);
    switch (row.as) {
      case As::flag: out_.push_back(flag + "=" + value); break;
      case As::truth: out_.push_back(truth(upper, value) ? flag : "--no-" + std::string(row.house)); break;
      case As::name: name_ = value; break;
      case As::command: command_ = value; break;
      case As::bucket: bucket_ = value.starts_with("gs://") ? value.substr(5) : value; break;
      case As::folder: folder_ = value; break;
      case As::words:
        for (const auto& word : text::split(value, ' ')) {
          if (!word.empty()) out_.push_back(word);
        }
        break;
      case As::existing: existing_ = truth(upper, value); break;
      case As::nothing: break;
    }
  }
  void keep(const std::string& word) {
    if (!word.starts_with("-")) named_ = true;
    out_.push_back(word);
  }

  std::vector<std::string> words(TimePoint now) && {
    fill_in();
    if (!bucket_.empty()) out_.push_back("--bucket=gs://" + bucket_ + (folder_.empty() ? "" : "/" + folder_));
    if (!named_) out_.push_back(name_.empty() ? name_of(now) : name_);
    if (command_) {
      out_.emplace_back("--");
      out_.push_back(*command_);
    }
    return std::move(out_);
  }

 private:
  // What the scripts take when it is not said.
  void fill_in() {
    auto otherwise = [this](std::string_view flag, const std::string& value) {
      const std::string start = "--" + std::string(flag);
      const bool given = std::any_of(out_.begin(), out_.end(), [&start](const std::string& word) { return word == start || word.starts_with(start + "="); });
      if (!given) out_.push_back(start + "=" + value);
    };
    if (!existing_) otherwise("workdir", ".");
    if (verb_ == "run") return;
    otherwise("accelerator-type", "v4-8");
    otherwise("runtime-version", "tpu-ubuntu2204-base");
    otherwise("num-slices", "2");
  }

  std::string verb_, name_, bucket_, folder_;
  std::optional<std::string> command_;
  std::vector<std::string> out_;
  bool named_ = false;
  bool existing_ = false;
};

}  // namespace

std::vector<std::string> house_words(std::vector<std::string> argv, TimePoint now) {
  const auto dashes = std::find(argv.begin(), argv.end(), "--");
  const bool ours = argv.size() > 3 && argv[1] == "jobs" && (argv[2] == "run" || argv[2] == "submit") && std::any_of(argv.begin() + 3, dashes, is_upper);
  if (!ours) return argv;
  Translation translation(argv[2]);
  for (auto word = argv.begin() + 3; word != dashes; ++word) {
    if (!is_upper(*word)) {
      translation.keep(*word);
      continue;
    }
    const auto equals = word->find('=');
    const std::string upper = word->substr(2, equals == std::string::npos ? equals : equals - 2);
    if (equals != std::string::npos) {
      translation.take(upper, word->substr(equals + 1));
    } else if (word + 1 != dashes) {
      ++word;
      translation.take(upper, *word);
    } else {
      throw Error(Kind::usage, "argument --" + upper + ": expected one argument");
    }
  }
  std::vector<std::string> out(argv.begin(), argv.begin() + 3);
  for (auto& word : std::move(translation).words(now)) out.push_back(std::move(word));
  out.insert(out.end(), dashes, argv.end());
  return out;
}

}  // namespace tpuctl::commands
