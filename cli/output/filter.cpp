// SPDX-License-Identifier: Apache-2.0
// The terms of a filter. The one file that sees RE2: its time is linear, whatever pattern a user types and however long
// the text is; std::regex overflows the stack on a startup script.
#include "cli/output/filter_terms.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "cli/args.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

namespace {

struct And : Filter::Node {
  And(NodePtr one, NodePtr two) : left(std::move(one)), right(std::move(two)) {}
  bool matches(const Json& resource) const override { return left->matches(resource) && right->matches(resource); }
  NodePtr left, right;
};

struct Or : Filter::Node {
  Or(NodePtr one, NodePtr two) : left(std::move(one)), right(std::move(two)) {}
  bool matches(const Json& resource) const override { return left->matches(resource) || right->matches(resource); }
  NodePtr left, right;
};

struct Not : Filter::Node {
  explicit Not(NodePtr one) : inner(std::move(one)) {}
  bool matches(const Json& resource) const override { return !inner->matches(resource); }
  NodePtr inner;
};

/// A word without a key: some value of the resource holds it.
struct Anywhere : Filter::Node {
  explicit Anywhere(std::string text) : word(text::lower(text)) {}
  bool matches(const Json& value) const override {
    if (value.is_string() || value.is_number()) return text::lower(value.text()).find(word) != std::string::npos;
    const auto& items = value.items();
    const auto& members = value.members();
    return std::any_of(items.begin(), items.end(), [&](const Json& one) { return matches(one); }) ||
           std::any_of(members.begin(), members.end(), [&](const Json::Member& one) { return matches(one.value); });
  }
  std::string word;
};

std::optional<double> number_in(std::string_view text) {
  Json value;
  const std::string_view plain = text.starts_with('+') ? text.substr(1) : text;
  if (plain.empty() || !Json::try_parse(plain, value) || !value.is_number()) return {};
  return value.number();
}

// The numbers that an operand or a value may be compared as; true and false count as 1 and 0.
std::optional<double> number_of(const Json& value) {
  if (value.is_bool()) return value.boolean() ? 1 : 0;
  if (value.is_number()) return value.number();
  return value.is_string() ? number_in(value.text()) : std::nullopt;
}

// A single value as text that words are looked for in.
std::string searchable(const Json& value) {
  if (value.is_null()) return "null";
  if (!value.is_number()) return text::lower(display(value));
  std::string out = value.text();
  const auto dot = out.find('.');
  if (dot != std::string::npos && out.find_first_not_of('0', dot + 1) == std::string::npos) out.erase(dot);
  return text::lower(out);
}

bool has_line(const std::string& text, std::string_view line) {
  const auto lines = text::split(text, '\n');
  return text == line || std::find(lines.begin(), lines.end(), line) != lines.end();
}

class Term : public Filter::Node {
 public:
  Term(Key key, std::vector<Call> calls) : key_(std::move(key)), calls_(std::move(calls)) {}

 protected:
  template <class Test>
  bool with_value(const Json& resource, Test test) const {
    Json made;
    const Json& found = get(resource, key_, made);
    if (calls_.empty()) return test(found);
    return test(apply(calls_, found));
  }
  // A list stands for its items, also for != and !~: one that differs is enough.
  template <class Test>
  static bool any_item(const Json& value, Test test) {
    if (!value.is_array() || value.size() == 0) return test(value);
    return std::any_of(value.items().begin(), value.items().end(), test);
  }
  const Key& key() const { return key_; }

 private:
  Key key_;
  std::vector<Call> calls_;
};

/// KEY:VALUE, KEY=VALUE, KEY!=VALUE and lists of values.
class Words : public Term {
 public:
  Words(Key key, std::vector<Call> calls, std::vector<std::string> operands, const std::string& op)
      : Term(std::move(key), std::move(calls)),
        operands_(std::move(operands)),
        whole_(op != ":"),
        differs_(op == "!=") {
    const auto& its_key = this->key();
    place_ = its_key.size() == 1 && (its_key[0].text == "zone" || its_key[0].text == "region");
  }

  bool matches(const Json& resource) const override {
    return with_value(resource, [&](const Json& value) {
      return any_item(value, [&](const Json& item) { return holds(item) != differs_; });
    });
  }

 private:
  // An object stands for its names and values.
  bool holds(const Json& value) const {
    if (!value.is_object() && !value.is_array()) return any_operand(value);
    const auto& items = value.items();
    const auto& members = value.members();
    return std::any_of(items.begin(), items.end(), [&](const Json& item) { return any_operand(item); }) ||
           std::any_of(members.begin(), members.end(), [&](const Json::Member& member) {
             return any_operand(Json(member.name)) || any_operand(member.value);
           });
  }

  bool any_operand(const Json& value) const {
    return std::any_of(operands_.begin(), operands_.end(),
                       [&](const std::string& operand) { return one(value, operand); });
  }

