// SPDX-License-Identifier: Apache-2.0
// storage cp and mv.
#include <unistd.h>

#include <optional>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/verbosity.hpp"
#include "commands/storage.hpp"
#include "commands/storage_files.hpp"
#include "commands/storage_keeping.hpp"

namespace tpuctl::commands {

namespace {

using api::StorageUrl;

struct Wishes {
  bool move = false;
  bool no_clobber = false;
  bool continue_on_error = false;
  bool dry_run = false;
  bool tell_created = false;
};

class Copier {
 public:
  Copier(Context& context, const Wishes& wishes)
      : context_(context), storage_(storage_of(context)), looking_(looking_of(context, storage_)), wishes_(wishes) {
    looking_.full = changes_fields(context.args);
  }
  int run(const std::vector<std::string>& from, const std::string& to, bool recursive);

 private:
  struct Pair {
    const Item* source;
    StorageUrl target;
  };
  enum class Outcome { copied, skipped, reader_gone };

  void check(const Pair& pair) const;
  void print(const Pair& pair) const;
  Outcome copy(const Pair& pair);
  Outcome upload(const Pair& pair);
  Outcome download(const Pair& pair);
  Outcome rewrite(const Pair& pair);
  void remove_source(const Match& source);
  Outcome kept(const std::optional<api::StoredObject>& copy, const StorageUrl& target);
  api::Storage::Keeping keeping(const Json& source) const;
  Outcome skip(const StorageUrl& target) {
    context_.say("Skipping existing destination item (no-clobber): " + shown(target));
    return Outcome::skipped;
  }

