// SPDX-License-Identifier: Apache-2.0
// The verbs, once: list, describe, create, delete, wait and custom verbs over a Resource row.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/operations.hpp"
#include "base/error.hpp"
#include "cli/progress.hpp"
#include "commands/context.hpp"

namespace tpuctl::commands {

/// A collection of the Cloud TPU API, as the verbs need to know it.
struct Resource {
  std::string_view collection;  ///< "nodes"
  std::string_view what;        ///< gcloud's word in messages: "tpu", "queued_resource"
  std::string_view positional;  ///< metavar of the name
  std::string_view columns;     ///< default --format of list
  api::StateRules (*rules)(const std::string& wished) = nullptr;
  bool (*listed)(const Json& resource) = nullptr;  ///< rows that list shows; all when null
  /// What list prints, made of all the resources; rows stream when null.
  std::vector<Json> (*arranged)(const std::vector<Json>& resources) = nullptr;
  std::string_view made{};  ///< state that proves a create, whatever its operation says
  std::vector<std::string> (*nodes)(const Json& resource) = nullptr;  ///< names of the nodes that go when it is deleted
  const Resource* mistaken_for = nullptr;  ///< one whose names are often typed for this one's; has `nodes`
  bool reads_after_create = false;  ///< the result of create is read again (else operation.response)
  std::string_view fixed_version{};  ///< an API version other than the command line's ("v1" locations)
};

int list(Context& context, const Resource& resource);
int describe(Context& context, const Resource& resource);
/// Sends the body, waits for the operation unless --async, prints as gcloud does.
int create(Context& context, const Resource& resource, const api::Name& name, const Json& body);
int remove(Context& context, const Resource& resource);
int wait(Context& context, const Resource& resource);
/// POST NAME:verb, wait, print the finished operation.
int custom_verb(Context& context, const Resource& resource, std::string_view verb, Json body);
/// PATCH, wait, say that it was updated; prints the resource only with --format.
int update(Context& context, const Resource& resource, const api::Name& name, Json body, const std::vector<std::string>& mask);

/// Reads the resource. When there is none of the name, but one that is often mistaken for it, the Error{not_found} says so.
Json read(const Resource& resource, api::Client& client, const api::Name& name);

/// How a wait ended that was left by the error: "interrupted.", "gave up.", "failed.".
void end_progress(cli::Progress& progress, const Error& error);

api::Name resource_name(const Context& context, const Resource& resource);
/// --timeout as limits; a row without a default, not given, waits for ever.
api::WaitLimits wait_limits(const cli::Args& args);
/// Waits with gcloud's words on stderr and returns the finished operation; `undo` is the sentence that is told when
/// the wait is interrupted.
Json wait_told(Context& context, Json operation, const std::string& undo);

/// Handlers made of a verb and a row: `.run = run_list<kNode>`.
template <const Resource& R>
int run_list(cli::Frame& frame, const cli::Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] { return list(context, R); });
}
template <const Resource& R>
int run_describe(cli::Frame& frame, const cli::Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] { return describe(context, R); });
}
template <const Resource& R>
int run_delete(cli::Frame& frame, const cli::Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] { return remove(context, R); });
}
template <const Resource& R>
int run_wait(cli::Frame& frame, const cli::Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] { return wait(context, R); });
}

}  // namespace tpuctl::commands
