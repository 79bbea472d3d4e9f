// SPDX-License-Identifier: Apache-2.0
// Every row is whole, and every field that a row names exists in the API with a type that fits. The API's word is the
// emulator's field list, which is written from the discovery documents and not from the rows.
#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>

#include "base/error.hpp"
#include "cli/args.hpp"
#include "cli/globals.hpp"
#include "cli/parse.hpp"
#include "cli/values.hpp"
#include "emulator/schema.hpp"
#include "tests/contract/tree.hpp"

namespace tpuctl::test {
namespace {

using cli::Command;
using cli::Flag;
using cli::Track;
using emulator::Since;
using ::testing::IsEmpty;
using ::testing::Not;

// ---- the API's field lists -----------------------------------------------------------------------------------------

class Api {
 public:
  explicit Api(bool alpha) {
    const auto holds = [alpha](Since since) { return since == Since::both || (since == Since::alpha) == alpha; };
    for (std::size_t i = 0; i < emulator::kMessageCount; ++i) {
      const auto& row = emulator::kMessages[i];
      if (!holds(row.since)) continue;
      auto& fields = messages_[row.name];
      for (const std::string& word : text::split(row.fields, ' ')) {
        fields[word.substr(0, word.find(':'))] = word.substr(word.find(':') + 1);
      }
    }
    for (std::size_t i = 0; i < emulator::kEnumCount; ++i) {
      const auto& row = emulator::kEnums[i];
      if (!holds(row.since)) continue;
      for (std::string& word : text::split(row.values, ' ')) enums_[row.name].insert(std::move(word));
    }
  }

  /// Type of what the pointer names, e.g. "s", "*s", "e:DiskMode", "Empty"; "" when there is no such field.
  std::string type(const std::string& message, std::string_view pointer) const {
    std::string at = message;
    for (const std::string& token : text::split(pointer, '/')) {
      if (token.empty()) continue;
      if (at.starts_with("*") && text::parse_int(token)) {
        at.erase(0, 1);
        continue;
      }
      const auto fields = messages_.find(at);
      if (fields == messages_.end()) return {};
      const auto field = fields->second.find(token);
      if (field == fields->second.end()) return {};
      at = field->second;
    }
    return at;
  }
  bool is_message(const std::string& type) const { return messages_.contains(type); }
  bool has_value(const std::string& type, const std::string& value) const {
    const auto found = enums_.find(type.substr(std::min<std::size_t>(2, type.size())));
    return found != enums_.end() && found->second.contains(value);
  }

