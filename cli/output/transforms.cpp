// SPDX-License-Identifier: Apache-2.0
#include "cli/output/transforms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli::output {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(tpuctl::Kind::usage, message, "`tpuctl help formats` explains transforms.");
}

Function same(const Arguments&, const Surroundings&) {
  return [](const Json& value) { return value; };
}

// gcloud keeps descriptions of enumerations for a few other services only; for those of Cloud TPU it has none.
Function make_enum(const Arguments& arguments, const Surroundings&) {
  return [undefined = arguments.text("undefined")](const Json&) { return Json(undefined); };
}

Function make_error(const Arguments& arguments, const Surroundings&) {
  return [message = arguments.given("message")](const Json& value) -> Json {
    throw Error(tpuctl::Kind::failure, message ? *message : python_text(value));
  };
}

Function make_collection(const Arguments& arguments, const Surroundings&) {
  return [undefined = arguments.text("undefined")](const Json&) { return Json(undefined); };
}

Function make_format(const Arguments& arguments, const Surroundings& surroundings) {
  std::vector<std::string> keys = arguments.all();
  if (keys.empty()) refuse("format() needs a text such as \"{0}/{1}\"");
  std::string text = keys.front();
  keys.erase(keys.begin());
  if (!keys.empty() && surroundings.columns) {
    return [text, columns = surroundings.columns(keys)](const Json& value) {
      return Json(fill_template(text, columns(value)));
    };
  }
  return [text](const Json& value) {
    if (value.is_array()) return Json(fill_template(text, value.items()));
    return Json(fill_template(text, {truthy(value) ? value : Json("")}));
  };
}

constexpr Transform kRows[] = {
    {"always", "", same, "the transforms after it hold for every format"},
    {"basename", "|undefined", make_basename, "the last part of a name with slashes"},
    {"collection", "|undefined", make_collection, "nothing: tpuctl has no names for kinds of resources"},
    {"color", "|red yellow green blue", make_text, "in the colour whose pattern is found: color(red=STOP,green=GO)"},
    {"count", "", make_count, "how often each item of a list occurs"},
    {"date", "|format unit undefined tz tz_default", make_date,
     "a time in strftime's notation: date(format=%F,tz=UTC)"},
    {"decode", "encoding|undefined", make_decode, "text out of base64: decode(base64)"},
    {"duration", "|start end parts precision calendar unit undefined", make_duration,
     "a number of seconds, or the time since, as an ISO 8601 duration"},
    {"encode", "encoding|undefined", make_encode, "as base64: encode(base64)"},
    {"enum", "enums|inverse undefined", make_enum, "nothing: there are no descriptions of enumerations"},
    {"error", "|message", make_error, "ends with this message"},
    {"extract", "*", make_extract, "a list of the values of some keys"},
    {"fatal", "|message", make_error, "ends with this message"},
    {"filter", "expression", make_filter, "the items that a filter lets through"},
    {"firstof", "*", make_first_of, "the first of some keys that is there"},
    {"flatten", "|show undefined separator", make_flatten, "lists and objects inside each other as one text"},
    {"float", "|precision spec undefined", make_float, "a number with so many digits"},
    {"format", "*", make_format, "a text with values put in: format(\"{0}/{1}\", a, b)"},
    {"group", "*", make_group, "each item in brackets: group(name, size)"},
    {"if", "expr", same, "the column is left out unless a filter over the command's flags holds"},
    {"iso", "|undefined", make_iso, "a time as ISO 8601"},
    {"join", "|sep undefined", make_join, "the items of a list with a separator"},
    {"len", "", make_length, "the number of items or characters"},
    {"list", "|show undefined separator", make_list, "the items with commas between them"},
    {"lower", "", make_lower, "in lower case"},
    {"map", "|depth", same, "applies what follows to each item"},
    {"notnull", "", make_not_null, "the items that are not null"},
    {"regex", "expression|does_match nomatch", make_regex, "the text, if a pattern matches its beginning"},
    {"resolution", "|undefined transpose", make_resolution, "width x height of an object that has both"},
    {"scope", "*", make_scope, "what follows /regions/, /zones/ or the words given"},
    {"segment", "|index undefined", make_segment, "one part of a name with slashes: segment(3)"},
    {"size", "|zero precision units_in units_out min", make_size, "a number of bytes with a unit"},
    {"slice", "|op undefined", make_slice, "some items: slice(1:3)"},
    {"sort", "|attr", make_sort, "the items in order"},
    {"split", "|sep undefined", make_split, "a text cut at a separator"},
    {"sub", "pattern replacement|count ignorecase", make_sub, "with what a pattern finds replaced"},
    {"synthesize", "*", make_synthesize, "objects made from keys: synthesize((n:up,upInfo))"},
    {"trailoff", "character_limit|undefined", make_trailoff, "at most so many characters"},
    {"upper", "", make_upper, "in upper case"},
    {"uri", "|undefined", make_uri, "the address of a resource"},
    {"yesno", "|yes no", make_yesno, "Yes or No: yesno(yes=..., no=...)"},
};

