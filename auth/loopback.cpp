// SPDX-License-Identifier: Apache-2.0
#include "auth/loopback.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/signal.hpp"

namespace tpuctl::auth {

namespace {

constexpr std::size_t kLongestRequest = 16 << 10;
constexpr std::string_view kPage =
    "<!doctype html><meta charset=utf-8><title>tpuctl</title><p>Go back to the terminal: it says whether you are signed in. "
    "This page can be closed.";

std::string answer(std::string_view status, std::string_view body) {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n" +
         "Referrer-Policy: no-referrer\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

struct Visitor {
  int fd = -1;
  std::string text;
};

// The query of a complete request for the page; "" for any other request; nothing while it is not complete.
std::optional<std::string> query_of(const std::string& request) {
  if (request.find("\r\n\r\n") == std::string::npos && request.size() < kLongestRequest) return {};
  const std::string_view line = std::string_view(request).substr(0, request.find("\r\n"));
  if (!line.starts_with("GET /?")) return "";
  const auto end = line.find(' ', 6);
  return end == std::string_view::npos ? "" : std::string(line.substr(6, end - 6));
}

void say(int fd, const std::string& text) {
  if (send(fd, text.data(), text.size(), 0) < 0) return;  // the browser is gone: the terminal tells all the same
}

[[noreturn]] void fail(const char* what) {
  throw Error(Kind::failure, std::string("Cannot ") + what + " on 127.0.0.1: " + std::strerror(errno) + ".", "Use --no-launch-browser.");
}

}  // namespace

LoopbackPage::LoopbackPage() {
  listener_ = socket(AF_INET, SOCK_STREAM, 0);
  if (listener_ < 0) fail("open a socket");
  fcntl(listener_, F_SETFD, FD_CLOEXEC);
  fcntl(listener_, F_SETFL, O_NONBLOCK);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  auto* address = reinterpret_cast<sockaddr*>(&at);
  if (bind(listener_, address, size) != 0 || listen(listener_, 8) != 0 || getsockname(listener_, address, &size) != 0) {
    close(listener_);
    fail("listen");
  }
  port_ = ntohs(at.sin_port);
}

LoopbackPage::~LoopbackPage() { close(listener_); }

std::string LoopbackPage::address() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }

std::string LoopbackPage::wait(Duration limit) {
  struct Visitors {
    std::vector<Visitor> all;
    ~Visitors() {
      for (const Visitor& one : all) close(one.fd);
    }
  } visitors;
  const auto until = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < until) {
    signals::check();
    std::vector<pollfd> watched = {{listener_, POLLIN, 0}};
    for (const Visitor& one : visitors.all) watched.push_back({one.fd, POLLIN, 0});
    if (signals::wake_fd() >= 0) watched.push_back({signals::wake_fd(), POLLIN, 0});
    poll(watched.data(), static_cast<nfds_t>(watched.size()), 1000);
    for (std::size_t i = visitors.all.size(); i-- > 0;) {
      if (watched[i + 1].revents == 0) continue;
      Visitor& one = visitors.all[i];
      char bytes[4096];
      const ssize_t count = recv(one.fd, bytes, sizeof bytes, 0);
      if (count > 0) one.text.append(bytes, static_cast<std::size_t>(count));
      const auto query = query_of(one.text);
      if (query) say(one.fd, query->empty() ? answer("404 Not Found", "") : answer("200 OK", kPage));
      if (query && !query->empty()) return *query;
      if (count > 0 && !query) continue;
      close(one.fd);
      visitors.all.erase(visitors.all.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (watched[0].revents == 0) continue;
    if (const int fd = accept(listener_, nullptr, nullptr); fd >= 0) {
      fcntl(fd, F_SETFD, FD_CLOEXEC);
      visitors.all.push_back({fd, {}});
    }
  }
  throw Error(Kind::denied, "Nobody signed in within the time.", "Try again, or sign in on another machine with --no-launch-browser.");
}

}  // namespace tpuctl::auth
