// SPDX-License-Identifier: Apache-2.0
#include "launch/startup.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "launch/node_metadata.hpp"

namespace tpuctl::launch {

namespace {

constexpr std::string_view kTitle = "#!/bin/sh\n# tpuctl job ";
constexpr std::size_t kLimit = std::size_t{256} * 1024;  // of one metadata value (Compute Engine documentation)

// A word that ends a here-document and is no line of it.
std::string delimiter_for(const std::string& text) { return "END_" + text::sha256_hex(text).substr(0, 16); }

std::string here_document(const std::string& text) {
  const std::string end = delimiter_for(text);
  return "<<'" + end + "'\n" + text + (text.ends_with('\n') ? "" : "\n") + end + "\n";
}

}  // namespace

std::string startup_script(const JobSpec& spec) {
  const std::string script = fmt::format(
      "{}{}\n"
      "# Made by tpuctl; run at every boot. It decides from the job's own files whether there is something to start.\n"
      "supervisor() {{\n  cat {}}}\n"
      "S=$(supervisor)\n"
      "set -- boot {}\n"
      "eval \"$S\" {}",
      kTitle, spec.name, here_document(supervisor_text()), spec.name, here_document(job_files(spec, 0, false)));
  if (script.size() > kLimit) {
    throw Error(Kind::failure,
                fmt::format("The startup script of job [{}] would have {} bytes; the service takes at most {}.", spec.name, script.size(), kLimit),
                "Put what is long into a file of --workdir.");
  }
  return script;
}

std::string job_of_script(const std::string& script) {
  if (!script.starts_with(kTitle)) return {};
  return script.substr(kTitle.size(), script.find('\n', kTitle.size()) - kTitle.size());
}

void check_startup_script(const Slice& slice) {
  const std::string& script = slice.node.at("/metadata/startup-script").text();
  if (script.empty() || !job_of_script(script).empty()) return;
  throw Error(Kind::failure, "TPU VM [" + slice.name.id + "] has a startup script of its own, which --survive-reboot would replace.",
              "Run without --survive-reboot, or remove it: tpuctl tpu-vm update " + slice.name.id + " --remove-metadata=startup-script");
}

void put_startup_script(api::Client& client, const Slice& slice, const std::string& script) {
  change_metadata(client, slice.name, client.get(slice.name), [&](Json& metadata) {
    metadata.member("startup-script") = script;
    return true;
  });
}

void remove_startup_script(api::Client& client, const Slice& slice, const std::string& job) {
  change_metadata(client, slice.name, client.get(slice.name), [&](Json& metadata) {
    return job_of_script(metadata["startup-script"].text()) == job && metadata.erase("/startup-script");
  });
}

}  // namespace tpuctl::launch
