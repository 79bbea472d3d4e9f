// SPDX-License-Identifier: Apache-2.0
// The worker's half of a transfer, the real script, with this machine as the worker.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/environment.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "launch/archive.hpp"
#include "tests/support/archive.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tpuctl::test {
namespace {

using namespace launch;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string& script() {
  static const std::string text = file::read(std::string(TPUCTL_SOURCE_DIR) + "/launch/carriers.sh") +
                                  file::read(std::string(TPUCTL_SOURCE_DIR) + "/launch/porter.sh");
  return text;
}

class Porter : public ::testing::Test {
 protected:
  Porter() {
    signals::install();
    env.set("PATH", folder / "bin" + ":/usr/local/bin:/usr/bin:/bin");
    env.set("HOME", folder / "home");
    file::make_dirs(folder / "home");
  }
  /// Packs what lies in `in`.
  void pack() { archive = std::make_unique<Archive>(entries_of_workdir(folder / "in", [](const std::string&) {})); }
  void pack_sources(std::vector<std::string> names) {
    for (std::string& name : names) name = folder / ("in/" + name);
    archive = std::make_unique<Archive>(entries_of_sources(names, [](const std::string&) {}));
  }
  static std::string take(const std::string& piece) { return "take " + std::to_string(piece.size()) + "\n" + piece; }
  std::string bytes() const { return bytes_of(*archive); }

  process::Spec spec(const std::string& how, const std::string& place, const std::string& first = {}) const {
    const bool single = how == "into" && archive->tops().size() == 1;
    const bool is_folder = single && archive->tops()[0].type == ArchiveEntry::Type::folder;
    process::Spec out;
    out.argv = {"/bin/sh", "-c", first + "S=$(head -c " + std::to_string(script().size()) + "); eval \"$S\"", "tpuctl", "key", archive->sum(),
                std::to_string(archive->size()), std::to_string(archive->content()), how, place, single ? archive->tops()[0].name : "",
                is_folder ? "folder" : "file"};
    out.env = env.pairs();
    out.directory = folder / "home";
    return out;
  }
  /// What it says to these orders, without the mark.
  std::string talk(const std::string& how, const std::string& place, const std::string& orders, const std::string& first = {}) const {
    const auto result = process::run(spec(how, place, first), script() + orders);
    EXPECT_THAT(result.err, IsEmpty());
    return text::replace_all(result.out, "tpuctl: ", "");
  }
  std::string deliver(const std::string& how, const std::string& place) const {
    return talk(how, place, take(bytes()) + "place\n");
  }
  std::string home(const std::string& name) const { return folder / ("home/" + name); }
  std::string content(const std::string& name) const { return file::read_if_exists(home(name)).value_or("(none)"); }
  std::string part() const { return home(".tpuctl/files/key/" + archive->sum() + ".part"); }
  std::string whole() const { return home(".tpuctl/files/key/" + archive->sum() + ".tgz"); }
  std::vector<std::string> names(const std::string& place) const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(home(place))) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }

  TemporaryFolder folder;
  Environment env;
  std::unique_ptr<Archive> archive;
};

const char* const kAll = "need 0\nmore\ngot\ndone\n";

TEST_F(Porter, AFolderArrivesAsItWas) {
  folder.put("in/a b/\xC3\xA9", "accent");
  folder.put("in/-x", "dash");
  folder.put("in/run", "#!/bin/sh\n", 0755);
  folder.put("in/line\nbreak", "two");
  file::make_dirs(folder / "in/empty", 0755);
  ASSERT_EQ(symlink("run", (folder / "in/link").c_str()), 0);
  pack();
  EXPECT_EQ(deliver("mirror", "jobs/one"), kAll);
  EXPECT_EQ(content("jobs/one/a b/\xC3\xA9"), "accent");
  EXPECT_EQ(content("jobs/one/-x"), "dash");
  EXPECT_EQ(content("jobs/one/line\nbreak"), "two");
  EXPECT_EQ(mode_of(home("jobs/one/run")), 0755u);
  EXPECT_TRUE(file::is_dir(home("jobs/one/empty")));
  EXPECT_EQ(std::filesystem::read_symlink(home("jobs/one/link")), "run");
  EXPECT_FALSE(file::exists(whole())) << "the archive goes when nobody needs it";
  EXPECT_THAT(names("jobs"), ElementsAre("one")) << "nothing is left aside";
  EXPECT_EQ(talk("mirror", "jobs/one", ""), "have\n");
}

