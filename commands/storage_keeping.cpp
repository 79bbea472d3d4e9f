// SPDX-License-Identifier: Apache-2.0
#include "commands/storage_keeping.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "commands/body.hpp"

namespace tpuctl::commands {

namespace {

// "public-read", as gsutil spells it, is publicRead in the API.
std::string acl_word(const std::string& typed) {
  std::string out;
  bool up = false;
  for (const char c : typed) {
    if (c == '-') {
      up = true;
      continue;
    }
    out += up ? text::upper(std::string(1, c)) : std::string(1, c);
    up = false;
  }
  return out;
}

std::string generation_of(const cli::Args& args, std::string_view flag) {
  const std::string text = args.text(flag);
  if (args.has(flag) && text::parse_int(text).value_or(-1) < 0) {
    throw Error(Kind::usage, "argument --" + std::string(flag) + ": [" + text + "] is no generation.", "It is a number: tpuctl storage ls -a shows it behind the #.");
  }
  return text;
}

// What the service would keep of a source when it is told nothing: with a body it keeps nothing but that.
Json fields_of_source(const Json& source) {
  Json out = Json::object();
  for (const char* name : {"cacheControl", "contentDisposition", "contentEncoding", "contentLanguage", "contentType", "customTime", "metadata"}) {
    if (const Json* value = source.find(name); value && !value->empty()) out.member(name) = *value;
  }
  return out;
}

Json metadata_of(const cli::Args& args, const Json& before) {
  Json out = args.on("clear-custom-metadata") || args.has("custom-metadata") || !before.is_object() ? Json::object() : before;
  for (const char* flag : {"custom-metadata", "update-custom-metadata"}) {
    for (const auto& [key, value] : args.map(flag)) out.member(key) = value;
  }
  const std::vector<std::string> gone = args.list("remove-custom-metadata");
  Json left = Json::object();
  for (const auto& [key, value] : out.members()) {
    if (std::find(gone.begin(), gone.end(), key) == gone.end()) left.member(key) = value;
  }
  return left;
}

constexpr const char* kMetadataFlags[] = {"custom-metadata", "update-custom-metadata", "remove-custom-metadata", "clear-custom-metadata"};

}  // namespace

bool changes_fields(const cli::Args& args) {
  const bool metadata = std::any_of(std::begin(kMetadataFlags), std::end(kMetadataFlags), [&](const char* flag) { return args.has(flag); });
  return metadata || std::any_of(args.rows().begin(), args.rows().end(), [&](const cli::Flag& row) { return !row.field.empty() && args.has(row.name); });
}

api::Storage::Keeping keeping_of(const cli::Args& args, const Json& source) {
  api::Storage::Keeping out;
  out.predefined_acl = acl_word(args.has("canned-acl") ? args.text("canned-acl") : args.text("predefined-acl"));
  out.if_generation = generation_of(args, "if-generation-match");
  out.if_metageneration = generation_of(args, "if-metageneration-match");
  if (!changes_fields(args)) return out;
  out.fields = fields_of_source(source);
  const Json given = build_body(args, {.node_prefix = "", .version = "v1"});
  for (const auto& [name, value] : given.members()) out.fields.member(name) = value;
  const Json metadata = metadata_of(args, out.fields["metadata"]);
  out.fields.erase("/metadata");
  if (metadata.size() > 0) out.fields.member("metadata") = metadata;
  return out;
}

}  // namespace tpuctl::commands
