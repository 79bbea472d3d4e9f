// SPDX-License-Identifier: Apache-2.0
// The one file that sees libyaml: its emitter does the layout; which strings need quotes is decided here, by the core
// types of YAML 1.2 as ruamel.yaml (gcloud's printer) reads them.
#include "cli/output/yaml.hpp"

#include "cli/output/display.hpp"
#include "cli/output/yaml_text.hpp"

#include <yaml.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tpuctl::cli::output {

namespace {

bool scalar_value(const Json& value) { return !value.is_array() && !value.is_object(); }

bool all_fit(const Json& value) {
  const auto& items = value.items();
  const auto& members = value.members();
  return (!value.is_string() || StandIns::fits(value.text())) && std::all_of(items.begin(), items.end(), all_fit) &&
         std::all_of(members.begin(), members.end(),
                     [](const Json::Member& one) { return StandIns::fits(one.name) && all_fit(one.value); });
}

class Emitter {
 public:
  Emitter() {
    if (yaml_emitter_initialize(&emitter_) == 0) throw std::bad_alloc();
    yaml_emitter_set_output(&emitter_, append, &out_);
    yaml_emitter_set_unicode(&emitter_, 1);
    yaml_emitter_set_width(&emitter_, kWidth);
    yaml_emitter_set_indent(&emitter_, 2);
  }
  ~Emitter() { yaml_emitter_delete(&emitter_); }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  std::string run(const Json& value, bool start, const std::string& null_text) {
    null_ = null_text;
    root_ = scalar_value(value);
    may_hide_ = all_fit(value);
    yaml_event_t event;
    emit(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), event);
    emit(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, start ? 0 : 1), event);
    node(value);
    emit(yaml_document_end_event_initialize(&event, 1), event);
    emit(yaml_stream_end_event_initialize(&event), event);
    // libyaml closes the document when any text ends in empty lines, gcloud when the last one does.
    constexpr std::string_view kOpenEnd = "\n...\n";
    if (out_.ends_with(kOpenEnd) && !last_is_block_) out_.resize(out_.size() - kOpenEnd.size() + 1);
    return stand_ins_.show(std::move(out_));
  }

 private:
  static constexpr int kWidth = 80;  // gcloud folds long plain and quoted texts here

  static int append(void* data, unsigned char* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) static_cast<std::string*>(data)->push_back(static_cast<char>(bytes[i]));
    return 1;
  }

  void emit(int made, yaml_event_t& event) {
    if (made == 0 || yaml_emitter_emit(&emitter_, &event) == 0) {
      throw std::runtime_error(std::string("YAML cannot be written: ") +
                               (emitter_.problem ? emitter_.problem : "no memory"));
    }
  }

  void scalar(std::string_view text, bool plain, yaml_scalar_style_t style) {
    last_is_block_ = style == YAML_LITERAL_SCALAR_STYLE;
    yaml_event_t event;
    // libyaml takes unsigned bytes and copies them.
    const std::vector<yaml_char_t> bytes(text.begin(), text.end());
    static const yaml_char_t kNothing = 0;
    emit(yaml_scalar_event_initialize(&event, nullptr, nullptr, bytes.empty() ? &kNothing : bytes.data(),
                                      static_cast<int>(bytes.size()), plain ? 1 : 0, 1, style),
         event);
  }

  // Whether libyaml would put quotes around the text: a trial on the side tells.
  static bool must_be_quoted(const std::string& text) {
    if (reads_as_other_type(text)) return true;
    Emitter trial;
    yaml_event_t event;
    trial.emit(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), event);
    trial.emit(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1), event);
    trial.scalar(text, true, YAML_ANY_SCALAR_STYLE);
    trial.emit(yaml_document_end_event_initialize(&event, 1), event);
    trial.emit(yaml_stream_end_event_initialize(&event), event);
    return trial.out_.starts_with('\'') || trial.out_.starts_with('"');
  }

  void string(const std::string& text, bool key) {
    const bool lines = text.find('\n') != std::string::npos;
    if (lines && !key && !has_controls(text) && !has_separators(text)) {
      return scalar(may_hide_ ? stand_ins_.hide_all(text) : text, false, YAML_LITERAL_SCALAR_STYLE);
    }
    // Quotes are single ones, but double ones around a text with a single quote in it.
    const bool single = text.find('\'') != std::string::npos;
    const bool twice =
        lines || has_controls(text) || (single && must_be_quoted(may_hide_ ? stand_ins_.hide(text) : text));
    if (twice && may_hide_ && !key && !root_)
      return scalar(stand_ins_.hide_quoted(text), true, YAML_PLAIN_SCALAR_STYLE);
    const auto style = twice ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE;
    scalar(may_hide_ ? stand_ins_.hide(text) : text, !reads_as_other_type(text), style);
  }

  void node(const Json& value) {
    yaml_event_t event;
    if (value.is_array()) {
      const auto style = value.size() == 0 ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE;
      emit(yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, style), event);
      for (const Json& item : value.items()) node(item);
      emit(yaml_sequence_end_event_initialize(&event), event);
    } else if (value.is_object()) {
      const auto style = value.size() == 0 ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE;
      emit(yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, style), event);
      std::vector<const Json::Member*> order;
      for (const Json::Member& member : value.members()) order.push_back(&member);
      std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
      for (const Json::Member* member : order) {
        string(member->name, true);
        node(member->value);
      }
      emit(yaml_mapping_end_event_initialize(&event), event);
    } else if (value.is_string()) {
      string(value.text(), false);
    } else {
      scalar(value.is_null()     ? null_
             : value.is_bool()   ? std::string(value.boolean() ? "true" : "false")
             : is_integer(value) ? value.text()
                                 : rounded(value.number()),
             true, YAML_PLAIN_SCALAR_STYLE);
    }
  }

  yaml_emitter_t emitter_{};
  std::string out_;
  std::string null_;
  bool root_ = false;  ///< the document is one scalar
  bool last_is_block_ = false;
  bool may_hide_ = false;  ///< no text of the document uses the stand-ins' area
  StandIns stand_ins_;
};

}  // namespace

std::string yaml(const Json& value, bool start, const std::string& null_text) {
  std::string out = Emitter().run(value, start, null_text);
  // gcloud puts a single scalar on a line of its own.
  if (!scalar_value(value) || out.starts_with(start ? "--- |" : "|")) return out;
  return (start ? "---\n  " + out.substr(4) : "\n  " + out);
}

}  // namespace tpuctl::cli::output
