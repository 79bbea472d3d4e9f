// SPDX-License-Identifier: Apache-2.0
// identity.py as a child of the test: Google's and AWS's identity services on a loopback port.
#pragma once

#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "api/curl.hpp"
#include "base/json.hpp"
#include "base/process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {

class IdentityServer {
 public:
  IdentityServer() {
    process::Spec spec;
    spec.argv = {"python3", std::string(TPUCTL_SOURCE_DIR) + "/tests/support/identity.py", folder_ / "port"};
    spec.in = process::Stream::pipe;
    child_ = process::Child(spec);
    std::optional<std::string> port;
    while (!(port = file::read_if_exists(folder_ / "port")) && !child_.poll_exit()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    host = "127.0.0.1:" + std::string(text::trim(port.value_or("0")));
    url = "http://" + host;
  }

  void reset() { post("/reset", Json::object()); }
  void control(const Json& what) { post("/control", what); }
  /// What is answered at `path` from now on.
  void answer(const std::string& path, int status, const Json& body, const Json& headers = Json::object()) {
    Json one{{"status", status}, {"headers", headers}};
    one.member(body.is_string() ? "text" : "json") = body;
    Json list = Json::array();
    list.push(one);
    Json answers = Json::object();
    answers.member(path) = list;
    control(Json{{"answers", answers}});
  }
  /// Every request since the last reset.
  Json log() { return Json::parse(send("GET", "/log", "").body); }

  std::string host, url;

 private:
  void post(const std::string& path, const Json& body) { send("POST", path, body.dump()); }
  api::Response send(const std::string& method, const std::string& path, const std::string& body) {
    api::Request request;
    request.method = method;
    request.url = url + path;
    request.body = body;
    return wire_.send(request);
  }

  TemporaryFolder folder_;
  process::Child child_;
  static api::CurlOptions without_proxy() {
    api::CurlOptions out;
    out.proxy = "none";
    return out;
  }
  api::CurlTransport wire_{without_proxy()};
};

}  // namespace tpuctl::test
