// SPDX-License-Identifier: Apache-2.0
#include "emulator/faults.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "emulator/catalog.hpp"

namespace tpuctl::emulator {

namespace {
[[noreturn]] void refuse(const std::string& spec, const std::string& why) {
  std::vector<std::string> kinds;
  for (const FaultRow& row : kFaultRows) kinds.emplace_back(row.kind);
  throw Error(Kind::usage, "Fault [" + spec + "] is not understood: " + why + ".",
              "Known are " + text::join(kinds, ", ") + ". See `tpuctl emulator fault --help`.");
}

int count_of(const std::string& spec, const std::string& word) {
  const auto count = text::parse_int(word);
  if (!count || *count < 1 || *count > 1000000) refuse(spec, "[" + word + "] is no count");
  return static_cast<int>(*count);
}

Duration time_of(const Fault& fault, const std::string& word) {
  const auto time = parse_duration(word);
  if (!time || *time < Duration(0)) refuse(fault.spec, fault.kind + " needs a time, as in " + fault.kind + ":2s");
  return *time;
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
  const auto status = words.empty() ? std::nullopt : text::parse_int(words[0]);
  if (!status || *status < 400 || *status > 599) refuse(fault.spec, "http needs a status from 400 to 599");
  fault.status = static_cast<int>(*status);
  const std::string retry = "retry-after=";
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].rfind(retry, 0) == 0) {
      fault.retry_after = words[i].substr(retry.size());
      if (fault.retry_after.empty()) refuse(fault.spec, "retry-after needs a value");
    } else if (i == 1) {
      fault.left = count_of(fault.spec, words[i]);
    } else {
      refuse(fault.spec, "[" + words[i] + "] is unknown");
    }
  }
}

/// NODE or NODE/WORKER.
void parse_worker(Fault& fault, const std::string& word) {
  const auto slash = word.find('/');
  fault.argument = word.substr(0, slash);
  if (slash == std::string::npos) return;
  const auto worker = text::parse_int(word.substr(slash + 1));
  if (!worker || *worker < 0 || *worker > 100000) refuse(fault.spec, "[" + word.substr(slash + 1) + "] is no worker's number");
  fault.worker = static_cast<int>(*worker);
}

/// The words after the kind. How many a shape takes at most is checked here too.
void parse_words(Fault& fault, FaultShape shape, const std::vector<std::string>& words) {
  auto at_most = [&](std::size_t count) {
    if (words.size() > count) refuse(fault.spec, "[" + words[count] + "] is unknown");
  };
  switch (shape) {
    case FaultShape::count:
      at_most(1);
      if (!words.empty()) fault.left = count_of(fault.spec, words[0]);
      return;
    case FaultShape::http: return parse_http(fault, words);
    case FaultShape::delay:
      at_most(1);
      fault.delay = time_of(fault, words.empty() ? "" : words[0]);
      return;
    case FaultShape::ends:
      at_most(2);
      if (words.size() == 2 || (words.size() == 1 && !parse_duration(words[0]))) {
        if (!is_zone(words[0])) refuse(fault.spec, "[" + words[0] + "] is neither a zone nor a time, as in 5m");
        fault.argument = words[0];
      }
      if (fault.argument.empty() ? !words.empty() : words.size() == 2) fault.delay = time_of(fault, words.back());
      return;
    case FaultShape::alone: return at_most(0);
    default: break;
  }
  if (words.empty() || words[0].empty()) refuse(fault.spec, fault.kind + " needs a name");
  fault.argument = words[0];
  if (shape == FaultShape::worker || shape == FaultShape::room || shape == FaultShape::spell || shape == FaultShape::port) parse_worker(fault, words[0]);
  if (words.size() > 1 && fault.kind == "preempt" && words[1] == "unseen") {
    fault.unseen = true;
  } else if (words.size() > 1 && shape == FaultShape::room) {
    const auto bytes = text::parse_int(words[1]);
    if (!bytes || *bytes < 0) refuse(fault.spec, "[" + words[1] + "] is no number of bytes");
    fault.bytes = *bytes;
  } else if (shape == FaultShape::port) {
    const auto port = text::parse_int(words.size() > 1 ? words[1] : "");
    if (!port || *port < 1 || *port > 65535) refuse(fault.spec, "it needs a port from 1 to 65535");
    fault.port = static_cast<int>(*port);
  } else if (shape == FaultShape::spell) {
    if (words.size() > 1 || fault.kind != "refuse") fault.delay = time_of(fault, words.size() > 1 ? words[1] : "");
  } else {
    at_most(1);
  }
  at_most(2);
}

bool matches(const Fault& fault, const std::string& method, const std::string& path) {
  if (fault.left == 0 || !fault.wire) return false;
  if (!fault.method.empty() && fault.method != method) return false;
  return !fault.path || std::regex_search(path, *fault.path);
}
}  // namespace

Fault Faults::parse(const std::string& spec) {
  Fault fault;
  fault.spec = spec;
  const auto at = spec.find('@');
  auto words = text::split(spec.substr(0, at), ':');
  if (words.empty()) refuse(spec, "it is empty");
  fault.kind = words[0];
  words.erase(words.begin());
  const auto row = std::find_if(std::begin(kFaultRows), std::end(kFaultRows), [&](const FaultRow& r) { return r.kind == fault.kind; });
  if (row == std::end(kFaultRows)) refuse(spec, "[" + fault.kind + "] is unknown");
  fault.wire = row->wire;
  parse_words(fault, row->shape, words);
  if (at != std::string::npos) {
    if (!row->wire) refuse(spec, fault.kind + " takes no @");
    parse_where(fault, spec.substr(at + 1));
  }
  return fault;
}

void Faults::add(Fault fault, TimePoint now) {
  if (fault.kind == "none") {
    faults_.clear();
    return;
  }
  Standing standing{std::move(fault), {}};
  if (standing.kind == "shortage" && standing.delay > Duration(0)) standing.until = now + standing.delay;
  faults_.push_back(std::move(standing));
}

bool Faults::take_stockout() {
  for (Fault& fault : faults_) {
    if (fault.kind != "stockout" || fault.left == 0) continue;
    if (fault.left > 0) --fault.left;
    return true;
  }
  return false;
}

bool Faults::shortage(const std::string& zone, TimePoint now) const {
  return std::any_of(faults_.begin(), faults_.end(), [&](const Standing& fault) {
    return fault.kind == "shortage" && (fault.argument.empty() || fault.argument == zone) && (!fault.until || now < *fault.until);
  });
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

bool Faults::mute(const std::string& node) const {
  return std::any_of(faults_.begin(), faults_.end(), [&](const Standing& fault) {
    return fault.kind == "mute" && fault.argument.substr(fault.argument.rfind('/') + 1) == node;
  });
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
