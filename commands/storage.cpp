// SPDX-License-Identifier: Apache-2.0
// storage: objects of Cloud Storage and files of this machine, with gcloud's words. The rows, and the short verbs.
#include "commands/storage.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/verbosity.hpp"
#include "commands/groups.hpp"
#include "commands/node_flags.hpp"
#include "commands/storage_keeping.hpp"

namespace tpuctl::commands {

api::Storage storage_of(Context& context) { return {context.transport(), context.frame.clock, context.endpoint("storage")}; }

Looking looking_of(Context& context, api::Storage& storage) {
  return {.storage = storage,
          .project = context.frame.config.get_or("core/project", ""),
          .home = context.frame.env.home(),
          .warn = [&context](const std::string& line) { context.warn(line); }};
}

void require_matches(const Sources& sources) {
  if (sources.unmatched.empty()) return;
  throw Error(tpuctl::Kind::not_found, "These match no object or file: " + text::join(sources.unmatched, ", "));
}

std::vector<std::string> listed_addresses(cli::Frame& frame, const cli::Args& args, const std::vector<std::string>& given) {
  std::vector<std::string> out;
  if (args.on("read-paths-from-stdin")) {
    while (const auto line = frame.io.read_line()) {
      if (!text::trim(*line).empty()) out.emplace_back(text::trim(*line));
    }
  }
  out.insert(out.end(), given.begin(), given.end());
  return out;
}

std::string shown(const api::StorageUrl& url) { return (url.cloud ? "" : "file://") + url.text(); }

bool print_object(Context& context, api::Storage& storage, const api::StoredObject& object, api::Storage::Range range) {
  struct ReaderGone {};
  cli::Streams& io = context.frame.io;
  try {
    storage.download(
        object,
        [&io](std::string_view bytes) {
          io.out(bytes);
          if (io.out_closed) throw ReaderGone{};
        },
        range);
    io.flush();
  } catch (const ReaderGone&) {
  }
  return !io.out_closed;
}

namespace {

using cli::Args;
using cli::Command;
using cli::Example;
using cli::Frame;
using cli::Positional;

// "5-9", "5-", "-5" or "-", of an object of that size.
api::Storage::Range parse_range(const std::string& text, std::int64_t size) {
  const auto dash = text.find('-');
  const std::string from = text.substr(0, dash);
  const std::string to = dash == std::string::npos ? "" : text.substr(dash + 1);
  const auto first = text::parse_int(from);
  const auto last = text::parse_int(to);
  const bool good = dash != std::string::npos && (from.empty() || first) && (to.empty() || last) && (!first || !last || *first <= *last);
  if (!good) throw Error(tpuctl::Kind::usage, "[" + text + "] is no range of bytes.", "Write 256-939, 256- or -5 (the last five).");
  if (!first && last) return {std::max<std::int64_t>(0, size - *last), -1};
  return {first.value_or(0), last.value_or(-1)};
}

int run_cat(Frame& frame, const Args& args) {
  Context context(frame, args);
  if (args.has("range")) parse_range(args.text("range"), 0);
  return with_credential_words(context, [&] {
    api::Storage storage = storage_of(context);
    for (const std::string& address : args.positionals("ADDRESS")) {
      if (!api::parse_storage_url(address).cloud) throw Error(tpuctl::Kind::usage, "[" + address + "] is not in Cloud Storage.");
    }
    const Sources sources = find_sources(looking_of(context, storage), args.positionals("ADDRESS"), false);
    for (const Item& source : sources.leaves) {
      if (args.on("display-url")) context.say("==> " + source.match.url.text() + " <==");
      const api::StoredObject& object = source.match.object;
      const api::Storage::Range range = args.has("range") ? parse_range(args.text("range"), object.size) : api::Storage::Range{};
      if (!print_object(context, storage, object, range)) return 0;
    }
    require_matches(sources);
    return 0;
  });
}

int remove_all(Context& context, const std::vector<std::string>& addresses) {
  const Args& args = context.args;
  const bool recursive = args.on("recursive") || args.on("recurse");
  const bool dry_run = args.on("dry-run");
  api::Storage storage = storage_of(context);
  Looking looking = looking_of(context, storage);
  looking.versions = recursive || args.on("all-versions");
  for (const std::string& address : addresses) {
    const api::StorageUrl url = api::parse_storage_url(address);
    if (!url.cloud) throw Error(tpuctl::Kind::usage, "[" + address + "] is not in Cloud Storage; use rm for files of this machine.");
    if (url.is_provider()) throw Error(tpuctl::Kind::usage, "[" + address + "] names no bucket.");
  }
  Sources sources = find_sources(looking, addresses, recursive);
  std::size_t failed = 0;
  auto guarded = [&](const std::string& what, const std::string& url, const std::function<void()>& remove) {
    if (dry_run) return context.frame.io.out("DELETE " + url + "\n");
    context.say("Removing " + what + "...");
    try {
      remove();
    } catch (const Error& error) {
      const bool ends = error.kind == tpuctl::Kind::interrupted || error.kind == tpuctl::Kind::terminated;
      if (ends || !args.on("continue-on-error")) throw;
      ++failed;
      cli::tell(context.frame.io, context.frame.config, cli::Verbosity::error, what + ": " + error.what());
    }
  };
  if (!dry_run) context.say("Removing objects:");
  for (const Item& source : sources.leaves) {
    const api::StorageUrl& url = source.match.url;
    guarded(url.text() + (url.generation.empty() ? "" : "#" + url.generation), storage.object_url(url.bucket, url.name),
            [&] { storage.remove(url.bucket, url.name, url.generation, args.text("if-generation-match")); });
  }
  for (const std::string& bucket : sources.containers) {
    guarded("gs://" + bucket + "/", context.endpoint("storage") + "storage/v1/b/" + bucket, [&] { storage.remove_bucket(bucket); });
    std::erase_if(sources.unmatched, [&](const std::string& address) { return api::parse_storage_url(address).bucket == bucket; });
  }
  require_matches(sources);
  if (failed > 0) throw Error(tpuctl::Kind::failure, std::to_string(failed) + " could not be removed.");
  return 0;
}

int run_remove(Frame& frame, const Args& args) {
  Context context(frame, args);
  const std::vector<std::string> addresses = listed_addresses(frame, args, args.positionals("ADDRESS"));
  if (addresses.empty()) throw Error(tpuctl::Kind::usage, "An address is needed.", args.typed() + " gs://BUCKET/OBJECT...");
  return with_credential_words(context, [&] { return remove_all(context, addresses); });
}

constexpr Positional kPaths[] = {
    {.name = "PATH",
     .help = "Sources and, last, the destination: gs://BUCKET/OBJECT, or a path of this machine; - is standard input or output. "
             "Wildcards: * ? [ ] and **.",
     .source = cli::Source::file, .many = true}};
constexpr Positional kAddresses[] = {{.name = "ADDRESS", .help = "gs://BUCKET/OBJECT; wildcards: * ? [ ] and **.", .many = true}};
constexpr Positional kRemoved[] = {{.name = "ADDRESS", .help = kAddresses[0].help, .required = false, .many = true}};
constexpr Positional kListed[] = {
    {.name = "ADDRESS", .help = "gs://BUCKET, gs://BUCKET/PREFIX or with wildcards; default: all buckets of the project.",
     .required = false, .many = true}};

constexpr Flag kRecursive[] = {
    {.name = "recursive", .help = "Folders with everything in them.", .kind = Kind::toggle, .letter = 'r'},
    {.name = "recurse", .help = "As --recursive.", .kind = Kind::toggle, .hidden = true, .letter = 'R'}};
constexpr Flag kFromInput[] = {
    {.name = "read-paths-from-stdin", .help = "Take what to work on from standard input, a line each.", .kind = Kind::toggle, .letter = 'I'}};
constexpr Flag kCopyMore[] = {
    {.name = "no-clobber", .help = "Leave alone what is at the destination already, and say so.", .kind = Kind::toggle, .letter = 'n'},
    {.name = "continue-on-error", .help = "Go on with the others when one cannot be copied.", .kind = Kind::toggle, .letter = 'c'},
    {.name = "print-created-message", .help = "Say of each copy in Cloud Storage which generation it is.", .kind = Kind::toggle, .letter = 'v'},
    kDryRun};
constexpr auto kCopyFlags = cli::join(kCopyMore, kFromInput, kKeepingFlags);
constexpr auto kCpFlags = cli::join(kRecursive, kCopyFlags);
constexpr std::string_view kCopyElsewhere =
    "additional-headers all-versions content-md5 custom-time daisy-chain decryption-keys do-not-decompress encryption-key gzip-in-flight "
    "gzip-in-flight-all gzip-local gzip-local-all ignore-symlinks include-managed-folders manifest-path preserve-acl preserve-posix "
    "preserve-symlinks retain-until retention-mode skip-unsupported";
constexpr Flag kRmMore[] = {
    {.name = "all-versions", .help = "Also versions that are no longer live; --recursive implies it.", .kind = Kind::toggle, .letter = 'a'},
    {.name = "continue-on-error", .help = "Go on with the others when one cannot be removed.", .kind = Kind::toggle, .letter = 'c'},
    {.name = "if-generation-match", .help = "Only what has this generation.", .value = "GENERATION"},
    kDryRun};
constexpr auto kRmFlags = cli::join(kRecursive, kRmMore, kFromInput);
constexpr Flag kLsMore[] = {
    {.name = "long", .help = "Also size in bytes and time of creation.", .kind = Kind::toggle, .letter = 'l'},
    {.name = "json", .help = "Everything that is known, as JSON.", .kind = Kind::toggle, .letter = 'j'},
    {.name = "readable-sizes", .help = "With --long: sizes as 2.93kiB.", .kind = Kind::toggle},
    {.name = "buckets", .help = "Of gs://BUCKET show the bucket itself.", .kind = Kind::toggle, .letter = 'b'},
    {.name = "all-versions", .help = "Also versions that are no longer live.", .kind = Kind::toggle, .letter = 'a'}};
constexpr auto kLsFlags = cli::join(kRecursive, kLsMore);
constexpr Flag kCatFlags[] = {
    {.name = "display-url", .help = "Say on standard error which object comes.", .kind = Kind::toggle, .letter = 'd'},
    {.name = "range", .help = "Only these bytes: 256-939, 256-, or -5 for the last five.", .value = "FIRST-LAST", .letter = 'r'}};

constexpr Example kCpExamples[] = {
    {"A checkpoint to a bucket, with everything in it:", "tpuctl storage cp -r checkpoints/100 gs://my-bucket/run1"},
    {"The logs of all workers from there:", "tpuctl storage cp 'gs://my-bucket/run1/**/*.log' ."}};

constexpr Command kVerbs[] = {
    {.name = "cat", .help = "Print objects", .positionals = kAddresses, .flags = kCatFlags, .run = run_cat,
     .elsewhere = "additional-headers decryption-keys"},
    {.name = "cp", .help = "Copy files and objects",
     .about = "Copies between this machine and Cloud Storage, or within Cloud Storage. Every transfer is compared with its checksum; an "
              "upload or download that breaks goes on where it broke. A destination that is a folder, a bucket or ends with / "
              "takes copies under their own names.",
     .examples = kCpExamples, .positionals = kPaths, .flags = kCpFlags, .rules = kKeepingRules,
     .run = run_storage_copy, .elsewhere = kCopyElsewhere},
    {.name = "ls", .help = "List buckets, folders and objects", .positionals = kListed, .flags = kLsFlags, .run = run_storage_list,
     .elsewhere = "additional-headers decryption-keys etag exhaustive fetch-encrypted-object-hashes full next-page-token read-paths-from-stdin soft-deleted"},
    {.name = "mv", .help = "Move files and objects, folders with everything in them",
     .about = "Copies, then removes the source; folders always with everything in them. A source that changed while it was copied stays.",
     .positionals = kPaths, .flags = kCopyFlags, .rules = kKeepingRules, .run = run_storage_move, .elsewhere = kCopyElsewhere},
    {.name = "rm", .help = "Remove objects",
     .about = "With --recursive everything below a prefix, in all versions; of gs://BUCKET the bucket too.", .positionals = kRemoved,
     .flags = kRmFlags, .run = run_remove, .elsewhere = "additional-headers exclude-managed-folders if-metageneration-match"},
};

}  // namespace

constexpr Command kStorage = {.name = "storage", .help = "Copy, list and remove what is in Cloud Storage", .commands = kVerbs,
                              .elsewhere = "batch-operations buckets diagnose du folders hash hmac insights intelligence-configs "
                                           "managed-folders objects operations restore rsync service-agent sign-url"};

}  // namespace tpuctl::commands
