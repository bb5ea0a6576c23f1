// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/evaluation_studies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::paper {
namespace {

using testing::ElementsAre;

/// Episodes per method of every block of a study on a robot with the paper's families.
std::vector<std::size_t> Episodes(const std::string& name, std::size_t robots) {
  std::vector<std::size_t> counts;
  for (const auto& block : FindEvaluationStudy(name).value().blocks(robots)) {
    const std::size_t targets = block.plan.family == "harder" ? 8 : 4;
    counts.push_back(block.plan.seeds.size() * targets *
                     static_cast<std::size_t>(block.plan.trials));
  }
  return counts;
}

TEST(EvaluationStudiesTest, HaveThePapersSampleSizes) {
  EXPECT_THAT(Episodes("frontier", 1), ElementsAre(96));
  EXPECT_THAT(Episodes("harder", 1), ElementsAre(400));
  EXPECT_THAT(Episodes("per-target", 1), ElementsAre(400));
  EXPECT_THAT(Episodes("torque", 1), ElementsAre(48));
  EXPECT_THAT(Episodes("objective", 1), ElementsAre(48));
  EXPECT_THAT(Episodes("ablation", 1), ElementsAre(80));
  EXPECT_THAT(Episodes("coverage", 3), ElementsAre(400, 120, 60, 120, 120));
}

TEST(EvaluationStudiesTest, AMisspeltStudyIsRefusedWithTheNearestOne) {
  EXPECT_THAT(FindEvaluationStudy("fronteer").error().message,
              testing::HasSubstr("did you mean 'frontier'"));
}

}  // namespace
}  // namespace gonogo::paper
