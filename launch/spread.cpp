// SPDX-License-Identifier: Apache-2.0
#include "launch/spread.hpp"

#include <algorithm>
#include <utility>

namespace tpuctl::launch {

Spread::Spread(std::vector<Stop> stops, const Options& options) : options_(options) {
  for (Stop& stop : stops) {
    Place place;
    place.stop = std::move(stop);
    places_.push_back(std::move(place));
  }
}

std::size_t Spread::count(State state) const {
  return static_cast<std::size_t>(std::count_if(places_.begin(), places_.end(), [state](const Place& place) { return place.state == state; }));
}

void Spread::settle(std::size_t worker, State state) {
  Place& place = places_[worker];
  if (place.state == State::busy && place.order.carrier == Carrier::relay) --places_[place.order.source].serving;
  place.state = state;
}

void Spread::lacks(std::size_t worker, std::int64_t have) {
  places_[worker].have = have;
  settle(worker, State::waiting);
}

void Spread::advanced(std::size_t worker, std::int64_t have) { places_[worker].have = have; }

bool Spread::copying(std::size_t worker) const {
  return places_[worker].state == State::busy && places_[worker].order.carrier == Carrier::copy;
}

void Spread::arrived(std::size_t worker) {
  if (places_[worker].state == State::busy && places_[worker].order.carrier == Carrier::relay) ++hits_;
  settle(worker, State::holding);
}

void Spread::missed(std::size_t worker) {
  Place& place = places_[worker];
  if (place.state != State::busy) return;
  if (place.order.carrier == Carrier::bucket) place.tried_bucket = true;
  if (place.order.carrier == Carrier::relay) {
    ++misses_;
    place.tried.push_back(place.order.source);
  }
  settle(worker, State::waiting);
}

void Spread::gone(std::size_t worker) { settle(worker, State::gone); }

bool Spread::can_relay(const Place& place) const { return options_.relay && place.stop.reachable && !relay_broken(); }

// Of those who hold it and have time: the same node first, then who has least to do.
const Spread::Place* Spread::find_source(const Place& target) const {
  const Place* best = nullptr;
  auto rank = [&target](const Place& place) { return std::pair(place.stop.node != target.stop.node, place.serving); };
  for (const Place& place : places_) {
    if (place.state != State::holding || place.released || !place.stop.reachable || place.serving >= options_.per_source) continue;
    const auto index = static_cast<std::size_t>(&place - places_.data());
    if (std::find(target.tried.begin(), target.tried.end(), index) != target.tried.end()) continue;
    if (!best || rank(place) < rank(*best)) best = &place;
  }
  return best;
}

bool Spread::choose(std::size_t target, Order& order) const {
  const Place& place = places_[target];
  order = {target, Carrier::copy, 0};
  if (options_.bucket && !place.tried_bucket) {
    order.carrier = Carrier::bucket;
    return true;
  }
  const auto busy = count(State::busy);
  if (!can_relay(place)) {
    const auto copies = std::count_if(places_.begin(), places_.end(), [](const Place& other) {
      return other.state == State::busy && other.order.carrier == Carrier::copy;
    });
    return copies < options_.copies;
  }
  if (const Place* source = find_source(place)) {
    order.carrier = Carrier::relay;
    order.source = static_cast<std::size_t>(source - places_.data());
    return true;
  }
  // Nobody can give it. Once nobody is about to have it either, it comes from here: to the first of all, and to one whom no
  // other worker could serve.
  return busy == 0;
}

// Who has most of the archive first: of all of them it costs the least.
std::vector<std::size_t> Spread::waiting_by_most() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].state == State::waiting) out.push_back(i);
  }
  std::stable_sort(out.begin(), out.end(), [this](std::size_t a, std::size_t b) { return places_[a].have > places_[b].have; });
  return out;
}

void Spread::change_seed() {
  for (const std::size_t better : waiting_by_most()) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const bool behind = copying(i) && places_[i].have < places_[better].have;
      if (behind && can_relay(places_[i]) && can_relay(places_[better])) settle(i, State::waiting);
    }
    return;
  }
}

std::vector<Spread::Order> Spread::next() {
  std::vector<Order> out;
  change_seed();
  for (const std::size_t i : waiting_by_most()) {
    Order order;
    if (!choose(i, order)) continue;
    if (order.carrier == Carrier::relay) ++places_[order.source].serving;
    places_[i].state = State::busy;
    places_[i].order = order;
    out.push_back(order);
  }
  return out;
}

std::vector<std::size_t> Spread::released() {
  const auto absent = count(State::absent);
  const bool scarce = static_cast<std::size_t>(options_.slots) < places_.size();
  if (count(State::waiting) + count(State::busy) > 0) return {};
  if (absent > 0 && !scarce) return {};
  std::vector<std::size_t> out;
  // With fewer conversations than workers those who hold it make room, but for one that serves whoever comes next.
  bool keep = absent > 0 && options_.relay && options_.slots > 1;
  for (Place& place : places_) {
    if (place.state != State::holding || place.released) continue;
    if (keep) {
      keep = false;
      continue;
    }
    place.released = true;
    out.push_back(static_cast<std::size_t>(&place - places_.data()));
  }
  return out;
}

}  // namespace tpuctl::launch
