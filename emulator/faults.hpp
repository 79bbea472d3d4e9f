// SPDX-License-Identifier: Apache-2.0
// Trouble on demand: what networks, quotas, machines and other customers do to a client. kFaultRows says what there is;
// the command line's help is made from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/time.hpp"

namespace tpuctl::emulator {

/// How a fault's words after its kind are read.
enum class FaultShape { count, http, delay, ends, node, worker, room, spell, port, zone, alone };

struct FaultRow {
  std::string_view kind;
  std::string_view form;
  std::string_view help;
  FaultShape shape = FaultShape::count;
  bool wire = false;  ///< strikes requests, and may be limited to some of them with @METHOD:REGEX
};

inline constexpr FaultRow kFaultRows[] = {
    {"stockout", "stockout[:N]", "the next N creates (all without N) end with code 8", FaultShape::count},
    {"shortage", "shortage[:ZONE][:TIME]",
     "no capacity (in ZONE, for TIME on the emulator's clock): queued resources wait in WAITING_FOR_RESOURCES, other creates end with code 8",
     FaultShape::ends},
    {"http", "http:STATUS[:N][:retry-after=S]", "the next N requests (all without N) are answered with that status",
     FaultShape::http, true},
    {"reset", "reset[:N]", "the connection is reset before anything is done", FaultShape::count, true},
    {"lost", "lost[:N]", "the work is done, the answer is lost", FaultShape::count, true},
    {"truncate", "truncate[:N]", "half of the answer, then the connection ends", FaultShape::count, true},
    {"garbage", "garbage[:N]", "a 200 whose body is no JSON", FaultShape::count, true},
    {"slow", "slow:TIME", "every answer comes that much later (2s, 500ms)", FaultShape::delay, true},
    {"unreachable", "unreachable:ZONE", "lists over all zones lack this one; asked directly it answers 503", FaultShape::zone},
    {"preempt", "preempt:NODE[:unseen]",
     "the node is reclaimed: metadata and SIGTERM now, its machines 30 s later; unseen: the API goes on saying READY",
     FaultShape::node},
    {"replace", "replace:NODE",
     "its hardware fails without notice: new machines in its place, then a restart of the other slices", FaultShape::node},
    {"announce", "announce:NODE[/WORKER]:TIME",
     "maintenance is due TIME from now: upcomingMaintenance says so, and then it comes; perform-maintenance brings it forward",
     FaultShape::spell},
    {"hang", "hang:NODE[/WORKER]", "nothing on the worker moves on, ssh gets no answer; heal or a reboot ends it",
     FaultShape::worker},
    {"full", "full:NODE[/WORKER][:BYTES]",
     "only BYTES (0) are left on the worker's disk, for logins and programs from now on; what they write goes with the fault",
     FaultShape::room},
    {"block", "block:NODE[/WORKER]:PORT", "no TCP connection to that port is let through or refused, as behind a firewall", FaultShape::port},
    {"refuse", "refuse:NODE[/WORKER][:TIME]", "ssh connections are refused (for TIME)", FaultShape::spell},
    {"late", "late:NODE[/WORKER]:TIME", "every login takes that much longer", FaultShape::spell},
    {"keys", "keys:NODE[/WORKER]:TIME", "ssh keys in the metadata are good only that much later", FaultShape::spell},
    {"mute", "mute:NODE", "guest attributes are switched off: no host keys, no host names", FaultShape::node},
    {"heal", "heal:NODE[/WORKER]", "takes hang, full, block, refuse, late and keys back", FaultShape::worker},
    {"none", "none", "takes all faults back", FaultShape::alone},
};

struct Fault {
  std::string spec;  ///< as given
  std::string kind;  ///< of kFaultRows
  std::string argument;  ///< NODE or ZONE
  bool wire = false;
  int status = 0;
  int left = -1;          ///< how often it still strikes; -1: for ever
  std::string retry_after;
  Duration delay{0};      ///< of slow, late and keys; of shortage and refuse: its length, 0 without end
  bool unseen = false;    ///< of preempt
  int worker = -1;        ///< of what is done to machines; -1: all
  std::int64_t bytes = 0; ///< of full
  int port = 0;           ///< of block
  std::string method;     ///< empty: any
  std::string pattern;
  std::optional<std::regex> path;
};

class Faults {
 public:
  /// Throws Error{usage} that names the fault when it cannot be understood.
  static Fault parse(const std::string& spec);

  /// What happens to nodes and workers (preempt, replace, announce, hang, full, block, refuse, late, keys, heal) is an event, not a
  /// state: the caller acts on it instead. A shortage's length counts from `now` and is already on the emulator's clock.
  void add(Fault fault, TimePoint now = {});

  /// Whether the create that comes now finds no capacity.
  bool take_stockout();
  bool shortage(const std::string& zone, TimePoint now) const;
  /// The fault that strikes this request, if any; counts it.
  std::optional<Fault> take(const std::string& method, const std::string& path);
  Duration delay(const std::string& method, const std::string& path) const;
  bool unreachable(const std::string& zone) const;
  bool mute(const std::string& node) const;  ///< `node` without its path
  std::vector<std::string> unreachable_zones() const;
  Json list() const;  ///< [{"spec", "left"}]

 private:
  struct Standing : Fault {
    std::optional<TimePoint> until;  ///< of a shortage that ends by itself
  };
  std::vector<Standing> faults_;
};

namespace detail {
inline constexpr std::string_view kAfterForm = "\n    ", kBeforeForm = "  ";
inline constexpr std::string_view kAfterRows =
    "\nA fault that strikes requests may end in @METHOD:REGEX, which limits it to requests with that method (*: any) whose path "
    "matches: http:503:2@POST:/nodes$, slow:3s@*:/storage/v1/b/my-bucket/. The emulator's own control has no faults.";
template <class Put>
constexpr void tell_faults(Put put) {
  for (const FaultRow& row : kFaultRows) {
    for (const std::string_view part : {kBeforeForm, row.form, kAfterForm, row.help, std::string_view("\n")}) put(part);
  }
  put(kAfterRows);
}
consteval std::size_t fault_help_size() {
  std::size_t size = 0;
  tell_faults([&](std::string_view part) { size += part.size(); });
  return size;
}
inline constexpr auto kFaultHelpText = [] {
  std::array<char, fault_help_size()> out{};
  std::size_t at = 0;
  tell_faults([&](std::string_view part) {
    for (const char c : part) out[at++] = c;
  });
  return out;
}();
}  // namespace detail
/// The rows for a help screen.
inline constexpr std::string_view kFaultHelp{detail::kFaultHelpText.data(), detail::kFaultHelpText.size()};

}  // namespace tpuctl::emulator
