// SPDX-License-Identifier: Apache-2.0
// An emulator in process: a clock moved by hand, machines that only write down what is asked of them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "emulator/emulator.hpp"

namespace tpuctl::emulator::testing {

class HandClock : public Clock {
 public:
  TimePoint now() const override { return now_; }
  void sleep(Duration duration) override { now_ += duration; }
  void forward(double by_seconds) { now_ += seconds(by_seconds); }

 private:
  TimePoint now_ = *parse_rfc3339("2026-01-01T00:00:00Z");
};

class NotedHost : public WorkerHost {
 public:
  void create(const WorkerSpec& spec, const Json& tree) override {
    if (refuse) throw Error(Kind::failure, "sshd is missing.");
    note("create", spec.id);
    specs[spec.id] = spec;
    metadata[spec.id] = tree;
  }
  void destroy(const WorkerId& id) override { note("destroy", id); }
  void halt(const WorkerId& id) override { note("halt", id); }
  void boot(const WorkerId& id) override { note("boot", id); }
  int signal_holders(const WorkerId& id, int signal) override {
    if (signal != 0) note("signal " + std::to_string(signal), id);
    return holders[id];
  }
  void set_metadata(const WorkerId& id, const Json& tree) override { metadata[id] = tree; }
  void hang(const WorkerId& id) override { note("hang", id); }
  void fill(const WorkerId& id, std::int64_t bytes) override { note("fill " + std::to_string(bytes), id); }
  void heal(const WorkerId& id) override { note("heal", id); }
  void block(const WorkerId& id, int port) override { note("block " + std::to_string(port), id); }
  void hamper(const WorkerId& id, const std::string& kind, Duration time) override {
    note(kind + " " + std::to_string(time / std::chrono::milliseconds(1)) + " ms", id);
  }
  std::vector<HostKey> host_keys(const WorkerId& id) override { return {{"ssh-ed25519", "KEY" + id}}; }

  /// "boot n1/0": worker ids with the node's name in place of its number.
  void note(const std::string& what, const WorkerId& id) {
    const auto slash = id.find('/');
    const auto known = specs.find(id);
    calls.push_back(what + " " + (known == specs.end() ? "new" : known->second.node) + id.substr(slash));
  }
  WorkerId id_of(const std::string& node, int index) const {
    for (const auto& [id, spec] : specs) {
      if (spec.node == node && spec.index == index) return id;
    }
    throw std::runtime_error("no worker " + node);
  }

  bool refuse = false;
  std::vector<std::string> calls;
  std::map<WorkerId, WorkerSpec> specs;
  std::map<WorkerId, Json> metadata;
  std::map<WorkerId, int> holders;
};

class World {
 public:
  explicit World(EmulatorOptions options = {}) : log_(std::make_shared<std::vector<std::string>>()) {
    options.log = [lines = log_](const std::string& line) { lines->push_back(line); };
    emulator = std::make_unique<Emulator>(options, host, clock);
  }

  /// `path` without the host; the body is sent as it is.
  api::Response send(const std::string& method, const std::string& path, const std::string& body = {},
                     api::Headers headers = {}) {
    api::Request request;
    request.method = method;
    request.url = "http://127.0.0.1:1" + path;
    request.body = body;
    request.headers = std::move(headers);
    request.headers.emplace_back("Authorization", "Bearer t");
    return emulator->send(request);
  }
  Json get(const std::string& path) { return body_of(send("GET", path)); }
  Json post(const std::string& path, const std::string& body) { return body_of(send("POST", path, body)); }
  static Json body_of(const api::Response& response) {
    Json out;
    Json::try_parse(response.body, out);
    return out;
  }

  void pass(double by_seconds) {
    clock.forward(by_seconds);
    emulator->advance();
  }
  /// The log's lines that contain `word`.
  int logged(const std::string& word) const {
    int count = 0;
    for (const std::string& line : *log_) count += line.find(word) != std::string::npos ? 1 : 0;
    return count;
  }

  HandClock clock;
  NotedHost host;
  std::unique_ptr<Emulator> emulator;

 private:
  std::shared_ptr<std::vector<std::string>> log_;
};

/// A folder of its own, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() : path("/tmp/tpuctl-test-" + text::uuid4()) { file::make_dirs(path); }
  ~TemporaryFolder() { file::remove_tree(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string path;
};

inline const std::string kZone = "/projects/p/locations/us-central2-b";
inline const std::string kGa = "/v2" + kZone;
inline const std::string kAlpha = "/v2alpha1" + kZone;

inline std::string node_body(const std::string& type = "v4-8", const std::string& more = {}) {
  return "{\"acceleratorType\":\"" + type + "\",\"runtimeVersion\":\"v2-alpha\"" + more + "}";
}

}  // namespace tpuctl::emulator::testing
