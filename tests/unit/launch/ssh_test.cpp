// SPDX-License-Identifier: Apache-2.0
#include "launch/ssh.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/process.hpp"
#include "launch/keys.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/fake_clock.hpp"
#include "tests/support/scripted_transport.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// ---- argv: gcloud's, as recorded -----------------------------------------------------------------------------------

class Argv : public ::testing::Test {
 protected:
  Argv() {
    settings.user = "tester";
    settings.key_file = "/h/.ssh/google_compute_engine";
    settings.known_hosts_file = "/h/.ssh/google_compute_known_hosts";
    worker.address = "203.0.1.2";
    worker.alias = "tpu.1000244938205673142-0-124fa4";
  }
  std::string line(const std::string& command = {}, const std::vector<std::string>& rest = {}, bool checked = false) const {
    return text::join(ssh_argv(settings, worker, command, rest, checked), " ");
  }
  std::string options(const std::string& checking) const {
    return " -i /h/.ssh/google_compute_engine -o CheckHostIP=no -o HashKnownHosts=no -o HostKeyAlias=" + worker.alias +
           " -o IdentitiesOnly=yes -o StrictHostKeyChecking=" + checking + " -o UserKnownHostsFile=/h/.ssh/google_compute_known_hosts";
  }
  SshSettings settings;
  Worker worker;
};

TEST_F(Argv, AShell) { EXPECT_EQ(line(), "ssh -t" + options("no") + " tester@203.0.1.2"); }

TEST_F(Argv, AKnownHostIsChecked) { EXPECT_EQ(line("", {}, true), "ssh -t" + options("yes") + " tester@203.0.1.2"); }

TEST_F(Argv, ACommandIsOneWordAtTheEnd) {
  settings.user = "bob";
  EXPECT_EQ(line("hostname"), "ssh -T" + options("no") + " bob@203.0.1.2 -- hostname");
  const auto argv = ssh_argv(settings, worker, "echo 'a  b' | wc", {}, false);
  EXPECT_EQ(argv.back(), "echo 'a  b' | wc") << "quotes intact";
  EXPECT_EQ(argv[argv.size() - 2], "--");
}

TEST_F(Argv, FurtherFlagsAndWhatFollowedTheDashes) {
  settings.extra = {"-L", "80:x:80"};
  EXPECT_EQ(line("", {"-vvv", "-N"}), "ssh -t" + options("no") + " -L 80:x:80 tester@203.0.1.2 -vvv -N");
  EXPECT_EQ(line("true", {"-v"}), "ssh -T" + options("no") + " -L 80:x:80 tester@203.0.1.2 -v -- true");
}

TEST_F(Argv, PlainHasNoOptionsOfOurs) {
  settings.plain = true;
  settings.control_dir = "/run/x";
  EXPECT_EQ(line(), "ssh -t tester@203.0.1.2");
  EXPECT_EQ(line("true", {"-v"}), "ssh -T tester@203.0.1.2 -v -- true");
}

TEST_F(Argv, CheckingCanBeOverridden) {
  for (const char* wish : {"yes", "no", "ask"}) {
    settings.strict = wish;
    EXPECT_EQ(line("", {}, true), "ssh -t" + options(wish) + " tester@203.0.1.2");
  }
}

TEST_F(Argv, AnotherPortIsNamed) {
  settings.port = 2222;
  EXPECT_EQ(line(), "ssh -t" + options("no") + " -p 2222 tester@203.0.1.2");
}

TEST_F(Argv, SharedConnectionsAreOfOneMachineAndUser) {
  settings.control_dir = "/run/tpuctl";
  const auto path = [this](const SshSettings& with, const Worker& to) {
    for (const auto& word : ssh_argv(with, to, "x", {}, true)) {
      if (word.starts_with("ControlPath=")) return word;
    }
    return std::string();
  };
  const std::string first = path(settings, worker);
  EXPECT_THAT(first, StartsWith("ControlPath=/run/tpuctl/"));
  EXPECT_LE(first.size(), std::string("ControlPath=/run/tpuctl/").size() + 24) << "a socket's path is short";
  EXPECT_THAT(ssh_argv(settings, worker, "x", {}, true), AllOf(Contains("ControlMaster=auto"), Contains("ControlPersist=60")));
  EXPECT_EQ(path(settings, worker), first);
  Worker again = worker;
  again.alias = "tpu.2-0-aaaaaa";
  EXPECT_NE(path(settings, again), first) << "a node made again at the same address";
  SshSettings other = settings;
  other.user = "bob";
  EXPECT_NE(path(other, worker), first);
  other = settings;
  other.port = 23;
  EXPECT_NE(path(other, worker), first);
}

