// SPDX-License-Identifier: Apache-2.0
// The one file that sees CLI11 (2.1.2 of Debian 12). Every value is handed to it with a mark in front, because it takes
// an empty `--x=` for a missing value and a positional `[a,b]` for a list.
#include "cli/parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/flags_file.hpp"
#include "cli/suggest.hpp"
#include "cli/values.hpp"

namespace tpuctl::cli {

namespace {

constexpr char kMark = '=';

std::vector<const Flag*> rows_in_force(const Command& command, std::span<const Flag> globals) {
  std::vector<const Flag*> rows;
  for (const Flag& row : command.flags) rows.push_back(&row);
  for (const Flag& row : globals) {
    bool negated = false;
    if (!match_flag(command.flags, row.name, negated)) rows.push_back(&row);
  }
  return rows;
}

std::string near_flag(const std::vector<const Flag*>& rows, const TypedFlag& flag) {
  std::vector<std::string> names;
  for (const Flag* row : rows) {
    if (row->hidden) continue;
    names.emplace_back(row->name);
    if (flag.name.starts_with("no-") && !takes_value(*row)) names.push_back("no-" + std::string(row->name));
  }
  std::string near = nearest(flag.name, names);
  if (near.empty() && flag.name.starts_with("no-")) near = nearest(flag.name.substr(3), names);
  return near.empty() ? "" : fmt::format(" (did you mean '--{}'?)", near);
}

/// CLI11's view of one command: an option per row and per positional.
class Matcher {
 public:
  Matcher(const Command& command, std::span<const Flag> globals) : rows_(rows_in_force(command, globals)) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const Flag* row : rows_) flags_.push_back(add(*row));
    for (std::size_t i = 0; i < command.positionals.size(); ++i) positionals_.push_back(add(command.positionals[i], i));
  }

