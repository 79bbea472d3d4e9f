// SPDX-License-Identifier: Apache-2.0
#include "api/websocket.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <poll.h>
#include <wslay/wslay.h>

#include <array>
#include <chrono>
#include <exception>

#include "api/errors.hpp"
#include "base/error.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {

constexpr std::size_t kLongestHead = 64 << 10;      // of the answer to the upgrade
constexpr std::uint64_t kLongestMessage = 1 << 20;  // the relay's have 16 KiB

using Steady = std::chrono::steady_clock;

std::string base64(const unsigned char* bytes, std::size_t size) {
  std::string out((size + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), bytes, static_cast<int>(size));
  return out;
}

std::string new_key() {
  std::array<unsigned char, 16> bytes{};
  RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
  return base64(bytes.data(), bytes.size());
}

// RFC 6455 1.3: what a server that understood the upgrade answers to the key.
std::string accept_for(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  return base64(digest.data(), size);
}

// libcurl knows the connection as https, whatever the scheme says about what is spoken over it.
std::string curl_url(const std::string& url) {
  if (url.starts_with("wss://")) return "https://" + url.substr(6);
  if (url.starts_with("ws://")) return "http://" + url.substr(5);
  return url;
}

int stop_on_signal(void*, curl_off_t, curl_off_t, curl_off_t, curl_off_t) { return signals::pending() != 0 ? 1 : 0; }

Response parse_head(std::string_view head) {
  Response response;
  bool first = true;
  for (const std::string& line : text::split(head, '\n')) {
    if (std::exchange(first, false)) {
      const auto words = text::split(text::trim(line), ' ');
      if (words.size() >= 2 && words[0].starts_with("HTTP/1.")) response.status = static_cast<int>(text::parse_int(words[1]).value_or(0));
      continue;
    }
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    response.headers.emplace_back(text::trim(std::string_view(line).substr(0, colon)), text::trim(std::string_view(line).substr(colon + 1)));
  }
  return response;
}

}  // namespace

struct WebSocket::Impl {
  CURL* easy = nullptr;
  wslay_event_context_ptr frames = nullptr;
  curl_socket_t socket = CURL_SOCKET_BAD;
  std::string url;
  std::string early;  ///< frames that came with the answer to the upgrade
  std::optional<Close> closed;
  const std::function<bool()>* room = nullptr;
  const std::function<void(std::string_view)>* on_message = nullptr;
  std::exception_ptr thrown;  ///< by on_message; must not travel through wslay
  bool broken = false;
  std::string why;

  ~Impl() {
    if (frames) wslay_event_context_free(frames);
    if (easy) curl_easy_cleanup(easy);
  }
  void connect(const CurlOptions& wire);
  void upgrade(const WebSocketTarget& target, Duration limit);
  void make_frames();
  // What wslay calls; `outcome` is what it wants to hear.
  ssize_t read(wslay_event_context_ptr context, std::uint8_t* into, std::size_t size);
  ssize_t write(wslay_event_context_ptr context, const std::uint8_t* data, std::size_t size);
  void message(wslay_event_context_ptr context, const wslay_event_on_msg_recv_arg& got);
  ssize_t outcome(wslay_event_context_ptr context, CURLcode code, std::size_t n, bool ended);
  void write_all(std::string_view bytes, Steady::time_point end);
  std::string read_head(Steady::time_point end);
  void wait(short events, Steady::time_point end) const;
  [[noreturn]] void fail(const std::string& message, bool permanent = false) const;
  void note_close();
};

void WebSocket::Impl::fail(const std::string& message, bool permanent) const {
  Response response;
  response.failure = Failure{.permanent = permanent, .message = text::printable(message)};
  throw to_error(response, url);
}

