// SPDX-License-Identifier: Apache-2.0
// Transforms of lists and objects.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/filter.hpp"
#include "cli/output/keys.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

namespace {

std::vector<const Json::Member*> sorted(const Json& object) {
  std::vector<const Json::Member*> out;
  for (const Json::Member& one : object.members()) out.push_back(&one);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  return out;
}

std::vector<Key> keys_of(const Arguments& arguments) {
  std::vector<Key> out;
  for (const std::string& one : arguments.all()) out.push_back(parse_key(one));
  return out;
}

// A text stands for its characters.
Json items_of(const Json& value) {
  if (!value.is_string()) return value;
  Json out = Json::array();
  for (const char32_t c : code_points(value.text())) out.push(utf8(std::u32string_view(&c, 1)));
  return out;
}

struct Listing {
  explicit Listing(const Arguments& arguments)
      : show(arguments.text("show")),
        undefined(arguments.text("undefined")),
        separator(arguments.text("separator", ",")) {}

  std::string of(const Json& value) const {
    std::vector<std::string> parts;
    for (const Json::Member* one : sorted(value)) {
      const std::string text = python_text(one->value);
      parts.push_back(show == "keys" ? one->name : show == "values" ? text : one->name + "=" + text);
    }
    for (const Json& item : value.items()) parts.push_back(python_text(item));
    return text::join(parts, separator);
  }

  Json flattened(const Json& value) const {
    if (value.is_object()) {
      Json inner = Json::object();
      for (const Json::Member& one : value.members())
        inner.member(one.name) = show == "keys" ? one.value : flattened(one.value);
      const std::string text = of(inner);
      return text.empty() ? undefined : text;
    }
    if (!truthy(value)) return undefined;
    if (!value.is_array()) return value;
    if (!value.items()[0].is_array() && !value.items()[0].is_object()) return of(value);
    Json inner = Json::array();
    for (const Json& item : value.items()) inner.push(flattened(item));
    return of(inner);
  }

  std::string show, undefined, separator;
};

int compared(const Json& a, const Json& b) {
  if (!a.is_string() && !b.is_string()) {
    const auto left = to_number(a), right = to_number(b);
    if (left && right) return *left < *right ? -1 : *left > *right ? 1 : 0;
  }
  return display(a).compare(display(b));
}

/// "start:end:step" or one index, as Python slices.
struct Slice {
  std::optional<std::int64_t> start, end, step;
  bool good = false;

  explicit Slice(std::string_view op) {
    std::string text(text::trim(op));
    if (text.empty()) return;
    std::vector<std::optional<std::int64_t>> numbers;
    for (std::size_t at = 0; at <= text.size();) {
      const auto colon = std::min(text.find(':', at), text.size());
      const std::string_view part = text::trim(std::string_view(text).substr(at, colon - at));
      numbers.push_back(part.empty() ? std::nullopt : to_integer(part));
      if (!part.empty() && !numbers.back()) return;
      at = colon + 1;
    }
    if (numbers.size() > 3 || (numbers.size() == 1 && !numbers[0])) return;
    start = numbers[0];
    if (numbers.size() == 1) {
      if (*start != -1) end = *start + 1;
    } else {
      end = numbers[1];
      if (numbers.size() == 3) step = numbers[2];
    }
    good = step.value_or(1) != 0;
  }

  Json of(const Json& list) const {
    const auto size = static_cast<std::int64_t>(list.size());
    const std::int64_t by = step.value_or(1);
    auto bounded = [&](std::optional<std::int64_t> at, std::int64_t otherwise) {
      if (!at) return otherwise;
      const std::int64_t from_start = *at < 0 ? *at + size : *at;
      return by > 0 ? std::clamp<std::int64_t>(from_start, 0, size)
                    : std::clamp<std::int64_t>(from_start, -1, size - 1);
    };
    const std::int64_t first = bounded(start, by > 0 ? 0 : size - 1);
    const std::int64_t last = bounded(end, by > 0 ? size : -1);
    Json out = Json::array();
    for (std::int64_t i = first; by > 0 ? i < last : i > last; i += by)
      out.push(list.items()[static_cast<std::size_t>(i)]);
    return out;
  }
};

/// One item of synthesize(): NAME:LITERAL, NAME=KEY, or KEY, whose members are taken over.
struct Item {
  std::string name;
  std::optional<std::string> literal;
  Key key;
};

std::vector<Item> schema_of(const std::string& text) {
  Lexer lexer(text);
  lexer.skip_space();
  if (lexer.take("(") == '\0') {
    throw Error(tpuctl::Kind::usage, "(...) args expected in synthesize() transform",
                "Like this: synthesize((name:up, upInfo), (name:down, downInfo))");
  }
  std::vector<Item> out;
  for (const Lexer::Token& one : lexer.arguments()) {
    Item item;
    const auto colon = one.text.find(':'), equals = one.text.find('=');
    if (colon != std::string::npos) {
      item.name = one.text.substr(0, colon);
      item.literal = one.text.substr(colon + 1);
    } else if (equals != std::string::npos) {
      item.name = one.text.substr(0, equals);
      item.key = parse_key(one.text.substr(equals + 1));
    } else {
      item.key = parse_key(one.text);
    }
    out.push_back(std::move(item));
  }
  return out;
}

Json made_from(const std::vector<Item>& schema, const Json& value) {
  Json out = Json::object();
  for (const Item& item : schema) {
    Json scratch;
    const Json found = item.literal ? Json(*item.literal) : item.key.empty() ? Json() : get(value, item.key, scratch);
    if (!item.name.empty()) {
      out.member(item.name) = found;
    } else {
      for (const Json::Member& one : found.members()) out.member(one.name) = one.value;
    }
  }
  return out;
}

}  // namespace