TEST_F(Argv, Copies) {
  settings.program = "scp";
  EXPECT_EQ(text::join(scp_argv(settings, worker, {"-r", "-C"}, {"f", ":dir/"}, false), " "),
            "scp -r -C" + options("no") + " f tester@203.0.1.2:dir/");
  settings.port = 2222;
  settings.extra = {"-l", "100"};
  EXPECT_EQ(text::join(scp_argv(settings, worker, {}, {":a", ":b c", "to"}, true), " "),
            "scp" + options("yes") + " -P 2222 -l 100 tester@203.0.1.2:a tester@203.0.1.2:b c to");
  settings.plain = true;
  EXPECT_EQ(text::join(scp_argv(settings, worker, {}, {"f", ":"}, false), " "), "scp f tester@203.0.1.2:");
}

// ---- known hosts -------------------------------------------------------------------------------------------------------

Worker known(const std::string& alias, const std::string& data) {
  Worker out;
  out.alias = alias;
  out.host_keys = {{"ssh-ed25519", data}};
  return out;
}

TEST(KnownHosts, AreFoundByTheirWholeName) {
  const TemporaryFolder folder;
  const std::string path = folder.put("known", "# tpu.9-0\n\ntpu.1-0-abcdef ssh-ed25519 AAAA\nother,tpu.2-0 ssh-rsa BBBB\n  tpu.3-0\tssh-rsa CCCC\n");
  EXPECT_TRUE(is_known_host(path, "tpu.1-0-abcdef"));
  EXPECT_TRUE(is_known_host(path, "tpu.2-0"));
  EXPECT_TRUE(is_known_host(path, "tpu.3-0"));
  for (const char* not_there : {"tpu.1-0", "tpu.1-0-abcde", "1-0-abcdef", "tpu.9-0", "ssh-ed25519", "AAAA", "tpu.2", ""}) {
    EXPECT_FALSE(is_known_host(path, not_there)) << not_there;
  }
  EXPECT_FALSE(is_known_host(folder / "none", "tpu.1-0"));
}

TEST(KnownHosts, PinningReplacesTheSameMachineOnly) {
  const TemporaryFolder folder;
  const std::string path = folder.put("ssh/known",
                                      "github.com ssh-rsa GIT\n"
                                      "tpu.1-0-oldold ssh-ed25519 OLD\n"
                                      "tpu.1-0 ssh-rsa OLDER\n"
                                      "tpu.1-1-keep11 ssh-ed25519 KEEP\n"
                                      "tpu.11-0-keep22 ssh-ed25519 KEEP\n"
                                      "tpu.1-00-keep33 ssh-ed25519 KEEP\n");
  pin_host_keys(path, {known("tpu.1-0-newnew", "NEW"), known("tpu.5-0-fivefi", "FIVE")});
  EXPECT_EQ(file::read(path),
            "github.com ssh-rsa GIT\n"
            "tpu.1-1-keep11 ssh-ed25519 KEEP\n"
            "tpu.11-0-keep22 ssh-ed25519 KEEP\n"
            "tpu.1-00-keep33 ssh-ed25519 KEEP\n"
            "tpu.1-0-newnew ssh-ed25519 NEW\n"
            "tpu.5-0-fivefi ssh-ed25519 FIVE\n");
  EXPECT_TRUE(is_known_host(path, "tpu.1-0-newnew"));
}

TEST(KnownHosts, AMachineMadeAnewIsToldFromAnotherKey) {
  const TemporaryFolder folder;
  const std::string path = folder.put("known", "tpu.1-0-oldold ssh-ed25519 OLD p/z/n\n"
                                               "tpu.1-1-oldold ssh-ed25519 OLD p/z/n\n"
                                               "tpu.3-0-oldold ssh-ed25519 OLD p/z/m\n"
                                               "tpu.4-0-oldold ssh-ed25519 OLD p/z/other\n");
  Worker anew = known("tpu.2-0-newnew", "NEW"), other_key = known("tpu.3-0-newnew", "NEW"), same = known("tpu.4-1-samesa", "SAME");
  anew.owner = "p/z/n", anew.node = "n";
  other_key.owner = "p/z/m", other_key.node = "m";
  same.owner = "p/z/other", same.node = "other";
  const Pinned pinned = pin_host_keys(path, {anew, other_key, same});
  EXPECT_THAT(pinned.remade, ElementsAre("n"));
  EXPECT_THAT(pinned.changed, ElementsAre("m/0"));
  EXPECT_EQ(file::read(path), "tpu.4-0-oldold ssh-ed25519 OLD p/z/other\n"
                              "tpu.2-0-newnew ssh-ed25519 NEW p/z/n\n"
                              "tpu.3-0-newnew ssh-ed25519 NEW p/z/m\n"
                              "tpu.4-1-samesa ssh-ed25519 SAME p/z/other\n");
  EXPECT_THAT(pin_host_keys(path, {anew, other_key, same}).remade, IsEmpty());
}

