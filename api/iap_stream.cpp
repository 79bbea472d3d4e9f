// SPDX-License-Identifier: Apache-2.0
#include "api/iap_stream.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tpuctl::api {

namespace {

enum Tag : std::uint16_t { kConnected = 1, kReconnected = 2, kData = 4, kAck = 7 };

template <class Number>
std::string big_endian(Number number) {
  std::string out;
  for (int shift = static_cast<int>(sizeof number) * 8 - 8; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xff);
  return out;
}

[[noreturn]] void broken(const std::string& how) { throw Error(Kind::failure, "The relay broke its protocol: " + how + "."); }

// Takes a number from the front of the text.
template <class Number>
Number take_number(std::string_view& from) {
  if (from.size() < sizeof(Number)) broken("a frame was cut short");
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) number = static_cast<Number>(number << 8 | static_cast<unsigned char>(from[i]));
  from.remove_prefix(sizeof(Number));
  return number;
}

std::string_view take_counted(std::string_view from) {
  const auto size = take_number<std::uint32_t>(from);
  if (from.size() < size) broken("a frame was cut short");
  return from.substr(0, size);
}

std::string data_frame(std::string_view bytes) {
  return big_endian<std::uint16_t>(kData) + big_endian(static_cast<std::uint32_t>(bytes.size())) + std::string(bytes);
}

}  // namespace

std::string IapStream::data(std::string_view bytes) {
  unconfirmed_.emplace_back(bytes);
  unconfirmed_bytes_ += bytes.size();
  return data_frame(bytes);
}

std::string_view IapStream::take(std::string_view message) {
  const auto tag = take_number<std::uint16_t>(message);
  if ((tag == kConnected || tag == kReconnected) && connected_) broken("it connected twice");
  if ((tag == kData || tag == kAck) && !connected_) broken("it spoke before it was connected");
  switch (tag) {
    case kConnected:
      session_ = take_counted(message);
      connected_ = true;
      break;
    case kReconnected:
      confirm(take_number<std::uint64_t>(message));
      connected_ = resend_ = true;
      acked_ = received_;  // the request for this connection has told it
      break;
    case kAck: confirm(take_number<std::uint64_t>(message)); break;
    case kData: {
      const std::string_view bytes = take_counted(message);
      received_ += bytes.size();
      return bytes;
    }
    default: break;
  }
  return {};
}

std::string IapStream::ack(bool idle) {
  const std::uint64_t due = idle ? 0 : 2 * kLargestPiece;
  if (!connected_ || received_ - acked_ <= due) return {};
  acked_ = received_;
  return big_endian<std::uint16_t>(kAck) + big_endian(acked_);
}

void IapStream::confirm(std::uint64_t total) {
  if (total < confirmed_) broken("it took a confirmation back");
  if (total - confirmed_ > unconfirmed_bytes_) broken("it confirmed more than was sent");
  while (confirmed_ < total) {
    std::string& piece = unconfirmed_.front();
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), total - confirmed_));
    confirmed_ += part;
    unconfirmed_bytes_ -= part;
    if (part == piece.size()) {
      unconfirmed_.pop_front();
    } else {
      piece.erase(0, part);
    }
  }
}

std::vector<std::string> IapStream::resend() {
  std::vector<std::string> frames;
  if (!resend_) return frames;
  resend_ = false;
  for (const std::string& piece : unconfirmed_) frames.push_back(data_frame(piece));
  return frames;
}

}  // namespace tpuctl::api
