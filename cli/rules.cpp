// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/parse.hpp"
#include "cli/values.hpp"

namespace tpuctl::cli {

namespace {

/// One alternative of a Rule, taken apart: "a : b" is {a} and {b}, "a b" is {a, b} and {}, ": a b" is {} and {a, b}.
struct Alternative {
  std::vector<std::string> needed;
  std::vector<std::string> optional;
  std::string shown;
};

Alternative take_apart(std::string_view text) {
  Alternative out;
  bool after_colon = false;
  std::vector<std::string> shown;
  for (const std::string& word : text::split(text, ' ')) {
    if (word.empty()) continue;
    if (word == ":") {
      after_colon = true;
      if (!shown.empty()) shown.push_back(word);
      continue;
    }
    (after_colon ? out.optional : out.needed).push_back(word);
    shown.push_back("--" + word);
  }
  out.shown = text::join(shown, " ");
  return out;
}

[[noreturn]] void refuse(const Args& args, const std::string& message) {
  throw Error(tpuctl::Kind::usage, message, usage_hint(args));
}

std::string first_given(const Args& args, const Alternative& one) {
  for (const auto* names : {&one.needed, &one.optional}) {
    for (const std::string& name : *names) {
      if (args.has(name)) return name;
    }
  }
  return {};
}

// Within one alternative: all needed ones once any is given.
void check_inside(const Args& args, const Alternative& one) {
  if (first_given(args, one).empty()) return;
  for (const std::string& name : one.needed) {
    if (args.has(name)) continue;
    const bool by_optional =
        std::none_of(one.needed.begin(), one.needed.end(), [&](const std::string& other) { return args.has(other); });
    if (by_optional) refuse(args, fmt::format("argument --{}: --{} must be specified.", first_given(args, one), name));
    refuse(args, fmt::format("argument --{}: Must be specified.", name));
  }
}

void check_rule(const Args& args, const Rule& rule) {
  std::vector<Alternative> all;
  std::vector<std::string> shown;
  for (const std::string_view text : rule.alternatives) {
    if (text.empty()) continue;
    all.push_back(take_apart(text));
    shown.push_back(all.back().shown);
  }
  const std::string either = text::join(shown, " | ");
  std::vector<std::string> given;
  for (const Alternative& one : all) {
    const std::string name = first_given(args, one);
    if (!name.empty()) given.push_back(name);
  }
  if (given.size() > 1) {
    refuse(args, rule.need == Rule::exactly_one
                     ? fmt::format("argument --{}: Exactly one of ({}) must be specified.", given[0], either)
                     : fmt::format("argument --{}: At most one of {} can be specified.", given[0], either));
  }
  if (given.empty() && rule.need == Rule::exactly_one) {
    refuse(args, fmt::format("Exactly one of ({}) must be specified.", either));
  }
  for (const Alternative& one : all) check_inside(args, one);
}

bool in_alternative(const Command& command, std::string_view name) {
  for (const Rule& rule : command.rules) {
    for (const std::string_view text : rule.alternatives) {
      const auto words = text::split(text, ' ');
      if (std::find(words.begin(), words.end(), name) != words.end()) return true;
    }
  }
  return false;
}

}  // namespace

void check_rules(const Args& args) {
  const Command& command = *args.command;
  for (const Positional& row : command.positionals) {
    if (row.required && args.positionals(row.name).empty()) {
      refuse(args, fmt::format("argument {}: Must be specified.", row.name));
    }
  }
  std::vector<std::string> missing;
  for (const Flag& row : command.flags) {
    if (row.required && !args.has(row.name) && !in_alternative(command, row.name)) {
      missing.push_back("--" + std::string(row.name));
    }
  }
  if (!missing.empty()) refuse(args, fmt::format("argument {}: Must be specified.", text::join(missing, " ")));
  for (const Rule& rule : command.rules) check_rule(args, rule);
}

void check_track(const Args& args, bool alpha, const std::string& because) {
  if (alpha || !args.command) return;
  const std::string path = text::join(args.path, " ");
  const std::string gcloud = "gcloud alpha compute tpus " + path;
  const std::string ours = "tpuctl " + path;
  auto fail = [&](const std::string& message) {
    throw Error(tpuctl::Kind::usage, message, because.empty() ? usage_hint(args) : because);
  };
  if (args.command->track == Track::alpha) {
    fail(fmt::format("This command is v2alpha1 only: write `{}` or `{}`.", gcloud, ours));
  }
  for (const Args::Given& given : args.given) {
    const Flag& row = *given.flag;
    if (row.track == Track::alpha) {
      fail(fmt::format("argument --{0}: This flag is v2alpha1 only: write `{1} --{0}` or `{2} --{0}`.", row.name,
                       gcloud, ours));
    }
    if (row.kind != Kind::choice || row.alpha_choices.empty()) continue;
    const std::string& value = given.values.back();
    if (find_choice(row.choices, value)) continue;
    fail(fmt::format("argument --{}: Invalid choice: '{}'. Valid choices are {} v2alpha1 has it: write `{}` or `{}`.",
                     row.name, value, valid_choices(row.choices, {}), gcloud, ours));
  }
}

}  // namespace tpuctl::cli
