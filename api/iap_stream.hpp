// SPDX-License-Identifier: Apache-2.0
// The relay's subprotocol (relay.tunnel.cloudproxy.app, v4) as book-keeping without any I/O: frames with a tag, bytes counted
// both ways, what is not confirmed kept for the next connection. Numbers are big-endian. Facts: gcloud 528's tunnel client,
// and the list of tags and close codes in Google's IAP Desktop.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tpuctl::api {

class IapStream {
 public:
  static constexpr std::size_t kLargestPiece = 16384;  ///< of data in one frame

  /// Counts `bytes` (at most kLargestPiece) as sent; the frame for them. They are kept until the relay confirms them.
  std::string data(std::string_view bytes);

  /// Takes a message of the relay; the data in it, which lies within `message`, or nothing. Throws Error{failure} for data or
  /// confirmations before the relay has said that it is connected, numbers that cannot be, and frames cut short. Unknown tags
  /// are passed over.
  std::string_view take(std::string_view message);

  /// The frame that confirms what came, when it is time: two pieces are unconfirmed, or any byte is and `idle`. Else empty.
  std::string ack(bool idle);

  /// A new connection is made: nothing counts until the relay has told the session, or how far it got in it.
  void reconnecting() { connected_ = false; }
  bool connected() const { return connected_; }
  const std::string& session() const { return session_; }  ///< empty before the first connection
  std::uint64_t received() const { return received_; }
  std::size_t unconfirmed() const { return unconfirmed_bytes_; }  ///< bytes

  /// After the relay has said how far it got in the session: the frames to be sent again, once.
  std::vector<std::string> resend();

 private:
  void confirm(std::uint64_t total);
  bool connected_ = false;
  bool resend_ = false;
  std::string session_;
  std::uint64_t received_ = 0, acked_ = 0, confirmed_ = 0;
  std::size_t unconfirmed_bytes_ = 0;
  std::deque<std::string> unconfirmed_;
};

}  // namespace tpuctl::api
