// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/parse.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli {

bool is_elsewhere(const Command& command, std::string_view word) {
  const std::vector<std::string> words = text::split(command.elsewhere, ' ');
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool takes_value(const Flag& flag) {
  return flag.kind != Kind::toggle && flag.kind != Kind::inverse && flag.kind != Kind::marker;
}

const Flag* match_flag(std::span<const Flag> rows, std::string_view name, bool& negated) {
  negated = false;
  for (const Flag& row : rows) {
    if (row.name == name || (name.size() == 1 && row.letter == name[0])) return &row;
  }
  if (!name.starts_with("no-")) return nullptr;
  for (const Flag& row : rows) {
    if (row.name == name.substr(3) && !takes_value(row)) {
      negated = true;
      return &row;
    }
  }
  return nullptr;
}

namespace {

const Command* child(const Command& group, std::string_view name) {
  for (const Command& one : group.commands) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// A flag that stands before its command: the first row of that name below the group decides whether a value follows.
const Flag* flag_below(const Command& command, std::string_view name) {
  bool negated = false;
  if (const Flag* found = match_flag(command.flags, name, negated)) return found;
  for (const Command& one : command.commands) {
    if (const Flag* found = flag_below(one, name)) return found;
  }
  return nullptr;
}

class Walker {
 public:
  Walker(const Command& root, std::span<const Flag> globals, const std::vector<std::string>& words, Parsed& into)
      : globals_(globals), words_(words), into_(into) {
    into_.at = &root;
    into_.args.globals = globals;
  }

  Walk run(std::string_view program) {
    const bool drop_in = program == "gcloud";
    if (drop_in) into_.args.program = {"gcloud"};
    if (drop_in) into_.args.spelling = Spelling::ga;
    drop_in_ = drop_in;
    for (at_ = 0; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        into_.args.rest_.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, words_.end());
        break;
      }
      if (word.size() > 1 && word[0] == '-') {
        take_flag(word);
      } else if (leaf()) {
        walk_.positionals.push_back(word);
      } else if (!take_prefix(word)) {
        descend(word);
      }
    }
    walk_.leaf = leaf();
    return std::move(walk_);
  }

 private:
  bool leaf() const { return into_.at->commands.empty(); }

  // alpha, beta, `compute tpus`: gcloud's words before ours. True when `word` was one of them.
  bool take_prefix(const std::string& word) {
    Args& args = into_.args;
    if (!args.path.empty() || child(*into_.at, word) != nullptr) {
      if (word != "compute" || next_word() != "tpus" || !args.path.empty()) return false;
    }
    if ((word == "alpha" || word == "beta") && !in_compute_) {
      args.spelling = word == "alpha" ? Spelling::alpha : Spelling::beta;
      remember(word);
      return true;
    }
    if (word == "compute" && next_word() == "tpus") {
      in_compute_ = true;
      if (args.spelling == Spelling::own) args.spelling = Spelling::ga;
      remember(word);
      return true;
    }
    if (word == "tpus" && in_compute_) {
      remember(word);
      return true;
    }
    return false;
  }

  void remember(const std::string& word) {
    if (drop_in_) into_.args.program.push_back(word);
  }

  std::string_view next_word() const {
    for (std::size_t i = at_ + 1; i < words_.size(); ++i) {
      if (!words_[i].starts_with("-")) return words_[i];
    }
    return {};
  }

  void descend(const std::string& word) {
    if (const Command* found = child(*into_.at, word)) {
      if (!found->instead.empty() && found->commands.empty()) throw Error(tpuctl::Kind::usage, std::string(found->instead));
      into_.at = found;
      into_.args.path.emplace_back(found->name);
      if (leaf()) into_.args.command = found;
      return;
    }
    if (!unknown_.empty())
      throw Error(tpuctl::Kind::usage, "unrecognized arguments: " + unknown_, usage_hint(into_.args));
    if (!into_.at->instead.empty()) throw Error(tpuctl::Kind::usage, std::string(into_.at->instead));
    if (is_elsewhere(*into_.at, word)) {
      const std::string typed = text::join(into_.args.path, " ") + (into_.args.path.empty() ? "" : " ") + word;
      throw Error(tpuctl::Kind::usage, fmt::format("`gcloud {}` is outside of what tpuctl does.", typed),
                  "It does compute tpus, config, auth, and storage cp, mv, ls, cat and rm. Use gcloud for the rest.");
    }
    std::vector<std::string> names;
    for (const Command& one : into_.at->commands) {
      if (!one.hidden) names.emplace_back(one.name);
    }
    const std::string near = nearest_command(word, names);
    throw Error(
        tpuctl::Kind::usage,
        fmt::format("Invalid choice: '{}'.{}", word, near.empty() ? "" : fmt::format(" Did you mean '{}'?", near)),
        usage_hint(into_.args));
  }

  void take_flag(const std::string& word) {
    const auto equals = word.find('=');
    TypedFlag flag;
    flag.name = word.substr(0, equals);
    flag.name.erase(0, flag.name.starts_with("--") ? 2 : 1);
    flag.typed = word;
    if (equals != std::string::npos) flag.value = word.substr(equals + 1);
    if (take_wish(word)) return;
    const Flag* row = find(word, flag.name);
    if (!row && !leaf()) unknown_ = word;
    if (row && takes_value(*row) && !flag.value) flag.value = next_value(*row);
    walk_.flags.push_back(std::move(flag));
  }

  const Flag* find(const std::string& word, std::string_view name) const {
    bool negated = false;
    if (!word.starts_with("--") && name.size() > 1) return nullptr;  // -abc is no cluster of letters here
    if (leaf()) {
      if (const Flag* row = match_flag(into_.at->flags, name, negated)) return row;
      return match_flag(globals_, name, negated);
    }
    if (const Flag* row = match_flag(globals_, name, negated)) return row;
    return flag_below(*into_.at, name);
  }

  // --help, -h and, before any command word, --version and -v.
  bool take_wish(const std::string& word) {
    if (word == "--help" || word == "-h") {
      into_.want = word == "-h" ? Want::short_help : Want::help;
      return true;
    }
    if ((word == "--version" || word == "-v") && into_.args.path.empty() && next_word().empty()) {
      into_.want = Want::version;
      return true;
    }
    return false;
  }

  // The word after a flag. One that starts with a dash is a flag, not a value, unless it holds a blank (no flag does).
  std::string next_value(const Flag& row) {
    if (at_ + 1 < words_.size()) {
      const std::string& next = words_[at_ + 1];
      const bool dashed = next.size() > 1 && next[0] == '-' && next.find(' ') == std::string::npos;
      if (!dashed) return words_[++at_];
      if (next != "--" && into_.want == Want::command) {
        throw Error(tpuctl::Kind::usage, fmt::format("argument --{}: expected one argument", row.name),
                    fmt::format("A value that starts with a dash is joined with '=': --{}={}", row.name, next));
      }
    }
    if (into_.want != Want::command) return {};
    throw Error(tpuctl::Kind::usage, fmt::format("argument --{}: expected one argument", row.name),
                usage_hint(into_.args));
  }

  std::span<const Flag> globals_;
  const std::vector<std::string>& words_;
  Parsed& into_;
  Walk walk_;
  std::string unknown_;
  std::size_t at_ = 0;
  bool in_compute_ = false;
  bool drop_in_ = false;
};

}  // namespace

Walk walk(const Command& root, std::span<const Flag> globals, std::string_view program,
          const std::vector<std::string>& words, Parsed& into) {
  return Walker(root, globals, words, into).run(program);
}

std::string usage_hint(const Args& args) {
  const bool leaf = args.command != nullptr;
  return fmt::format("Run `{} --help` for {}.", args.typed(), leaf ? "its flags" : "its commands");
}

}  // namespace tpuctl::cli
