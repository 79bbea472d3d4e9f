// SPDX-License-Identifier: Apache-2.0
#include "launch/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "embedded/kCarriers.hpp"
#include "embedded/kPorter.hpp"
#include "launch/relay_key.hpp"
#include "launch/spread.hpp"

namespace tpuctl::launch {

namespace {

// A copy goes in pieces that the worker acknowledges, so that a large archive is never in memory. As many are on the way as
// ssh itself lets be on the way.
constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr int kOnTheWay = 8;

class Transfer {
 public:
  Transfer(const Crew& crew, const Archive& archive, const Delivery& delivery, const Carriers& carriers, const TransferReport& report);
  TransferResult run();

 private:
  enum class End { none, kept, placed, failed };
  struct Stop {
    std::int64_t offset = 0;  ///< bytes of the archive that are there, or were sent
    bool spoke = false;
    bool placing = false;
    Spread::Carrier carrier = Spread::Carrier::copy;
    End end = End::none;
    std::string why;
  };

  Task task_for(const Worker& worker) const;
  Spread make_spread() const;
  void hear(std::size_t i, std::string_view line);
  void end(std::size_t i, const Ending& ending);
  void advance();
  void carry_out(const Spread::Order& order);
  void fetch(std::size_t from, const std::string& address, bool let_in);
  void miss(std::size_t i, const std::string& why);
  void send_piece(std::size_t i);
  bool put_into_bucket();
  std::string object_name() const { return carriers_.prefix + archive_.sum() + ".tar.gz"; }
  bool worth_sharing() const { return archive_.size() > kWorthSharing; }
  void tell(std::size_t i, const std::string& text);
  void show();

