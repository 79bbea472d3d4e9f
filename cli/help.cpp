// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/globals.hpp"
#include "cli/help_page.hpp"
#include "cli/parse.hpp"
#include "cli/streams.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli {

namespace {

std::string metavar(const Flag& flag) {
  if (!flag.value.empty()) return std::string(flag.value);
  std::string out = text::upper(flag.name);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

// "--zone=ZONE", "--async", "--[no-]x" for toggles that are on by default.
std::string spelled(const Flag& flag) {
  if (takes_value(flag)) return fmt::format("--{}={}", flag.name, metavar(flag));
  return fmt::format("--{}{}", flag.fallback == "true" ? "[no-]" : "", flag.name);
}

std::string spelled(const Positional& row) {
  const std::string many = row.many ? fmt::format(" [{} ...]", row.name) : "";
  return row.required ? std::string(row.name) + many : fmt::format("[{}{}]", row.name, row.many ? " ..." : "");
}

std::string first_sentence(std::string_view text) {
  for (std::size_t at = text.find(". "); at != std::string_view::npos; at = text.find(". ", at + 1)) {
    if (at + 2 < text.size() && (text[at + 2] >= 'A' && text[at + 2] <= 'Z'))
      return std::string(text.substr(0, at + 1));
  }
  return std::string(text);
}

const Flag* row_of(const Command& command, std::string_view name) {
  for (const Flag& one : command.flags) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// "--node-id=NODE_ID | --node-count=N : --node-prefix=P"
std::string spelled(const Command& command, const Rule& rule) {
  std::vector<std::string> alternatives;
  for (const std::string_view text : rule.alternatives) {
    std::vector<std::string> words;
    for (const std::string& word : text::split(text, ' ')) {
      const Flag* flag = row_of(command, word);
      if (word == ":" && !words.empty()) words.push_back(word);
      if (flag && !flag->hidden) words.push_back(spelled(*flag));
    }
    if (!words.empty()) alternatives.push_back(text::join(words, " "));
  }
  return text::join(alternatives, " | ");
}

bool in_rule(const Command& command, std::string_view name, Rule::Need need) {
  return std::any_of(command.rules.begin(), command.rules.end(), [&](const Rule& rule) {
    return rule.need == need &&
           std::any_of(rule.alternatives.begin(), rule.alternatives.end(), [&](std::string_view text) {
             const auto words = text::split(text, ' ');
             return std::find(words.begin(), words.end(), name) != words.end();
           });
  });
}

std::string list_of(std::string_view choices) {
  std::vector<std::string> names;
  for (const std::string_view name : choice_names(choices)) names.emplace_back(name);
  return text::join(names, ", ");
}

// What the row knows besides its help text.
std::string facts(const Flag& flag) {
  std::string out;
  if (!flag.choices.empty() && flag.kind == Kind::choice) out += fmt::format(" One of: {}", list_of(flag.choices));
  if (!flag.alpha_choices.empty()) out += fmt::format("; in v2alpha1 also: {}", list_of(flag.alpha_choices));
  if (!out.empty()) out += ".";
  if (!flag.keys.empty()) {
    std::vector<std::string> keys;
    for (const Key& key : flag.keys) keys.push_back(fmt::format("{}{}", key.name, key.required ? " (required)" : ""));
    out += fmt::format(" Keys: {}.", text::join(keys, ", "));
  }
  if (!flag.fallback.empty()) out += fmt::format(" Default: {}.", flag.fallback);
  if (flag.kind == Kind::repeated || flag.kind == Kind::dicts) out += " May be given more than once.";
  return out;
}

template <class Rows>
int longest_name(const Rows& rows) {
  int longest = 0;
  for (const auto& row : rows) longest = std::max(longest, display_width(row.first));
  return longest;
}

using Terms = std::vector<std::pair<std::string, std::string>>;

void write_terms(PageWriter& page, const Terms& terms) {
  const int column = page.brief() ? page.column_for(longest_name(terms)) : 2 * kIndent;
  for (const auto& [term, meaning] : terms) page.item(term, meaning, column);
}

Terms flag_terms(const std::vector<const Flag*>& flags, bool brief) {
  Terms out;
  for (const Flag* flag : flags) {
    std::string term = spelled(*flag);
    if (flag->letter != 0) term += fmt::format(", -{}", flag->letter);
    std::string meaning = brief ? first_sentence(flag->help) : std::string(flag->help) + facts(*flag);
    if (flag->track == Track::alpha) meaning = "(v2alpha1) " + meaning;
    out.emplace_back(std::move(term), std::move(meaning));
  }
  return out;
}

void write_groups(PageWriter& page, const Command& command, Rule::Need need) {
  for (const Rule& rule : command.rules) {
    if (rule.need != need) continue;
    const std::string group = spelled(command, rule);
    if (group.empty()) continue;
    page.text(need == Rule::exactly_one ? "Exactly one of these:" : "At most one of these:");
    page.usage(std::string(std::size_t{2} * kIndent, ' ') + group);
  }
}

void write_flags(PageWriter& page, const Command& command) {
  std::vector<const Flag*> required, optional;
  for (const Flag& flag : command.flags) {
    if (flag.hidden) continue;
    (flag.required || in_rule(command, flag.name, Rule::exactly_one) ? required : optional).push_back(&flag);
  }
  Terms positionals;
  for (const Positional& row : command.positionals)
    positionals.emplace_back(std::string(row.name), std::string(row.help));
  if (!positionals.empty()) {
    page.heading("ARGUMENTS");
    write_terms(page, positionals);
  }
  if (!required.empty()) {
    page.heading("REQUIRED");
    write_groups(page, command, Rule::exactly_one);
    write_terms(page, flag_terms(required, page.brief()));
  }
  if (!optional.empty()) {
    page.heading("OPTIONS");
    write_groups(page, command, Rule::at_most_one);
    write_terms(page, flag_terms(optional, page.brief()));
  }
}

void write_examples(PageWriter& page, const Command& command) {
  if (command.examples.empty()) return;
  page.heading("EXAMPLES");
  bool first = true;
  for (const Example& example : command.examples) {
    if (!first) page.blank();
    first = false;
    if (!example.what.empty()) page.text(example.what);
    page.example(example.line);
  }
}

void write_globals(PageWriter& page, std::span<const Flag> globals) {
  std::vector<std::string> names;
  for (const Flag& flag : globals) {
    if (!flag.hidden) names.push_back("--" + std::string(flag.name));
  }
  page.heading("GLOBAL");
  page.text(fmt::format("Every command takes {}.", text::join(names, ", ")));
}

void write_commands(PageWriter& page, const Command& group) {
  Terms groups, commands;
  for (const Command& one : group.commands) {
    if (one.hidden) continue;
    const std::string help = (one.track == Track::alpha ? "(v2alpha1) " : "") + std::string(one.help);
    (one.commands.empty() ? commands : groups).emplace_back(std::string(one.name), help);
  }
  const int column = page.column_for(std::max(longest_name(groups), longest_name(commands)));
  for (const auto& [title, terms] : {std::pair("GROUPS", &groups), std::pair("COMMANDS", &commands)}) {
    if (terms->empty()) continue;
    page.heading(title);
    for (const auto& [name, help] : *terms) page.item(name, help, column);
  }
}

void write_footer(PageWriter& page, const Command& root, const Command& command, const Args& args) {
  if (&command == &root) {
    std::vector<std::string> names;
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
    page.heading("MORE");
    page.text(fmt::format("`{} GROUP --help` shows its commands. `{} help TOPIC` explains: {}.", args.typed(),
                          args.typed(), text::join(names, ", ")));
  } else if (page.brief()) {
    page.blank();
    page.text(fmt::format("`{} --help` tells more.", args.typed()), 0);
  }
}

}  // namespace

std::string usage_line(const Command& command, const std::string& typed) {
  if (!command.commands.empty()) {
    const bool only_groups = std::all_of(command.commands.begin(), command.commands.end(),
                                         [](const Command& one) { return one.hidden || !one.commands.empty(); });
    return fmt::format("{} {} [FLAGS]", typed, only_groups ? "GROUP" : "COMMAND");
  }
  std::vector<std::string> parts{typed};
  for (const Positional& row : command.positionals) parts.push_back(spelled(row));
  for (const Flag& flag : command.flags) {
    if (flag.required && !in_rule(command, flag.name, Rule::exactly_one)) parts.push_back(spelled(flag));
  }
  for (const Rule& rule : command.rules) {
    const std::string group = spelled(command, rule);
    if (!group.empty())
      parts.push_back(rule.need == Rule::exactly_one ? fmt::format("({})", group) : fmt::format("[{}]", group));
  }
  for (const Flag& flag : command.flags) {
    const bool grouped =
        in_rule(command, flag.name, Rule::exactly_one) || in_rule(command, flag.name, Rule::at_most_one);
    if (!flag.required && !flag.hidden && !grouped) parts.push_back(fmt::format("[{}]", spelled(flag)));
  }
  if (!command.rest.empty()) {
    const std::string rest = fmt::format("-- {}", command.rest);
    parts.push_back(command.rest_required ? rest : fmt::format("[{}]", rest));
  }
  return text::join(parts, " ");
}

std::string help_text(const Command& root, const Command& command, const Args& args, std::span<const Flag> globals,
                      Page options) {
  PageWriter page(options);
  if (&command == &root) {
    page.text(root.help, 0);
    page.blank();
    page.usage(usage_line(root, args.typed()));
    if (!options.brief && !root.about.empty()) {
      page.blank();
      page.text(root.about, 0);
    }
  } else {
    page.heading("USAGE");
    page.usage(std::string(kIndent, ' ') + usage_line(command, args.typed()));
    page.blank();
    const std::string track = command.track == Track::alpha ? "(v2alpha1) " : "";
    page.text(track + std::string(command.help) + ".");
    if (!options.brief && !command.about.empty()) {
      page.blank();
      page.text(command.about);
    }
  }
  if (!command.commands.empty()) write_commands(page, command);
  if (!options.brief || &command == &root) write_examples(page, command);
  if (command.commands.empty()) write_flags(page, command);
  if (!options.brief) write_globals(page, globals);
  write_footer(page, root, command, args);
  return page.take();
}

std::string topic_text(const Topic& topic, Page options) {
  PageWriter page(options);
  page.heading(text::upper(topic.name));
  page.text(fmt::format("{}.", topic.help));
  page.blank();
  page.text(topic.text);
  return page.take();
}

void print_help(Frame& frame, const std::vector<std::string>& words) {
  const Page page{frame.io.width, frame.io.out_colour, false};
  for (const Topic& topic : topics()) {
    if (words.size() == 1 && topic.name == words[0]) return frame.io.out(topic_text(topic, page));
  }
  const Command* at = &frame.root;
  Args args;
  for (const std::string& word : words) {
    const auto found =
        std::find_if(at->commands.begin(), at->commands.end(), [&](const Command& one) { return one.name == word; });
    if (found == at->commands.end()) {
      std::vector<std::string> known;
      for (const Command& one : at->commands) {
        if (!one.hidden) known.emplace_back(one.name);
      }
      if (at == &frame.root) {
        for (const Topic& topic : topics()) known.emplace_back(topic.name);
      }
      const std::string near = nearest_command(word, known);
      throw Error(tpuctl::Kind::usage,
                  fmt::format("'{}' is neither a command nor a topic.{}", word,
                              near.empty() ? "" : fmt::format(" Did you mean '{}'?", near)),
                  fmt::format("Run `{} --help` for what there is.", args.typed()));
    }
    at = &*found;
    args.path.push_back(word);
  }
  frame.io.out(help_text(frame.root, *at, args, kGlobalFlags, page));
}

}  // namespace tpuctl::cli