 private:
  std::map<std::string, std::map<std::string, std::string>> messages_;
  std::map<std::string, std::set<std::string>> enums_;
};

const Api kGa(false);
const Api kAlpha(true);

/// Where the fields of a command lie: the message of its body, and the node in it.
struct Body {
  std::string message;
  std::string node_prefix;
};
const std::map<std::string, Body> kBodies = {
    {"tpu-vm create", {"Node", ""}},
    {"queued-resources create", {"QueuedResource", "/tpu/nodeSpec/0/node"}},
    {"jobs submit", {"QueuedResource", "/tpu/nodeSpec/0/node"}},
};

/// Text fields of an object of Cloud Storage that may be written (storage/v1, Object).
const std::set<std::string_view> kObjectFields = {"/cacheControl",    "/contentDisposition", "/contentEncoding",
                                                  "/contentLanguage", "/contentType",        "/storageClass"};

std::string pointer_of(const Flag& flag, const Body& body) {
  return flag.field.starts_with('/') ? std::string(flag.field) : body.node_prefix + "/" + std::string(flag.field);
}

std::vector<std::string> wire_names(std::string_view choices) {
  std::vector<std::string> out;
  for (const std::string_view name : cli::choice_names(choices)) out.push_back(cli::wire_choice(choices, name));
  return out;
}

// Why a row's kind does not fit a field's type; "" when it does.
std::string misfit(const Api& api, cli::Kind kind, const std::string& type) {
  const bool message = api.is_message(type);
  const bool list = type.starts_with("*");
  const bool messages = list && api.is_message(type.substr(1));
  bool fits = false;
  switch (kind) {
    case cli::Kind::toggle:
    case cli::Kind::inverse: fits = type == "b"; break;
    case cli::Kind::marker: fits = message; break;
    case cli::Kind::text: fits = type == "s" || type == "t" || type == "D"; break;
    case cli::Kind::lowered: fits = type == "s"; break;
    case cli::Kind::integer: fits = type == "i"; break;
    case cli::Kind::choice: fits = type.starts_with("e:"); break;
    case cli::Kind::list:
    case cli::Kind::repeated: fits = type == "*s"; break;
    case cli::Kind::map: fits = type == "m"; break;
    case cli::Kind::dict: fits = message; break;
    case cli::Kind::dicts: fits = messages; break;
    case cli::Kind::duration: fits = type == "D"; break;
    case cli::Kind::timestamp: fits = type == "t"; break;
  }
  if (type.ends_with("!")) return "the API only puts it out";
  return fits ? "" : "the API has type " + (type.empty() ? "(no such field)" : type);
}

// Everything that is wrong with a row in one version of the API.
std::vector<std::string> objections(const Api& api, bool alpha, const Flag& flag, const Body& body) {
  std::vector<std::string> out;
  const std::string pointer = pointer_of(flag, body);
  const std::string type = api.type(body.message, pointer);
  const std::string where = (alpha ? "v2alpha1 " : "v2 ") + pointer + ": ";
  if (const std::string why = misfit(api, flag.kind, type); !why.empty()) return {where + why};
  if (flag.kind == cli::Kind::choice) {
    auto names = wire_names(flag.choices);
    if (alpha) {
      for (const auto& name : wire_names(flag.alpha_choices)) names.push_back(name);
    }
    for (const std::string& name : names) {
      if (!api.has_value(type, name)) out.push_back(where + "no value " + name);
    }
  }
  const std::string inner = type.starts_with("*") ? type.substr(1) : type;
  for (const cli::Key& key : flag.keys) {
    const std::string key_type = api.type(inner, key.field);
    if (const std::string why = misfit(api, key.kind, key_type); !why.empty()) {
      out.push_back(where + std::string(key.field) + ": " + why);
    } else if (key.kind == cli::Kind::choice) {
      for (const std::string& name : wire_names(key.choices)) {
        if (!api.has_value(key_type, name)) out.push_back(where + std::string(key.field) + ": no value " + name);
      }
    }
  }
  return out;
}

TEST(Rows, EveryFieldExistsInTheApiAndFits) {
  std::vector<std::string> wrong;
  std::set<std::string> seen;
  for (const Place& place : every_command()) {
    const auto body = kBodies.find(place.text());
    for (const Flag& flag : place.command->flags) {
      if (flag.field.empty()) continue;
      const std::string who = place.text() + " --" + std::string(flag.name) + ": ";
      if (place.path.front() == "storage") {
        if (!kObjectFields.contains(flag.field) || flag.kind != cli::Kind::text) wrong.push_back(who + "Cloud Storage's objects have no such text field");
        continue;
      }
      if (body == kBodies.end()) {
        wrong.push_back(who + "has a field, but this test does not know the command's message");
        continue;
      }
      seen.insert(place.text());
      auto problems = objections(kAlpha, true, flag, body->second);
      if (flag.track != Track::alpha) {
        for (auto& more : objections(kGa, false, flag, body->second)) problems.push_back(std::move(more));
      }
      for (const std::string& problem : problems) wrong.push_back(who + problem);
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
  EXPECT_TRUE(seen.contains("tpu-vm create"));
  EXPECT_TRUE(seen.contains("queued-resources create"));
}

TEST(Rows, AlphaRowsAreThoseThatV2DoesNotHave) {
  std::vector<std::string> wrong;
  for (const Place& place : every_command()) {
    const auto body = kBodies.find(place.text());
    if (body == kBodies.end()) continue;
    for (const Flag& flag : place.command->flags) {
      if (flag.field.empty() || flag.track != Track::alpha) continue;
      // A field that v2 has may still be alpha in gcloud; those are named here.
      static const std::set<std::string_view> kGcloudsChoice = {"network-config"};
      if (kGcloudsChoice.contains(flag.name)) continue;
      if (!kGa.type(body->second.message, pointer_of(flag, body->second)).empty()) {
        wrong.push_back(place.text() + " --" + std::string(flag.name) + ": v2 has this field too");
      }
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
}

TEST(Rows, NoTwoRowsOfACommandWriteTheSameField) {
  for (const Place& place : every_command()) {
    const auto body = kBodies.find(place.text());
    if (body == kBodies.end()) continue;
    std::map<std::string, std::string_view> writers;
    for (const Flag& flag : place.command->flags) {
      if (flag.field.empty()) continue;
      const auto [found, fresh] = writers.emplace(pointer_of(flag, body->second), flag.name);
      EXPECT_TRUE(fresh) << place.text() << ": --" << flag.name << " and --" << found->second << " both write " << found->first;
    }
  }
}

constexpr Flag kWrongRows[] = {
    {.name = "a", .field = "noSuchField"},
    {.name = "b", .kind = cli::Kind::integer, .field = "description"},
    {.name = "c", .kind = cli::Kind::toggle, .field = "labels"},
    {.name = "d", .kind = cli::Kind::choice, .field = "acceleratorConfig/type", .choices = "v2,v99"},
    {.name = "e", .field = "/tpu/nodeSpec/0/noSuchField"},
    {.name = "f", .kind = cli::Kind::marker, .field = "/reservationName"},
    {.name = "g", .field = "health"},
    {.name = "h", .kind = cli::Kind::list, .field = "dataDisks"},
    {.name = "i", .field = "multisliceNode"},
    {.name = "j", .kind = cli::Kind::toggle, .field = "multisliceNode"},
};

TEST(Rows, TheCheckItselfSeesWrongRows) {
  const Body& body = kBodies.at("queued-resources create");
  for (const Flag& flag : kWrongRows) EXPECT_THAT(objections(kAlpha, true, flag, body), Not(IsEmpty())) << flag.name;
  constexpr Flag kRight = {.name = "x", .kind = cli::Kind::toggle, .field = "autocheckpointEnabled"};
  EXPECT_THAT(objections(kAlpha, true, kRight, body), IsEmpty());
  EXPECT_THAT(objections(kGa, false, kRight, body), Not(IsEmpty())) << "v2 cannot carry Autocheckpoint";
}

// ---- the rows themselves ------------------------------------------------------------------------------------------------

bool kebab(std::string_view name) {
  static const std::regex kShape("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  return std::regex_match(std::string(name), kShape);
}

TEST(Rows, EveryCommandIsAGroupOrHasAHandler) {
  for (const Place& place : every_command()) {
    const Command& command = *place.command;
    if (!command.instead.empty()) {  // not offered: it says so and does nothing, but for what lies hidden in it
      EXPECT_TRUE(command.run == nullptr && command.flags.empty()) << place.text();
      for (const Command& one : command.commands) EXPECT_TRUE(one.hidden && command.hidden) << place.text() << " " << one.name;
      continue;
    }
    EXPECT_NE(command.commands.empty(), command.run == nullptr) << place.text() << ": a group has commands, a leaf has a handler";
    EXPECT_TRUE(command.commands.empty() || command.flags.empty()) << place.text() << ": a group has no flags";
  }
}

TEST(Rows, EveryCommandHasANameAndHelp) {
  for (const Place& place : every_command()) {
    const Command& command = *place.command;
    EXPECT_TRUE(kebab(command.name) || command.hidden) << place.text();
    EXPECT_FALSE(command.help.empty() && !command.hidden) << place.text() << " has no help";
    EXPECT_FALSE(command.help.ends_with('.')) << place.text() << ": the one line of a command has no full stop";
    std::set<std::string_view> names;
    for (const Command& one : command.commands) EXPECT_TRUE(names.insert(one.name).second) << place.text() << " " << one.name;
  }
}

// A flag's own sins, wherever it stands.
std::vector<std::string> sins(const Flag& flag) {
  std::vector<std::string> out;
  if (!kebab(flag.name)) out.emplace_back("is not kebab-case");
  if (flag.help.empty()) out.emplace_back("has no help");
  // Facts of the row (choices, default) are put behind it.
  if (!flag.help.empty() && !flag.help.ends_with('.')) out.emplace_back("has help without a full stop: " + std::string(flag.help));
  if (flag.kind == cli::Kind::choice && flag.choices.empty()) out.emplace_back("is a choice of nothing");
  if (!flag.choices.empty() && flag.kind != cli::Kind::choice && flag.kind != cli::Kind::integer) {
    out.emplace_back("has choices but is no choice");
  }
  const bool dict = flag.kind == cli::Kind::dict || flag.kind == cli::Kind::dicts;
  if (dict == flag.keys.empty()) out.emplace_back("has keys exactly when it is a dict");
  if (flag.required && !flag.fallback.empty()) out.emplace_back("is required and has a fallback");
  for (const char c : flag.value) {
    if (c == ' ') out.emplace_back("has a metavar of several words");
  }
  if (!flag.fallback.empty()) {
    try {
      if (cli::checked_value(flag, flag.fallback) != flag.fallback) out.emplace_back("has a fallback that is not as it would be read");
    } catch (const Error& error) {
      out.emplace_back(std::string("has a fallback that it would refuse: ") + error.what());
    }
  }
  return out;
}

TEST(Rows, EveryFlagIsWhole) {
  for (const Place& place : every_command()) {
    std::vector<Flag> flags(place.command->flags.begin(), place.command->flags.end());
    if (place.path.empty()) flags.assign(cli::kGlobalFlags.begin(), cli::kGlobalFlags.end());
    for (const Flag& flag : flags) {
      EXPECT_THAT(sins(flag), IsEmpty()) << place.text() << " --" << flag.name;
    }
  }
}

TEST(Rows, NamesAndLettersAreTakenOnce) {
  for (const Place& place : every_command()) {
    if (!place.command->commands.empty()) continue;
    std::set<std::string_view> names;
    std::set<char> letters;
    auto take = [&](const Flag& flag) {
      EXPECT_TRUE(names.insert(flag.name).second) << place.text() << " --" << flag.name << " stands twice";
      if (flag.letter != 0) {
        EXPECT_TRUE(letters.insert(flag.letter).second) << place.text() << " -" << flag.letter;
      }
    };
    for (const Flag& flag : cli::kGlobalFlags) take(flag);
    for (const Flag& flag : place.command->flags) take(flag);
    for (const std::string_view name : names) {
      EXPECT_FALSE(name.starts_with("no-") && names.contains(name.substr(3))) << place.text() << " --" << name << " has two meanings";
    }
  }
}

TEST(Rows, PositionalsAreWhole) {
  for (const Place& place : every_command()) {
    const auto rows = place.command->positionals;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string who = place.text() + " " + std::string(rows[i].name);
      EXPECT_FALSE(rows[i].help.empty()) << who;
      EXPECT_EQ(text::upper(rows[i].name), rows[i].name) << who;
      EXPECT_TRUE(!rows[i].many || i + 1 == rows.size()) << who << ": only the last may be many";
      EXPECT_TRUE(i == 0 || !rows[i].required || rows[i - 1].required) << who << ": required behind optional";
    }
  }
}

TEST(Rows, RulesNameFlagsOfTheCommand) {
  int rules = 0;
  for (const Place& place : every_command()) {
    std::set<std::string> names;
    for (const Flag& flag : place.command->flags) names.emplace(flag.name);
    for (const cli::Rule& rule : place.command->rules) {
      ++rules;
      std::set<std::string> used;
      for (const std::string_view alternative : rule.alternatives) {
        for (const std::string& word : text::split(alternative, ' ')) {
          if (word == ":" || word.empty()) continue;
          EXPECT_TRUE(names.contains(word)) << place.text() << ": a rule names --" << word;
          EXPECT_TRUE(used.insert(word).second) << place.text() << ": --" << word << " is against itself";
        }
      }
      EXPECT_FALSE(used.empty()) << place.text() << ": a rule about nothing";
    }
  }
  EXPECT_GT(rules, 5);
}

// ---- examples ---------------------------------------------------------------------------------------------------------

// Words as a shell reads them; enough for examples: quotes and blanks.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> out;
  std::string word;
  char quote = 0;
  bool any = false;
  for (const char c : line) {
    if (quote) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      any = true;
    } else if (c == ' ') {
      if (any) out.push_back(std::exchange(word, {}));
      any = false;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) out.push_back(word);
  return out;
}

// The commands of an example: "a; eval \"$(b)\"" has two.
std::vector<std::string> commands_of(std::string_view line) {
  std::vector<std::string> out;
  std::string rest(line);
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t next = rest.find("; ", at);
    std::string one = rest.substr(at, next == std::string::npos ? next : next - at);
    if (const auto inner = one.find("$("); inner != std::string::npos) one = one.substr(inner + 2, one.rfind(')') - inner - 2);
    out.push_back(one);
    at = next == std::string::npos ? next : next + 2;
  }
  return out;
}

TEST(Rows, ExamplesAreCommandLinesThatParse) {
  int examples = 0;
  for (const Place& place : every_command()) {
    for (const cli::Example& example : place.command->examples) {
      EXPECT_FALSE(example.what.empty()) << place.text();
      for (const std::string& line : commands_of(example.line)) {
        auto words = shell_words(line);
        ASSERT_FALSE(words.empty()) << example.line;
        ASSERT_EQ(words[0], "tpuctl") << place.text() << ": " << example.line;
        words.erase(words.begin());
        cli::Parsed parsed;
        try {
          cli::parse(commands::root(), cli::kGlobalFlags, "tpuctl", words, parsed);
          ++examples;
        } catch (const Error& error) {
          ADD_FAILURE() << place.text() << ": the example does not parse: " << line << "\n  " << error.what();
        }
      }
    }
  }
  EXPECT_GT(examples, 5);
}

}  // namespace
}  // namespace tpuctl::test
