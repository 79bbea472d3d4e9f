// SPDX-License-Identifier: Apache-2.0
#include "cli/output/transforms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "base/text.hpp"
#include "base/time.hpp"
#include "cli/output/keys.hpp"

namespace tpuctl::cli::output {

std::string Arguments::get(std::size_t index, std::string_view name, std::string_view fallback) const {
  for (const auto& [its_name, value] : named) {
    if (its_name == name) return value;
  }
  return index < positional.size() ? positional[index] : std::string(fallback);
}

namespace {

// False, 0, "", null, [] and {}: what Python takes for false.
bool falsy(const Json& value) { return value.empty() || (value.is_number() && value.number() == 0); }

std::vector<const Json::Member*> sorted(const Json& object) {
  std::vector<const Json::Member*> out;
  for (const Json::Member& one : object.members()) out.push_back(&one);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  return out;
}

Json basename(const Json& value, const Arguments& arguments) {
  if (falsy(value)) return arguments.get(0, "undefined", "");
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value.items()) out.push(basename(item, {}));
    return out;
  }
  const std::string text = display(value);
  for (const char separator : {'/', '\\'}) {
    const auto at = text.rfind(separator);
    if (at != std::string::npos) return text.substr(at + 1);
  }
  return text;
}

Json segment(const Json& value, const Arguments& arguments) {
  const std::string undefined = arguments.get(1, "undefined", "");
  if (falsy(value)) return undefined;
  const auto parts = text::split(text::percent_decode(display(value)), '/');
  const auto wanted = text::parse_int(arguments.get(0, "index", "-1"));
  const auto size = static_cast<std::int64_t>(parts.size());
  if (!wanted || *wanted < -size || *wanted >= size) return undefined;
  const std::string& part = parts[static_cast<std::size_t>(*wanted < 0 ? *wanted + size : *wanted)];
  return part.empty() ? undefined : part;
}

Json scope(const Json& value, const Arguments& arguments) {
  if (falsy(value)) return "";
  const std::string text = text::percent_decode(display(value));
  if (text.find('/') == std::string::npos) return text;
  std::vector<std::string> scopes = arguments.positional;
  if (scopes.empty()) scopes = {"regions", "zones"};
  for (const std::string& one : scopes) {
    const std::string marker = "/" + one + "/";
    const auto at = text.rfind(marker);
    if (at != std::string::npos) return text.substr(at + marker.size());
  }
  return text.starts_with("https://") ? text.substr(text.rfind('/') + 1) : text;
}

Json length(const Json& value, const Arguments&) {
  if (!value.is_string()) return value.size();
  std::size_t points = 0;
  for (const char c : value.text()) points += (static_cast<unsigned char>(c) & 0xC0u) != 0x80u ? 1u : 0u;
  return points;
}

std::string listed(const Json& value, std::string_view show, std::string_view separator) {
  std::vector<std::string> parts;
  for (const Json::Member* one : sorted(value)) {
    const std::string text = display(one->value);
    parts.push_back(show == "keys" ? one->name : show == "values" ? text : one->name + "=" + text);
  }
  for (const Json& item : value.items()) parts.push_back(item.is_null() ? "None" : display(item));
  return text::join(parts, separator);
}

Json list(const Json& value, const Arguments& arguments) {
  if (value.is_array() || value.is_object()) {
    return listed(value, arguments.get(0, "show", ""), arguments.get(2, "separator", ","));
  }
  return falsy(value) ? Json(arguments.get(1, "undefined", "")) : value;
}

Json flatten_text(const Json& value, const Arguments& arguments) {
  const std::string separator = arguments.get(2, "separator", ",");
  if (!value.is_array() && !value.is_object()) return list(value, arguments);
  Json inner = value;
  if (value.is_array()) {
    for (Json& item : inner.mutable_items()) item = flatten_text(item, arguments);
  } else {
    for (const Json::Member& one : value.members()) inner.member(one.name) = flatten_text(one.value, arguments);
  }
  const std::string text = listed(inner, arguments.get(0, "show", ""), separator);
  return text.empty() ? arguments.get(1, "undefined", "") : text;
}

Json join(const Json& value, const Arguments& arguments) {
  const std::string undefined = arguments.get(1, "undefined", "");
  if (!value.is_array() && !value.is_object()) return undefined;
  const std::string out = listed(value, "keys", arguments.get(0, "sep", "/"));
  return out.empty() ? undefined : out;
}

