// SPDX-License-Identifier: Apache-2.0
#include "launch/spread.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

namespace tpuctl::test {
namespace {

using launch::Spread;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Carrier = Spread::Carrier;

std::vector<Spread::Stop> stops(std::size_t count, const std::string& node = "pod") { return std::vector<Spread::Stop>(count, {node, true}); }

Spread all_lacking(std::size_t count, const Spread::Options& options = {}) {
  Spread out(stops(count), options);
  for (std::size_t i = 0; i < count; ++i) out.lacks(i);
  return out;
}

TEST(Spread, OneCopyLeavesAndTheRestGoesFromWorkerToWorker) {
  Spread spread = all_lacking(64);
  int copies = 0, rounds = 0;
  std::map<std::size_t, int> served;
  for (auto orders = spread.next(); !orders.empty(); orders = spread.next()) {
    ++rounds;
    std::map<std::size_t, int> now;
    for (const auto& order : orders) {
      copies += order.carrier == Carrier::copy ? 1 : 0;
      if (order.carrier != Carrier::relay) continue;
      EXPECT_LE(++now[order.source], 3) << "nobody is queued on";
      ++served[order.source];
    }
    EXPECT_THAT(spread.released(), IsEmpty());
    for (const auto& order : orders) spread.arrived(order.target);
  }
  EXPECT_EQ(copies, 1);
  EXPECT_EQ(rounds, 4) << "1, 3, 12, 48 more";
  EXPECT_GT(served.size(), 10u);
  EXPECT_THAT(spread.released(), SizeIs(64));
  EXPECT_THAT(spread.released(), IsEmpty()) << "each once";
}

TEST(Spread, AWorkerAloneGetsACopy) {
  Spread spread = all_lacking(1);
  const auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].carrier, Carrier::copy);
  EXPECT_THAT(spread.next(), IsEmpty()) << "each order is given once";
}

TEST(Spread, WhoComesLateIsServedByThoseWhoHaveIt) {
  Spread spread(stops(3), {});
  spread.lacks(1);
  EXPECT_EQ(spread.next()[0].target, 1u);
  spread.arrived(1);
  EXPECT_THAT(spread.released(), IsEmpty()) << "the others may still come";
  spread.lacks(0);
  const auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].carrier, Carrier::relay);
  EXPECT_EQ(orders[0].source, 1u);
  spread.arrived(0);
  spread.gone(2);
  EXPECT_THAT(spread.released(), ElementsAre(0, 1));
}

TEST(Spread, WhoHasMostOfItIsGivenTheRest) {
  Spread spread(stops(3), {});
  spread.lacks(0);
  EXPECT_EQ(spread.next()[0].target, 0u) << "nobody else is there yet";
  spread.advanced(0, 100);
  spread.lacks(1, 50);
  EXPECT_THAT(spread.next(), IsEmpty());
  EXPECT_TRUE(spread.copying(0));
  spread.lacks(2, 500);
  auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].target, 2u);
  EXPECT_EQ(orders[0].carrier, Carrier::copy);
  EXPECT_FALSE(spread.copying(0));
  spread.arrived(2);
  orders = spread.next();
  ASSERT_THAT(orders, SizeIs(2));
  for (const auto& order : orders) EXPECT_EQ(order.source, 2u);
}

TEST(Spread, ASeedThatFailsIsReplaced) {
  Spread spread = all_lacking(3);
  EXPECT_EQ(spread.next()[0].target, 0u);
  spread.gone(0);
  const auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].target, 1u);
  EXPECT_EQ(orders[0].carrier, Carrier::copy);
}

TEST(Spread, AFetchThatFailsIsTriedFromAnotherWorkerAndThenFromHere) {
  Spread spread = all_lacking(3);
  spread.next();
  spread.arrived(0);
  ASSERT_THAT(spread.next(), SizeIs(2));  // 1 and 2 from 0
  spread.missed(1);
  EXPECT_THAT(spread.next(), IsEmpty()) << "2 may have it soon";
  spread.arrived(2);
  auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].source, 2u);
  spread.missed(1);
  orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].carrier, Carrier::copy);
  EXPECT_FALSE(spread.relay_broken());
}