TEST_F(Porter, WhatWasChangedOrTakenAwayOnTheWorkerComesAgain) {
  folder.put("in/a", "one");
  pack();
  deliver("mirror", "d");
  folder.put("home/d/a", "two");
  EXPECT_EQ(deliver("mirror", "d"), kAll);
  EXPECT_EQ(content("d/a"), "one");
  file::remove(home("d/a"));
  EXPECT_EQ(deliver("mirror", "d"), kAll);
  EXPECT_EQ(content("d/a"), "one");
  EXPECT_EQ(talk("mirror", "d", ""), "have\n");
  EXPECT_EQ(talk("mirror", "elsewhere", ""), "need 0\n");
}

TEST_F(Porter, AnEmptyFolderIsContentToo) {
  file::make_dirs(folder / "in");
  pack();
  EXPECT_EQ(deliver("mirror", "d"), kAll);
  EXPECT_TRUE(file::is_dir(home("d")));
  EXPECT_EQ(talk("mirror", "d", ""), "have\n");
}

TEST_F(Porter, FilesOfTheLastTimeGoAndThoseOfTheWorkerStay) {
  folder.put("in/kept", "1");
  folder.put("in/dropped", "1");
  folder.put("in/old/deep/file", "1");
  folder.put("in/shared/file", "1");
  folder.put("in/becomes-folder", "1");
  pack();
  deliver("mirror", "d");
  folder.put("home/d/checkpoints/7", "precious");
  folder.put("home/d/shared/log", "precious");

  for (const char* name : {"in/dropped", "in/becomes-folder"}) file::remove(folder / name);
  for (const char* name : {"in/old", "in/shared"}) file::remove_tree(folder / name);
  folder.put("in/kept", "2");
  folder.put("in/becomes-folder/x", "2");
  pack();
  EXPECT_EQ(deliver("mirror", "d"), kAll);
  EXPECT_EQ(content("d/kept"), "2");
  EXPECT_EQ(content("d/becomes-folder/x"), "2");
  EXPECT_EQ(content("d/checkpoints/7"), "precious");
  EXPECT_EQ(content("d/shared/log"), "precious");
  EXPECT_THAT(names("d"), ElementsAre("becomes-folder", "checkpoints", "kept", "shared"));
}

TEST_F(Porter, WhatStandsInTheWayIsNamed) {
  folder.put("in/name", "file");
  folder.put("home/d/name/of/a/folder", "the worker's own");
  pack();
  EXPECT_THAT(deliver("mirror", "d"), AllOf(StartsWith("need 0\nmore\ngot\nfailed "), HasSubstr("name")));
  EXPECT_EQ(content("d/name/of/a/folder"), "the worker's own");
  EXPECT_THAT(names("d"), ElementsAre("name"));
  folder.put("home/file", "");
  EXPECT_EQ(deliver("mirror", "file"), "failed [file] is no folder\n");
}

TEST_F(Porter, PlacesAreThoseOfScp) {
  folder.put("in/code/x", "1");
  folder.put("in/file", "2");
  file::make_dirs(home("here"));

  pack_sources({"code"});
  EXPECT_EQ(deliver("into", ""), kAll);
  EXPECT_EQ(content("code/x"), "1");
  EXPECT_EQ(deliver("into", "here/"), kAll);
  EXPECT_EQ(content("here/code/x"), "1");
  EXPECT_EQ(deliver("into", "renamed"), kAll);
  EXPECT_EQ(content("renamed/x"), "1");
  EXPECT_EQ(deliver("into", "renamed"), kAll) << "it is a folder now";
  EXPECT_EQ(content("renamed/code/x"), "1");

  pack_sources({"file"});
  EXPECT_EQ(deliver("into", "~"), kAll);
  EXPECT_EQ(content("file"), "2");
  EXPECT_EQ(deliver("into", "~/here/other name"), kAll);
  EXPECT_EQ(content("here/other name"), "2");
  EXPECT_EQ(talk("into", "~/here/other name", ""), "have\n");
  EXPECT_EQ(deliver("into", folder / "home/absolute"), kAll);
  EXPECT_EQ(content("absolute"), "2");
  EXPECT_EQ(talk("into", "nowhere/", ""), "failed there is no folder [nowhere/]\n");
  EXPECT_EQ(talk("into", "no/where", ""), "failed there is no folder [" + home("no") + "]\n");
  EXPECT_THAT(talk("into", "~bob/x", ""), StartsWith("failed the path [~bob/x]"));

  pack_sources({"code", "file"});
  EXPECT_EQ(deliver("into", "here"), kAll);
  EXPECT_EQ(content("here/file"), "2");
  EXPECT_EQ(talk("into", "nothing", ""), "failed [nothing] is no folder\n");
}

