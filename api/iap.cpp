// SPDX-License-Identifier: Apache-2.0
#include "api/iap.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {

constexpr std::string_view kRelay = "wss://tunnel.cloudproxy.app";
constexpr std::string_view kPath = "/v4";
constexpr std::string_view kSubprotocol = "relay.tunnel.cloudproxy.app";
constexpr std::string_view kOrigin = "bot:iap-tunneler";

constexpr std::size_t kForLocal = 256 << 10;          // received and not yet written: then the relay waits
constexpr std::size_t kUnsent = 256 << 10;            // queued for the relay: then the local side waits
constexpr std::size_t kUnconfirmed = 8 << 20;         // sent and not confirmed: the same
constexpr std::size_t kWrite = 4096;                  // what a pipe that is ready takes without blocking (PIPE_BUF)
constexpr int kIdle = 2000;                           // ms without any traffic, then what came is confirmed
constexpr Duration kAnswer = std::chrono::seconds(60);  // for the relay to say that it is connected
constexpr Duration kSendRest = std::chrono::seconds(10);
constexpr Duration kSayGoodbye = std::chrono::seconds(2);
constexpr int kReauthenticate = 4004;
constexpr int kFirstOfRelay = 4000;  // close codes of its own; those below are the websocket's

std::string url_with(const std::string& relay, std::string_view verb, const Headers& query) {
  std::string url(relay.empty() ? kRelay : std::string_view(relay));
  while (url.ends_with('/')) url.pop_back();
  if (url.find('/', url.find("://") + 3) == std::string::npos) url += kPath;
  url += "/" + std::string(verb);
  char separator = '?';
  for (const auto& [name, value] : query) url += std::exchange(separator, '&') + name + "=" + text::percent_encode(value);
  return url;
}

struct CloseWords {
  int code;
  Kind kind;
  std::string_view words;  ///< {} is the target
  std::string_view hint;   ///< {} is the port
};
constexpr CloseWords kCloseWords[] = {
    {4001, Kind::failure, "IAP does not know the session any more, so the connection to {} cannot be taken up again", ""},
    {4002, Kind::failure, "The session is in use by another connection", ""},
    {4003, Kind::failure, "IAP cannot reach {}",
     "Is the machine up, does something listen on port {}, and does a firewall rule let 35.235.240.0/20 in?"},
    {4004, Kind::denied, "IAP wants a new sign-in", "Sign in again: gcloud auth login"},
    {4009, Kind::failure, "The connection between IAP and {} broke while IAP was writing", ""},
    {4010, Kind::failure, "The connection between IAP and {} broke while IAP was reading", ""},
    {4033, Kind::denied, "IAP does not let this account reach {}",
     "Ask for the role roles/iap.tunnelResourceAccessor on the project or the machine, and check the firewall's rules for port {}."},
    {4047, Kind::not_found, "IAP finds no machine for {}", "Check the name, the zone and the project; a new machine takes a moment to be known."},
    {4051, Kind::not_found, "IAP does not find {} any more", "Was the machine stopped or deleted?"},
};

}  // namespace

std::string IapTarget::text() const { return fmt::format("port {} of [{}]", port, host.empty() ? instance : host); }

std::string iap_connect_url(const IapTarget& target, const std::string& relay) {
  Headers query = {{"project", target.project}, {"port", std::to_string(target.port)}, {"newWebsocket", "True"}};
  if (target.host.empty()) {
    query.insert(query.end(), {{"zone", target.zone}, {"instance", target.instance}, {"interface", target.interface}});
  } else {
    query.insert(query.end(), {{"region", target.region}, {"network", target.network}, {"host", target.host}});
    if (!target.group.empty()) query.emplace_back("group", target.group);
  }
  return url_with(relay, "connect", query);
}

std::string iap_reconnect_url(const IapTarget& target, const std::string& relay, const std::string& session, std::uint64_t received) {
  return url_with(relay, "reconnect",
                  {{"sid", session}, {"ack", std::to_string(received)}, {"newWebsocket", "True"},
                   target.host.empty() ? std::pair<std::string, std::string>{"zone", target.zone}
                                       : std::pair<std::string, std::string>{"region", target.region}});
}

Error iap_close_error(const WebSocket::Close& close, const IapTarget& target) {
  const std::string told = fmt::format(" ({}{}).", close.code, close.reason.empty() ? "" : ": " + close.reason);
  for (const CloseWords& row : kCloseWords) {
    if (row.code != close.code) continue;
    return {row.kind, fmt::format(fmt::runtime(row.words), target.text()) + told, fmt::format(fmt::runtime(row.hint), target.port)};
  }
  return {Kind::failure, "IAP ended the connection to " + target.text() + told};
}

IapTunnel::IapTunnel(IapTarget target, IapOptions options, TokenSource& tokens, Clock& clock)
    : target_(std::move(target)), options_(std::move(options)), tokens_(tokens), clock_(clock) {}

