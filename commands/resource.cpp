// SPDX-License-Identifier: Apache-2.0
#include "commands/resource.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/prompt.hpp"
#include "commands/create_checks.hpp"

namespace tpuctl::commands {

namespace {

std::string group_words(const cli::Args& args) {
  return "tpuctl " + (args.path.empty() ? std::string() : args.path.front());
}

bool is_interruption(const Error& error) { return error.kind == Kind::interrupted || error.kind == Kind::terminated; }

// Names of what belongs to the resource; none when nobody may look, and for scripts: they asked for one request.
std::vector<std::string> nodes_of(Context& context, const Resource& resource, const api::Name& name) {
  if (!resource.nodes || !context.frame.io.in_tty) return {};
  try {
    return resource.nodes(context.tpu().get(name));
  } catch (const Error& error) {
    if (is_interruption(error)) throw;
    return {};
  }
}

// For the question before a deletion. Nothing is asked of the service when nobody is there to answer.
std::string and_its_nodes(Context& context, const Resource& resource, const api::Name& name) {
  if (!resource.nodes || !context.frame.io.in_tty || context.frame.config.on("core/disable_prompts")) return {};
  try {
    const auto nodes = resource.nodes(context.tpu().get(name));
    return nodes.empty() ? "" : " and its nodes [" + text::join(nodes, ", ") + "]";
  } catch (const Error& error) {
    if (error.kind != Kind::denied) throw;
    return {};  // who may delete it may be forbidden to look
  }
}

// Another resource of that name, which was meant; empty when there is none. Asked only when the service itself says that the
// one is missing.
std::string meant_instead(const Resource& resource, api::Client& client, api::Name name, const Error& error) {
  if (!resource.mistaken_for || error.kind != Kind::not_found || error.status != "NOT_FOUND") return {};
  const std::string what(resource.mistaken_for->what);
  name.collection = resource.mistaken_for->collection;
  try {
    const Json found = client.get(name);
    const auto nodes = resource.mistaken_for->nodes(found);
    return "There is a " + text::replace_all(what, "_", " ") + " [" + name.id + "], which is " + api::state_of(found) +
           (nodes.empty() ? "" : " and has the nodes [" + text::join(nodes, ", ") + "]") + ". Look at it with: tpuctl " +
           text::replace_all(what, "_", "-") + "s describe " + name.full();
  } catch (const Error& other) {
    if (is_interruption(other)) throw;
    return {};
  }
}

}  // namespace

void end_progress(cli::Progress& progress, const Error& error) {
  if (is_interruption(error)) {
    progress.left("interrupted.");
  } else if (error.kind == Kind::wait) {
    progress.left("gave up.");
  } else {
    progress.failed();
  }
}

Json read(const Resource& resource, api::Client& client, const api::Name& name) {
  try {
    return client.get(name);
  } catch (Error& error) {
    if (const std::string hint = meant_instead(resource, client, name, error); !hint.empty()) error.hint = hint;
    throw;
  }
}

api::Name resource_name(const Context& context, const Resource& resource) {
  return context.name(context.args.positional(resource.positional), std::string(resource.collection), std::string(resource.what));
}

api::WaitLimits wait_limits(const cli::Args& args) {
  api::WaitLimits limits;
  limits.timeout = args.duration("timeout");
  return limits;
}

Json wait_told(Context& context, Json operation, const std::string& undo) {
  const std::string name = operation["name"].text();
  cli::Progress progress(context.frame.io, context.frame.clock, "Waiting for operation [" + name + "] to complete");
  try {
    Json done = api::wait_for_operation(context.tpu(), std::move(operation), wait_limits(context.args));
    progress.done();
    return done;
  } catch (Error& error) {
    end_progress(progress, error);
    const std::string look = "The operation goes on in the cloud. Look: tpuctl operations describe " + name;
    if (is_interruption(error)) {
      error.hint = look + "\n" + undo;
    } else if (error.hint.empty() && (error.http != 0 || error.kind == Kind::wait || error.kind == Kind::unavailable)) {
      error.hint = look;  // it was the looking that failed
    }
    throw;
  }
}

int list(Context& context, const Resource& resource) {
  api::Name collection{context.project(std::string(resource.what)), "", std::string(resource.collection), ""};
  if (resource.collection != "locations") collection.location = context.zone(std::string(resource.what));
  cli::output::Options options = context.output();
  api::Client client = context.tpu(resource.fixed_version.empty() ? context.api_version() : std::string(resource.fixed_version));
  options.address = [base = context.endpoint("tpu") + client.version() + "/"](const Json& row) { return base + row["name"].text(); };
  cli::output::Pipeline pipeline(context.frame.io, options, std::string(resource.columns));
  std::vector<std::string> unreachable;
  std::vector<Json> kept;
  const auto page_size = context.args.row("page-size") ? context.args.integer("page-size").value_or(0) : 0;
  client.list(collection, page_size,
              [&](Json row) {
                if (resource.arranged) {
                  kept.push_back(std::move(row));
                } else if (!resource.listed || resource.listed(row)) {
                  pipeline.push(std::move(row));
                }
                return !pipeline.full() && !context.frame.io.out_closed;
              },
              unreachable);
  if (resource.arranged) {
    for (Json& row : resource.arranged(kept)) pipeline.push(std::move(row));
  }
  pipeline.finish();
  return context.warn_unreachable(unreachable) ? 1 : 0;
}

int describe(Context& context, const Resource& resource) {
  const api::Name name = resource_name(context, resource);
  api::Client client = context.tpu(resource.fixed_version.empty() ? context.api_version() : std::string(resource.fixed_version));
  Json found = read(resource, client, name);
  if (resource.listed && !resource.listed(found)) {
    throw Error(Kind::failure, "[" + name.id + "] is a TPU Node of the retired architecture, which tpuctl does not handle.");
  }
  context.print(std::move(found), "yaml");
  return 0;
}

namespace {
// Operations have been seen to lag behind, and people to delete what was up and running.
Json wait_for_creation(Context& context, const Resource& resource, const api::Name& name, Json operation) {
  try {
    return wait_told(context, std::move(operation), "Undo: " + group_words(context.args) + " delete " + name.full());
  } catch (const Error& error) {
    if (error.kind != Kind::wait || resource.made.empty()) throw;
    Json found = context.tpu().get(name);
    if (api::state_of(found) != resource.made) throw;
    context.warn("The operation does not end, but [" + name.id + "] is " + std::string(resource.made) + ".");
    return Json{{"response", std::move(found)}};
  }
}

int create_and_wait(Context& context, const Resource& resource, const api::Name& name, const Json& body) {
  api::Client& client = context.tpu();
  Json operation = client.create(name, body);
  const bool finished = operation["name"].text().empty();  // adopted after a lost answer, already there
  context.say("Create request issued for: [" + name.id + "]");
  if (context.args.on("async")) {
    context.say("Check operation [" + operation["name"].text() + "] for status.");
    context.print(std::move(operation), "");
    return 0;
  }
  if (!finished) operation = wait_for_creation(context, resource, name, std::move(operation));
  Json result = resource.reads_after_create ? client.get(name) : operation["response"];
  context.say("Created " + std::string(resource.what) + " [" + name.id + "].");
  context.print(std::move(result), "");
  return 0;
}
}  // namespace

int create(Context& context, const Resource& resource, const api::Name& name, const Json& body) {
  check_new_id(name.id, std::string(resource.what));
  warn_of_line_ends(context);
  api::Client& client = context.tpu();
  if (context.args.on("dry-run")) {
    context.print_call(client, client.create_call(name, body));
    return 0;
  }
  try {
    return create_and_wait(context, resource, name, body);
  } catch (Error& error) {
    explain_refusal(error, name, body);
    throw;
  }
}

int remove(Context& context, const Resource& resource) {
  const api::Name name = resource_name(context, resource);
  api::Client& client = context.tpu();
  const bool force = context.args.row("force") && context.args.on("force");
  if (context.args.on("dry-run")) {
    context.print_call(client, client.remove_call(name, force));
    return 0;
  }
  cli::require_confirmation(context.frame.io, context.frame.config,
                            "You are about to delete " + std::string(resource.what) + " [" + name.id + "]" +
                                (force ? and_its_nodes(context, resource, name) : ""));
  Json operation;
  try {
    operation = client.remove(name, force);
  } catch (Error& error) {
    if (error.status == "FAILED_PRECONDITION" && context.args.row("force") && !force) {
      const auto nodes = nodes_of(context, resource, name);
      error.hint = "Delete its nodes " + (nodes.empty() ? "" : "[" + text::join(nodes, ", ") + "] ") + "too: --force";
    }
    if (const std::string hint = meant_instead(resource, client, name, error); !hint.empty()) error.hint = hint;
    throw;
  }
  context.say("Delete request issued for: [" + name.id + "]");
  if (context.args.on("async")) {
    context.say("Check operation [" + operation["name"].text() + "] for status.");
    context.print(std::move(operation), "");
    return 0;
  }
  if (!operation["name"].text().empty()) operation = wait_told(context, std::move(operation), "A deletion cannot be undone.");
  context.say("Deleted " + std::string(resource.what) + " [" + name.id + "].");
  context.print(operation["response"], "");
  return 0;
}

int wait(Context& context, const Resource& resource) {
  const api::Name name = resource_name(context, resource);
  const std::string wished = context.args.text("for");
  cli::Progress progress(context.frame.io, context.frame.clock, "Waiting for [" + name.id + "] to be " + wished);
  try {
    Json found = api::wait_for_state(context.tpu(), name, resource.rules(wished), wait_limits(context.args),
                                     [&progress](const std::string& state) { progress.update(state); });
    progress.done();
    if (!found.is_null()) context.print(std::move(found), "");
    return 0;
  } catch (Error& error) {
    end_progress(progress, error);
    const std::string words = group_words(context.args);
    if (is_interruption(error)) {
      error.hint = "[" + name.id + "] stays as it is. Wait on: " + words + " wait " + name.full() + "\nGive it up: " + words +
                   " delete " + name.full();
    } else if (error.kind == Kind::wait && error.hint.empty()) {
      error.hint = "Look at it with: " + words + " describe " + name.full();
    } else if (const std::string hint = meant_instead(resource, context.tpu(), name, error); !hint.empty()) {
      error.hint = hint;
    }
    throw;
  }
}

int update(Context& context, const Resource& resource, const api::Name& name, Json body, const std::vector<std::string>& mask) {
  api::Client& client = context.tpu();
  const api::Call call = client.patch_call(name, std::move(body), mask);
  if (context.args.on("dry-run")) {
    context.print_call(client, call);
    return 0;
  }
  Json operation = client.send(call);
  context.say("Request issued for: [" + name.id + "]");
  if (context.args.on("async")) {
    context.say("Check operation [" + operation["name"].text() + "] for status.");
    context.print(std::move(operation), "");
    return 0;
  }
  operation = wait_told(context, std::move(operation), "Undo: update it again.");
  context.say("Updated " + std::string(resource.what) + " [" + name.id + "].");
  context.print(operation["response"], "");
  return 0;
}

int custom_verb(Context& context, const Resource& resource, std::string_view verb, Json body) {
  const api::Name name = resource_name(context, resource);
  api::Client& client = context.tpu();
  const api::Call call = client.verb_call(name, verb, std::move(body));  // never sent again after a lost answer
  if (context.args.on("dry-run")) {
    context.print_call(client, call);
    return 0;
  }
  Json operation = client.send(call);
  context.say("Request issued for: [" + name.id + "]");
  if (context.args.on("async")) {
    context.say("Check operation [" + operation["name"].text() + "] for status.");
  } else {
    operation = wait_told(context, std::move(operation), "It cannot be undone.");
  }
  context.print(std::move(operation), "yaml");
  return 0;
}

}  // namespace tpuctl::commands