void WebSocket::Impl::connect(const CurlOptions& wire) {
  easy = curl_easy_init();
  if (!easy) throw Error(Kind::failure, "libcurl could not be set up (out of memory?).");
  auto set = [this](CURLoption option, auto value) { curl_easy_setopt(easy, option, value); };
  char detail[CURL_ERROR_SIZE] = {};
  set(CURLOPT_ERRORBUFFER, detail);
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_CONNECT_ONLY, 1L);
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));  // HTTP/2 has no such upgrade
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_HTTPPROXYTUNNEL, 1L);
  if (!wire.ca_file.empty()) set(CURLOPT_CAINFO, wire.ca_file.c_str());
  if (!wire.proxy.empty()) set(CURLOPT_PROXY, wire.proxy == "none" ? "" : wire.proxy.c_str());
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(wire.connect_limit.count() / 1000));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, stop_on_signal);
  const CURLcode code = curl_easy_perform(easy);
  set(CURLOPT_ERRORBUFFER, nullptr);
  signals::check();
  if (code != CURLE_OK) {
    const bool hopeless = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE || code == CURLE_URL_MALFORMAT ||
                          code == CURLE_UNSUPPORTED_PROTOCOL;
    std::string words = *detail ? detail : curl_easy_strerror(code);
    while (words.ends_with('.') || words.ends_with('\n')) words.pop_back();
    fail(words, hopeless);
  }
  curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
}

void WebSocket::Impl::wait(short events, Steady::time_point end) const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Steady::now()).count();
  if (left <= 0) fail("no answer to the upgrade in time");
  pollfd fds[] = {{socket, events, 0}, {signals::wake_fd(), POLLIN, 0}};
  poll(fds, 2, static_cast<int>(left));
  signals::check();
}

void WebSocket::Impl::write_all(std::string_view bytes, Steady::time_point end) {
  while (!bytes.empty()) {
    std::size_t sent = 0;
    const CURLcode code = curl_easy_send(easy, bytes.data(), bytes.size(), &sent);
    if (code == CURLE_AGAIN) {
      wait(POLLOUT, end);
    } else if (code != CURLE_OK) {
      fail(curl_easy_strerror(code));
    }
    bytes.remove_prefix(sent);
  }
}

std::string WebSocket::Impl::read_head(Steady::time_point end) {
  std::string got;
  for (;;) {
    char buffer[4096];
    std::size_t n = 0;
    const CURLcode code = curl_easy_recv(easy, buffer, sizeof buffer, &n);
    if (code == CURLE_AGAIN) {
      wait(POLLIN, end);
      continue;
    }
    if (code != CURLE_OK || n == 0) fail("the connection was closed before the upgrade was answered");
    got.append(buffer, n);
    if (const auto gap = got.find("\r\n\r\n"); gap != std::string::npos) {
      early = got.substr(gap + 4);
      return got.substr(0, gap);
    }
    if (got.size() > kLongestHead) fail("the answer to the upgrade is no HTTP", true);
  }
}

void WebSocket::Impl::upgrade(const WebSocketTarget& target, Duration limit) {
  const auto end = Steady::now() + limit;
  const auto host = url.find("://") + 3;
  const auto path = url.find_first_of("/?", host);
  const std::string key = new_key();
  std::string request = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Protocol: {}\r\n",
      path == std::string::npos ? "/" : url.substr(path), url.substr(host, path == std::string::npos ? path : path - host), key,
      target.subprotocol);
  for (const auto& [name, value] : target.headers) request += fmt::format("{}: {}\r\n", name, value);
  write_all(request + "\r\n", end);
  Response answer = parse_head(read_head(end));
  if (answer.status != 101) {
    answer.body = early;  // as much as came along; enough for a message
    throw to_error(answer, url);
  }
  if (answer.header("Sec-WebSocket-Accept") != accept_for(key) || text::lower(answer.header("Upgrade")) != "websocket" ||
      answer.header("Sec-WebSocket-Protocol") != target.subprotocol) {
    throw Error(Kind::failure, "What answers at " + origin(url) + " is no relay: it does not speak [" + target.subprotocol + "].");
  }
}

ssize_t WebSocket::Impl::outcome(wslay_event_context_ptr context, CURLcode code, std::size_t n, bool ended) {
  if (code == CURLE_OK && !ended) return static_cast<ssize_t>(n);
  if (code != CURLE_AGAIN) {
    broken = true;
    why = ended ? "the connection ended" : curl_easy_strerror(code);
  }
  wslay_event_set_error(context, code == CURLE_AGAIN ? WSLAY_ERR_WOULDBLOCK : WSLAY_ERR_CALLBACK_FAILURE);
  return -1;
}

ssize_t WebSocket::Impl::read(wslay_event_context_ptr context, std::uint8_t* into, std::size_t size) {
  std::size_t n = 0;
  if (!(*room)()) return outcome(context, CURLE_AGAIN, 0, false);
  if (!early.empty()) {
    n = early.copy(reinterpret_cast<char*>(into), size);
    early.erase(0, n);
    return static_cast<ssize_t>(n);
  }
  const CURLcode code = curl_easy_recv(easy, into, size, &n);
  return outcome(context, code, n, code == CURLE_OK && n == 0);
}