void IapTunnel::open(const std::string& url) {
  for (bool again = false;; again = true) {
    WebSocketTarget target{url, options_.headers, std::string(kSubprotocol)};
    target.headers.emplace_back("Origin", kOrigin);
    if (const Token token = tokens_.token(clock_.now()); !token.value.empty()) {
      target.headers.emplace_back("Authorization", "Bearer " + token.value);
    }
    try {
      socket_.emplace(target, options_.wire);
      break;
    } catch (const Error& error) {
      if (error.http != 401 || again || !tokens_.refresh()) throw;
    }
  }
  const TimePoint end = clock_.now() + kAnswer;
  while (receive(), !stream_.connected()) {
    if (const auto& close = socket_->closed()) {
      if (close->code >= kFirstOfRelay) throw iap_close_error(*close, target_);
      throw Error(Kind::unavailable, "IAP's relay closed the connection: " + close->reason + ".");
    }
    if (clock_.now() > end) throw Error(Kind::unavailable, "IAP's relay does not say that it is connected to " + target_.text() + ".");
    pollfd fds[] = {{socket_->fd(), POLLIN, 0}, {signals::wake_fd(), POLLIN, 0}};
    poll(fds, 2, 1000);
    signals::check();
  }
  for (const std::string& frame : stream_.resend()) socket_->send(frame);
}

void IapTunnel::connect() { open(iap_connect_url(target_, options_.relay)); }

void IapTunnel::receive() {
  // A full buffer must not keep the relay's first word from being heard.
  socket_->pump([this] { return !stream_.connected() || for_local_.size() < kForLocal; },
                [this](std::string_view message) { for_local_ += stream_.take(message); });
}

bool IapTunnel::reconnect(int in) {
  const TimePoint end = clock_.now() + options_.patience;
  Duration pause = options_.first_pause;
  for (;;) {
    stream_.reconnecting();
    try {
      open(iap_reconnect_url(target_, options_.relay, stream_.session(), stream_.received()));
      return true;
    } catch (const Error& error) {
      if (error.kind != Kind::unavailable || clock_.now() + pause > end) throw;
    }
    // Nothing is asked of `in`: that its other end has gone is told nevertheless.
    pollfd fds[] = {{signals::wake_fd(), POLLIN, 0}, {in, 0, 0}};
    poll(fds, 2, static_cast<int>(to_seconds(pause) * 1000 * (0.75 + text::random_unit() / 2)));
    signals::check();
    if (fds[1].revents & (POLLHUP | POLLERR)) return false;
    pause = std::min(options_.longest_pause, pause + pause / 10);
  }
}

bool IapTunnel::mend(int in) {
  const WebSocket::Close close = *socket_->closed();
  if (close.code == WebSocket::Close::kNormal || state_ == State::closing) {
    state_ = State::remote_ended;
    return true;
  }
  if (close.code == kReauthenticate) {
    if (!tokens_.refresh()) throw iap_close_error(close, target_);
  } else if (close.code >= kFirstOfRelay) {
    throw iap_close_error(close, target_);
  }
  return reconnect(in);
}

// Moves on to the next state when it is time; true at the end.
bool IapTunnel::finished() {
  if (reader_gone_) return true;
  if (state_ == State::remote_ended) return for_local_.empty();
  const bool late = deadline_ && clock_.now() > *deadline_;
  if (state_ == State::local_ended && (late || !socket_->wants_write())) {
    if (late) throw Error(Kind::failure, "Not everything could be sent to " + target_.text() + ".");
    socket_->close(WebSocket::Close::kNormal);
    state_ = State::closing;
    deadline_ = clock_.now() + kSayGoodbye;
    return false;
  }
  return state_ == State::closing && late;
}

void IapTunnel::read_local(int in) {
  std::array<char, IapStream::kLargestPiece> buffer;
  const ssize_t n = read(in, buffer.data(), buffer.size());
  if (n > 0) return socket_->send(stream_.data({buffer.data(), static_cast<std::size_t>(n)}));
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  state_ = State::local_ended;
  deadline_ = clock_.now() + kSendRest;
}

void IapTunnel::write_local(int out) {
  const ssize_t n = write(out, for_local_.data(), std::min(kWrite, for_local_.size()));
  if (n > 0) for_local_.erase(0, static_cast<std::size_t>(n));
  if (n < 0 && errno != EAGAIN && errno != EINTR) reader_gone_ = true;
}

bool IapTunnel::move(int in, int out) {
  const bool linked = state_ != State::remote_ended;
  const bool takes = state_ == State::open && socket_->unsent() < kUnsent && stream_.unconfirmed() < kUnconfirmed;
  short wanted = 0;
  if (for_local_.size() < kForLocal) wanted = POLLIN;
  if (socket_->wants_write()) wanted = static_cast<short>(wanted | POLLOUT);
  const short writes = for_local_.empty() ? 0 : POLLOUT;
  pollfd fds[] = {{signals::wake_fd(), POLLIN, 0}, {linked ? socket_->fd() : -1, wanted, 0}, {takes ? in : -1, POLLIN, 0}, {out, writes, 0}};
  const bool something = poll(fds, 4, kIdle) > 0;
  if (fds[2].revents) read_local(in);
  if (fds[3].revents & POLLOUT) {
    write_local(out);
  } else if (fds[3].revents & (POLLERR | POLLHUP | POLLNVAL)) {
    reader_gone_ = true;
  }
  return something;
}

void IapTunnel::run(int in, int out) {
  for (bool idle = false;;) {
    signals::check();
    if (state_ != State::remote_ended) {
      receive();
      if (const std::string ack = stream_.ack(idle); !ack.empty()) socket_->send(ack);
      if (socket_->closed() && !mend(in)) return;
    }
    if (finished()) return;
    idle = !move(in, out);
  }
}

}  // namespace tpuctl::api
