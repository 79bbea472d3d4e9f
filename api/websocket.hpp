// SPDX-License-Identifier: Apache-2.0
// A client's websocket (RFC 6455) for binary messages: libcurl makes the connection (TLS, proxy), wslay the frames.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/curl.hpp"
#include "api/http.hpp"

namespace tpuctl::api {

struct WebSocketTarget {
  std::string url;  ///< wss:// or https://; ws:// and http:// are for loopback
  Headers headers;  ///< besides those of the upgrade
  std::string subprotocol;
};

class WebSocket {
 public:
  /// How a connection ended: the code of the close frame, or kBroken when there was none.
  struct Close {
    static constexpr int kNormal = 1000;
    static constexpr int kBroken = 1006;
    int code = kNormal;
    std::string reason;  ///< the peer's words, safe to print; or why the connection broke
  };

  /// Connects and asks for the upgrade, within `wire.connect_limit` each. Throws Error as api::to_error makes it: no connection,
  /// or an answer other than 101 (Error::http has the status); Error{failure} for an upgrade that breaks the protocol.
  WebSocket(const WebSocketTarget& target, const CurlOptions& wire);
  ~WebSocket();
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  int fd() const;             ///< for poll(2)
  bool wants_write() const;   ///< something waits to be sent
  std::size_t unsent() const; ///< bytes of messages given to send() that have not left

  void send(std::string_view message);
  void close(int code);  ///< queues the close frame

  /// Sends and receives what goes without blocking. Before each read it asks `room`; false leaves the rest unread, so that a slow
  /// reader slows the peer. Readable bytes may be held back by TLS: call it before poll(2), not only after.
  void pump(const std::function<bool()>& room, const std::function<void(std::string_view message)>& on_message);

  /// Set once nothing more will come.
  const std::optional<Close>& closed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tpuctl::api
