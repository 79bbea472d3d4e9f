// SPDX-License-Identifier: Apache-2.0
// A socket in front of a handler: HTTP/1.1 on one address, a thread per connection, because a metadata server's readers
// wait for minutes. The only place that knows the HTTP server library.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/http.hpp"

namespace tpuctl::emulator {

class Server {
 public:
  /// The request's URL is absolute ("http://HOST/path?query", HOST as the client wrote it). `called_address` is the
  /// local address of the connection. Called from several threads at once. What it throws becomes a 500.
  ///
  /// The answer's header kFaultHeader (emulator.hpp) is not sent: "reset" resets the connection instead of answering,
  /// "truncate" ends it after half of the body.
  using Handler = std::function<api::Response(const api::Request&, const std::string& called_address)>;

  /// Listens on address:port (0: any free port) when it returns. Throws Error{failure} that names the port when it is
  /// taken.
  Server(const std::string& address, int port, Handler handler);
  /// As stop().
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;

  /// Refuses new connections and waits for the running requests: about a second at most for idle connections, but a
  /// handler that waits must have been woken by its owner before. Idempotent.
  void stop();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tpuctl::emulator
