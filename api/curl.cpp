// SPDX-License-Identifier: Apache-2.0
#include "api/curl.hpp"

#include <curl/curl.h>

#include <exception>
#include <mutex>
#include <optional>

#include "api/tls.hpp"
#include "base/error.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"

namespace tpuctl::api {

namespace {

constexpr long kLargeBuffer = 512L << 10;  // for bodies that are files
constexpr std::size_t kLargeBody = std::size_t{1} << 20;

struct EasyDeleter {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiDeleter {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

struct Sink {
  const Request& request;
  Response* response;
  std::size_t max_body;
  CURL* easy;
  bool too_large = false;
  std::exception_ptr thrown{};  ///< by the request's own sink; must not travel through libcurl
};

// Whether the request's own sink took the piece; nothing when it is not for it.
std::optional<bool> hand_over(Sink& sink, std::string_view piece) {
  if (!sink.request.sink) return {};
  long status = 0;
  curl_easy_getinfo(sink.easy, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200 && status != 206) return {};
  sink.response->status = static_cast<int>(status);
  try {
    sink.request.sink(*sink.response, piece);
  } catch (...) {
    sink.thrown = std::current_exception();
  }
  return !sink.thrown;
}

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto* sink = static_cast<Sink*>(user);
  if (const auto taken = hand_over(*sink, {data, size * count})) return *taken ? size * count : 0;
  if (sink->response->body.size() + size * count > sink->max_body) {
    sink->too_large = true;
    return 0;
  }
  sink->response->body.append(data, size * count);
  return size * count;
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto* sink = static_cast<Sink*>(user);
  const std::string_view line(data, size * count);
  if (line.starts_with("HTTP/")) sink->response->headers.clear();  // of an interim answer
  const auto colon = line.find(':');
  if (colon != std::string_view::npos) {
    sink->response->headers.emplace_back(text::trim(line.substr(0, colon)), text::trim(line.substr(colon + 1)));
  }
  return size * count;
}

CURLcode on_tls(CURL*, void* context, void* verdict) {
  watch_verification(context, *static_cast<Verdict*>(verdict));
  return CURLE_OK;
}

// A proxy that refused, or that was not there: named, for the URL that was asked for is not to blame.
void explain_proxy(Failure& failure, CURLcode code, CURL* easy, const CurlOptions& options) {
  if (options.proxy == "none" || options.proxy_origin.empty()) return;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
  const std::string proxy = "the proxy [" + options.proxy_place + "], named by " + options.proxy_origin + ",";
  if (status >= 400) {
    failure.phase = Failure::Phase::not_sent;
    failure.permanent = status < 500 && status != 408 && status != 429;
    failure.message = status == 407 ? proxy + " wants another user name and password (HTTP 407)"
                                    : proxy + " refused the connection (HTTP " + std::to_string(status) + ")";
    if (status == 407) failure.hint = "Set proxy/username and proxy/password, or put them into the address: http://USER:PASSWORD@HOST:PORT";
  } else if (code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_PROXY ||
             text::replace_all(failure.message, " port ", ":").find(options.proxy_place) != std::string::npos) {
    failure.message = proxy + " did not answer: " + failure.message;
    failure.hint = "Correct the proxy, or name the host in NO_PROXY when it is reached without one.";
  }
}

// A Failure for a libcurl result. The phase decides whether a POST may be sent again, so it errs towards `lost`.
Failure describe(CURLcode code, CURL* easy, const char* detail) {
  Failure failure;
  failure.message = *detail ? detail : curl_easy_strerror(code);
  while (!failure.message.empty() && (failure.message.back() == '\n' || failure.message.back() == '.')) {
    failure.message.pop_back();
  }
  failure.message = text::printable(failure.message);
  curl_off_t connected = 0;
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &connected);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PROXY:
      failure.phase = Failure::Phase::not_sent;
      break;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      failure.phase = Failure::Phase::not_sent;
      failure.permanent = true;
      break;
    default:
      failure.phase = connected == 0 ? Failure::Phase::not_sent : Failure::Phase::lost;
  }
  failure.timed_out = code == CURLE_OPERATION_TIMEDOUT;
  return failure;
}

}  // namespace

struct CurlTransport::Impl {
  CurlOptions options;
  std::unique_ptr<CURL, EasyDeleter> easy;
  std::unique_ptr<CURLM, MultiDeleter> multi;
  char detail[CURL_ERROR_SIZE] = {};
  Verdict verdict;

  void set_security(const Request& request);
  void prepare(const Request& request, curl_slist* headers, Sink& sink);
  CURLcode perform();
};

CurlTransport::CurlTransport(CurlOptions options) : impl_(std::make_unique<Impl>()) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  impl_->options = std::move(options);
  impl_->easy.reset(curl_easy_init());
  impl_->multi.reset(curl_multi_init());
  if (!impl_->easy || !impl_->multi) throw Error(Kind::failure, "libcurl could not be set up (out of memory?).");
}

