// SPDX-License-Identifier: Apache-2.0
// Files to many workers, each byte from this machine once: through a bucket when there is one; else to one worker, and on from
// worker to worker; else, and told with the bytes, a copy to each. Workers that have the content are left alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/storage.hpp"
#include "launch/archive.hpp"
#include "launch/job.hpp"

namespace tpuctl::launch {

/// Up to so many bytes a copy for each worker costs less than to find out who has what, and to pass it on.
constexpr std::int64_t kWorthSharing = std::int64_t{64} << 10;

struct Delivery {
  std::string place;    ///< on the worker; relative: below the home folder
  bool mirror = false;  ///< `place` becomes a folder with just the archive's content, besides what programs on the worker made
                        ///< there. Else as scp: into `place` when that is a folder, or `place` is the new name
};

struct Carriers {
  api::Storage* storage = nullptr;  ///< with `bucket`
  std::string bucket{};             ///< its name; empty: there is none
  std::string prefix{};             ///< of the object's name: "" or ending with a slash
  bool relay = true;
};

struct TransferState {
  std::int64_t sent = 0;      ///< bytes that left this machine, all told
  std::int64_t to_send = 0;   ///< the bytes of the copy that is being sent, 0: none is
  std::size_t settled = 0;    ///< workers that have it, or failed
  std::size_t workers = 0;
};

struct TransferReport {
  Say say;   ///< progress in words
  Warn warn;
  std::function<void(const TransferState&)> progress = [](const TransferState&) {};
};

struct TransferResult {
  struct Trouble {
    std::size_t worker = 0;  ///< index into the crew
    std::string why;
    bool connected = true;
  };
  std::vector<Trouble> troubles;  ///< in the order of the workers
  std::int64_t sent = 0;          ///< bytes that left this machine: the scripts for the workers, copies, the bucket's object
  std::size_t kept = 0;           ///< workers that had the content
  std::size_t from_bucket = 0, relayed = 0, copied = 0;
};

/// One conversation with each worker. What arrived before a cut is kept on a worker for a day, and the next transfer of the same
/// content to the same place goes on from there. A signal ends it by Error{interrupted|terminated}; workers that have not got
/// everything are as they were.
TransferResult send_files(const Crew& crew, const Archive& archive, const Delivery& delivery, const Carriers& carriers,
                          const TransferReport& report);

}  // namespace tpuctl::launch