TEST(KnownHosts, PinningTwiceChangesNothingAndNothingIsWrittenForNoKeys) {
  const TemporaryFolder folder;
  const std::string path = folder / "ssh/known";
  pin_host_keys(path, {Worker{}});
  EXPECT_FALSE(file::exists(path)) << "a worker without host keys";
  pin_host_keys(path, {known("tpu.1-0-aaaaaa", "A")});
  EXPECT_EQ(mode_of(path), 0600u);
  struct stat before = {}, after = {};
  stat(path.c_str(), &before);
  pin_host_keys(path, {known("tpu.1-0-aaaaaa", "A")});
  stat(path.c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino) << "the file was written again";
}

TEST(ControlDirectory, IsPrivateOrNone) {
  const TemporaryFolder folder;
  const std::string base = "/tmp/tpuctl-c" + text::uuid4().substr(0, 6);
  file::make_dirs(base);
  EXPECT_EQ(control_directory(base), base + "/tpuctl");
  EXPECT_EQ(mode_of(base + "/tpuctl"), 0700u);
  EXPECT_EQ(control_directory(base), base + "/tpuctl") << "it may be there";
  chmod((base + "/tpuctl").c_str(), 0755);
  EXPECT_EQ(control_directory(base), "") << "others could come in";
  file::remove_tree(base + "/tpuctl");
  EXPECT_EQ(symlink(folder.path.c_str(), (base + "/tpuctl").c_str()), 0);
  EXPECT_EQ(control_directory(base), "") << "somebody else's choice of place";
  file::remove_tree(base);
  EXPECT_EQ(control_directory("/" + std::string(80, 'x')), "") << "too long for a socket";
}

// ---- keys --------------------------------------------------------------------------------------------------------------

TEST(Keys, AreFoundForTheirUserOnly) {
  const std::string keys = "\nbob:ssh-rsa AAAA bob\nann:ssh-ed25519 BBBB comment with blanks\n  \nbroken\nbob:ssh-rsa CCCC google-ssh {\"userName\":\"x\"}";
  EXPECT_TRUE(has_key(keys, "bob", "ssh-rsa AAAA"));
  EXPECT_TRUE(has_key(keys, "ann", "ssh-ed25519 BBBB"));
  EXPECT_TRUE(has_key(keys, "bob", "ssh-rsa CCCC"));
  for (const auto& [user, key] : std::vector<std::pair<std::string, std::string>>{
           {"ann", "ssh-rsa AAAA"}, {"bob", "ssh-rsa AAA"}, {"bob", "ssh-rsa AAAAA"}, {"bo", "ssh-rsa AAAA"}, {"", "ssh-rsa AAAA"}, {"bob", ""}}) {
    EXPECT_FALSE(has_key(keys, user, key)) << user << " " << key;
  }
  EXPECT_FALSE(has_key("", "bob", "ssh-rsa AAAA"));
}

TEST(Keys, APairIsMadeOnceAndReadAfterwards) {
  const TemporaryFolder folder;
  const std::string path = folder / "ssh/key";
  std::vector<std::string> said;
  const auto say = [&said](const std::string& line) { said.push_back(line); };
  EXPECT_EQ(public_key({path, "/usr/bin:/bin", false}, say), "") << "a dry run makes none";
  EXPECT_FALSE(file::exists(path));
  const std::string made = public_key({path, "/usr/bin:/bin"}, say);
  EXPECT_THAT(made, StartsWith("ssh-rsa AAAA"));
  EXPECT_EQ(text::split(made, ' ').size(), 2u) << "without the comment";
  EXPECT_EQ(mode_of(path), 0600u);
  EXPECT_EQ(public_key({path, ""}, say), made);
  EXPECT_EQ(said.size(), 1u);
}