ssize_t WebSocket::Impl::write(wslay_event_context_ptr context, const std::uint8_t* data, std::size_t size) {
  std::size_t n = 0;
  const CURLcode code = curl_easy_send(easy, data, size, &n);
  return outcome(context, code, n, false);
}

void WebSocket::Impl::message(wslay_event_context_ptr context, const wslay_event_on_msg_recv_arg& got) {
  const std::string_view bytes(reinterpret_cast<const char*>(got.msg), got.msg_length);
  if (got.opcode == WSLAY_CONNECTION_CLOSE) {
    closed = Close{got.status_code == 0 ? Close::kNormal : got.status_code,
                   text::printable(bytes.size() > 2 ? bytes.substr(2) : std::string_view())};
  } else if (got.opcode == WSLAY_BINARY_FRAME && !thrown) {
    try {
      (*on_message)(bytes);
    } catch (...) {
      thrown = std::current_exception();
      wslay_event_set_error(context, WSLAY_ERR_CALLBACK_FAILURE);
    }
  }
}

void WebSocket::Impl::make_frames() {
  wslay_event_callbacks callbacks = {};
  callbacks.recv_callback = [](wslay_event_context_ptr context, std::uint8_t* into, std::size_t size, int, void* self) {
    return static_cast<Impl*>(self)->read(context, into, size);
  };
  callbacks.send_callback = [](wslay_event_context_ptr context, const std::uint8_t* data, std::size_t size, int, void* self) {
    return static_cast<Impl*>(self)->write(context, data, size);
  };
  callbacks.genmask_callback = [](wslay_event_context_ptr, std::uint8_t* into, std::size_t size, void*) {
    return RAND_bytes(into, static_cast<int>(size)) == 1 ? 0 : -1;
  };
  callbacks.on_msg_recv_callback = [](wslay_event_context_ptr context, const wslay_event_on_msg_recv_arg* got, void* self) {
    static_cast<Impl*>(self)->message(context, *got);
  };
  if (wslay_event_context_client_init(&frames, &callbacks, this) != 0) throw Error(Kind::failure, "Out of memory.");
  wslay_event_config_set_max_recv_msg_length(frames, kLongestMessage);
}

void WebSocket::Impl::note_close() {
  if (!closed && (broken || !wslay_event_get_read_enabled(frames))) {
    closed = Close{Close::kBroken, broken ? why : "the peer broke the websocket protocol"};
  }
}

WebSocket::WebSocket(const WebSocketTarget& target, const CurlOptions& wire) : impl_(std::make_unique<Impl>()) {
  impl_->url = curl_url(target.url);
  impl_->connect(wire);
  impl_->upgrade(target, wire.connect_limit);
  impl_->make_frames();
}

WebSocket::~WebSocket() = default;

int WebSocket::fd() const { return static_cast<int>(impl_->socket); }
bool WebSocket::wants_write() const { return !impl_->closed && wslay_event_want_write(impl_->frames); }
std::size_t WebSocket::unsent() const { return wslay_event_get_queued_msg_length(impl_->frames); }

void WebSocket::send(std::string_view message) {
  const wslay_event_msg out = {WSLAY_BINARY_FRAME, reinterpret_cast<const std::uint8_t*>(message.data()), message.size()};
  wslay_event_queue_msg(impl_->frames, &out);
}

void WebSocket::close(int code) { wslay_event_queue_close(impl_->frames, static_cast<std::uint16_t>(code), nullptr, 0); }

void WebSocket::pump(const std::function<bool()>& room, const std::function<void(std::string_view)>& on_message) {
  impl_->room = &room;
  impl_->on_message = &on_message;
  if (!impl_->closed && wslay_event_want_read(impl_->frames)) wslay_event_recv(impl_->frames);
  if (impl_->thrown) std::rethrow_exception(impl_->thrown);
  if (!impl_->broken && wslay_event_want_write(impl_->frames)) wslay_event_send(impl_->frames);
  impl_->note_close();
}

const std::optional<WebSocket::Close>& WebSocket::closed() const { return impl_->closed; }

}  // namespace tpuctl::api