CurlTransport::~CurlTransport() = default;

// Whom to trust, who we are, and through whom.
void CurlTransport::Impl::set_security(const Request& request) {
  auto set = [this](CURLoption option, auto value) { curl_easy_setopt(easy.get(), option, value); };
  verdict = {};
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(CURLOPT_SSL_CTX_FUNCTION, static_cast<curl_ssl_ctx_callback>(on_tls));
  set(CURLOPT_SSL_CTX_DATA, static_cast<void*>(&verdict));
  if (!options.ca_file.empty()) {
    set(CURLOPT_CAINFO, options.ca_file.c_str());
    set(CURLOPT_CAPATH, nullptr);
    set(CURLOPT_PROXY_CAINFO, options.ca_file.c_str());
  }
  if (!options.certificate.empty()) {
    set(CURLOPT_SSLCERT, options.certificate.c_str());
    set(CURLOPT_SSLKEY, options.key.c_str());
    set(CURLOPT_KEYPASSWD, "");  // a key that is encrypted is refused: nothing asks at the terminal
  }
  if (request.url.starts_with("http://") || options.proxy == "none") {
    set(CURLOPT_PROXY, "");
  } else if (!options.proxy.empty()) {
    set(CURLOPT_PROXY, options.proxy.c_str());
    set(CURLOPT_NOPROXY, "");
  }
}

void CurlTransport::Impl::prepare(const Request& request, curl_slist* headers, Sink& sink) {
  CURL* handle = easy.get();
  curl_easy_reset(handle);  // keeps connections, forgets options
  detail[0] = '\0';
  auto set = [handle](CURLoption option, auto value) { curl_easy_setopt(handle, option, value); };
  set(CURLOPT_ERRORBUFFER, detail);
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_NOSIGNAL, 1L);
  set_security(request);
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(CURLOPT_TCP_NODELAY, 1L);
  if (request.sink) {
    set(CURLOPT_BUFFERSIZE, kLargeBuffer);
  } else {
    set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  }
  if (!options.user_agent.empty()) set(CURLOPT_USERAGENT, options.user_agent.c_str());
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_limit.count() / 1000));
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(to_seconds(options.stall_limit)));
  if (options.total_limit.count() > 0) set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.total_limit.count() / 1000));
  const bool harmless = request.repeat == Repeat::always || request.repeat == Repeat::by_caller;
  if (!harmless) set(CURLOPT_FRESH_CONNECT, 1L);
  set(CURLOPT_HTTPHEADER, headers);
  set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH") {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.data());
    if (request.body.size() > kLargeBody) set(CURLOPT_UPLOAD_BUFFERSIZE, kLargeBuffer);
  }
  set(CURLOPT_WRITEFUNCTION, on_body);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&sink));
  set(CURLOPT_HEADERFUNCTION, on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(&sink));
}

// The multi interface only because it can also watch the descriptor that a signal makes readable.
CURLcode CurlTransport::Impl::perform() {
  curl_multi_add_handle(multi.get(), easy.get());
  struct Removal {
    Impl* impl;
    ~Removal() { curl_multi_remove_handle(impl->multi.get(), impl->easy.get()); }
  } removal{this};
  for (;;) {
    int running = 0;
    curl_multi_perform(multi.get(), &running);
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
      if (message->msg == CURLMSG_DONE) return message->data.result;
    }
    signals::check();
    curl_waitfd extra{signals::wake_fd(), CURL_WAIT_POLLIN, 0};
    curl_multi_poll(multi.get(), &extra, signals::wake_fd() >= 0 ? 1 : 0, 1000, nullptr);
  }
}

Response CurlTransport::send(const Request& request) {
  std::unique_ptr<curl_slist, ListDeleter> headers;
  auto add = [&headers](const std::string& line) {
    headers.reset(curl_slist_append(headers.release(), line.c_str()));
  };
  for (const auto& [name, value] : request.headers) add(name + ": " + value);
  add("Expect:");
  if (request.body.empty()) add("Content-Type:");  // libcurl would name a form

  Response response;
  Sink sink{.request = request, .response = &response, .max_body = impl_->options.max_body, .easy = impl_->easy.get()};
  impl_->prepare(request, headers.get(), sink);
  const CURLcode code = impl_->perform();
  if (sink.thrown) std::rethrow_exception(sink.thrown);
  if (code != CURLE_OK) {
    response = {};
    response.failure = describe(code, impl_->easy.get(), impl_->detail);
    explain_proxy(*response.failure, code, impl_->easy.get(), impl_->options);
    explain_tls(*response.failure, impl_->verdict, impl_->options.ca_file);
    if (sink.too_large) {
      response.failure->permanent = true;
      response.failure->message = "the answer is larger than " + std::to_string(impl_->options.max_body >> 20) + " MiB";
    }
    return response;
  }
  long status = 0;
  curl_easy_getinfo(impl_->easy.get(), CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  return response;
}

}  // namespace tpuctl::api
