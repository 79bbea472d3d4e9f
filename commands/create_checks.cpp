// SPDX-License-Identifier: Apache-2.0
#include "commands/create_checks.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "cli/output/pattern.hpp"

namespace tpuctl::commands {

namespace {

constexpr std::size_t kLongestId = 63;

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_plain(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }

// Empty when nothing is left of it.
std::string proposal(const std::string& id) {
  std::string out = text::lower(id);
  std::replace_if(out.begin(), out.end(), [](char c) { return !is_plain(c); }, '-');
  out.erase(out.begin(), std::find_if(out.begin(), out.end(), is_letter));
  out.resize(std::min(out.size(), kLongestId));
  while (out.ends_with('-')) out.pop_back();
  return out;
}

std::string complaint(const std::string& id) {
  if (id.empty()) return "it is empty";
  const auto odd = std::find_if_not(id.begin(), id.end(), is_plain);
  if (odd != id.end()) {
    const std::string_view rest(odd, id.end());
    return "it holds '" + std::string(rest.substr(0, utf8::first_length(rest))) + "'";
  }
  if (!is_letter(id.front())) return "it does not begin with a letter";
  if (id.back() == '-') return "it ends with a dash";
  if (id.size() > kLongestId) return "it has " + std::to_string(id.size()) + " characters, and 63 is the most";
  return {};
}

// The node of a body of either collection.
const Json& node_of(const Json& body) {
  const Json& spec = body.at("/tpu/nodeSpec/0/node");
  return spec.is_null() ? body : spec;
}

bool asks_for_several(const Json& body) {
  const Json& spec = body.at("/tpu/nodeSpec/0");
  return !spec["multiNodeParams"].is_null() || !spec["multisliceParams"].is_null();
}

}  // namespace

void check_new_id(const std::string& id, const std::string& what) {
  const std::string wrong = complaint(id);
  if (wrong.empty()) return;
  const std::string better = proposal(id);
  throw Error(Kind::usage, "[" + id + "] cannot be the name of a " + what + ": " + wrong + ".",
              "Small letters, digits and dashes are allowed, a letter first" + (better.empty() ? "." : ": " + better));
}

void warn_of_line_ends(const Context& context) {
  for (const auto& [key, path] : context.args.map("metadata-from-file")) {
    if (key != "startup-script" && key != "shutdown-script") continue;
    if (file::read(path).find("\r\n") == std::string::npos) continue;
    context.warn("[" + path + "] has Windows line ends (CRLF): the machine cannot run it as [" + key + "]. It is sent as it is.");
  }
}

void explain_refusal(Error& error, const api::Name& name, const Json& body) {
  const std::string& type = node_of(body)["acceleratorType"].text();
  if (error.kind == Kind::capacity && !type.empty()) {
    error.hint = "Other zones that offer it: tpuctl accelerator-types list --all-zones --filter=type=" + type +
                 "\nOr take it when it is free, in whichever zone: tpuctl queued-resources create --zones=ZONE,ZONE; or try --spot.";
    return;
  }
  if (error.kind != Kind::failure && error.kind != Kind::not_found) return;
  const std::string message = error.what();
  if (asks_for_several(body) && (type.starts_with("v2-") || type.starts_with("v3-"))) {
    error.hint = "Multislice (--node-count) needs v4 or later; this asked for " + type + ".";
  } else if (!type.empty() && cli::output::Pattern(R"(\bv\d[a-z]*-\d+\b)").found_in(message)) {
    error.hint = "Asked for was " + type + ". What the zone offers: tpuctl accelerator-types list --zone=" + name.location;
  }
}

}  // namespace tpuctl::commands