TEST_F(Porter, ACutTransferGoesOnWhereItStopped) {
  folder.put("in/a", std::string(5000, 'a') + text::uuid4());
  pack();
  const std::string all = bytes();
  talk("mirror", "d", "take 100\n" + all.substr(0, 30));
  EXPECT_FALSE(file::exists(home("d")));
  EXPECT_EQ(talk("mirror", "d", ""), "need 30\n");
  EXPECT_EQ(talk("mirror", "d", take(all.substr(30)) + "place\n"), "need 30\nmore\ngot\ndone\n");
  EXPECT_EQ(content("d/a"), file::read(folder / "in/a"));
}

TEST_F(Porter, SpoiledBytesAreNotUnpacked) {
  folder.put("in/a", "one");
  pack();
  std::string all = bytes();
  all[all.size() / 2] = static_cast<char>(all[all.size() / 2] ^ 1);
  EXPECT_EQ(talk("mirror", "d", take(all) + "place\n"), "need 0\nmore\nfailed what arrived is spoiled\n");
  EXPECT_FALSE(file::exists(part()));
  EXPECT_FALSE(file::exists(home("d")));
  EXPECT_EQ(deliver("mirror", "d"), kAll);
}

TEST_F(Porter, AFullDiskIsToldAndLeavesNothing) {
  std::string noise;
  while (noise.size() < 40'000) noise += text::uuid4();
  folder.put("in/a", noise);
  pack();
  EXPECT_THAT(talk("mirror", "d", take(bytes()) + "place\n", "trap '' XFSZ; ulimit -f 8; "), AllOf(StartsWith("need 0\n"), HasSubstr("failed ")));
  EXPECT_FALSE(file::exists(part()));

  folder.put("in/a", std::string(400'000, 'x'));  // packed it fits
  pack();
  EXPECT_THAT(talk("mirror", "d", take(bytes()) + "place\n", "trap '' XFSZ; ulimit -f 200; "),
              AllOf(StartsWith("need 0\nmore\ngot\n"), HasSubstr("failed unpacking: ")));
  EXPECT_FALSE(file::exists(home("d")));
  EXPECT_THAT(names(""), Not(::testing::Contains(StartsWith(".tpuctl-"))));
}

TEST_F(Porter, TooLittleRoomIsSaidBeforeAnythingIsSent) {
  folder.put("in/a", "one");
  pack();
  folder.put_script("bin/df", "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/x 100 100 0 100% /'");
  EXPECT_EQ(talk("mirror", "d", ""), "failed no room in [" + folder.path + "/home]: 1 MiB needed, 0 MiB free\n");
}

TEST_F(Porter, LeftOversOfOneThatWasKilledGo) {
  folder.put("in/a", "one");
  pack();
  folder.put("home/.tpuctl-key.4711/tree/a", "half");
  EXPECT_EQ(deliver("mirror", "d"), kAll);
  EXPECT_THAT(names(""), ElementsAre(".tpuctl", "d"));
}

TEST_F(Porter, ALaterTransferTakesOver) {
  std::string noise;
  while (noise.size() < 200'000) noise += text::uuid4();
  folder.put("in/a", noise);
  pack();
  process::Spec first = spec("mirror", "d");
  first.in = first.out = process::Stream::pipe;
  first.own_group = true;
  process::Child stuck(first);
  std::string input = script() + "take 1000000\n" + bytes().substr(0, 50'000);
  const auto arrived = [this] { return file::read_if_exists(part()).value_or("").size(); };
  for (int i = 0; i < 3000 && arrived() < 40'000; ++i) {
    input.erase(0, stuck.feed(input));
    usleep(10'000);
  }
  talk("mirror", "d", "");
  EXPECT_NE(stuck.wait(), 0) << "the client of the first one is gone, or this one does its work";
  const std::size_t offset = arrived();
  EXPECT_GE(offset, 40'000u);
  EXPECT_THAT(talk("mirror", "d", take(bytes().substr(offset)) + "place\n"),
              ::testing::EndsWith("\nmore\ngot\ndone\n"));
  EXPECT_EQ(content("d/a"), noise);
}

// ---- letting others have it ----------------------------------------------------------------------------------------------

TEST_F(Porter, AnotherWorkerIsLetInForThisArchiveAloneAndOnlyMeanwhile) {
  folder.put("in/a", "one");
  pack();
  const std::string others = "# mine\nssh-rsa AAAA me@home";
  folder.put("home/.ssh/authorized_keys", others);  // without a line end
  const std::string orders = take(bytes()) + "serve 10.0.0.2 ssh-ed25519 KEY\nserve 10.0.0.3 ssh-ed25519 KEY\n";
  process::Spec open = spec("mirror", "d");
  open.in = open.out = process::Stream::pipe;
  open.own_group = true;
  process::Child child(open);
  std::string input = script() + orders, said;
  for (int i = 0; i < 3000 && said.find("serving 10.0.0.3") == std::string::npos; ++i) {
    input.erase(0, child.feed(input));
    process::Child::drain(child.out(), said);
    usleep(10'000);
  }
  EXPECT_THAT(said, HasSubstr("tpuctl: serving 10.0.0.2\n"));
  const auto lines = text::split(content(".ssh/authorized_keys"), '\n');
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1], "ssh-rsa AAAA me@home");
  EXPECT_THAT(lines[2], AllOf(StartsWith("restrict,expiry-time=\"20"), HasSubstr(",from=\"10.0.0.2,10.0.0.3\",command=\"set -- $SSH_ORIGINAL_COMMAND; "),
                              HasSubstr("\" ssh-ed25519 KEY tpuctl-files")));
  EXPECT_EQ(mode_of(home(".ssh/authorized_keys")), 0600u);

  // The forced command gives the archive from a byte on, whatever was asked for.
  const auto from = lines[2].find("command=\"") + 9;
  const std::string forced = text::replace_all(lines[2].substr(from, lines[2].find("\" ssh-ed25519") - from), "\\\"", "\"");
  const auto asked = [&](const std::string& wish) {
    process::Spec door;
    door.argv = {"/bin/sh", "-c", forced};
    Environment with = env;
    with.set("SSH_ORIGINAL_COMMAND", wish);
    door.env = with.pairs();
    door.directory = folder / "home";
    return process::run(door);
  };
  EXPECT_EQ(asked("tail -c +1 x").out, bytes());
  EXPECT_EQ(asked("tail -c +11 x").out, bytes().substr(10));
  EXPECT_THAT(asked("cat /etc/passwd").out, IsEmpty());
  EXPECT_EQ(asked("tail -c +1;id x").out, "");
  asked("a b $(touch${IFS}" + folder.path + "/harm) ;touch " + folder.path + "/harm");
  EXPECT_FALSE(file::exists(folder / "harm"));

  child.close_in();  // the client has gone
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(content(".ssh/authorized_keys"), others + "\n");
  EXPECT_FALSE(file::exists(whole()));
}

TEST_F(Porter, ALineThatAKilledTransferLeftGoesAtTheNextUseAfterItsTime) {
  folder.put("in/a", "one");
  pack();
  folder.put("home/.ssh/authorized_keys",
             "ssh-rsa AAAA me\n"
             "restrict,expiry-time=\"20200101000000\",from=\"1.2.3.4\",command=\"x\" ssh-ed25519 OLD tpuctl-files\n"
             "restrict,expiry-time=\"29990101000000\",from=\"1.2.3.4\",command=\"x\" ssh-ed25519 RUNNING tpuctl-files\n");
  talk("mirror", "d", "");
  EXPECT_THAT(content(".ssh/authorized_keys"), AllOf(HasSubstr("AAAA me\n"), Not(HasSubstr("OLD")), HasSubstr("RUNNING")));
}

TEST_F(Porter, FetchingHandsTheKeyToItsOwnAgentAndNothingElse) {
  folder.put("in/a", "one");
  pack();
  file::write_atomic(part(), bytes().substr(0, 9));
  const std::string log = folder / "log";
  folder.put_script("bin/ssh-add", "{ echo \"add: $*\"; cat; } >>" + log);
  folder.put_script("bin/ssh", "printf 'ssh: %s\\n' \"$*\" >>" + log + "\nfor last; do :; done\nset -- $last\nexec tail -c \"$3\" " + folder.put("source", bytes()));
  env.set("SSH_AUTH_SOCK", "/agent");
  env.set("SSH_AGENT_PID", "999999999");
  const std::string orders = "fetch 6 8 alias.of.source 2222 bob 10.0.0.9\nSECRETKNOWNKEY";
  EXPECT_EQ(talk("mirror", "d", orders), "need 9\nunfetched 9 there is no ssh-agent\n") << "somebody else's agent must not get it";
  EXPECT_FALSE(file::exists(log));

  env.set("TPUCTL_OWN_AGENT", "1");
  process::Spec open = spec("mirror", "d");
  open.in = open.out = process::Stream::pipe;
  open.own_group = true;
  process::Child child(open);
  std::string input = script() + orders, said;
  for (int i = 0; i < 3000 && said.find("got") == std::string::npos; ++i) {
    input.erase(0, child.feed(input));
    process::Child::drain(child.out(), said);
    usleep(10'000);
  }
  EXPECT_EQ(said, "tpuctl: need 9\ntpuctl: got\n");
  const std::string told = file::read(log);
  EXPECT_THAT(told, AllOf(StartsWith("add: -q -t 7200 -\nSECRETssh: "), HasSubstr(" -p 2222 "), HasSubstr("HostKeyAlias=alias.of.source"),
                          HasSubstr("StrictHostKeyChecking=yes"), HasSubstr("-- bob@10.0.0.9 tail -c +10 .tpuctl/files/key/" + archive->sum() + ".tgz")));
  EXPECT_EQ(content(".tpuctl/files/key/hosts"), "KNOWNKEY");
  child.close_in();
  child.wait();
  process::Spec search;
  search.argv = {"grep", "-rl", "SECRET", folder / "home"};
  EXPECT_THAT(process::run(search).out, IsEmpty());
}

TEST_F(Porter, AFetchThatBreaksIsGoneOnWithByAnotherCarrier) {
  folder.put("in/a", "one");
  pack();
  folder.put_script("bin/ssh-add", "cat >/dev/null");
  folder.put_script("bin/ssh", "head -c 11 " + folder.put("source", bytes()) + "; echo 'Connection reset' >&2; exit 255");
  env.set("SSH_AUTH_SOCK", "/agent");
  env.set("TPUCTL_OWN_AGENT", "1");
  env.set("SSH_AGENT_PID", "999999999");
  process::Spec open = spec("mirror", "d");
  open.in = open.out = process::Stream::pipe;
  open.own_group = true;
  process::Child child(open);
  std::string input = script() + "fetch 6 0 alias 22 bob 10.0.0.9\nSECRET", said;
  bool went_on = false;
  for (int i = 0; i < 3000 && said.find("done") == std::string::npos; ++i) {
    input.erase(0, child.feed(input));
    process::Child::drain(child.out(), said);
    if (!went_on && said.find("unfetched 11 Connection reset\n") != std::string::npos) {
      went_on = true;
      input += take(bytes().substr(11)) + "place\n";
    }
    usleep(10'000);
  }
  EXPECT_EQ(said, "tpuctl: need 0\ntpuctl: unfetched 11 Connection reset\ntpuctl: more\ntpuctl: got\ntpuctl: done\n");
  child.close_in();
  child.wait();
  EXPECT_EQ(content("d/a"), "one");
}

}  // namespace
}  // namespace tpuctl::test