TEST(Spread, ASourceThatDiesTakesNoOrdersMore) {
  Spread spread = all_lacking(3);
  spread.next();
  spread.arrived(0);
  spread.next();
  spread.gone(0);
  spread.missed(1);
  spread.missed(2);
  const auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].carrier, Carrier::copy);
}

TEST(Spread, WhenNoWorkerCanFetchEachGetsACopyAFewAtATime) {
  Spread spread = all_lacking(20);
  spread.next();
  spread.arrived(0);
  auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(3));
  for (const auto& order : orders) spread.missed(order.target);
  EXPECT_TRUE(spread.relay_broken());
  std::set<std::size_t> served = {0};
  for (orders = spread.next(); !orders.empty(); orders = spread.next()) {
    EXPECT_LE(orders.size(), 8u);
    for (const auto& order : orders) {
      EXPECT_EQ(order.carrier, Carrier::copy);
      served.insert(order.target);
    }
    for (const auto& order : orders) spread.arrived(order.target);
  }
  EXPECT_THAT(served, SizeIs(20));
}

TEST(Spread, FromTheBucketAllAtOnceAndWhoeverCannotFromANeighbour) {
  Spread spread = all_lacking(5, {.bucket = true});
  auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(5));
  for (const auto& order : orders) EXPECT_EQ(order.carrier, Carrier::bucket);
  spread.missed(2);
  EXPECT_THAT(spread.next(), IsEmpty());
  for (const std::size_t i : {0, 1, 3, 4}) spread.arrived(i);
  orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].carrier, Carrier::relay);
}

TEST(Spread, ABucketThatNobodyCanReadCostsOneCopy) {
  Spread spread = all_lacking(4, {.bucket = true});
  for (const auto& order : spread.next()) spread.missed(order.target);
  const auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].carrier, Carrier::copy);
}

TEST(Spread, WithoutInternalAddressesOrRelayCopiesOnly) {
  for (const bool relay : {true, false}) {
    Spread spread(std::vector<Spread::Stop>(3, {"pod", !relay}), {.relay = relay});
    for (std::size_t i = 0; i < 3; ++i) spread.lacks(i);
    const auto orders = spread.next();
    ASSERT_THAT(orders, SizeIs(3));
    for (const auto& order : orders) EXPECT_EQ(order.carrier, Carrier::copy);
  }
}

TEST(Spread, NeighboursOfTheSameNodeFirst) {
  Spread spread({{"a", true}, {"b", true}, {"a", true}, {"b", true}}, {});
  spread.lacks(0);
  spread.next();
  spread.arrived(0);
  spread.lacks(1);
  spread.next();
  spread.arrived(1);
  spread.lacks(2);
  spread.lacks(3);
  const auto orders = spread.next();
  ASSERT_THAT(orders, SizeIs(2));
  EXPECT_EQ(orders[0].source, 0u);
  EXPECT_EQ(orders[1].source, 1u);
}

// With fewer conversations than workers nobody waits for one that cannot begin.
TEST(Spread, FewConversationsAreEnough) {
  for (const int slots : {1, 2, 3, 8}) {
    constexpr std::size_t kWorkers = 9;
    Spread spread(stops(kWorkers), {.slots = slots});
    std::set<std::size_t> open, ended;
    std::size_t begun = 0;
    int copies = 0;
    while (ended.size() < kWorkers) {
      bool moved = false;
      while (begun < kWorkers && open.size() < static_cast<std::size_t>(slots)) {
        open.insert(begun);
        spread.lacks(begun++);
        moved = true;
      }
      for (const auto& order : spread.next()) {
        copies += order.carrier == Carrier::copy ? 1 : 0;
        spread.arrived(order.target);
        moved = true;
      }
      for (const auto worker : spread.released()) {
        open.erase(worker);
        ended.insert(worker);
        spread.gone(worker);
        moved = true;
      }
      ASSERT_TRUE(moved) << "it hangs with " << slots;
    }
    EXPECT_EQ(copies, slots == 1 ? 9 : 1) << slots;
  }
}

}  // namespace
}  // namespace tpuctl::test