Json split(const Json& value, const Arguments& arguments) {
  if (falsy(value) || !value.is_string()) return arguments.get(1, "undefined", "");
  const std::string separator = arguments.get(0, "sep", "/");
  Json out = Json::array();
  std::string_view rest = value.text();
  while (!separator.empty()) {
    const auto at = rest.find(separator);
    out.push(rest.substr(0, at));
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at + separator.size());
  }
  return out;
}

Json lower(const Json& value, const Arguments&) { return value.is_string() ? Json(text::lower(value.text())) : value; }
Json upper(const Json& value, const Arguments&) { return value.is_string() ? Json(text::upper(value.text())) : value; }

Json yesno(const Json& value, const Arguments& arguments) {
  if (falsy(value)) return arguments.get(1, "no", "No");
  const std::string yes = arguments.get(0, "yes", "");
  return yes.empty() ? value : Json(yes);
}

Json extract(const Json& value, const Arguments& arguments) {
  Json out = Json::array();
  for (const std::string& key : arguments.positional) {
    Json made;
    const Json& found = get(value, parse_key(key), made);
    if (!falsy(found)) out.push(found);
  }
  return out;
}

Json first_of(const Json& value, const Arguments& arguments) {
  for (const std::string& key : arguments.positional) {
    Json made;
    const Json& found = get(value, parse_key(key), made);
    if (!found.is_null()) return found;
  }
  return "";
}

Json not_null(const Json& value, const Arguments&) {
  Json out = Json::array();
  for (const Json& item : value.items()) {
    if (!item.is_null()) out.push(item);
  }
  return out;
}

Json sort(const Json& value, const Arguments& arguments) {
  const std::string attribute = arguments.get(0, "attr", "");
  const Key key = attribute.empty() ? Key() : parse_key(attribute);
  Json out = value.is_array() ? value : Json::array();
  std::stable_sort(out.mutable_items().begin(), out.mutable_items().end(), [&](const Json& a, const Json& b) {
    Json made_a, made_b;
    const Json& left = get(a, key, made_a);
    const Json& right = get(b, key, made_b);
    if (left.is_number() && right.is_number()) return left.number() < right.number();
    return display(left) < display(right);
  });
  return out;
}

Json slice(const Json& value, const Arguments& arguments) {
  const std::string undefined = arguments.get(1, "undefined", "");
  const auto parts = text::split(arguments.get(0, "op", ":"), ':');
  const auto size = static_cast<std::int64_t>(value.size());
  if (!value.is_array() || parts.empty()) return undefined;
  auto bound = [&](std::size_t index, std::int64_t fallback) {
    if (index >= parts.size() || text::trim(parts[index]).empty()) return fallback;
    const std::int64_t number = text::parse_int(text::trim(parts[index])).value_or(fallback);
    return std::clamp<std::int64_t>(number < 0 ? number + size : number, 0, size);
  };
  const std::int64_t first = bound(0, 0);
  const std::int64_t last = parts.size() == 1 ? std::min(first + 1, size) : bound(1, size);
  Json out = Json::array();
  for (std::int64_t i = first; i < last; ++i) out.push(value[static_cast<std::size_t>(i)]);
  return out.size() == 0 ? Json(undefined) : out;
}

// Python's %f, %3f (milliseconds) and %Oz (offset) besides what strftime knows.
std::string format_time(TimePoint time, std::string format) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  const auto micros = (time - whole).count();
  format = text::replace_all(format, "%3f", fmt::format("{:03}", micros / 1000));
  format = text::replace_all(format, "%6f", fmt::format("{:06}", micros));
  format = text::replace_all(format, "%f", fmt::format("{:06}", micros));
  format = text::replace_all(format, "%Oz", "+00:00");
  format = text::replace_all(format, "%Ez", "+00:00");
  const std::time_t seconds = std::chrono::system_clock::to_time_t(whole);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::string out(format.size() * 8 + 64, '\0');
  out.resize(std::strftime(out.data(), out.size(), format.c_str(), &parts));
  return out;
}