  const Crew& crew_;
  const Archive& archive_;
  const Delivery& delivery_;
  const Carriers& carriers_;
  const TransferReport& report_;
  RelayKey key_;
  Spread spread_;
  std::vector<Stop> stops_;
  std::vector<Spread::Order> waiting_;  ///< fetches whose source has yet to let the target in
  TransferResult result_;
  Fanout* fanout_ = nullptr;
  bool uploaded_ = false, bucket_fails_ = false, told_bucket_ = false, told_copies_ = false;
  std::string last_miss_;  ///< why the last fetch came to nothing
};

Transfer::Transfer(const Crew& crew, const Archive& archive, const Delivery& delivery, const Carriers& carriers, const TransferReport& report)
    : crew_(crew), archive_(archive), delivery_(delivery), carriers_(carriers), report_(report), key_(make_relay_key()),
      spread_(make_spread()), stops_(crew.workers.size()) {}

Spread Transfer::make_spread() const {
  std::vector<Spread::Stop> stops;
  for (const Worker& worker : crew_.workers) stops.push_back({worker.node, !worker.internal_address.empty()});
  Spread::Options options;
  options.bucket = !carriers_.bucket.empty() && worth_sharing();
  options.relay = carriers_.relay && worth_sharing();
  options.slots = parallel_limit(crew_.fanout.parallel);
  return {std::move(stops), options};
}

Task Transfer::task_for(const Worker& worker) const {
  std::string identity = delivery_.place;
  const auto& tops = archive_.tops();
  if (!delivery_.mirror) {
    for (const ArchiveEntry& top : tops) identity += '\n' + top.name;
  }
  const bool single = !delivery_.mirror && tops.size() == 1;
  const bool folder = single && tops[0].type == ArchiveEntry::Type::folder;
  const std::vector<std::string> words = {text::sha256_hex(identity).substr(0, 16), archive_.sum(), std::to_string(archive_.size()),
                                          std::to_string(archive_.content()), delivery_.mirror ? "mirror" : "into", delivery_.place,
                                          single ? tops[0].name : "", folder ? "folder" : "file"};
  // An agent of its own, which ends with it, holds the key that other workers know.
  const std::string script = fmt::format("sh -c 'S=$(head -c {}); eval \"$S\"' tpuctl {}", kCarriers.size() + kPorter.size(), text::shell_join(words));
  Task task;
  task.argv = ssh_argv(crew_.ssh, worker,
                       "if command -v ssh-agent >/dev/null; then exec env TPUCTL_OWN_AGENT=1 ssh-agent " + script + "; else exec " + script + "; fi",
                       {}, !worker.host_keys.empty());
  task.input = std::string(kCarriers) + std::string(kPorter);
  task.keep_open = true;
  return task;
}

void Transfer::tell(std::size_t i, const std::string& text) {
  result_.sent += static_cast<std::int64_t>(text.size());
  fanout_->say(i, text);
}

void Transfer::show() {
  TransferState state;
  state.sent = result_.sent;
  state.workers = stops_.size();
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    state.settled += stops_[i].end != End::none ? 1 : 0;
    state.to_send = spread_.copying(i) ? archive_.size() : state.to_send;
  }
  report_.progress(state);
}

void Transfer::send_piece(std::size_t i) {
  Stop& stop = stops_[i];
  if (!spread_.copying(i)) return;
  std::string piece(kPiece, '\0');
  piece.resize(archive_.read(stop.offset, piece.data(), piece.size()));
  stop.offset += static_cast<std::int64_t>(piece.size());
  spread_.advanced(i, stop.offset);
  if (!piece.empty()) tell(i, fmt::format("take {}\n", piece.size()) + piece);
}

// True when the object is there, from now or from before.
bool Transfer::put_into_bucket() {
  if (uploaded_ || bucket_fails_) return uploaded_;
  const std::int64_t before = result_.sent;
  try {
    put_object(*carriers_.storage, carriers_.bucket, object_name(), archive_, [&](std::int64_t arrived) {
      result_.sent = before + arrived;
      report_.progress({result_.sent, archive_.size(), 0, stops_.size()});
    });
    uploaded_ = true;
  } catch (const Error& error) {
    if (error.kind == Kind::interrupted || error.kind == Kind::terminated) throw;
    bucket_fails_ = true;
    report_.warn("The files cannot go through the bucket [" + carriers_.bucket + "]: " + error.what());
  }
  return uploaded_;
}

void Transfer::carry_out(const Spread::Order& order) {
  Stop& stop = stops_[order.target];
  stop.carrier = order.carrier;
  switch (order.carrier) {
    case Spread::Carrier::bucket:
      if (put_into_bucket()) {
        tell(order.target, fmt::format("object {}?alt=media gs://{}/{}\n", carriers_.storage->object_url(carriers_.bucket, object_name()),
                                       carriers_.bucket, object_name()));
      } else {
        spread_.missed(order.target);
      }
      break;
    case Spread::Carrier::relay:
      waiting_.push_back(order);
      tell(order.source, "serve " + crew_.workers[order.target].internal_address + " " + key_.public_line + "\n");
      break;
    case Spread::Carrier::copy:
      if (!told_copies_ && stops_.size() > 1 && worth_sharing() && (spread_.relay_broken() || !carriers_.relay)) {
        told_copies_ = true;
        const auto open = std::count_if(stops_.begin(), stops_.end(), [](const Stop& other) { return other.end == End::none && !other.placing; });
        report_.warn(fmt::format("The workers cannot fetch the files from each other{}: a copy goes to each of {}, {} bytes in all.",
                                 last_miss_.empty() ? "" : " (" + last_miss_ + ")", open, open * archive_.size()));
      }
      for (int i = 0; i < kOnTheWay; ++i) send_piece(order.target);
      break;
  }
}

// Gives all orders that there are now, and lets those go whom nobody needs.
void Transfer::advance() {
  for (auto orders = spread_.next(); !orders.empty(); orders = spread_.next()) {
    for (const auto& order : orders) carry_out(order);
  }
  for (const std::size_t i : spread_.released()) fanout_->close_input(i);
  show();
}

// The source has let in the one at that address, or cannot.
void Transfer::fetch(std::size_t from, const std::string& address, bool let_in) {
  const auto wanted = [&](const Spread::Order& order) { return order.source == from && crew_.workers[order.target].internal_address == address; };
  const auto order = std::find_if(waiting_.begin(), waiting_.end(), wanted);
  if (order == waiting_.end()) return;
  const std::size_t target = order->target;
  waiting_.erase(order);
  const Worker& source = crew_.workers[from];
  if (!let_in) return miss(target, "the authorized_keys of " + source.label() + " cannot be written");
  std::string known;
  for (const HostKey& key : source.host_keys) known += fmt::format("{} {} {}\n", source.alias, key.type, key.data);
  tell(target, fmt::format("fetch {} {} {} {} {} {}\n", key_.private_text.size(), known.size(), source.alias, crew_.ssh.port, crew_.ssh.user,
                           source.internal_address) +
                   key_.private_text + known);
}

void Transfer::miss(std::size_t i, const std::string& why) {
  const std::string whole = crew_.workers[i].label() + ": " + why;
  if (stops_[i].carrier == Spread::Carrier::relay) last_miss_ = whole;
  if (stops_[i].carrier == Spread::Carrier::bucket && !told_bucket_) {
    told_bucket_ = true;
    report_.warn("Not every worker can read the bucket [" + carriers_.bucket + "] (" + whole + ").");
  }
  spread_.missed(i);
}

void Transfer::hear(std::size_t i, std::string_view line) {
  constexpr std::string_view kMark = "tpuctl: ";
  if (!line.starts_with(kMark)) return;
  line.remove_prefix(kMark.size());
  stops_[i].spoke = true;
  const auto blank = line.find(' ');
  const std::string_view word = line.substr(0, blank);
  const std::string rest = blank == std::string_view::npos ? "" : text::printable(line.substr(blank + 1));
  Stop& stop = stops_[i];
  if (word == "have") {
    stop.end = End::kept;
    spread_.gone(i);
    fanout_->close_input(i);
  } else if (word == "need") {
    stop.offset = std::clamp<std::int64_t>(text::parse_int(rest).value_or(0), 0, archive_.size());
    spread_.lacks(i, stop.offset);
  } else if (word == "more") {
    send_piece(i);
    return show();
  } else if (word == "got") {
    stop.placing = true;
    spread_.arrived(i);
    advance();  // who waits for it is let in before it is busy with unpacking; its input is closed behind what is told now
    tell(i, "place\n");
    return;
  } else if (word == "serving" || word == "unserving") {
    fetch(i, rest, word == "serving");
  } else if (word == "unfetched") {
    const auto after = rest.find(' ');
    stop.offset = std::clamp<std::int64_t>(text::parse_int(rest.substr(0, after)).value_or(0), 0, archive_.size());
    miss(i, after == std::string::npos ? "" : rest.substr(after + 1));
  } else if (word == "done") {
    stop.end = End::placed;
  } else if (word == "failed") {
    stop.end = End::failed;
    stop.why = rest;
    spread_.gone(i);
  }
  advance();
}

void Transfer::end(std::size_t i, const Ending& ending) {
  Stop& stop = stops_[i];
  if (stop.end == End::none || stop.end == End::failed) {
    std::string why = stop.why;
    const bool connected = stop.spoke || ending.given_up || (ending.connected && !ending.timed_out);
    if (why.empty() && ending.given_up) why = "was ended, for another failed";
    if (why.empty() && ending.timed_out && connected) why = "not done within its time limit";
    if (why.empty()) why = ending.complaint;
    if (why.empty()) why = ending.timed_out ? "no answer within its time limit" : fmt::format("ended with {}", ending.code);
    stop.end = End::failed;
    result_.troubles.push_back({i, (connected ? "" : "could not be reached: ") + why, connected});
  }
  spread_.gone(i);
  // Those it was to let in try elsewhere.
  for (std::size_t at = waiting_.size(); at-- > 0;) {
    if (waiting_[at].source != i) continue;
    spread_.missed(waiting_[at].target);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  advance();
}

TransferResult Transfer::run() {
  std::vector<Task> tasks;
  for (const Worker& worker : crew_.workers) {
    tasks.push_back(task_for(worker));
    result_.sent += static_cast<std::int64_t>(tasks.back().input.size());
  }
  FanoutOptions options = crew_.fanout;
  options.parallel = parallel_limit(options.parallel);
  options.hopeless = [this](std::size_t, const Ending& so_far) {
    return contact_of({}, so_far.complaint, crew_.ssh.fresh_key, false) == Contact::refused;
  };
  options.on_end = [this](std::size_t i, const Ending& ending) { end(i, ending); };
  Fanout fanout(std::move(tasks), options, [this](std::size_t i, Channel channel, std::string_view line) {
    if (channel == Channel::out) hear(i, line);
  });
  fanout_ = &fanout;
  show();
  fanout.run();
  for (const Stop& stop : stops_) {
    result_.kept += stop.end == End::kept ? 1 : 0;
    if (stop.end != End::placed) continue;
    result_.from_bucket += stop.carrier == Spread::Carrier::bucket ? 1 : 0;
    result_.relayed += stop.carrier == Spread::Carrier::relay ? 1 : 0;
    result_.copied += stop.carrier == Spread::Carrier::copy ? 1 : 0;
  }
  std::sort(result_.troubles.begin(), result_.troubles.end(), [](const auto& a, const auto& b) { return a.worker < b.worker; });
  return std::move(result_);
}

}  // namespace

TransferResult send_files(const Crew& crew, const Archive& archive, const Delivery& delivery, const Carriers& carriers,
                          const TransferReport& report) {
  return Transfer(crew, archive, delivery, carriers, report).run();
}

}  // namespace tpuctl::launch