  Context& context_;
  api::Storage storage_;
  Looking looking_;
  Wishes wishes_;
  std::optional<TransferFace> face_{};
};

// Before anything is copied: what cannot be meant.
void Copier::check(const Pair& pair) const {
  const StorageUrl& from = pair.source->match.url;
  if (!from.cloud && !pair.target.cloud) {
    throw Error(Kind::usage, "Neither " + shown(from) + " nor " + shown(pair.target) + " is in Cloud Storage.",
                "Use " + std::string(wishes_.move ? "mv" : "cp") + " for copies on this machine.");
  }
  if (from.cloud && pair.target.cloud && from.text() == pair.target.text()) {
    throw Error(Kind::usage, "The source and the destination are the same: " + from.text());
  }
}

void Copier::print(const Pair& pair) const {
  const Match& from = pair.source->match;
  if (!from.url.cloud) {
    context_.frame.io.out("POST " + storage_.upload_url(pair.target.bucket, pair.target.name) + "\n");
  } else if (pair.target.cloud) {
    context_.frame.io.out("POST " + storage_.rewrite_url(from.object, pair.target.bucket, pair.target.name) + "\n");
  } else {
    context_.frame.io.out("GET " + storage_.object_url(from.url.bucket, from.url.name) + "?alt=media > " +
                          text::shell_quote(pair.target.name) + "\n");
  }
  if (!wishes_.move) return;
  context_.frame.io.out(from.url.cloud ? "DELETE " + storage_.object_url(from.url.bucket, from.url.name) + "\n"
                                       : "rm " + text::shell_quote(from.url.name) + "\n");
}

int Copier::run(const std::vector<std::string>& from, const std::string& to, bool recursive) {
  const Destination destination = find_destination(looking_, to);
  const Sources sources = find_sources(looking_, from, recursive);
  std::vector<Pair> pairs;
  std::int64_t bytes = 0;
  for (const Item& source : sources.leaves) {
    Pair pair{&source, api::parse_storage_url(copy_name(destination, sources, source))};
    if (pair.target.cloud) {  // a # in a name that was found is a part of it
      const std::string text = copy_name(destination, sources, source);
      pair.target.generation.clear();
      pair.target.name = text.substr(text.find('/', 5) + 1);
    }
    check(pair);
    if (!pair.target.cloud && pair.target.name.ends_with('/')) continue;  // an object that stands for a folder
    bytes = bytes < 0 || source.match.object.size < 0 ? -1 : bytes + source.match.object.size;
    pairs.push_back(std::move(pair));
  }
  if (!wishes_.dry_run) face_.emplace(context_.frame.io, context_.frame.clock, pairs.size(), bytes);
  std::size_t failed = 0;
  for (const Pair& pair : pairs) {
    if (wishes_.dry_run) {
      print(pair);
      continue;
    }
    try {
      if (copy(pair) == Outcome::reader_gone) return 0;
    } catch (const Error& error) {
      const bool ends = error.kind == Kind::interrupted || error.kind == Kind::terminated || error.kind == Kind::denied;
      if (ends || !wishes_.continue_on_error) throw;
      ++failed;
      cli::tell(context_.frame.io, context_.frame.config, cli::Verbosity::error, shown(pair.source->match.url) + ": " + error.what());
    }
  }
  face_.reset();
  require_matches(sources);
  if (failed > 0) {
    throw Error(Kind::failure, std::to_string(failed) + " of " + std::to_string(pairs.size()) + " could not be copied.");
  }
  return 0;
}

Copier::Outcome Copier::copy(const Pair& pair) {
  const Match& from = pair.source->match;
  face_->begin_file("Copying " + shown(from.url) + " to " + shown(pair.target));
  const Outcome outcome = !from.url.cloud ? upload(pair) : pair.target.cloud ? rewrite(pair) : download(pair);
  if (outcome == Outcome::copied && wishes_.move) remove_source(from);
  face_->end_file(std::max<std::int64_t>(0, from.object.size));
  return outcome;
}

Copier::Outcome Copier::upload(const Pair& pair) {
  const Match& from = pair.source->match;
  if (wishes_.no_clobber && storage_.find(pair.target.bucket, pair.target.name)) return skip(pair.target);
  InputFile file(from.url.name);
  api::Storage::Upload upload;
  upload.bucket = pair.target.bucket;
  upload.name = pair.target.name;
  upload.keeping = keeping({});
  if (upload.keeping.fields["contentType"].empty()) {
    upload.keeping.fields.member("contentType") = api::content_type_of(from.url.is_stream() ? pair.target.name : from.url.name);
  }
  upload.rereadable = file.rereadable();
  upload.read = [&file](std::int64_t offset, char* to, std::size_t most) { return file.read(offset, to, most); };
  upload.moved = [this](std::int64_t bytes) { face_->moved(bytes); };
  return kept(storage_.upload(upload), pair.target);
}

api::Storage::Keeping Copier::keeping(const Json& source) const {
  api::Storage::Keeping out = keeping_of(context_.args, source);
  out.only_if_absent = wishes_.no_clobber;
  return out;
}

Copier::Outcome Copier::kept(const std::optional<api::StoredObject>& copy, const StorageUrl& target) {
  if (!copy) return skip(target);
  if (wishes_.tell_created) context_.say("Created: " + target.text() + "#" + copy->generation);
  return Outcome::copied;
}

Copier::Outcome Copier::download(const Pair& pair) {
  const api::StoredObject& object = pair.source->match.object;
  if (pair.target.is_stream()) return print_object(context_, storage_, object) ? Outcome::copied : Outcome::reader_gone;
  if (wishes_.no_clobber && access(pair.target.name.c_str(), F_OK) == 0) return skip(pair.target);
  OutputFile file(pair.target.name);
  std::int64_t taken = 0;
  const bool checked = storage_.download(object, [&](std::string_view bytes) {
    file.write(bytes);
    taken += static_cast<std::int64_t>(bytes.size());
    face_->moved(taken);
  });
  file.finish();
  if (!checked) {
    context_.warn(shown(pair.source->match.url) + " came unpacked from gzip; its checksum could not be compared.");
  }
  return Outcome::copied;
}

Copier::Outcome Copier::rewrite(const Pair& pair) {
  if (wishes_.no_clobber && storage_.find(pair.target.bucket, pair.target.name)) return skip(pair.target);
  auto moved = [this](std::int64_t bytes) { face_->moved(bytes); };
  const api::StoredObject& source = pair.source->match.object;
  return kept(storage_.rewrite(source, pair.target.bucket, pair.target.name, keeping(source.resource), moved), pair.target);
}

void Copier::remove_source(const Match& source) {
  if (!source.url.cloud) return file::remove(source.url.name);
  // Only what was copied: an object that was written meanwhile stays.
  storage_.remove(source.url.bucket, source.url.name, {}, source.object.generation);
}

int run(cli::Frame& frame, const cli::Args& args, const Wishes& wishes, bool recursive) {
  std::vector<std::string> paths = listed_addresses(frame, args, args.positionals("PATH"));
  keeping_of(args, {});  // what cannot be meant is told before anything is copied
  if (paths.size() < 2) throw Error(Kind::usage, "A source and a destination are needed.", args.typed() + " SOURCE... DESTINATION");
  const std::string to = paths.back();
  paths.pop_back();
  if (wishes.move) {
    for (const std::string& path : paths) {
      const StorageUrl url = api::parse_storage_url(path);
      if (url.is_bucket() || url.is_provider()) {
        throw Error(Kind::usage, "A bucket cannot be moved: [" + path + "].", "For what is in it write " + url.text() + "*");
      }
      if (url.is_stream()) throw Error(Kind::usage, "Standard input cannot be moved; use cp.");
    }
  }
  if (paths.size() > 1 && std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    throw Error(Kind::usage, "Standard input must be the only source.");
  }
  Context context(frame, args);
  return with_credential_words(context, [&] { return Copier(context, wishes).run(paths, to, recursive); });
}

Wishes wishes_of(const cli::Args& args, bool move) {
  return {.move = move, .no_clobber = args.on("no-clobber"), .continue_on_error = args.on("continue-on-error"),
          .dry_run = args.on("dry-run"), .tell_created = args.on("print-created-message")};
}

}  // namespace

int run_storage_copy(cli::Frame& frame, const cli::Args& args) {
  return run(frame, args, wishes_of(args, false), args.on("recursive") || args.on("recurse"));
}

int run_storage_move(cli::Frame& frame, const cli::Args& args) { return run(frame, args, wishes_of(args, true), true); }

}  // namespace tpuctl::commands
