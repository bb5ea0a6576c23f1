// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/study/answer/run_study.h"
#include "gonogo/study/collect/collect_config.h"

namespace gonogo::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

audit::Protocol ThreeSeeds(const std::string& more = "") {
  return ParseProtocol(
             "[protocol]\nname = \"three\"\nactions = [\"direct\", \"scale-0.75\"]\n"
             "min_clusters = 3\n[collect]\nseeds = [7, 9, 8]\n[rule]\nkind = \"calibrated\"\n" +
                 more,
             "three.toml")
      .value();
}

TEST(DeclareLooksTest, LooksDoubleUpToTheMostAndSeedsGoOnAfterTheLargest) {
  const audit::Protocol declared = DeclareLooks(ThreeSeeds(), 10).value();
  EXPECT_THAT(declared.rule.looks_at, ElementsAre(3, 6, 10));
  EXPECT_THAT(CollectOf(declared).value().seeds, ElementsAre(7, 9, 8, 10, 11, 12, 13, 14, 15, 16));
  EXPECT_THAT(DeclareLooks(ThreeSeeds(), {}).value().rule.looks_at, ElementsAre(3, 6, 12, 24));
  EXPECT_NE(audit::Fingerprint(declared), audit::Fingerprint(ThreeSeeds()));
}

TEST(DeclareLooksTest, DeclaredLooksStayAndTheMostOnlyEndsThem) {
  const audit::Protocol protocol = ThreeSeeds("looks_at = [2, 4, 8]\n");
  const audit::Protocol declared = DeclareLooks(protocol, 5).value();
  EXPECT_THAT(declared.rule.looks_at, ElementsAre(2, 4, 8));
  EXPECT_EQ(CollectOf(declared).value().seeds.size(), 8U);
  EXPECT_THAT(LooksToTake(declared, 5).value(), ElementsAre(2, 4));
  EXPECT_THAT(LooksToTake(declared, {}).value(), ElementsAre(2, 4, 8));
}

TEST(DeclareLooksTest, RefusesWhatCannotBeLookedAtTwice) {
  audit::Protocol paper = ThreeSeeds();
  paper.rule.kind = audit::DecisionRule::kPaper;
  EXPECT_THAT(DeclareLooks(paper, {}).error().message, HasSubstr("--set rule.kind=calibrated"));
  audit::Protocol known = ThreeSeeds();
  known.question.deploy = audit::Deployment::kKnownClusters;
  EXPECT_THAT(DeclareLooks(known, {}).error().message, HasSubstr("known clusters"));
  EXPECT_THAT(DeclareLooks(ThreeSeeds(), 2).error().message, HasSubstr("first look is at 3"));
  EXPECT_THAT(LooksToTake(ThreeSeeds("looks_at = [4, 8]\n"), 3).error().message,
              HasSubstr("at 4 clusters"));
}

}  // namespace
}  // namespace gonogo::study
