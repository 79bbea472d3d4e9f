// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include "cli/output/transforms.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tpuctl::cli {

namespace {

constexpr std::string_view kExitCodes =
    "Scripts may rely on these numbers.\n"
    "\n"
    "    0  done\n"
    "    1  failure; also a missing project or zone\n"
    "    2  the command line is wrong; nothing was sent\n"
    "    3  not found\n"
    "    4  not signed in, or refused\n"
    "    5  exists already, or conflict\n"
    "    6  the wait ended otherwise: time-out, FAILED, SUSPENDED\n"
    "    7  network, service unavailable or rate limited, after retries\n"
    "    8  no capacity (stockout)\n"
    "    9  quota\n"
    "  130  interrupted (Ctrl-C)\n"
    "  143  terminated\n"
    "\n"
    "A closed pipe (`| head`) is no error.\n"
    "\n"
    "ssh, scp and jobs run, wait and attach end with the remote program's own code when it finished or failed; the "
    "earliest failure decides and standard error names its worker. Otherwise:\n"
    "\n"
    "    6  time-out, stuck or lost\n"
    "   75  preempted or maintained, not resumed\n"
    "  125  tpuctl itself failed\n"
    "  143  stopped\n"
    "  255  no connection\n"
    "\n"
    "jobs drill: 0 nothing was lost, 1 steps were lost, 6 it could not be proven.\n"
    "\n"
    "With --format=json an error is one JSON object on standard error: error.code is the exit code, error.status the "
    "service's name for it, then message, hint and details.";

constexpr std::string_view kFormats =
    "--format=FORMAT chooses how a command prints what it is for. Without it each command has its own.\n"
    "\n"
    "  json     members sorted; a list for lists\n"
    "  yaml     the same as YAML; --- before each\n"
    "  table    table(FIELD, ...): columns\n"
    "  value    value(FIELD, ...): tabs between\n"
    "  csv      csv(FIELD, ...), with a heading\n"
    "  text     one line for each value: a.b[0]: x; also named flattened\n"
    "  list     one item for each resource\n"
    "  config   name = value under [section]\n"
    "  get      as value, without transforms\n"
    "  multi    multi(FIELD:format=FORMAT, ...): a format for each field\n"
    "  default  yaml, or the property core/default_format\n"
    "  none     nothing\n"
    "  disable  nothing, and a list is not read to its end\n"
    "\n"
    "A FIELD is the way to a member: state.state, networkEndpoints[0].ipAddress, networkEndpoints[].ipAddress. What is "
    "not there prints as nothing; . is the whole resource. The labels of a command's own table may be used as fields, "
    "and "
    "what the table says about a field holds for it in other formats too, except in get, json and yaml.\n"
    "\n"
    "After a FIELD, attributes follow colons: label=NAME, alias=NAME, sort=1, reverse, align=left|center|right, "
    "optional, "
    "width=N, wrap or wrap=N, and format=FORMAT for a value that has fields of its own.\n"
    "\n"
    "In brackets after the format's name, where they make sense: no-heading, separator=TEXT, delimiter=TEXT, "
    "terminator=TEXT, quote, no-quote, box, all-box, title=TEXT, pad=N, width=N, margin=N, ascii, no-undefined, "
    "null=TEXT, no-pad, compact, export, unset, transforms, no-transforms, json-decode.\n"
    "\n"
    "  $ tpuctl tpu-vm list \\\n"
    "      --format='value(name,state)'\n"
    "\n"
    "To see which fields there are, look at one resource: --format=yaml --limit=1.\n"
    "\n"
    "A FIELD may end in transforms, one behind the other: name.basename(), createTime.date(format=%F,tz=UTC), "
    "networkEndpoints.map().extract(ipAddress).list(). These are there:\n"
    "\n";

constexpr std::string_view kFilters =
    "--filter=EXPRESSION keeps the resources that match.\n"
    "\n"
    "  KEY=VALUE   the whole value, in any case\n"
    "  KEY!=VALUE  another value\n"
    "  KEY:VALUE   VALUE occurs in it; VA* begins it, *UE ends it\n"
    "  KEY:*       there is a value\n"
    "  KEY:(A B)   one of several; also KEY=(A B)\n"
    "  KEY<VALUE   and <= > >=: numbers as numbers, times as times, the rest as text\n"
    "  KEY~REGEX   REGEX is found in it\n"
    "  KEY!~REGEX  REGEX is not found in it\n"
    "  WORD        WORD occurs in any value\n"
    "\n"
    "Terms are joined by AND, OR, NOT (or - before a term) and parentheses. AND and OR in one group need parentheses. "
    "Terms beside each other must all match. A value with blanks or operators is quoted. Case and accents do not "
    "count.\n"
    "\n"
    "KEY is a field as in --format, or a label of the command's own table; it may end in transforms: "
    "networkEndpoints.len()>1.\n"
    "\n"
    "Of a list, one item that matches is enough. A time is written in ISO 8601 notation, as far as it goes, or "
    "relative: "
    "createTime<-P7D is older than a week.\n"
    "\n"
    "Regular expressions are RE2's: no look-ahead and no back references.\n"
    "\n"
    "  $ tpuctl tpu-vm list --filter='state:READY\n"
    "      AND acceleratorType~^v5'\n"
    "\n"
    "--sort-by=FIELD,~FIELD orders (with ~ from high to low), --limit=N then keeps the first N, and --flatten=KEY[] "
    "prints a record for each item of a list. Values are ordered as texts; a table orders by what it shows, numbers as "
    "numbers. With --sort-by nothing is printed before everything was read.";

constexpr std::string_view kEnvironment =
    "Every property may be set for one shell by CLOUDSDK_SECTION_NAME, as with gcloud: CLOUDSDK_CORE_PROJECT, "
    "CLOUDSDK_COMPUTE_ZONE, CLOUDSDK_TPU_API_VERSION. A flag is stronger, the active configuration weaker.\n"
    "\n"
    "  CLOUDSDK_CONFIG        folder of the configuration, ~/.config/gcloud by default\n"
    "  CLOUDSDK_ACTIVE_CONFIG_NAME\n"
    "                         name of the active configuration\n"
    "  GOOGLE_APPLICATION_CREDENTIALS\n"
    "                         key file to sign requests with\n"
    "  NO_COLOR, CLICOLOR, CLICOLOR_FORCE\n"
    "                         whether to colour\n"
    "  COLUMNS                width of the screen\n"
    "  HTTPS_PROXY, NO_PROXY  proxy, unless proxy/* is set\n"
    "  TPUCTL_ERROR_FORMAT    json: errors as JSON on standard error\n"
    "  TPUCTL_FORCE_TTY       write as to a terminal of this width";

constexpr std::string_view kConfigurations =
    "A configuration is a named set of properties, in the same files that gcloud reads and writes: "
    "configurations/config_NAME in ~/.config/gcloud (or $CLOUDSDK_CONFIG). One is active.\n"
    "\n"
    "  $ tpuctl config set project my-project\n"
    "  $ tpuctl config set compute/zone \\\n"
    "      us-central2-b\n"
    "  $ tpuctl config list\n"
    "  $ tpuctl config configurations create dev\n"
    "  $ tpuctl config configurations activate dev\n"
    "\n"
    "A value comes from the first that has one: the flag, the environment variable CLOUDSDK_SECTION_NAME, the active "
    "configuration, the default. The active configuration is --configuration, CLOUDSDK_ACTIVE_CONFIG_NAME, the one "
    "that was "
    "activated, or default. NONE means: no properties from files.\n"
    "\n"
    "Comments in the files are lost when a property is set, as with gcloud.";

std::string formats() {
  std::string out(kFormats);
  for (const output::Transform& row : output::transforms()) {
    constexpr std::size_t kNames = 14;
    std::string name = std::string(row.name) + "()";
    name.resize(std::max(kNames, name.size() + 1), ' ');
    out += "  " + name + std::string(row.help) + "\n";
  }
  out.pop_back();
  return out;
}

const std::vector<Topic>& all() {
  static const std::string formats_text = formats();
  static const std::vector<Topic> kTopics = {
      {"configurations", "Named sets of properties, shared with gcloud", kConfigurations},
      {"environment", "Environment variables", kEnvironment},
      {"exit-codes", "What the exit code says", kExitCodes},
      {"filters", "Choosing resources with --filter, --sort-by, --limit and --flatten", kFilters},
      {"formats", "Choosing what is printed with --format", formats_text},
  };
  return kTopics;
}

}  // namespace

std::span<const Topic> topics() { return all(); }

}  // namespace tpuctl::cli
