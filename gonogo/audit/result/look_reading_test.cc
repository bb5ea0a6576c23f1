// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/look_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/result/status.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

LookReading FirstOfTwo() {
  return {.look = 1,
          .looks = 2,
          .clusters = 20,
          .alpha = 0.0089,
          .reading = "ABSTAIN",
          .channels = {{.name = "H_dep", .point = 0.012, .lower = 0.004, .threshold = 0.01},
                       {.name = "q", .upper = 0.031, .threshold = 0.05, .above = false}},
          .later = {{80, 0.62, 0.05}}};
}

TEST(LookReadingTest, IsReadBackAsItWasWritten) {
  const nlohmann::json json = FirstOfTwo();
  EXPECT_EQ(nlohmann::json(json.get<LookReading>()), json);
  EXPECT_TRUE(json["channels"][0]["upper"].is_null());
  EXPECT_EQ(json["channels"][1]["direction"], "below");
}

/// A protocol that declares four clusters and looks at two and at four of them.
Protocol FourDeclared() {
  Protocol protocol;
  protocol.rule.looks_at = {2, 4};
  protocol.collect = ForeignSection{{{"seeds", "[1, 2, 3, 4]"}}};
  return protocol;
}

OutcomeTable ClustersNamed(std::vector<std::string> names) {
  OutcomeTable table;
  table.cluster_begin.resize(names.size() + 1);
  table.clusters = std::move(names);
  return table;
}

TEST(LookReadingTest, AnEarlyLookIsAtTheFirstDeclaredClustersAndNoOthers) {
  EXPECT_THAT(CollectionReasons(ClustersNamed({"1", "2"}), FourDeclared()), IsEmpty());
  const std::vector<std::string> picked =
      CollectionReasons(ClustersNamed({"1", "3"}), FourDeclared());
  ASSERT_EQ(picked.size(), 1U);
  EXPECT_THAT(picked[0], HasSubstr("not in the table: 2"));
  EXPECT_EQ(CollectionReasons(ClustersNamed({"1", "2", "3"}), FourDeclared()).size(), 1U);
}

}  // namespace
}  // namespace gonogo::audit
