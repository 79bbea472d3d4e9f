// SPDX-License-Identifier: Apache-2.0
// The server over real sockets, spoken to with plain sockets: what matters here is bytes and the ends of connections.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "emulator/emulator.hpp"
#include "emulator/server.hpp"

namespace tpuctl::emulator {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Client {
 public:
  Client(const char* address, int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, address, &to.sin_addr);
    connected = connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  ~Client() { close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(const std::string& text) { ASSERT_EQ(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL), ssize_t(text.size())); }
  /// Everything until the connection ends; `reset` tells how it ended.
  std::string read_all() {
    std::string out;
    char buffer[4096];
    for (;;) {
      const ssize_t n = recv(fd_, buffer, sizeof buffer, 0);
      if (n < 0) reset = errno == ECONNRESET;
      if (n <= 0) return out;
      out.append(buffer, static_cast<std::size_t>(n));
    }
  }

  bool connected = false;
  bool reset = false;

 private:
  int fd_;
};

std::string get(int port, const std::string& path, const char* address = "127.0.0.1") {
  Client client(address, port);
  client.send("GET " + path + " HTTP/1.1\r\nHost: h:1\r\nConnection: close\r\n\r\n");
  return client.read_all();
}

api::Response text_answer(std::string body) {
  api::Response out;
  out.status = 200;
  out.headers = {{"Content-Type", "text/plain"}, {"X-One", "1"}};
  out.body = std::move(body);
  return out;
}

TEST(Server, HandsOverTheRequestAsItCame) {
  api::Request seen;
  Server server("127.0.0.1", 0, [&](const api::Request& request, const std::string&) {
    seen = request;
    return text_answer("hello");
  });
  Client client("127.0.0.1", server.port());
  client.send("PATCH /a%2Fb/c?x=%20y HTTP/1.1\r\nHost: h:1\r\nX-Two: 2\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody");
  const std::string answer = client.read_all();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("X-One: 1\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nhello"));
  EXPECT_EQ(seen.method, "PATCH");
  EXPECT_EQ(seen.url, "http://h:1/a%2Fb/c?x=%20y");
  EXPECT_EQ(seen.body, "body");
}

TEST(Server, ARequestWithoutALengthHasNoBody) {
  Server server("127.0.0.1", 0, [](const api::Request& request, const std::string&) {
    return text_answer(request.method + " " + std::to_string(request.body.size()));
  });
  Client client("127.0.0.1", server.port());
  client.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.read_all(), HasSubstr("POST 0")) << "`curl -X POST` must not wait for its own end";
}

TEST(Server, KnowsTheAddressThatWasCalled) {
  Server server("0.0.0.0", 0, [](const api::Request&, const std::string& called) { return text_answer(called); });
  EXPECT_THAT(get(server.port(), "/", "127.9.8.7"), HasSubstr("127.9.8.7"));
  EXPECT_THAT(get(server.port(), "/", "127.0.0.1"), HasSubstr("127.0.0.1"));
}

TEST(Server, APortThatIsTakenIsNamed) {
  auto handler = [](const api::Request&, const std::string&) { return text_answer(""); };
  Server first("127.0.0.1", 0, handler);
  try {
    Server second("127.0.0.1", first.port(), handler);
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(first.port())));
  }
}

TEST(Server, FaultsReachTheSocket) {
  Server server("127.0.0.1", 0, [](const api::Request& request, const std::string&) {
    api::Response out = text_answer("0123456789");
    const std::string what = request.url.substr(request.url.rfind('/') + 1);
    if (!what.empty()) out.headers.emplace_back(kFaultHeader, what);
    return out;
  });
  const std::string half = get(server.port(), "/truncate");
  EXPECT_THAT(half, HasSubstr("Content-Length: 10\r\n"));
  EXPECT_EQ(half.substr(half.size() - 9), "\r\n\r\n01234");
  Client client("127.0.0.1", server.port());
  client.send("GET /reset HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(client.reset);
  EXPECT_THAT(get(server.port(), "/"), HasSubstr("0123456789")) << "and life goes on";
}

TEST(Server, AHandlerThatThrowsIsA500) {
  Server server("127.0.0.1", 0, [](const api::Request&, const std::string&) -> api::Response {
    throw Error(Kind::failure, "secret");
  });
  const std::string answer = get(server.port(), "/");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 500"));
  EXPECT_THAT(answer, ::testing::Not(HasSubstr("secret")));
}

TEST(Server, RequestsThatWaitDoNotBlockOthers) {
  std::mutex mutex;
  std::condition_variable wake;
  bool open = false;
  std::atomic<int> waiting{0};
  Server server("127.0.0.1", 0, [&](const api::Request& request, const std::string&) {
    if (request.url.find("/wait") != std::string::npos) {
      std::unique_lock lock(mutex);
      ++waiting;
      wake.wait(lock, [&] { return open; });
    }
    return text_answer("done");
  });
  std::vector<std::thread> readers;
  for (int i = 0; i < 40; ++i) {
    readers.emplace_back([&] { EXPECT_THAT(get(server.port(), "/wait"), HasSubstr("done")); });
  }
  while (waiting < 40) std::this_thread::yield();
  EXPECT_THAT(get(server.port(), "/"), HasSubstr("done"));
  {
    const std::lock_guard lock(mutex);
    open = true;
  }
  wake.notify_all();
  for (std::thread& reader : readers) reader.join();
  const int port = server.port();
  server.stop();
  EXPECT_FALSE(Client("127.0.0.1", port).connected);
}

}  // namespace
}  // namespace tpuctl::emulator
