// SPDX-License-Identifier: Apache-2.0
// What the verbs of `storage` share.
#pragma once

#include <cstdint>
#include <string>

#include "api/storage.hpp"
#include "cli/streams.hpp"
#include "commands/context.hpp"
#include "commands/storage_sources.hpp"

namespace tpuctl::commands {

int run_storage_copy(cli::Frame& frame, const cli::Args& args);
int run_storage_move(cli::Frame& frame, const cli::Args& args);
int run_storage_list(cli::Frame& frame, const cli::Args& args);

/// Cloud Storage as this command line reaches it.
api::Storage storage_of(Context& context);
/// Looking that warns on stderr.
Looking looking_of(Context& context, api::Storage& storage);
/// The addresses, after those that --read-paths-from-stdin brings, a line each.
std::vector<std::string> listed_addresses(cli::Frame& frame, const cli::Args& args, const std::vector<std::string>& given);
/// Throws Error{not_found} that names the addresses that meant nothing.
void require_matches(const Sources& sources);
/// "gs://..." or "file://...", as gcloud writes both in its messages.
std::string shown(const api::StorageUrl& url);
/// gcloud's "2.93kiB".
std::string human_bytes(std::int64_t bytes);

/// Writes an object to stdout. False when the reader at its other end has gone: the caller stops, and that is no error.
bool print_object(Context& context, api::Storage& storage, const api::StoredObject& object, api::Storage::Range range = {});

/// How far a transfer of many files is, on stderr: a line a file, and on a terminal one that is written over with counts,
/// bytes and speed.
class TransferFace {
 public:
  /// `bytes` -1: not known.
  TransferFace(cli::Streams& io, const Clock& clock, std::size_t files, std::int64_t bytes);
  ~TransferFace();
  TransferFace(const TransferFace&) = delete;
  TransferFace& operator=(const TransferFace&) = delete;

  void begin_file(const std::string& line);
  /// Bytes of the current file that have passed so far.
  void moved(std::int64_t of_file);
  void end_file(std::int64_t size);

 private:
  void draw(bool always);
  cli::Streams& io_;
  const Clock& clock_;
  std::size_t files_;
  std::int64_t bytes_;
  std::size_t files_done_ = 0;
  std::int64_t bytes_done_ = 0;
  std::int64_t of_file_ = 0;
  TimePoint start_;
  TimePoint drawn_;
};

}  // namespace tpuctl::commands
