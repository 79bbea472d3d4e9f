// SPDX-License-Identifier: Apache-2.0
#include "commands/body.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::commands {

namespace {

using cli::Args;
using cli::Flag;
using cli::Kind;

// The service's limit for one metadata value, and for all values of an instance (Compute Engine documentation).
constexpr std::size_t kMetadataValueLimit = 256 * 1024;
constexpr std::size_t kMetadataLimit = 512 * 1024;

std::string all_choices(std::string_view choices, std::string_view more) {
  return std::string(choices) + (more.empty() ? "" : "," + std::string(more));
}

Json dict_value(const Flag& row, const cli::Pairs& pairs) {
  Json out = Json::object();
  for (const auto& [name, value] : pairs) {
    for (const cli::Key& key : row.keys) {
      if (key.name != name) continue;
      if (key.kind == Kind::toggle) {
        out.set(key.field, text::lower(value) == "true");
      } else if (key.kind == Kind::choice) {
        out.set(key.field, cli::wire_choice(key.choices, *cli::find_choice(key.choices, value)));
      } else {
        out.set(key.field, value);
      }
    }
  }
  return out;
}

// The JSON of a row's value; null when nothing is to be sent.
Json value_of(const Args& args, const Flag& row) {
  const std::string_view name = row.name;
  switch (row.kind) {
    case Kind::toggle:
      return args.has(name) || row.always ? Json(args.on(name)) : Json();
    case Kind::inverse:
      return args.has(name) || row.always ? Json(!args.on(name)) : Json();
    case Kind::marker:
      return args.on(name) ? Json::object() : Json();
    case Kind::integer:
      return args.has_value(name) ? Json(*args.integer(name)) : Json();
    case Kind::choice:
      return args.has_value(name)
                 ? Json(cli::wire_choice(all_choices(row.choices, row.alpha_choices), args.text(name)))
                 : Json();
    case Kind::list:
    case Kind::repeated:
      return args.has(name) ? Json::strings(args.list(name)) : Json();
    case Kind::map: {
      if (!args.has(name)) return {};
      Json out = Json::object();
      for (const auto& [key, value] : args.map(name)) out.member(key) = value;
      return out;
    }
    case Kind::dict:
      return args.has(name) ? dict_value(row, args.map(name)) : Json();
    case Kind::dicts: {
      if (!args.has(name)) return {};
      Json out = Json::array();
      for (const auto& pairs : args.dicts(name)) out.push(dict_value(row, pairs));
      return out;
    }
    case Kind::duration:
      return args.has(name) ? Json(api_duration(*args.duration(name))) : Json();
    default:
      return args.has_value(name) ? Json(args.text(name)) : Json();
  }
}

}  // namespace

Json build_body(const Args& args, const BodyPlace& place) {
  Json body = Json::object();
  for (const Flag& row : args.rows()) {
    const bool alpha_only = row.track == cli::Track::alpha && !place.alpha();
    if (alpha_only && args.has(row.name)) {
      throw Error(tpuctl::Kind::usage,
                  "--" + std::string(row.name) + " needs the API v2alpha1, but tpu/api_version is " + place.version + ".",
                  "Unset it: tpuctl config unset tpu/api_version");
    }
    if (row.field.empty() || alpha_only) continue;
    Json value = value_of(args, row);
    if (value.is_null()) continue;
    const bool absolute = row.field.starts_with('/');
    body.set(absolute ? std::string(row.field) : std::string(place.node_prefix) + "/" + std::string(row.field), std::move(value));
  }
  return body;
}

Json merged_metadata(const Args& args) {
  Json out = Json::object();
  std::size_t total = 0;
  auto add = [&](const std::string& key, std::string value) {
    if (out.find(key)) throw Error(tpuctl::Kind::usage, "Encountered duplicate metadata key [" + key + "].");
    if (value.size() > kMetadataValueLimit) {
      throw Error(tpuctl::Kind::usage, "The metadata value of [" + key + "] has " + std::to_string(value.size()) +
                                             " bytes; the service takes at most 262144.",
                  "Let the value fetch the rest, from a bucket for example.");
    }
    total += key.size() + value.size();
    out.member(key) = std::move(value);
  };
  for (const auto& [key, value] : args.map("metadata")) add(key, value);
  for (const auto& [key, path] : args.map("metadata-from-file")) add(key, file::read(path));
  if (total > kMetadataLimit) {
    throw Error(tpuctl::Kind::usage, "The metadata has " + std::to_string(total) + " bytes in all; the service takes at most 524288.");
  }
  return out;
}

}  // namespace tpuctl::commands