Json date_of(const Json& value, const std::string& format, const std::string& unit, const std::string& undefined) {
  std::optional<TimePoint> time;
  const auto number = value.is_number() ? std::optional(value.number()) : std::nullopt;
  if (number) time = TimePoint(seconds(*number / std::max(1.0, Json::parse(unit).number(1))));
  if (value.is_string()) time = parse_rfc3339(value.text());
  if (!time) return undefined;
  return format_time(*time, format);
}

Json date(const Json& value, const Arguments& arguments) {
  Json unit;
  if (!Json::try_parse(arguments.get(1, "unit", "1"), unit)) unit = Json(1);
  return date_of(value, arguments.get(0, "format", "%Y-%m-%dT%H:%M:%S"), unit.scalar(),
                 arguments.get(2, "undefined", ""));
}

Json iso(const Json& value, const Arguments& arguments) {
  return date_of(value, "%Y-%m-%dT%H:%M:%S.%3f%Oz", "1", arguments.get(0, "undefined", "T"));
}

Json uri(const Json& value, const Arguments& arguments) {
  if (value.is_string() && value.text().starts_with("https://")) return value;
  if (value["selfLink"].is_string()) return value["selfLink"];
  return arguments.get(0, "undefined", ".");
}

Json count(const Json& value, const Arguments&) {
  Json out = Json::object();
  for (const Json& item : value.items()) {
    Json& one = out.member(display(item));
    one = Json(one.integer() + 1);
  }
  return out;
}

Json trailoff(const Json& value, const Arguments& arguments) {
  const auto limit = text::parse_int(arguments.get(0, "character_limit", ""));
  if (!limit || *limit <= 3 || !value.is_string()) return arguments.get(1, "undefined", "");
  if (value.text().size() < static_cast<std::size_t>(*limit)) return value;
  return std::string(text::clip(value.text(), static_cast<std::size_t>(*limit - 3))) + "...";
}

Json same(const Json& value, const Arguments&) { return value; }

constexpr Transform kRows[] = {
    {"always", same, false, "no change"},
    {"basename", basename, true, "the last part of a name with slashes"},
    {"color", same, true, "no change: states are coloured by themselves"},
    {"count", count, false, "how often each item of a list occurs"},
    {"date", date, true, "a time in strftime's notation: date(format=...)"},
    {"extract", extract, false, "a list of the values of some keys"},
    {"firstof", first_of, false, "the first of some keys that is there"},
    {"flatten", flatten_text, true, "lists and objects inside each other as one text"},
    {"iso", iso, true, "a time as ISO 8601"},
    {"join", join, true, "the items of a list with a separator"},
    {"len", length, false, "the number of items or characters"},
    {"list", list, true, "the items with commas between them"},
    {"lower", lower, false, "in lower case"},
    {"map", same, false, "applies what follows to each item"},
    {"notnull", not_null, false, "the items that are not null"},
    {"scope", scope, false, "what follows /regions/, /zones/ or the words given"},
    {"segment", segment, true, "one part of a name with slashes: segment(3)"},
    {"slice", slice, true, "some items: slice(1:3)"},
    {"sort", sort, true, "the items in order"},
    {"split", split, true, "a text cut at a separator"},
    {"trailoff", trailoff, true, "at most so many characters"},
    {"upper", upper, false, "in upper case"},
    {"uri", uri, true, "the address of a resource"},
    {"yesno", yesno, true, "Yes or No: yesno(yes=..., no=...)"},
};

Json apply_mapped(const Call& call, const Json& value, int levels) {
  if (levels == 0 || !value.is_array()) return call.transform->apply(value, call.arguments);
  Json out = Json::array();
  for (const Json& item : value.items()) {
    if (levels > 1 && item.is_array()) {
      const Json inner = apply_mapped(call, item, levels - 1);
      for (const Json& one : inner.items()) out.push(one);
    } else {
      out.push(call.transform->apply(item, call.arguments));
    }
  }
  return out;
}

}  // namespace

const Transform* find_transform(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Transform& row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

std::vector<std::string> transform_names() {
  std::vector<std::string> out;
  for (const Transform& row : kRows) out.emplace_back(row.name);
  return out;
}

Json apply(const std::vector<Call>& calls, const Json& value) {
  Json out = value;
  for (const Call& call : calls) out = apply_mapped(call, out, call.map);
  return out;
}

}  // namespace tpuctl::cli::output
