// SPDX-License-Identifier: Apache-2.0
// Transforms that make a text of a text.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "cli/output/display.hpp"
#include "cli/output/fold.hpp"
#include "cli/output/pattern.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

namespace {

Json last_part(const Json& value, const std::string& undefined) {
  if (!truthy(value)) return undefined;
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value.items()) out.push(last_part(item, ""));
    return out;
  }
  const std::string text = python_text(value);
  for (const char separator : {'/', '\\'}) {
    const auto at = text.rfind(separator);
    if (at != std::string::npos) return text.substr(at + 1);
  }
  return text;
}

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned long group = 0;
    const std::size_t some = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t j = 0; j < 3; ++j)
      group = (group << 8) | (j < some ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) out += j <= some ? kBase64[(group >> (18 - 6 * j)) & 63] : '=';
  }
  return out;
}

// Both alphabets; characters of neither are passed over, as Python does.
std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  unsigned long bits = 0;
  std::size_t digits = 0, padding = 0;
  for (const char c : text) {
    if (c == '=') {
      ++padding;
      if (digits % 4 >= 2 && digits % 4 + padding >= 4) break;
      continue;
    }
    if (static_cast<unsigned char>(c) >= 0x80) return {};
    const auto value = kBase64.find(c == '-' ? '+' : c == '_' ? '/' : c);
    if (value == std::string_view::npos) continue;
    padding = 0;
    bits = ((bits << 6) | value) & 0xFFFFFF;
    ++digits;
    if (digits % 4 != 1) out += static_cast<char>((bits >> (6 - 2 * ((digits + 3) % 4))) & 0xFF);
  }
  const bool whole = digits % 4 == 0 || digits % 4 + padding >= 4;
  if (!whole || digits % 4 == 1) return {};
  return out;
}

// Text that fits into Latin-1 is encoded as that, as gcloud does; other text as UTF-8.
std::string bytes_of(const std::string& text) {
  const std::u32string points = code_points(text);
  if (std::any_of(points.begin(), points.end(), [](char32_t c) { return c > 0xFF; })) return text;
  return {points.begin(), points.end()};
}

// What bytes stand for: UTF-8, else Latin-1.
std::string text_of(const std::string& bytes) {
  const bool good = utf8(code_points(bytes)) == bytes;
  if (good) return bytes;
  std::u32string points;
  for (const char c : bytes) points += static_cast<unsigned char>(c);
  return utf8(points);
}

Json parts_of(const std::string& text, const std::string& separator) {
  Json out = Json::array();
  std::string_view rest = text;
  for (;;) {
    const auto at = rest.find(separator);
    out.push(rest.substr(0, at));
    if (at == std::string_view::npos) return out;
    rest.remove_prefix(at + separator.size());
  }
}

}  // namespace

Function make_basename(const Arguments& arguments, const Surroundings&) {
  return [undefined = arguments.text("undefined")](const Json& value) { return last_part(value, undefined); };
}

Function make_segment(const Arguments& arguments, const Surroundings&) {
  return [index = arguments.integer("index", -1), undefined = arguments.text("undefined")](const Json& value) -> Json {
    if (!truthy(value)) return undefined;
    const Json parts = parts_of(text::percent_decode(python_text(value)), "/");
    const auto size = static_cast<std::int64_t>(parts.size());
    if (index < -size || index >= size) return undefined;
    const Json& part = parts.items()[static_cast<std::size_t>(index < 0 ? index + size : index)];
    return part.empty() ? Json(undefined) : part;
  };
}

Function make_scope(const Arguments& arguments, const Surroundings&) {
  std::vector<std::string> scopes = arguments.all();
  if (scopes.empty()) scopes = {"regions", "zones"};
  return [scopes](const Json& value) -> Json {
    if (!truthy(value)) return "";
    const std::string text = text::percent_decode(python_text(value));
    if (text.find('/') == std::string::npos) return text;
    for (const std::string& one : scopes) {
      const std::string marker = "/" + one + "/";
      const auto at = text.rfind(marker);
      if (at != std::string::npos) return text.substr(at + marker.size());
    }
    return text.starts_with("https://") ? text.substr(text.rfind('/') + 1) : text;
  };
}

Function make_lower(const Arguments&, const Surroundings&) {
  return [](const Json& value) { return value.is_string() ? Json(lower_case(value.text())) : value; };
}

