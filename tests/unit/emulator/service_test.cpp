// SPDX-License-Identifier: Apache-2.0
// The emulator as a process, here in a thread: what it writes down, how it is found, how it ends.
#include "emulator/service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "tests/unit/emulator/world.hpp"

namespace tpuctl::emulator::testing {
namespace {

using ::testing::HasSubstr;

std::string curl(const std::vector<std::string>& arguments) {
  process::Spec spec;
  spec.argv = {"curl", "-sS"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.out = process::Stream::pipe;
  return process::run(spec).out;
}

/// serve() in a thread of its own, ready when the constructor returns.
class Running {
 public:
  explicit Running(const std::string& dir) {
    ServeOptions options;
    options.dir = dir;
    options.buckets = {"demo"};
    options.program = "/bin/false";  // no worker is made here
    options.ready = [this](const Json& said) { ready_.set_value(said); };
    result_ = std::async(std::launch::async, [options] { return serve(options); });
    info = ready_.get_future().get();
  }
  /// Asks it to end over the wire; a test that fails half way must not hang.
  ~Running() {
    if (result_.valid()) end();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  int end() {
    curl({"-XPOST", info["url"].text() + "emulator/v1/shutdown"});
    return result_.get();
  }

  Json info;

 private:
  std::promise<Json> ready_;
  std::future<int> result_;
};

TEST(Serve, IsFoundAnswersAndEndsOnRequest) {
  const TemporaryFolder folder;
  EXPECT_FALSE(find_running(folder.path).has_value());
  Running running(folder.path);
  const auto found = find_running(folder.path);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ((*found)["pid"].integer(), getpid());
  EXPECT_GT((*found)["ssh_port"].integer(), 0);
  const std::string url = (*found)["url"].text();
  EXPECT_THAT(url, HasSubstr(std::to_string((*found)["port"].integer())));
  EXPECT_THAT(curl({url + "emulator/v1/health"}), HasSubstr("ok"));
  EXPECT_THAT(curl({"-HAuthorization: Bearer t", url + "storage/v1/b/demo"}), HasSubstr("storage#bucket"));
  EXPECT_THAT(curl({"-HAuthorization: Bearer t", url + "v2/projects/p/locations/us-east1-d/nodes"}), HasSubstr("{}"));
  try {
    ServeOptions second;
    second.dir = folder.path;
    serve(second);
    FAIL() << "two emulators in one folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, Kind::conflict);
  }
  EXPECT_EQ(running.end(), 0);
  EXPECT_FALSE(find_running(folder.path).has_value());
  EXPECT_FALSE(file::exists(folder.path + "/emulator.json"));
  EXPECT_THAT(file::read(folder.path + "/emulator.log"), HasSubstr("GET /storage/v1/b/demo 200"));
  EXPECT_TRUE(file::exists(folder.path + "/state.json"));
}

TEST(Serve, AFileThatAKilledEmulatorLeftIsNotBelieved) {
  const TemporaryFolder folder;
  file::write_atomic(folder.path + "/emulator.json", "{\"pid\":1,\"url\":\"http://127.0.0.1:1/\"}");
  file::write_atomic(folder.path + "/lock", "");
  EXPECT_FALSE(find_running(folder.path).has_value());
}

TEST(Serve, TheSshPortStaysOverRestarts) {
  const TemporaryFolder folder;
  std::int64_t ports[2];
  for (std::int64_t& port : ports) {
    Running running(folder.path);
    port = running.info["ssh_port"].integer();
    EXPECT_EQ(running.end(), 0);
  }
  EXPECT_EQ(ports[0], ports[1]);
}

}  // namespace
}  // namespace tpuctl::emulator::testing
