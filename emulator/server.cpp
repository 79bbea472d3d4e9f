// SPDX-License-Identifier: Apache-2.0
#include "emulator/server.hpp"

#include <httplib.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "base/text.hpp"
#include "emulator/emulator.hpp"

namespace tpuctl::emulator {

namespace {
constexpr std::size_t kLargestBody = std::size_t{4} << 30;  // an upload is held in memory

/// A thread for every connection; shutdown waits for all of them.
class ThreadPerConnection : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> work) override {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    std::thread([this, work = std::move(work)] {
      work();
      const std::lock_guard lock(mutex_);
      --running_;
      idle_.notify_all();
    }).detach();
  }
  void shutdown() override {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable idle_;
  int running_ = 0;
};

/// The descriptor of the connection from that peer, or -1. The library keeps it to itself.
int find_socket(const httplib::Request& request) {
  struct rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  const int most = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536));
  for (int fd = 3; fd < most; ++fd) {
    sockaddr_in peer = {};
    sockaddr_in local = {};
    socklen_t size = sizeof peer;
    socklen_t local_size = sizeof local;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0 || peer.sin_family != AF_INET) continue;
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&local), &local_size) != 0) continue;
    if (ntohs(peer.sin_port) == request.remote_port && ntohs(local.sin_port) == request.local_port) return fd;
  }
  return -1;
}

/// Ends the connection with RST and puts a dead end in its place: what the library still writes goes nowhere.
void reset_connection(const httplib::Request& request) {
  const int fd = find_socket(request);
  int pair[2];
  if (fd < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
  const linger at_once = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  dup2(pair[0], fd);  // closes the connection
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  close(pair[0]);
  close(pair[1]);
}

api::Request convert(const httplib::Request& from) {
  api::Request out;
  out.method = from.method;
  std::string host = from.get_header_value("Host");
  if (host.empty()) host = from.local_addr + ":" + std::to_string(from.local_port);
  out.url = "http://" + host + from.target;
  for (const auto& [name, value] : from.headers) {
    // The library's own additions are no headers of the request.
    if (name != "REMOTE_ADDR" && name != "REMOTE_PORT" && name != "LOCAL_ADDR" && name != "LOCAL_PORT") {
      out.headers.emplace_back(name, value);
    }
  }
  out.body = from.body;
  return out;
}

void set_body(httplib::Response& to, std::string body, const std::string& type, bool cut) {
  if (!cut) {
    to.body = std::move(body);
    if (!type.empty()) to.set_header("Content-Type", type);
    return;
  }
  const auto whole = body.size();
  to.set_content_provider(whole, type, [body = std::move(body)](std::size_t offset, std::size_t, httplib::DataSink& sink) {
    if (offset == 0) sink.write(body.data(), body.size() / 2);
    return false;
  });
}

bool is_header_safe(const std::string& value) { return value.find_first_of("\r\n") == std::string::npos; }
}  // namespace

struct Server::Implementation {
  httplib::Server server;
  std::thread thread;
  Handler handler;
  int port = 0;
  std::once_flag stopped;

  void answer(const httplib::Request& request, httplib::Response& response) {
    // Ranges are the handler's business; the library would cut a second time.
    const_cast<httplib::Request&>(request).ranges.clear();
    api::Response out = handler(convert(request), request.local_addr);
    const std::string fault(out.header(kFaultHeader));
    if (fault == "reset") {
      reset_connection(request);
      response.status = 500;
      response.set_header("Connection", "close");
      return;
    }
    response.status = out.status;
    std::string type;
    for (const auto& [name, value] : out.headers) {
      if (text::lower(name) == "content-type") {
        type = value;
      } else if (name != kFaultHeader && is_header_safe(value)) {
        response.set_header(name, value);
      }
    }
    set_body(response, std::move(out.body), type, fault == "truncate");
  }
};

Server::Server(const std::string& address, int port, Handler handler)
    : implementation_(std::make_unique<Implementation>()) {
  httplib::Server& server = implementation_->server;
  implementation_->handler = std::move(handler);
  server.new_task_queue = [] { return new ThreadPerConnection; };
  server.set_tcp_nodelay(true);  // else every answer on a kept connection waits for a delayed ACK
  server.set_keep_alive_timeout(1);
  server.set_keep_alive_max_count(1000000);
  server.set_payload_max_length(kLargestBody);
  // Not SO_REUSEPORT, the library's default: two emulators would share a port without a word.
  server.set_socket_options([](socket_t fd) {
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
  });
  auto answer = [state = implementation_.get()](const httplib::Request& request, httplib::Response& response) {
    state->answer(request, response);
  };
  const std::string all = "[^]*";
  server.Get(all, answer).Post(all, answer).Put(all, answer).Patch(all, answer).Delete(all, answer).Options(all, answer);
  // A request that announces no body has none; the library would wait for the end of the connection.
  server.set_pre_routing_handler([answer](const httplib::Request& request, httplib::Response& response) {
    if (request.has_header("Content-Length") || request.has_header("Transfer-Encoding")) {
      return httplib::Server::HandlerResponse::Unhandled;
    }
    answer(request, response);
    return httplib::Server::HandlerResponse::Handled;
  });
  server.set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
    response.status = 500;
    response.set_content("{\"error\":{\"code\":500,\"message\":\"Internal error.\",\"status\":\"INTERNAL\"}}\n",
                         "application/json; charset=UTF-8");
  });
  implementation_->port = port == 0 ? server.bind_to_any_port(address)
                                    : (server.bind_to_port(address, port) ? port : -1);
  if (implementation_->port <= 0) {
    throw Error(Kind::failure,
                "Cannot listen on " + address + " port " + std::to_string(port) + "; is something else using the port?",
                "Choose another one with --port.");
  }
  implementation_->thread = std::thread([state = implementation_.get()] { state->server.listen_after_bind(); });
}

Server::~Server() { stop(); }

int Server::port() const { return implementation_->port; }

void Server::stop() {
  std::call_once(implementation_->stopped, [this] {
    // A stop before the loop has begun would be lost.
    while (!implementation_->server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    implementation_->server.stop();
    implementation_->thread.join();
  });
}

}  // namespace tpuctl::emulator
