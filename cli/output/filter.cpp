// SPDX-License-Identifier: Apache-2.0
// The terms of a filter.
#include <algorithm>

#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/filter_terms.hpp"
#include "cli/output/fold.hpp"
#include "cli/output/pattern.hpp"

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

struct Anywhere : Filter::Node {
  explicit Anywhere(std::string_view text) : word(lower_case(text)) {}
  bool matches(const Json& value) const override {
    if (!truthy(value)) return false;
    if (!value.is_array() && !value.is_object()) return lower_case(python_text(value)).find(word) != std::string::npos;
    const auto& items = value.items();
    const auto& members = value.members();
    return std::any_of(items.begin(), items.end(), [&](const Json& one) { return matches(one); }) ||
           std::any_of(members.begin(), members.end(),
                       [&](const Json::Member& one) { return !one.name.starts_with('_') && matches(one.value); });
  }
  std::string word;
};

class Keyed : public Filter::Node {
 public:
  Keyed(Key key, Chain chain) : key_(std::move(key)), chain_(std::move(chain)) {}

 protected:
  template <class Test>
  bool with_value(const Json& resource, Test test) const {
    Json made;
    const Json& found = get(resource, key_, made);
    return chain_.calls.empty() ? test(found) : test(chain_.apply(found));
  }
  // A list stands for its items, also for != and !~: one that differs is enough.
  template <class Test>
  static bool any_item(const Json& value, Test test) {
    if (!value.is_array() || value.size() == 0) return test(value);
    return std::any_of(value.items().begin(), value.items().end(), test);
  }
  const Key& key() const { return key_; }
  bool plain() const { return chain_.calls.empty(); }

 private:
  Key key_;
  Chain chain_;
};

struct Truth : Keyed {
  using Keyed::Keyed;
  bool matches(const Json& resource) const override { return with_value(resource, truthy); }
};

/// The word of an operand as it is looked for.
struct Word {
  explicit Word(const Operand& given) : operand(given), folded(output::folded(given.text, false)) {
    const auto star = folded.find('*');
    if (star == std::string::npos) return;
    starred = true;
    head = folded.substr(0, star);
    tail = folded.substr(star + 1);
  }
  Operand operand;
  std::string folded, head, tail;
  bool starred = false;
};

bool has_line(std::string_view text, std::string_view head, std::string_view tail, bool gap) {
  for (;;) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const bool fits =
        gap ? line.size() >= head.size() + tail.size() && line.starts_with(head) && line.ends_with(tail) : line == head;
    if (fits) return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
}

/// KEY:VALUE, KEY=VALUE, KEY!=VALUE and lists of values.
class Words : public Keyed {
 public:
  Words(Key its_key, Chain chain, const std::vector<std::string>& operands, const std::string& op)
      : Keyed(std::move(its_key), std::move(chain)), whole_(op != ":"), differs_(op == "!=") {
    for (const std::string& one : operands) words_.emplace_back(Operand(one));
    place_ = key().size() == 1 && (key()[0].text == "zone" || key()[0].text == "region");
  }

  bool matches(const Json& resource) const override {
    return with_value(resource,
                      [&](const Json& value) { return any_item(value, [&](const Json& item) { return term(item); }); });
  }

 private:
  // A number is compared as one, and as text only with true and false.
  bool term(const Json& value) const {
    const auto number = Number::of(value);
    return std::any_of(words_.begin(), words_.end(), [&](const Word& word) {
      const bool numeric = word.operand.number && number;
      if (numeric && any_word(value, &*number) != differs_) return true;
      return (!numeric || word.operand.constant) && holds(value) != differs_;
    });
  }

  // An object stands for its names and values, a list inside a list for its items.
  bool holds(const Json& value) const {
    if (!value.is_object() && !value.is_array()) return any_word(value, nullptr);
    const auto& items = value.items();
    const auto& members = value.members();
    return std::any_of(items.begin(), items.end(), [&](const Json& item) { return any_word(item, nullptr); }) ||
           std::any_of(members.begin(), members.end(), [&](const Json::Member& member) {
             return any_word(Json(member.name), nullptr) || any_word(member.value, nullptr);
           });
  }

