// SPDX-License-Identifier: Apache-2.0
// A TCP connection to a machine without an external address, through Identity-Aware Proxy's relay. Facts: gcloud 528's
// start-iap-tunnel.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "api/curl.hpp"
#include "api/http.hpp"
#include "api/iap_stream.hpp"
#include "api/token_source.hpp"
#include "api/websocket.hpp"
#include "base/error.hpp"
#include "base/time.hpp"

namespace tpuctl::api {

/// Where the relay shall connect to: a machine of the project, or an address in a network of it (`host` is set then).
struct IapTarget {
  std::string project;
  int port = 22;
  std::string zone, instance;
  std::string interface = "nic0";
  std::string host, region, network, group;
  /// "port 22 of [t1v-n-0-w-0]", for messages.
  std::string text() const;
};

struct IapOptions {
  std::string relay;    ///< another relay than Google's: "https://HOST[:PORT][/PATH]", or wss; empty: Google's
  CurlOptions wire;
  Headers headers;      ///< besides Origin and Authorization
  Duration first_pause = std::chrono::milliseconds(1500);  ///< before the second attempt to connect again; grows by a tenth each time
  Duration longest_pause = std::chrono::seconds(20);
  Duration patience = std::chrono::minutes(15);            ///< for connecting again, after each break
};

/// wss://HOST/v4/connect?..., and the one that goes on with a session of which `received` bytes are here.
std::string iap_connect_url(const IapTarget& target, const std::string& relay);
std::string iap_reconnect_url(const IapTarget& target, const std::string& relay, const std::string& session, std::uint64_t received);

/// The Error for the relay's close code, in words with the next step.
Error iap_close_error(const WebSocket::Close& close, const IapTarget& target);

class IapTunnel {
 public:
  IapTunnel(IapTarget target, IapOptions options, TokenSource& tokens, Clock& clock);

  /// Connects. Throws Error when the relay, or the machine behind it, cannot be reached or refuses.
  void connect();

  /// Carries bytes from `in` to the machine and back to `out` until one side ends; the descriptors are used as they are, in
  /// small pieces that do not block. A connection that breaks is taken up again where it was, with no byte lost or doubled.
  /// Returns when the machine has closed, or after the end of `in` when all is sent, or when nobody reads `out` any more.
  /// Throws Error as connect() does, also for a break that cannot be mended; Error{interrupted|terminated} at a signal.
  void run(int in, int out);

 private:
  enum class State { open, local_ended, closing, remote_ended };
  void open(const std::string& url);
  void receive();
  bool mend(int in);       ///< the connection has ended: whether it was, or need not be, taken up again
  bool reconnect(int in);  ///< false: the local side has gone meanwhile
  bool finished();
  bool move(int in, int out);  ///< waits for something to do and does it; false when nothing came
  void read_local(int in);
  void write_local(int out);

  IapTarget target_;
  IapOptions options_;
  TokenSource& tokens_;
  Clock& clock_;
  IapStream stream_;
  std::optional<WebSocket> socket_;
  std::string for_local_;  ///< came from the relay, not yet written
  State state_ = State::open;
  bool reader_gone_ = false;
  std::optional<TimePoint> deadline_;  ///< for what is left to do after the local end
};

}  // namespace tpuctl::api
