// SPDX-License-Identifier: Apache-2.0
#include "cli/complete.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/args.hpp"
#include "cli/config.hpp"
#include "cli/help.hpp"

namespace tpuctl::cli {

namespace {

bool takes_value(const Flag& flag) {
  return flag.kind != Kind::toggle && flag.kind != Kind::inverse && flag.kind != Kind::marker;
}

const Command* child(const Command& group, std::string_view name) {
  for (const Command& one : group.commands) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

const Flag* find_flag(std::span<const Flag> rows, std::string_view name) {
  for (const Flag& row : rows) {
    if (row.name == name || (name.size() == 1 && row.letter == name[0])) return &row;
  }
  return nullptr;
}

const Flag* find_below(const Command& command, std::string_view name) {
  if (const Flag* found = find_flag(command.flags, name)) return found;
  for (const Command& one : command.commands) {
    if (const Flag* found = find_below(one, name)) return found;
  }
  return nullptr;
}

std::string first_line(std::string_view help) {
  const auto end = help.find(". ");
  std::string out(help.substr(0, end));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  if (out.ends_with('.')) out.pop_back();
  return out;
}

/// The words before the cursor, read leniently: mistakes are passed over.
class Reader {
 public:
  Reader(const Command& root, std::span<const Flag> globals, const std::vector<std::string>& words)
      : globals_(globals), words_(words) {
    typed.command = &root;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) take(i);
  }

  const Flag* find(std::string_view name) const {
    if (const Flag* found = find_flag(typed.command->flags, name)) return found;
    if (const Flag* found = find_flag(globals_, name)) return found;
    return typed.command->commands.empty() ? nullptr : find_below(*typed.command, name);
  }

  Typed typed;
  const Flag* pending = nullptr;  ///< the cursor's word is this flag's value
  bool after_dashes = false;
  bool lost = false;  ///< a word is no command: nothing can be said about what follows

 private:
  void take(std::size_t i) {
    const std::string& word = words_[i];
    if (after_dashes) return;
    if (pending) {
      typed.flags.emplace_back(std::string(pending->name), word);
      pending = nullptr;
    } else if (word == "--") {
      after_dashes = true;
    } else if (word.size() > 1 && word[0] == '-') {
      take_flag(word);
    } else if (!typed.command->commands.empty()) {
      if (const Command* found = child(*typed.command, word)) {
        typed.command = found;
        typed.path.push_back(word);
      } else {
        lost = true;
      }
    } else {
      typed.positionals.push_back(word);
    }
  }

  void take_flag(const std::string& word) {
    const auto equals = word.find('=');
    std::string name = word.substr(0, equals);
    name.erase(0, name.starts_with("--") ? 2 : 1);
    const Flag* row = find(name);
    if (equals != std::string::npos) {
      typed.flags.emplace_back(row ? std::string(row->name) : name, word.substr(equals + 1));
    } else if (row && takes_value(*row)) {
      pending = row;
    } else if (row) {
      typed.flags.emplace_back(std::string(row->name), "true");
    }
  }

  std::span<const Flag> globals_;
  const std::vector<std::string>& words_;
};

class Completer {
 public:
  Completer(const Reader& reader, std::span<const Flag> globals, const LiveNames& live)
      : reader_(reader), globals_(globals), live_(live) {}

  Completion run(const std::string& word) {
    const auto equals = word.find('=');
    if (reader_.lost) {
      return out_;
    } else if (reader_.after_dashes) {
      out_.directive = 0;
    } else if (reader_.pending) {
      value(*reader_.pending, word, "");
    } else if (word.starts_with("--") && equals != std::string::npos) {
      const Flag* row = reader_.find(std::string_view(word).substr(2, equals - 2));
      if (row) value(*row, word.substr(equals + 1), word.substr(0, equals + 1));
    } else if (word.starts_with('-')) {
      flags(word);
    } else if (!reader_.typed.command->commands.empty()) {
      commands(word);
    } else {
      positional(word);
    }
    return std::move(out_);
  }

 private:
  void offer(std::string word, std::string_view help, std::string_view prefix) {
    if (word.starts_with(prefix)) out_.words.emplace_back(std::move(word), first_line(help));
  }

  void commands(const std::string& word) {
    for (const Command& one : reader_.typed.command->commands) {
      if (!one.hidden) offer(std::string(one.name), one.help, word);
    }
  }

  bool given(const Flag& flag) const {
    const auto& all = reader_.typed.flags;
    const bool again = flag.kind == Kind::repeated || flag.kind == Kind::dicts;
    return !again && std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.first == flag.name; });
  }

  void flags(const std::string& word) {
    for (const std::span<const Flag> rows : {reader_.typed.command->flags, globals_}) {
      for (const Flag& flag : rows) {
        if (flag.hidden || given(flag)) continue;
        const std::string tail = takes_value(flag) ? "=" : "";
        offer("--" + std::string(flag.name) + tail, flag.help, word);
        const bool negative = !takes_value(flag) && (word.starts_with("--no") || flag.fallback == "true");
        if (negative && flag.name != "help") offer("--no-" + std::string(flag.name), flag.help, word);
      }
    }
    const bool value_follows =
        std::any_of(out_.words.begin(), out_.words.end(), [](const auto& one) { return one.first.ends_with('='); });
    if (value_follows) out_.directive |= kNoSpace;
  }