Json apply_one(const Call& call, const Json& value) {
  if (call.map == 0) return call.function(value);
  if (!value.is_array()) return truthy(value) ? call.function(value) : value;
  Json items = value;
  for (int level = 1; level < call.map; ++level) {
    // A number or a null among the items stops the way down; a text has its characters, an object its names.
    const auto& all = items.items();
    if (!std::all_of(all.begin(), all.end(),
                     [](const Json& one) { return one.is_array() || one.is_object() || one.is_string(); }))
      break;
    Json inner = Json::array();
    for (const Json& one : all) {
      for (const Json& item : one.items()) inner.push(item);
      for (const Json::Member& member : one.members()) inner.push(member.name);
      for (const char32_t c : code_points(one.is_string() ? one.text() : ""))
        inner.push(utf8(std::u32string_view(&c, 1)));
    }
    items = std::move(inner);
  }
  for (Json& item : items.mutable_items()) item = call.function(item);
  return items;
}

}  // namespace

Arguments::Arguments(std::string_view function, std::string_view parameters, const std::vector<std::string>& written)
    : function_(function) {
  if (parameters == "*") {
    all_ = written;
    return;
  }
  const auto bar = parameters.find('|');
  const auto required = text::split(parameters.substr(0, bar), ' ');
  auto names = required;
  if (bar != std::string_view::npos) {
    for (const std::string& name : text::split(parameters.substr(bar + 1), ' ')) names.push_back(name);
  }
  for (const std::string& one : written) {
    const auto equals = bar == std::string_view::npos ? std::string::npos : one.find('=');
    if (equals != std::string::npos) {
      const std::string name = one.substr(0, equals);
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        refuse(fmt::format("{}() takes no argument named {}; it has: {}", function, name, text::join(names, ", ")));
      }
      if (given(name)) refuse(fmt::format("{}() was given {} twice", function, name));
      values_.emplace_back(name, one.substr(equals + 1));
    } else if (all_.size() >= names.size()) {
      refuse(names.empty() ? fmt::format("{}() takes no arguments", function)
                           : fmt::format("{}() takes at most {}", function, text::join(names, ", ")));
    } else {
      if (given(names[all_.size()])) refuse(fmt::format("{}() was given {} twice", function, names[all_.size()]));
      values_.emplace_back(names[all_.size()], one);
      all_.push_back(one);
    }
  }
  for (const std::string& name : required) {
    if (!given(name)) refuse(fmt::format("{}() needs {}", function, name));
  }
}

std::optional<std::string> Arguments::given(std::string_view name) const {
  for (const auto& [its_name, value] : values_) {
    if (its_name == name) return value;
  }
  return std::nullopt;
}

std::string Arguments::text(std::string_view name, std::string_view fallback) const {
  return given(name).value_or(std::string(fallback));
}

std::int64_t Arguments::integer(std::string_view name, std::int64_t fallback) const {
  const auto value = given(name);
  if (!value) return fallback;
  const auto number = to_integer(*value);
  if (!number) refuse(fmt::format("{}(): {} must be a number, not {}", function_, name, *value));
  return *number;
}

bool Arguments::on(std::string_view name, bool fallback) const {
  const auto value = given(name);
  if (!value) return fallback;
  if (value->empty() || text::lower(*value) == "false") return false;
  const auto number = to_number(Json(*value));
  return !number || *number != 0;
}

const Transform* find_transform(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Transform& row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

std::span<const Transform> transforms() { return kRows; }

std::vector<std::string> transform_names() {
  std::vector<std::string> out;
  for (const Transform& row : kRows) out.emplace_back(row.name);
  return out;
}

Call make_call(const std::string& name, const std::vector<std::string>& written, const Surroundings& surroundings) {
  const Transform* row = find_transform(name);
  if (!row) {
    const std::string near = nearest(name, transform_names());
    refuse(fmt::format("Unknown transform function {}{}", name,
                       near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
  }
  const Arguments arguments(name, row->parameters, written);
  Call out{name, arguments.all(), row->prepare(arguments, surroundings), {}, 0};
  if (name == "color") out.colouring = make_colouring(arguments);
  return out;
}

Json Chain::apply(const Json& value, std::string* colour, const Json* whole) const {
  const Json* from = &value;
  Json out;
  for (const Call& call : calls) {
    out = apply_one(call, whole && call.name == "uri" ? *whole : *from);
    from = &out;
  }
  if (colour && !calls.empty() && calls.back().colouring && out.is_string())
    *colour = calls.back().colouring(out.text());
  return calls.empty() ? value : out;
}

}  // namespace tpuctl::cli::output