  bool one(const Json& value, const std::string& operand) const {
    if (value.is_bool() || value.is_number()) {
      const std::string word = text::lower(operand);
      const auto number = word == "true"    ? std::optional(1.0)
                          : word == "false" ? std::optional(0.0)
                                            : number_in(operand);
      if (number && number == number_of(value)) return true;
    }
    if (value.is_string() && value.text() == operand) return true;
    if (value.is_null() && operand.empty()) return true;
    if (!whole_ && operand == "*") return !value.is_null() && !(value.is_string() && value.text().empty());
    const std::string text = searchable(value);
    if (in_text(text, text::lower(operand))) return true;
    return place_ && in_text(text.substr(text.rfind('/') + 1), text::lower(operand));
  }

  bool in_text(const std::string& text, const std::string& word) const {
    if (whole_) return has_line(text, word);
    const auto star = word.find('*');
    if (star == std::string::npos) return text.find(word) != std::string::npos;
    const std::string head = word.substr(0, star), tail = word.substr(star + 1);
    for (const std::string& line : text.empty() ? std::vector<std::string>{""} : text::split(text, '\n')) {
      if (line.size() >= head.size() + tail.size() && line.starts_with(head) && line.ends_with(tail)) return true;
    }
    return false;
  }

  std::vector<std::string> operands_;
  bool whole_;          ///< = and !=: the whole value, not a part of it
  bool differs_;        ///< !=
  bool place_ = false;  ///< zone and region are also compared by their last part
};

/// KEY<VALUE and so on: as times when both are, as numbers when both are, else as texts.
class Order : public Term {
 public:
  Order(Key key, std::vector<Call> calls, std::string op, std::string operand)
      : Term(std::move(key), std::move(calls)), op_(std::move(op)), operand_(std::move(operand)) {
    const std::string word = text::lower(operand_);
    number_ = word == "true" ? std::optional(1.0) : word == "false" ? std::optional(0.0) : number_in(operand_);
    time_ = parse_time(operand_, SystemClock().now());
  }

  bool matches(const Json& resource) const override {
    return with_value(
        resource, [&](const Json& value) { return any_item(value, [&](const Json& item) { return holds(item); }); });
  }

 private:
  bool holds(const Json& value) const {
    if (value.is_array() || value.is_object()) return false;
    if (number_) {
      if (const auto number = number_of(value)) return decide(*number < *number_, *number == *number_);
    }
    if (time_ && value.is_string()) {
      if (const auto time = parse_rfc3339(value.text())) return decide(*time < *time_, *time == *time_);
    }
    if (value.is_null() && (number_ || time_)) return false;
    const std::string text = display(value);
    return decide(text < operand_, text == operand_);
  }

  bool decide(bool less, bool equal) const {
    if (op_ == "<") return less;
    if (op_ == "<=") return less || equal;
    if (op_ == ">") return !less && !equal;
    return !less;
  }

  std::string op_;
  std::string operand_;
  std::optional<double> number_;
  std::optional<TimePoint> time_;
};

/// KEY~PATTERN and KEY!~PATTERN.
class Pattern : public Term {
 public:
  Pattern(Key key, std::vector<Call> calls, const std::string& pattern, bool differs)
      : Term(std::move(key), std::move(calls)), differs_(differs) {
    RE2::Options options;
    options.set_log_errors(false);
    regex_ = std::make_unique<RE2>(pattern, options);
    if (!regex_->ok()) {
      throw Error(tpuctl::Kind::usage,
                  fmt::format("argument --filter: Filter expression RE pattern [{}]: {}", pattern, regex_->error()));
    }
  }

  bool matches(const Json& resource) const override {
    return with_value(resource, [&](const Json& value) {
      return any_item(value, [&](const Json& item) {
        return !item.is_array() && !item.is_object() && RE2::PartialMatch(display(item), *regex_) != differs_;
      });
    });
  }

 private:
  std::unique_ptr<RE2> regex_;
  bool differs_;
};

}  // namespace

NodePtr both(NodePtr left, NodePtr right) { return std::make_unique<And>(std::move(left), std::move(right)); }
NodePtr either(NodePtr left, NodePtr right) { return std::make_unique<Or>(std::move(left), std::move(right)); }
NodePtr negated(NodePtr inner) { return std::make_unique<Not>(std::move(inner)); }
NodePtr anywhere(const std::string& word) { return std::make_unique<Anywhere>(word); }

NodePtr term(Key key, std::vector<Call> calls, const std::string& op, std::vector<std::string> operands) {
  if (op == ":" || op == "=" || op == "!=") {
    return std::make_unique<Words>(std::move(key), std::move(calls), std::move(operands), op);
  }
  if (op == "~" || op == "!~") {
    return std::make_unique<Pattern>(std::move(key), std::move(calls), operands[0], op == "!~");
  }
  return std::make_unique<Order>(std::move(key), std::move(calls), op, std::move(operands[0]));
}

}  // namespace tpuctl::cli::output
