// SPDX-License-Identifier: Apache-2.0
#include "cli/flags_file.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

#include <yaml.h>

namespace tpuctl::cli {

namespace {

constexpr int kDeepest = 8;

// A whole document as Json; plain scalars that mean null or a boolean become that, all others are text.
class Document {
 public:
  Document(const std::string& path, const std::string& text) : path_(path) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    if (!yaml_parser_load(&parser_, &document_)) {
      const std::string problem = parser_.problem ? parser_.problem : "not YAML";
      const auto line = parser_.problem_mark.line + 1;
      yaml_parser_delete(&parser_);
      throw Error(tpuctl::Kind::usage, path + ":" + std::to_string(line) + ": " + text::printable(problem) + ".");
    }
  }
  ~Document() {
    yaml_document_delete(&document_);
    yaml_parser_delete(&parser_);
  }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  Json root() {
    const yaml_node_t* node = yaml_document_get_root_node(&document_);
    return node ? value(*node, 0) : Json();
  }

 private:
  const yaml_node_t& at(int index) { return *yaml_document_get_node(&document_, index); }

  Json value(const yaml_node_t& node, int depth) {
    if (depth > 20) throw Error(tpuctl::Kind::usage, path_ + " is nested too deeply.");
    if (node.type == YAML_SEQUENCE_NODE) {
      Json out = Json::array();
      for (auto* item = node.data.sequence.items.start; item < node.data.sequence.items.top; ++item) out.push(value(at(*item), depth + 1));
      return out;
    }
    if (node.type == YAML_MAPPING_NODE) {
      Json out = Json::object();
      for (auto* pair = node.data.mapping.pairs.start; pair < node.data.mapping.pairs.top; ++pair) {
        out.member(value(at(pair->key), depth + 1).scalar()) = value(at(pair->value), depth + 1);
      }
      return out;
    }
    const std::string text(reinterpret_cast<const char*>(node.data.scalar.value), node.data.scalar.length);
    if (node.data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return text;
    if (text.empty() || text == "~" || text == "null") return {};
    if (text == "true" || text == "True") return true;
    if (text == "false" || text == "False") return false;
    return text;
  }

  std::string path_;
  yaml_parser_t parser_{};
  yaml_document_t document_{};
};

// a,b in gcloud's notation, with another delimiter when a piece has a comma.
std::string joined(const std::vector<std::string>& pieces) {
  std::string all = text::join(pieces, "");
  if (all.find(',') == std::string::npos && !all.starts_with('^')) return text::join(pieces, ",");
  for (const char* delimiter : {":", ";", "|", "#", "@@", "%%", "~~~"}) {
    if (all.find(delimiter) == std::string::npos) return "^" + std::string(delimiter) + "^" + text::join(pieces, delimiter);
  }
  throw Error(tpuctl::Kind::usage, "No delimiter is left for a list in a flags file.");
}

std::string value_text(const Json& value) {
  std::vector<std::string> pieces;
  if (value.is_array()) {
    for (const Json& item : value.items()) pieces.push_back(item.scalar());
    return joined(pieces);
  }
  if (value.is_object()) {
    for (const auto& [key, item] : value.members()) pieces.push_back(key + "=" + item.scalar());
    return joined(pieces);
  }
  return value.scalar();
}

void expand(const std::vector<std::string>& words, std::vector<std::string>& out, int depth);

void add_flag(const std::string& path, const std::string& name, const Json& value, std::vector<std::string>& out, int depth) {
  if (!name.starts_with("--")) {
    throw Error(tpuctl::Kind::usage, path + ": [" + text::printable(name) + "] is no flag.", "Flags are written with their dashes, e.g. --zone: us-central2-b");
  }
  std::vector<std::string> words;
  if (value.is_null()) {
    words.push_back(name);
  } else if (value.is_bool()) {
    words.push_back(value.boolean() ? name : "--no-" + name.substr(2));
  } else if (value.is_array() && !value.items().empty() && value[0].is_object()) {  // a repeated flag
    for (const Json& one : value.items()) words.push_back(name + "=" + value_text(one));
  } else {
    words.push_back(name + "=" + value_text(value));
  }
  expand(words, out, depth);
}

void add_file(const std::string& path, std::vector<std::string>& out, int depth) {
  if (depth > kDeepest) throw Error(tpuctl::Kind::usage, "Flags files name each other in a circle: [" + path + "].");
  const Json root = Document(path, file::read(path)).root();
  if (!root.is_object() && !root.is_array()) {
    throw Error(tpuctl::Kind::usage, "The flags file [" + path + "] must hold a mapping of flags to values, or a list of such mappings.");
  }
  const Json list = root.is_array() ? root : Json(Json::Array{root});
  for (const Json& flags : list.items()) {
    for (const auto& [name, value] : flags.members()) add_flag(path, name, value, out, depth);
  }
}

void expand(const std::vector<std::string>& words, std::vector<std::string>& out, int depth) {
  constexpr std::string_view kFlag = "--flags-file";
  bool flags = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    flags = flags && word != "--";
    if (flags && word.starts_with(kFlag) && word.size() > kFlag.size() && word[kFlag.size()] == '=') {
      add_file(word.substr(kFlag.size() + 1), out, depth + 1);
    } else if (flags && word == kFlag && i + 1 < words.size()) {
      add_file(words[++i], out, depth + 1);
    } else {
      out.push_back(word);
    }
  }
}

}  // namespace

std::vector<std::string> expand_flags_files(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  expand(words, out, 0);
  return out;
}

}  // namespace tpuctl::cli