  bool any_word(const Json& value, const Number* number) const {
    std::string text;
    const auto own = !number && (value.is_number() || value.is_bool()) ? Number::of(value) : std::nullopt;
    if (own) number = &*own;
    const auto time = number || !plain() ? std::nullopt : time_in(value);
    if (!number) {
      text = value.is_string() ? folded(value.text()) : value.is_null() ? "null" : folded(python_repr(value));
    } else {
      text = value.is_bool() ? (value.boolean() ? "true" : "false") : number->text();
    }
    return std::any_of(words_.begin(), words_.end(), [&](const Word& word) {
      if (number && word.operand.number && number->compare(*word.operand.number) == 0) return true;
      if (time && word.operand.time && *time == *word.operand.time) return true;
      return one(value, text, word);
    });
  }

  bool one(const Json& value, const std::string& text, const Word& word) const {
    if (value.is_string() && value.text() == word.operand.text) return true;
    if (value.is_null() && word.operand.text.empty()) return true;
    if (!whole_ && word.operand.text == "*")
      return !value.is_null() && text.find_first_not_of('\n') != std::string::npos;
    if (in_text(text, word)) return true;
    return place_ && in_text(text.substr(text.rfind('/') + 1), word);
  }

  bool in_text(const std::string& text, const Word& word) const {
    if (whole_) return text == word.folded || has_line(text, word.folded, {}, false);
    return word.starred ? has_line(text, word.head, word.tail, true) : text.find(word.folded) != std::string::npos;
  }

  std::vector<Word> words_;
  bool whole_;          ///< = and !=: the whole value, not a part of it
  bool differs_;        ///< !=
  bool place_ = false;  ///< zone and region are also compared by their last part
};

/// KEY<VALUE and so on: as numbers when both are, as times when both are, else as texts.
class Order : public Keyed {
 public:
  Order(Key its_key, Chain chain, std::string op, const std::string& operand)
      : Keyed(std::move(its_key), std::move(chain)), op_(std::move(op)), operand_(operand) {}

  bool matches(const Json& resource) const override {
    return with_value(
        resource, [&](const Json& value) { return any_item(value, [&](const Json& item) { return holds(item); }); });
  }

 private:
  bool holds(const Json& value) const {
    const auto time = operand_.time && plain() ? time_in(value) : std::nullopt;
    if (time) return decide(*time < *operand_.time ? -1 : *time > *operand_.time ? 1 : 0);
    if (const auto number = operand_.number ? Number::of(value) : std::nullopt) {
      if (decide(number->compare(*operand_.number))) return true;
      if (!operand_.constant) return false;
    }
    if (value.is_array() || value.is_object()) return false;
    if (operand_.timely && !truthy(value)) return false;  // no time is neither before nor after one
    const int by = display(value).compare(operand_.text);
    return decide(by < 0 ? -1 : by > 0 ? 1 : 0);
  }

  // 2: one of them is not a number.
  bool decide(int by) const {
    if (by == 2) return false;
    const bool equal = by == 0 && op_.size() == 2;
    return equal || (op_[0] == '<' ? by < 0 : by > 0);
  }

  std::string op_;
  Operand operand_;
};

/// KEY~PATTERN and KEY!~PATTERN.
class Matching : public Keyed {
 public:
  Matching(Key its_key, Chain chain, const std::string& pattern, bool differs)
      : Keyed(std::move(its_key), std::move(chain)), pattern_(pattern), differs_(differs) {}

  bool matches(const Json& resource) const override {
    return with_value(resource, [&](const Json& value) {
      return any_item(value, [&](const Json& item) {
        return !item.is_array() && !item.is_object() && pattern_.found_in(display(item)) != differs_;
      });
    });
  }

 private:
  Pattern pattern_;
  bool differs_;
};

}  // namespace

NodePtr both(NodePtr left, NodePtr right) { return std::make_unique<And>(std::move(left), std::move(right)); }
NodePtr either(NodePtr left, NodePtr right) { return std::make_unique<Or>(std::move(left), std::move(right)); }
NodePtr negated(NodePtr inner) { return std::make_unique<Not>(std::move(inner)); }
NodePtr anywhere(const std::string& word) { return std::make_unique<Anywhere>(word); }
NodePtr truth(Key key, Chain chain) { return std::make_unique<Truth>(std::move(key), std::move(chain)); }

NodePtr term(Key key, Chain chain, const std::string& op, std::vector<std::string> operands) {
  if (op == ":" || op == "=" || op == "!=")
    return std::make_unique<Words>(std::move(key), std::move(chain), operands, op);
  if (op == "~" || op == "!~")
    return std::make_unique<Matching>(std::move(key), std::move(chain), operands[0], op == "!~");
  return std::make_unique<Order>(std::move(key), std::move(chain), op, operands[0]);
}

}  // namespace tpuctl::cli::output
