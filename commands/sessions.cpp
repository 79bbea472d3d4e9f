// SPDX-License-Identifier: Apache-2.0
// Running ssh or scp on one worker in the foreground, or on many.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include "base/error.hpp"
#include "base/process.hpp"
#include "base/signal.hpp"
#include "base/text.hpp"
#include "commands/session.hpp"

namespace tpuctl::commands {

namespace {

// Runs ssh with the terminal, its complaints handed through; its exit code. The last complaint is in `complaint`; `connected` says
// that its shared connection was there.
int run_in_foreground(const Session& session, std::string& complaint, bool& connected) {
  process::Spec spec;
  spec.argv = session.tasks[0].argv;
  spec.env = session.environment();
  spec.in = process::Stream::inherit;
  spec.err = session.command ? process::Stream::pipe : process::Stream::inherit;  // with a shell ssh's own talk needs the terminal
  process::Child child(spec);
  std::string text;
  while (child.err() >= 0) {
    pollfd fds[] = {{child.err(), POLLIN, 0}};
    poll(fds, 1, 100);
    connected = connected || launch::has_shared_connection(spec.argv);
    if (signals::pending() != 0) child.kill(SIGTERM);  // from a terminal it has the signal already
    const auto code = child.poll_exit();
    const bool open = process::Child::drain(child.err(), text);
    session.context.frame.io.err(text);
    for (const std::string& line : text::split(text, '\n')) {
      if (!text::trim(line).empty()) complaint = text::printable(text::trim(line));
    }
    text.clear();
    if (!open || code) child.close_err();  // a shared connection may hold the other end
  }
  return child.wait();
}

Error no_connection(const Session& session, const std::string& complaint, int attempts) {
  const launch::Worker& worker = session.workers[0];
  const launch::SshSettings& settings = session.settings;
  if (complaint.find("Host key verification failed") != std::string::npos) {
    return Error(tpuctl::Kind::no_connection, "Worker " + worker.label() + " shows another host key than the known one.",
                 worker.host_keys.empty()
                     ? "If it was changed, forget the old one: ssh-keygen -f " + text::shell_quote(settings.known_hosts_file) + " -R " + worker.alias
                     : "The service tells the known one. If it was changed by hand: --strict-host-key-checking=no");
  }
  if (complaint.find("Permission denied") != std::string::npos && !settings.plain) {
    return Error(tpuctl::Kind::no_connection, "Worker " + worker.label() + " refuses the key [" + settings.key_file + "] for user " + settings.user + ".",
                 "Another user: USER@" + worker.node + ". Another key: --ssh-key-file.");
  }
  return Error(tpuctl::Kind::no_connection,
               "No connection to worker " + worker.label() + (attempts == 1 ? "." : fmt::format(" after {} tries.", attempts)),
               "Is the machine up (tpuctl tpu-vm describe), and port 22 open for you? --internal-ip takes the internal address, "
               "--tunnel-through-iap needs no address.");
}

// One worker in the foreground. Connections that fail are tried again as gcloud does.
int run_one(const Session& session, const std::string& word) {
  Context& context = session.context;
  context.frame.io.flush();
  for (int attempt = 1;; ++attempt) {
    std::string complaint;
    bool connected = false;
    const int code = run_in_foreground(session, complaint, connected);
    if (signals::pending() != 0 && session.command) {
      const int signal = signals::pending();
      signals::clear();
      session.stop_on_workers({0});
      throw Error(signal == SIGINT ? tpuctl::Kind::interrupted : tpuctl::Kind::terminated, signal == SIGINT ? "Interrupted." : "Terminated.");
    }
    signals::check();
    if (code != 255) return code;
    const launch::Contact contact = launch::contact_of(session.tasks[0].argv, complaint, session.settings.fresh_key, connected);
    if (contact == launch::Contact::made) return code;
    if (contact == launch::Contact::lost) {
      throw Error(tpuctl::Kind::no_connection, "The connection to worker " + session.workers[0].label() + " broke.",
                  session.command ? "The command may go on there; it was not started again." : "");
    }
    if (attempt >= launch::FanoutOptions{}.tries || contact == launch::Contact::refused) throw no_connection(session, complaint, attempt);
    const bool young_key = complaint.find("Permission denied") != std::string::npos;
    if (young_key && attempt == 1) context.say("A new key takes a moment to arrive on the worker.");
    context.say("Retrying: " + word + " command error: [" + text::lower(word) + "] exited with return code [255].");
    context.frame.clock.sleep(launch::retry_pause({}, attempt));
  }
}

}  // namespace

int run_sessions(Context& context, const launch::SshSettings& settings, const std::vector<launch::Worker>& workers,
                 std::vector<launch::Task> tasks, const std::string& word) {
  if (context.args.on("dry-run")) {
    for (const auto& task : tasks) context.frame.io.out(text::shell_join(task.argv) + "\n");
    return 0;
  }
  fanout_options(context);  // what is wrong with a flag is said before anybody is connected to
  const bool command = context.args.row("command") && context.args.has("command");
  Session session{context, settings, workers, std::move(tasks), command};
  const bool to_files = context.args.row("output-directory") && context.args.has("output-directory");
  const bool limited = context.args.has("worker-timeout") && command;
  if (workers.size() == 1 && !to_files && !limited) {
    context.say(word + ": Attempting to connect to worker " + std::to_string(workers[0].index) + "...");
    return run_one(session, word);
  }
  context.say(fmt::format("{}: Attempting to connect to {} workers...", word, workers.size()));
  return run_on_many(session);
}

}  // namespace tpuctl::commands