Function make_length(const Arguments&, const Surroundings&) {
  return [](const Json& value) { return Json(value.is_string() ? length_of(value.text()) : value.size()); };
}

Function make_list(const Arguments& arguments, const Surroundings&) {
  return [listing = Listing(arguments)](const Json& value) -> Json {
    if (value.is_array() || value.is_object()) return listing.of(value);
    return truthy(value) ? value : Json(listing.undefined);
  };
}

Function make_flatten(const Arguments& arguments, const Surroundings&) {
  return [listing = Listing(arguments)](const Json& value) { return listing.flattened(value); };
}

Function make_join(const Arguments& arguments, const Surroundings&) {
  return [separator = arguments.text("sep", "/"), undefined = arguments.text("undefined")](const Json& value) -> Json {
    std::vector<std::string> parts;
    const Json items = items_of(value);
    for (const Json& item : items.items()) parts.push_back(python_text(item));
    for (const Json::Member& one : items.members()) parts.push_back(one.name);
    const std::string out = text::join(parts, separator);
    return out.empty() ? undefined : out;
  };
}

Function make_count(const Arguments&, const Surroundings&) {
  return [](const Json& value) {
    Json out = Json::object();
    auto add = [&out](const std::string& name) {
      Json& one = out.member(name);
      one = Json(one.integer() + 1);
    };
    const Json items = items_of(value);
    for (const Json& item : items.items()) {
      if (item.is_array() || item.is_object()) return Json::object();
      add(python_text(item));
    }
    for (const Json::Member& one : items.members()) add(one.name);
    return out;
  };
}

Function make_extract(const Arguments& arguments, const Surroundings&) {
  return [keys = keys_of(arguments)](const Json& value) {
    Json out = Json::array();
    for (const Key& key : keys) {
      Json made;
      const Json& found = get(value, key, made);
      if (truthy(found)) out.push(found);
    }
    return out;
  };
}

Function make_first_of(const Arguments& arguments, const Surroundings&) {
  return [keys = keys_of(arguments)](const Json& value) -> Json {
    for (const Key& key : keys) {
      Json made;
      const Json& found = get(value, key, made);
      if (!found.is_null()) return found;
    }
    return "";
  };
}

Function make_filter(const Arguments& arguments, const Surroundings&) {
  auto filter = std::make_shared<const Filter>(arguments.text("expression"));
  return [filter](const Json& value) -> Json {
    if (!truthy(value)) return value;
    if (!value.is_array()) return filter->matches(value) ? value : Json("");
    Json out = Json::array();
    for (const Json& item : value.items()) {
      if (filter->matches(item)) out.push(item);
    }
    return out;
  };
}

Function make_group(const Arguments& arguments, const Surroundings&) {
  return [keys = keys_of(arguments)](const Json& value) -> Json {
    if (!truthy(value)) return "[]";
    std::vector<std::string> groups;
    const Json list = items_of(value);
    std::vector<Json> items = list.items();
    for (const Json::Member& one : list.members()) items.emplace_back(one.name);
    for (const Json& item : items) {
      std::string group;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        Json made;
        group += (i == 0 ? "" : i == 1 ? ": " : ", ") + display(get(item, keys[i], made));
      }
      groups.push_back("[" + (keys.empty() ? python_text(item) : group) + "]");
    }
    return text::join(groups, " ");
  };
}

Function make_not_null(const Arguments&, const Surroundings&) {
  return [](const Json& value) {
    Json out = Json::array();
    const Json items = items_of(value);
    for (const Json& item : items.items()) {
      if (!item.is_null()) out.push(item);
    }
    for (const Json::Member& one : items.members()) out.push(one.name);
    return out;
  };
}

Function make_slice(const Arguments& arguments, const Surroundings&) {
  return
      [slice = Slice(arguments.text("op", ":")), undefined = arguments.text("undefined")](const Json& value) -> Json {
        const Json items = items_of(value);
        if (!slice.good || !items.is_array()) return undefined;
        Json out = slice.of(items);
        return out.size() == 0 ? Json(undefined) : out;
      };
}

Function make_sort(const Arguments& arguments, const Surroundings&) {
  const std::string attribute = arguments.text("attr");
  return [key = attribute.empty() ? Key() : parse_key(attribute)](const Json& value) {
    Json out = items_of(value);
    if (!out.is_array()) out = Json::array();
    for (const Json::Member& one : value.members()) out.push(one.name);
    std::stable_sort(out.mutable_items().begin(), out.mutable_items().end(), [&](const Json& a, const Json& b) {
      Json made_a, made_b;
      return compared(get(a, key, made_a), get(b, key, made_b)) < 0;
    });
    return out;
  };
}

Function make_synthesize(const Arguments& arguments, const Surroundings&) {
  std::vector<std::vector<Item>> schemas;
  for (const std::string& one : arguments.all()) schemas.push_back(schema_of(one));
  return [schemas](const Json& value) {
    Json out = Json::array();
    for (const auto& schema : schemas) out.push(made_from(schema, value));
    return out;
  };
}

}  // namespace tpuctl::cli::output
