// SPDX-License-Identifier: Apache-2.0
// Who gets an archive from whom: out of the bucket, from another worker that has it, or from this machine. A plan that is made
// while things happen, as pure state: told what came, it says what to do next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tpuctl::launch {

class Spread {
 public:
  struct Options {
    bool bucket = false;  ///< the archive can be had there; tried once by each worker
    bool relay = true;    ///< workers may fetch from each other
    int slots = 1 << 20;  ///< how many conversations can be open at once
    int per_source = 3;   ///< how many fetch from one worker at once
    int copies = 8;       ///< how many copies leave this machine at once when relay does not work
  };
  struct Stop {
    std::string node;      ///< workers of one node fetch from each other first
    bool reachable = true; ///< has an internal address
  };
  enum class Carrier { bucket, relay, copy };
  struct Order {
    std::size_t target = 0;
    Carrier carrier = Carrier::copy;
    std::size_t source = 0;  ///< with relay
  };

  Spread(std::vector<Stop> stops, const Options& options);

  // What happened.
  /// It is there and has to get the archive, but for the first `have` bytes.
  void lacks(std::size_t worker, std::int64_t have = 0);
  void advanced(std::size_t worker, std::int64_t have);  ///< so far has its copy come
  void arrived(std::size_t worker);  ///< its order was carried out: it holds the archive now
  void missed(std::size_t worker);   ///< its order came to nothing; another carrier may do better
  void gone(std::size_t worker);     ///< it has ended, failed, or needs nothing

  /// What is to be done now; each order is given once.
  std::vector<Order> next();
  /// Whether its copy is still wanted: when another worker turns up that has more of the archive, that one is given the rest
  /// from here, and this one fetches from it.
  bool copying(std::size_t worker) const;
  /// Workers that nobody will need any more; each is named once.
  std::vector<std::size_t> released();

  /// Three fetches from other workers came to nothing and none succeeded: everybody gets a copy from here.
  bool relay_broken() const { return misses_ >= 3 && hits_ == 0; }

 private:
  enum class State { absent, waiting, busy, holding, gone };
  struct Place {
    Stop stop;
    State state = State::absent;
    Order order;
    bool tried_bucket = false;
    std::vector<std::size_t> tried;  ///< sources that came to nothing
    std::int64_t have = 0;
    int serving = 0;
    bool released = false;
  };
  std::size_t count(State state) const;
  bool can_relay(const Place& place) const;
  const Place* find_source(const Place& target) const;
  bool choose(std::size_t target, Order& order) const;
  std::vector<std::size_t> waiting_by_most() const;
  void change_seed();
  void settle(std::size_t worker, State state);

  std::vector<Place> places_;
  Options options_;
  int hits_ = 0, misses_ = 0;
};

}  // namespace tpuctl::launch