TEST(Keys, HalfAPairIsNoPair) {
  const TemporaryFolder folder;
  const auto say = [](const std::string&) {};
  folder.put("a", "PRIVATE");
  EXPECT_THAT(error_of([&] { public_key({folder / "a", "/usr/bin"}, say); }).what(), HasSubstr("a.pub] is missing"));
  folder.put("b.pub", "ssh-rsa AAAA c");
  EXPECT_THAT(error_of([&] { public_key({folder / "b", "/usr/bin"}, say); }).what(), HasSubstr("b] is missing"));
  folder.put("c", "PRIVATE");
  folder.put("c.pub", "nonsense");
  EXPECT_THAT(error_of([&] { public_key({folder / "c", "/usr/bin"}, say); }).what(), HasSubstr("not an ssh key"));
  EXPECT_THAT(error_of([&] { public_key({folder / "d", "/nowhere"}, say); }).what(), HasSubstr("no ssh-keygen"));
}

TEST(Keys, HalfAPairIsReplacedOnRequest) {
  const TemporaryFolder folder;
  const auto say = [](const std::string&) {};
  folder.put("a", "PRIVATE");
  folder.put("b.pub", "ssh-rsa AAAA c");
  for (const char* name : {"a", "b"}) {
    const std::string made = public_key({folder / name, "/usr/bin:/bin", true, true}, say);
    EXPECT_THAT(made, StartsWith("ssh-rsa AAAA"));
    EXPECT_GT(made.size(), 100u) << "a new key";
    EXPECT_THAT(file::read(folder / name), HasSubstr("PRIVATE KEY"));
  }
}

class Propagate : public ::testing::Test {
 protected:
  Json node(const std::string& keys) {
    return Json{{"name", name.full()}, {"metadata", Json{{"kept", "value"}, {"ssh-keys", keys}}}};
  }
  Json propagate(const Json& from, const Json& project = Json::object()) {
    return propagate_key(client, name, from, project, "me", "ssh-rsa KEY", [this](const std::string& line) { said.push_back(line); });
  }
  ScriptedTransport::Step& patch() { return wire.expect("PATCH", url + "&updateMask=metadata"); }
  const api::Name name{"p", "z", "nodes", "n"};
  const std::string url = "https://h/v2/projects/p/locations/z/nodes/n?alt=json";
  const Json kFinished{{"name", "op"}, {"done", true}};
  ScriptedTransport wire;
  FakeClock clock;
  api::Client client{wire, clock, "https://h/", "v2"};
  std::vector<std::string> said;
};

TEST_F(Propagate, NothingIsDoneWhenTheKeyIsThere) {
  wire.forbid();
  propagate(node("me:ssh-rsa KEY x"));
  propagate(node(""), Json::parse(R"({"commonInstanceMetadata":{"items":[{"key":"ssh-keys","value":"me:ssh-rsa KEY laptop"}]}})"));
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(Propagate, TheKeyIsAddedToWhatIsThere) {
  patch().with_json(Json{{"metadata", Json{{"kept", "value"}, {"ssh-keys", "bob:ssh-rsa B b\nme:ssh-rsa KEY me"}}}}).reply(200, kFinished);
  wire.expect("GET", url).reply(200, node("bob:ssh-rsa B b\nme:ssh-rsa KEY me"));
  EXPECT_THAT(propagate(node("bob:ssh-rsa B b")).at("/metadata/ssh-keys").text(), HasSubstr("KEY"));
  EXPECT_EQ(said.size(), 1u);
}

TEST_F(Propagate, AConflictReadsAgain) {
  patch().reply_error(409, "ABORTED", "somebody else writes");
  wire.expect("GET", url).reply(200, node("bob:ssh-rsa B b"));
  patch().with_json(Json{{"metadata", Json{{"kept", "value"}, {"ssh-keys", "bob:ssh-rsa B b\nme:ssh-rsa KEY me"}}}}).reply(200, kFinished);
  wire.expect("GET", url).reply(200, node("bob:ssh-rsa B b\nme:ssh-rsa KEY me"));
  propagate(node(""));
}

TEST_F(Propagate, ARefusalIsHandedOn) {
  patch().reply_error(403, "PERMISSION_DENIED", "no");
  EXPECT_EQ(error_of([&] { propagate(node("")); }).kind, Kind::denied);
}

}  // namespace
}  // namespace tpuctl::test
