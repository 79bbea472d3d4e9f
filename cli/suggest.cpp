// SPDX-License-Identifier: Apache-2.0
#include "cli/suggest.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace tpuctl::cli {

namespace {

struct Synonym {
  std::string_view word;
  std::string_view command;
};
constexpr Synonym kSynonyms[] = {{"ls", "list"},
                                 {"ps", "list"},
                                 {"rm", "delete"},
                                 {"remove", "delete"},
                                 {"destroy", "delete"},
                                 {"del", "delete"},
                                 {"get", "describe"},
                                 {"show", "describe"},
                                 {"info", "describe"},
                                 {"inspect", "describe"},
                                 {"status", "describe"},
                                 {"new", "create"},
                                 {"add", "create"},
                                 {"make", "create"},
                                 {"up", "create"},
                                 {"connect", "ssh"},
                                 {"shell", "ssh"},
                                 {"exec", "ssh"},
                                 {"cp", "scp"},
                                 {"copy", "scp"},
                                 {"upload", "scp"},
                                 {"edit", "update"},
                                 {"patch", "update"},
                                 {"restart", "start"},
                                 {"resume", "start"},
                                 {"kill", "stop"},
                                 {"down", "stop"},
                                 {"switch", "activate"},
                                 {"use", "activate"},
                                 {"log", "logs"},
                                 {"run", "submit"},
                                 {"launch", "run"},
                                 {"watch", "wait"},
                                 {"signin", "login"},
                                 {"logout", "revoke"},
                                 {"tpus", "tpu-vm"},
                                 {"tpu", "tpu-vm"},
                                 {"vm", "tpu-vm"},
                                 {"nodes", "tpu-vm"},
                                 {"qr", "queued-resources"},
                                 {"queue", "queued-resources"},
                                 {"zones", "locations"},
                                 {"types", "accelerator-types"},
                                 {"job", "jobs"},
                                 {"images", "versions"},
                                 {"runtimes", "versions"},
                                 {"gs", "storage"},
                                 {"gsutil", "storage"},
                                 {"set-value", "set"},
                                 {"list-configurations", "configurations"},
                                 {"clean", "prune"},
                                 {"cat", "describe"},
                                 {"mv", "rename"}};

std::string plain(std::string_view text) {
  std::string out = text::lower(text);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

std::string nearest(std::string_view wrong, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongest = 100;  // nobody mistypes more than that; the table above is quadratic
  if (wrong.empty() || wrong.size() > kLongest) return {};
  const std::string word = plain(wrong);
  std::string best;
  std::pair<bool, std::size_t> best_cost;  // a beginning of the word beats any error inside it
  for (const std::string& candidate : candidates) {
    const std::string other = plain(candidate);
    const std::size_t errors = edit_distance(word, other);
    const std::size_t longer = std::max(word.size(), other.size());
    const std::size_t shorter = std::min(word.size(), other.size());
    const bool beginning =
        (word.size() >= 2 && other.starts_with(word)) || (other.size() >= 3 && word.starts_with(other));
    const bool near = errors <= std::max<std::size_t>(2, longer / 3) && errors < longer && (shorter > 2 || errors <= 1);
    const std::pair cost{!beginning, errors};
    if ((beginning || near) && (best.empty() || cost < best_cost)) {
      best = candidate;
      best_cost = cost;
    }
  }
  return best;
}

std::string nearest_command(std::string_view wrong, const std::vector<std::string>& candidates) {
  const std::string word = plain(wrong);
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.word != word) continue;
    const auto found = std::find(candidates.begin(), candidates.end(), synonym.command);
    if (found != candidates.end()) return *found;
  }
  return nearest(wrong, candidates);
}

}  // namespace tpuctl::cli