  // `before` is "--flag=" when the value is joined to its flag: the shell replaces the whole word.
  void value(const Flag& flag, const std::string& word, const std::string& before) {
    if (!takes_value(flag)) {
      for (const char* one : {"true", "false"}) offer(before + one, "", before + word);
      return;
    }
    if (!flag.keys.empty()) return keys(flag, word, before);
    const bool listed = flag.kind == Kind::list;
    const auto comma = listed ? word.rfind(',') : std::string::npos;
    const std::string start = comma == std::string::npos ? "" : word.substr(0, comma + 1);
    const std::string part = word.substr(start.size());
    for (const std::string_view choices : {flag.choices, flag.alpha_choices}) {
      for (const std::string_view one : choice_names(choices))
        offer(before + start + std::string(one), "", before + start + part);
    }
    source(flag.source, part, before + start);
    if (listed && !out_.words.empty()) out_.directive |= kNoSpace;
  }

  // KEY=VALUE,KEY=VALUE: the keys that are not yet there, or the choices of the last one.
  void keys(const Flag& flag, const std::string& word, const std::string& before) {
    out_.directive |= kNoSpace;
    const auto comma = word.rfind(',');
    const std::string start = comma == std::string::npos ? "" : word.substr(0, comma + 1);
    const std::string part = word.substr(start.size());
    const auto equals = part.find('=');
    for (const Key& key : flag.keys) {
      const std::string name = std::string(key.name) + "=";
      if (equals == std::string::npos) {
        if (("," + start).find("," + name) == std::string::npos) offer(before + start + name, "", before + word);
        continue;
      }
      if (part.substr(0, equals) != key.name) continue;
      const std::string_view choices = key.kind == Kind::toggle ? std::string_view("true,false") : key.choices;
      for (const std::string_view one : choice_names(choices))
        offer(before + start + name + std::string(one), "", before + word);
    }
  }

  void positional(const std::string& word) {
    const auto rows = reader_.typed.command->positionals;
    const std::size_t at = reader_.typed.positionals.size();
    if (rows.empty() || (at >= rows.size() && !rows.back().many)) return;
    source(rows[std::min(at, rows.size() - 1)].source, word, "");
  }

  void source(Source from, const std::string& word, const std::string& before) {
    switch (from) {
      case Source::none:
        return;
      case Source::file:
        out_.directive &= ~kNoFiles;
        return;
      case Source::directory:
        out_.directive = (out_.directive & ~kNoFiles) | kDirectories;
        return;
      case Source::property:
        for (const Property& row : properties()) {
          if (row.hidden) continue;
          const std::string section = row.section == "core" ? "" : std::string(row.section) + "/";
          offer(before + section + std::string(row.name), row.help, before + word);
        }
        return;
      case Source::format:
        for (const char* one : {"json", "yaml", "value(", "table(", "csv(", "text", "list", "config", "none"}) {
          offer(before + one, "", before + word);
        }
        out_.directive |= kNoSpace;
        return;
      case Source::help_topic:
        for (const Topic& topic : topics()) offer(before + std::string(topic.name), topic.help, before + word);
        return;
      default:
        live(from, word, before);
    }
  }

  void live(Source from, const std::string& word, const std::string& before) {
    if (!live_) return;
    try {
      for (const std::string& name : live_(from, reader_.typed, word)) {
        const std::string plain = text::printable(name);
        if (plain == name && name.find_first_of("\t\n") == std::string::npos) offer(before + name, "", before + word);
      }
    } catch (const std::exception&) {  // without an answer there are no names
    }
  }

  const Reader& reader_;
  std::span<const Flag> globals_;
  const LiveNames& live_;
  Completion out_;
};

// gcloud's words before the group.
std::vector<std::string> without_prefix(const Command& root, std::vector<std::string> words) {
  while (words.size() > 1 && (words[0] == "alpha" || words[0] == "beta") && !child(root, words[0]))
    words.erase(words.begin());
  if (words.size() > 2 && words[0] == "compute" && words[1] == "tpus") words.erase(words.begin(), words.begin() + 2);
  return words;
}

}  // namespace

std::string Typed::get(std::string_view flag) const {
  std::string out;
  for (const auto& [name, value] : flags) {
    if (name == flag) out = value;
  }
  return out;
}

Completion complete(const Command& root, std::span<const Flag> globals, const std::vector<std::string>& given,
                    const LiveNames& live) {
  try {
    std::vector<std::string> words = without_prefix(root, given);
    if (words.empty()) words.emplace_back();
    const Reader reader(root, globals, words);
    Completion out = Completer(reader, globals, live).run(words.back());
    std::vector<std::pair<std::string, std::string>> unique;
    for (auto& one : out.words) {
      const bool there =
          std::any_of(unique.begin(), unique.end(), [&](const auto& other) { return other.first == one.first; });
      if (!there) unique.push_back(std::move(one));
    }
    out.words = std::move(unique);
    return out;
  } catch (const std::exception&) {
    return {};
  }
}

std::string print(const Completion& completion) {
  std::string out;
  for (const auto& [word, help] : completion.words) out += help.empty() ? word + "\n" : word + "\t" + help + "\n";
  return out + ":" + std::to_string(completion.directive) + "\n";
}

}  // namespace tpuctl::cli
