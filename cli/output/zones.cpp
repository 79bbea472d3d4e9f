// SPDX-License-Identifier: Apache-2.0
#include "cli/output/zones.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "base/file.hpp"
#include "base/text.hpp"

namespace tpuctl::cli::output {

namespace {

struct Abbreviation {
  std::string_view name;
  std::string_view zone;
};
// What gcloud takes the usual abbreviations for; several stand for more than one zone.
constexpr Abbreviation kAbbreviations[] = {
    {"AEST", "Australia/Brisbane"},
    {"AKST", "America/Anchorage"},
    {"BST", "UTC+01"},
    {"CDT", "America/Chicago"},
    {"CEST", "Europe/Belgrade"},
    {"CET", "Europe/Belgrade"},
    {"CST", "America/Chicago"},
    {"EDT", "America/New_York"},
    {"EEST", "Europe/Chisinau"},
    {"EET", "Europe/Chisinau"},
    {"EST", "America/New_York"},
    {"GMT", "UTC"},
    {"HKT", "Asia/Hong_Kong"},
    {"HST", "Pacific/Honolulu"},
    {"ICT", "UTC+07"},
    {"IST", "Asia/Jerusalem"},
    {"JST", "Asia/Tokyo"},
    {"KST", "Asia/Seoul"},
    {"MDT", "America/Phoenix"},
    {"MSK", "Europe/Moscow"},
    {"MST", "America/Phoenix"},
    {"NZST", "Pacific/Auckland"},
    {"PDT", "America/Los_Angeles"},
    {"PST", "America/Los_Angeles"},
    {"SGT", "Asia/Kuala_Lumpur"},
    {"UCT", "UTC"},
    {"US/Central", "America/Chicago"},
    {"US/Eastern", "America/New_York"},
    {"US/Mountain", "America/Phoenix"},
    {"US/Pacific", "America/Los_Angeles"},
    {"WEST", "Europe/Amsterdam"},
    {"WET", "Europe/Amsterdam"},
    {"WIT", "UTC+07"},
};

// "UTC+5", "UTC+05:30", "UTC-3": as people mean them, east of Greenwich being plus.
std::optional<Zone> offset_zone(std::string_view name) {
  if (!name.starts_with("UTC") || name.size() < 5 || (name[3] != '+' && name[3] != '-')) return {};
  const auto colon = name.find(':');
  const auto hours = text::parse_int(name.substr(4, colon == std::string_view::npos ? colon : colon - 4));
  const auto minutes = colon == std::string_view::npos ? 0 : text::parse_int(name.substr(colon + 1));
  if (!hours || !minutes || *hours < 0 || *hours > 24) return {};
  const auto offset = static_cast<int>(*hours * 3600 + *minutes * 60);
  return Zone{Zone::fixed, name[3] == '-' ? -offset : offset, "UTC"};
}

bool in_data_base(const std::string& name) {
  const bool plain = !name.empty() && name[0] != '/' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '_' || c == '-' || c == '+';
  });
  if (!plain) return false;
  for (const char* folder :
       {"/usr/share/zoneinfo/", "/usr/lib/zoneinfo/", "/usr/share/lib/zoneinfo/", "/etc/zoneinfo/"}) {
    if (file::exists(folder + name) && !file::is_dir(folder + name)) return true;
  }
  return false;
}

}  // namespace

std::optional<Zone> find_zone(const std::string& given) {
  std::string name = given;
  for (const Abbreviation& one : kAbbreviations) {
    if (one.name == given) name = one.zone;
  }
  if (name == "UTC" || name == "Z") return Zone::utc();
  if (name == "LOCAL" || name == "L") return Zone{};
  if (auto zone = offset_zone(name)) return zone;
  if (in_data_base(name)) return Zone{Zone::named, 0, name};
  return {};
}

ZoneOfProcess::ZoneOfProcess(const Zone& zone) {
  if (zone.kind != Zone::named) {
    tzset();
    return;
  }
  const char* now = std::getenv("TZ");
  if (now) before_ = now;
  setenv("TZ", zone.name.c_str(), 1);
  tzset();
  changed_ = true;
}

ZoneOfProcess::~ZoneOfProcess() {
  if (!changed_) return;
  if (before_) {
    setenv("TZ", before_->c_str(), 1);
  } else {
    unsetenv("TZ");
  }
  tzset();
}

}  // namespace tpuctl::cli::output