  void run(const Walk& walk, Args& args) {
    std::vector<std::string> words;  // CLI11 takes them last first
    for (auto it = walk.positionals.rbegin(); it != walk.positionals.rend(); ++it) words.push_back(kMark + *it);
    for (auto it = walk.flags.rbegin(); it != walk.flags.rend(); ++it) words.push_back(word_of(*it));
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      throw Error(tpuctl::Kind::usage, error.what(), usage_hint(args));
    }
    report_strangers(walk, args);
    for (std::size_t i = 0; i < rows_.size(); ++i) collect(*rows_[i], *flags_[i], args);
    for (std::size_t i = 0; i < positionals_.size(); ++i) {
      if (positionals_[i]->count() == 0) continue;
      std::vector<std::string> values = positionals_[i]->results();
      for (std::string& value : values) value.erase(0, 1);
      args.given_positionals.emplace_back(args.command->positionals[i].name, std::move(values));
    }
  }

 private:
  CLI::Option* add(const Flag& row) {
    std::string names = fmt::format("--{}", row.name);
    if (row.letter != 0) names += fmt::format(",-{}", row.letter);
    CLI::Option* option = nullptr;
    if (takes_value(row)) {
      option = app_.add_option(names, sink_)->allow_extra_args(false);
    } else {
      option = app_.add_flag(names + fmt::format(",!--no-{}", row.name));
    }
    return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  CLI::Option* add(const Positional& row, std::size_t index) {
    CLI::Option* option = app_.add_option(fmt::format("p{}", index), sink_);
    return row.many ? option->allow_extra_args(true) : option->expected(1)->allow_extra_args(false);
  }

  // As CLI11 shall read it; what is none of our flags goes through and comes back as a remaining word.
  std::string word_of(const TypedFlag& flag) const {
    const bool is_long = flag.typed.starts_with("--");
    bool negated = false;
    for (const Flag* row : rows_) {
      if (!match_flag({row, 1}, flag.name, negated) || (!is_long && flag.name.size() > 1)) continue;
      if (takes_value(*row)) return fmt::format("--{}={}{}", row->name, kMark, flag.value.value_or(""));
      if (!flag.value) return fmt::format("--{}{}", negated ? "no-" : "", row->name);
      if (negated) throw Error(tpuctl::Kind::usage, fmt::format("argument --{}: takes no value", flag.name));
      return fmt::format("--{}={}", row->name, checked_value(*row, *flag.value));
    }
    return flag.typed;
  }

  void report_strangers(const Walk& walk, const Args& args) const {
    const std::vector<std::string> strangers = app_.remaining();
    std::vector<std::string> told;
    for (const TypedFlag& flag : walk.flags) {
      if (std::find(strangers.begin(), strangers.end(), flag.typed) == strangers.end()) continue;
      told.push_back(flag.typed + near_flag(rows_, flag));
    }
    for (const std::string& word : strangers) {
      if (word[0] == kMark) told.push_back(word.substr(1));
    }
    if (std::find(told.begin(), told.end(), "") != told.end()) {
      throw Error(tpuctl::Kind::usage, "An argument is empty.", "Is a variable not set? Leave the quotes away, or the argument.");
    }
    for (const TypedFlag& flag : walk.flags) {
      if (!is_elsewhere(*args.command, flag.name) || std::find(strangers.begin(), strangers.end(), flag.typed) == strangers.end()) continue;
      throw Error(tpuctl::Kind::usage, fmt::format("gcloud's --{} is outside of what {} does.", flag.name, args.typed()),
                  "Leave it away, or use gcloud.");
    }
    if (!told.empty())
      throw Error(tpuctl::Kind::usage, "unrecognized arguments: " + text::join(told, " "), usage_hint(args));
  }

  static void collect(const Flag& row, const CLI::Option& option, Args& args) {
    if (option.count() == 0) return;
    Args::Given given{&row, {}};
    for (std::string value : option.results()) {
      given.values.push_back(takes_value(row) ? checked_value(row, value.substr(1)) : std::move(value));
    }
    args.given.push_back(std::move(given));
  }

  CLI::App app_;
  std::vector<std::string> sink_;  ///< CLI11 wants a place to store; results() is what is read
  std::vector<const Flag*> rows_;
  std::vector<CLI::Option*> flags_;
  std::vector<CLI::Option*> positionals_;
};

std::string commands_of(const Command& group) {
  std::vector<std::string> names;
  for (const Command& one : group.commands) {
    if (!one.hidden) names.emplace_back(one.name);
  }
  return text::join(names, ", ");
}

void check_rest(const Args& args, bool dashes) {
  const Command& command = *args.command;
  if (command.rest.empty() && !args.rest().empty()) {
    throw Error(tpuctl::Kind::usage, "unrecognized arguments: " + text::join(args.rest(), " "), usage_hint(args));
  }
  if (command.rest_required && args.rest().empty()) {
    throw Error(tpuctl::Kind::usage,
                fmt::format("argument -- {}: Must be specified{}.", command.rest, dashes ? "" : " after `--`"),
                usage_hint(args));
  }
}

}  // namespace

void parse(const Command& root, std::span<const Flag> globals, std::string_view program,
           const std::vector<std::string>& typed, Parsed& into) {
  const std::vector<std::string> words = expand_flags_files(typed);
  const Walk found = walk(root, globals, program, words, into);
  if (into.want != Want::command) return;
  if (words.empty()) {
    into.want = Want::short_help;
    return;
  }
  if (!found.leaf) {
    throw Error(tpuctl::Kind::usage, fmt::format("Command name argument expected: one of {}.", commands_of(*into.at)),
                usage_hint(into.args));
  }
  try {
    Matcher(*into.at, globals).run(found, into.args);
    check_rest(into.args, std::find(words.begin(), words.end(), "--") != words.end());
    check_rules(into.args);
  } catch (const Error& error) {
    if (!error.hint.empty()) throw;
    throw Error(error.kind, error.what(), usage_hint(into.args));
  }
}

}  // namespace tpuctl::cli
