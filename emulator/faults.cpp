// SPDX-License-Identifier: Apache-2.0
#include "emulator/faults.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::emulator {

namespace {
[[noreturn]] void refuse(const std::string& spec, const std::string& why) {
  throw Error(Kind::usage, "Fault [" + spec + "] is not understood: " + why + ".",
              "Known are stockout, http:STATUS, reset, lost, truncate, garbage, slow:TIME, preempt:NODE, "
              "unreachable:ZONE and none, most of them with :COUNT and @METHOD:REGEX.");
}

int count_of(const std::string& spec, const std::string& word) {
  const auto count = text::parse_int(word);
  if (!count || *count < 1 || *count > 1000000) refuse(spec, "[" + word + "] is no count");
  return static_cast<int>(*count);
}

void parse_where(Fault& fault, const std::string& where) {
  const auto colon = where.find(':');
  if (colon == std::string::npos || colon == 0) refuse(fault.spec, "after @ comes METHOD:REGEX");
  fault.method = text::upper(where.substr(0, colon));
  if (fault.method == "*") fault.method.clear();
  fault.pattern = where.substr(colon + 1);
  try {
    fault.path = std::regex(fault.pattern, std::regex::ECMAScript);
  } catch (const std::regex_error&) {
    refuse(fault.spec, "[" + fault.pattern + "] is no regular expression");
  }
}

void parse_http(Fault& fault, const std::vector<std::string>& words) {
  const auto status = words.size() > 1 ? text::parse_int(words[1]) : std::nullopt;
  if (!status || *status < 400 || *status > 599) refuse(fault.spec, "http needs a status from 400 to 599");
  fault.status = static_cast<int>(*status);
  const std::string retry = "retry-after=";
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i].rfind(retry, 0) == 0) {
      fault.retry_after = words[i].substr(retry.size());
      if (fault.retry_after.empty()) refuse(fault.spec, "retry-after needs a value");
    } else if (i == 2) {
      fault.left = count_of(fault.spec, words[i]);
    } else {
      refuse(fault.spec, "[" + words[i] + "] is unknown");
    }
  }
}

bool is_event(const std::string& kind) { return kind == "stockout" || kind == "unreachable" || kind == "preempt"; }

bool matches(const Fault& fault, const std::string& method, const std::string& path) {
  if (fault.left == 0 || is_event(fault.kind)) return false;
  if (!fault.method.empty() && fault.method != method) return false;
  return !fault.path || std::regex_search(path, *fault.path);
}
}  // namespace

Fault Faults::parse(const std::string& spec) {
  Fault fault;
  fault.spec = spec;
  const auto at = spec.find('@');
  const auto words = text::split(spec.substr(0, at), ':');
  if (words.empty()) refuse(spec, "it is empty");
  fault.kind = words[0];
  static const std::vector<std::string> counted = {"stockout", "reset", "lost", "truncate", "garbage"};
  if (fault.kind == "http") {
    parse_http(fault, words);
  } else if (fault.kind == "slow") {
    const auto delay = words.size() == 2 ? parse_duration(words[1]) : std::nullopt;
    if (!delay || *delay < Duration(0)) refuse(spec, "slow needs a time, as in slow:2s");
    fault.delay = *delay;
  } else if (fault.kind == "preempt" || fault.kind == "unreachable") {
    if (words.size() != 2 || words[1].empty()) refuse(spec, fault.kind + " needs one name");
    fault.argument = words[1];
  } else if (fault.kind == "none") {
    if (words.size() != 1) refuse(spec, "none stands alone");
  } else if (std::find(counted.begin(), counted.end(), fault.kind) != counted.end()) {
    if (words.size() > 2) refuse(spec, "[" + words[2] + "] is unknown");
    if (words.size() == 2) fault.left = count_of(spec, words[1]);
  } else {
    refuse(spec, "[" + fault.kind + "] is unknown");
  }
  if (at != std::string::npos) {
    if (is_event(fault.kind) || fault.kind == "none") refuse(spec, fault.kind + " takes no @");
    parse_where(fault, spec.substr(at + 1));
  }
  return fault;
}

void Faults::add(Fault fault) {
  if (fault.kind == "none") {
    faults_.clear();
  } else {
    faults_.push_back(std::move(fault));
  }
}

bool Faults::take_stockout() {
  for (Fault& fault : faults_) {
    if (fault.kind != "stockout" || fault.left == 0) continue;
    if (fault.left > 0) --fault.left;
    return true;
  }
  return false;
}

std::optional<Fault> Faults::take(const std::string& method, const std::string& path) {
  for (Fault& fault : faults_) {
    if (fault.kind == "slow" || !matches(fault, method, path)) continue;
    if (fault.left > 0) --fault.left;
    return fault;
  }
  return {};
}

Duration Faults::delay(const std::string& method, const std::string& path) const {
  Duration sum{0};
  for (const Fault& fault : faults_) {
    if (fault.kind == "slow" && matches(fault, method, path)) sum += fault.delay;
  }
  return sum;
}

bool Faults::unreachable(const std::string& zone) const {
  const auto zones = unreachable_zones();
  return std::find(zones.begin(), zones.end(), zone) != zones.end();
}

std::vector<std::string> Faults::unreachable_zones() const {
  std::vector<std::string> out;
  for (const Fault& fault : faults_) {
    if (fault.kind == "unreachable") out.push_back(fault.argument);
  }
  return out;
}

Json Faults::list() const {
  Json out = Json::array();
  for (const Fault& fault : faults_) {
    if (fault.left == 0) continue;
    Json item{{"spec", fault.spec}};
    if (fault.left > 0) item.member("left") = fault.left;
    out.push(std::move(item));
  }
  return out;
}

}  // namespace tpuctl::emulator