Function make_upper(const Arguments&, const Surroundings&) {
  return [](const Json& value) { return value.is_string() ? Json(upper_case(value.text())) : value; };
}

Function make_split(const Arguments& arguments, const Surroundings&) {
  return [separator = arguments.text("sep", "/"), undefined = arguments.text("undefined")](const Json& value) -> Json {
    if (!value.is_string() || value.empty() || separator.empty()) return undefined;
    return parts_of(value.text(), separator);
  };
}

Function make_sub(const Arguments& arguments, const Surroundings&) {
  auto pattern = std::make_shared<const Pattern>(arguments.text("pattern"), arguments.on("ignorecase", true), true);
  const std::string replacement = arguments.text("replacement");
  (void)pattern->replaced("", replacement, 0);  // a bad replacement is found before anything is asked of the service
  return [pattern, replacement, count = arguments.integer("count", 0)](const Json& value) {
    return value.is_string() ? Json(pattern->replaced(value.text(), replacement, count)) : value;
  };
}

Function make_regex(const Arguments& arguments, const Surroundings&) {
  const std::string expression = arguments.text("expression"), nomatch = arguments.text("nomatch");
  const std::string instead = arguments.text("does_match");
  auto pattern = std::make_shared<const Pattern>(expression);
  return [=](const Json& value) -> Json {
    if (expression.empty() || !value.is_string() || value.empty()) return nomatch;
    if (!pattern->matches_beginning(value.text())) return nomatch;
    return instead.empty() ? value : Json(instead);
  };
}

Function make_trailoff(const Arguments& arguments, const Surroundings&) {
  const auto limit = to_integer(arguments.text("character_limit"));
  return [limit, undefined = arguments.text("undefined")](const Json& value) -> Json {
    if (!limit || *limit <= 3 || !value.is_string()) return undefined;
    if (length_of(value.text()) < static_cast<std::size_t>(*limit)) return value;
    return utf8(code_points(value.text()).substr(0, static_cast<std::size_t>(*limit - 3))) + "...";
  };
}

Function make_uri(const Arguments& arguments, const Surroundings&) {
  return [undefined = arguments.text("undefined", ".")](const Json& value) -> Json {
    if (value.is_string()) return value.text().starts_with("https://") ? value : Json(undefined);
    for (const char* name : {"selfLink", "SelfLink"}) {
      if (value[name].is_string() && !value[name].empty()) return value[name];
    }
    return undefined;
  };
}

Function make_yesno(const Arguments& arguments, const Surroundings&) {
  return [yes = arguments.given("yes"), no = arguments.text("no", "No")](const Json& value) -> Json {
    if (!truthy(value)) return no;
    return yes ? Json(*yes) : value;
  };
}

Function make_encode(const Arguments& arguments, const Surroundings&) {
  return [encoding = arguments.text("encoding"), undefined = arguments.text("undefined")](const Json& value) -> Json {
    if (encoding == "base64") return value.is_null() ? Json("") : Json(to_base64(bytes_of(python_text(value))));
    if (text::lower(encoding) == "utf-8" || text::lower(encoding) == "utf8") return python_text(value);
    return undefined;
  };
}

Function make_decode(const Arguments& arguments, const Surroundings&) {
  return [encoding = arguments.text("encoding"), undefined = arguments.text("undefined")](const Json& value) -> Json {
    if (encoding != "base64") return undefined;
    const auto bytes = from_base64(python_text(value));
    return bytes ? Json(text_of(*bytes)) : Json(undefined);
  };
}

Function make_text(const Arguments&, const Surroundings&) {
  return [](const Json& value) { return Json(python_text(value)); };
}

Colouring make_colouring(const Arguments& arguments) {
  auto rules = std::make_shared<std::vector<std::pair<std::string, Pattern>>>();
  for (const char* colour : {"red", "yellow", "green", "blue"}) {
    const std::string pattern = arguments.text(colour);
    if (!pattern.empty()) rules->emplace_back(colour, Pattern(pattern));
  }
  return [rules](const std::string& text) -> std::string {
    for (const auto& [colour, pattern] : *rules) {
      if (pattern.found_in(text)) return colour;
    }
    return {};
  };
}

}  // namespace tpuctl::cli::output
