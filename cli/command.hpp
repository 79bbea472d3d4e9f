// SPDX-License-Identifier: Apache-2.0
// A flag is a row, a command is a row. Parser, help, completion, request body and docs read these rows; nothing
// about a flag is written anywhere else. Plain constexpr aggregates: a command tree is data in read-only memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace tpuctl::cli {

class Args;
struct Frame;

/// Decides how a value is read, whether `--no-x` exists, and how it is written as JSON (commands/body).
enum class Kind {
  toggle,     ///< --x, --no-x, --x=true|false            JSON true/false
  inverse,    ///< as toggle                               JSON the opposite
  marker,     ///< as toggle                               JSON {} when on, nothing when off
  text,       ///<                                         JSON string
  lowered,    ///< text, lower-cased                       JSON string
  integer,    ///<                                         JSON number
  choice,     ///< one of `choices`, any case, - equals _  JSON: the choice's wire name
  list,       ///< a,b or ^:^a:b; the last flag wins       JSON array of strings
  repeated,   ///< text, every occurrence kept in order    JSON array of strings
  map,        ///< k=v,k=v or ^:^k=v:k=v; last flag wins   JSON object of strings
  dict,       ///< k=v,... with known `keys`, one flag     JSON object
  dicts,      ///< as dict, every occurrence kept          JSON array of objects
  duration,   ///< 1d2h3m, PT6H                            JSON "21600s"
  timestamp,  ///< RFC 3339 or gcloud's notations          JSON "2029-01-02T00:00:00.000Z"
};

/// What completes a value.
enum class Source {
  none,
  file,
  directory,
  zone,
  project,
  node,
  queued_resource,
  accelerator_type,
  runtime_version,
  location,
  reservation,
  operation,
  job,
  property,
  configuration,
  format,
  help_topic
};

/// Which API carries it: `alpha` rows exist in v2alpha1 only and are a usage error in gcloud's GA spelling.
enum class Track { all, alpha };

/// A known key of a dict flag.
struct Key {
  std::string_view name;
  std::string_view field{};  ///< JSON pointer inside the object
  Kind kind = Kind::text;    ///< text, toggle, choice
  std::string_view choices{};
  bool required = false;
};

struct Flag {
  std::string_view name{};  ///< without dashes
  std::string_view help{};  ///< one or more sentences; the first is the short help
  Kind kind = Kind::text;
  std::string_view value{};  ///< metavar, upper case; derived from the name when empty
  /// JSON pointer into the request body, relative to the command's body prefix for it (commands/body); empty when
  /// the handler reads the value itself.
  std::string_view field{};
  /// "read-write,read-only" or with an irregular wire name "v5litepod=V5LITE_POD". The wire name is otherwise the
  /// upper-case form with _ for -.
  std::string_view choices{};
  std::string_view alpha_choices{};  ///< further choices in v2alpha1
  std::span<const Key> keys{};       ///< of dict and dicts
  std::string_view fallback{};       ///< used when the flag is not given; shown in help as the default
  /// Toggles, inverses and lists-as-objects that gcloud sends although the flag was not given.
  bool always = false;
  bool required = false;
  bool hidden = false;
  Track track = Track::all;
  Source source = Source::none;
  char letter = 0;  ///< short form, e.g. 'q'
  /// Smallest value of an integer. An integer row may also have `choices`: words taken instead of a number.
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
};

/// Flags that belong together. One alternative is "a b" (all of them needed once one is given), with "a : b" b is
/// optional but needs a; ": a b" is a set without inner rule.
struct Rule {
  enum Need { at_most_one, exactly_one };
  Need need = at_most_one;
  std::array<std::string_view, 4> alternatives{};
};

struct Positional {
  std::string_view name{};  ///< upper case metavar
  std::string_view help{};
  Source source = Source::none;
  bool required = true;
  bool many = false;  ///< one or more (zero or more when not required); only as the last
};

struct Example {
  std::string_view what{};
  std::string_view line{};
};

using Handler = int (*)(Frame&, const Args&);

struct Command {
  std::string_view name{};
  std::string_view help{};   ///< one line for lists, without a full stop
  std::string_view about{};  ///< paragraphs for --help, separated by \n\n; may be empty
  std::span<const Example> examples{};
  std::span<const Positional> positionals{};
  std::span<const Flag> flags{};
  std::span<const Rule> rules{};
  std::string_view rest{};  ///< metavar of what follows `--`; empty: nothing may follow
  bool rest_required = false;
  std::span<const Command> commands{};  ///< a group has these and no handler
  Handler run = nullptr;
  Track track = Track::all;
  bool hidden = false;
  bool bare = false;  ///< reads no configuration, and so works with a broken one
  std::string_view instead{};  ///< not offered, but for its `commands`: the one sentence that says why and what to use
  /// What gcloud has here besides, separated by blanks: words of a group, flags of a command. One line says so.
  std::string_view elsewhere{};
  bool remote_codes = false;  ///< ssh, jobs run, ...: exit codes are the remote program's; own failures are 125 and 255
};

/// Concatenates row arrays (C arrays or std::arrays) at compile time, so that shared rows stand once.
template <class... Parts>
consteval auto join(const Parts&... parts) {
  using Row = std::common_type_t<std::remove_cvref_t<decltype(*std::begin(parts))>...>;
  std::array<Row, (std::size(Parts{}) + ...)> out{};
  std::size_t at = 0;
  auto add = [&](const auto& part) {
    for (const Row& row : part) out[at++] = row;
  };
  (add(parts), ...);
  return out;
}

}  // namespace tpuctl::cli
