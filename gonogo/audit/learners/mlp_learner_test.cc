// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::audit {
namespace {

Protocol FewEpochs() {
  Protocol protocol;
  protocol.learner.mlp.epochs = 40;
  protocol.bootstrap.refits = 10;
  return protocol;
}

TEST(MlpLearnerTest, RecoversTheSignalOfThePositiveControl) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  const AuditResult result = RunAudit(table, FewEpochs(), {}, {}).value();
  // The favoured candidate saves 20 % and each is favoured half of the time, so that choosing right
  // gains about 10 % over any fixed action and over the mix.
  EXPECT_GT(result.h_dep.interval->lower, 0.07);
  EXPECT_GT(result.h_alloc.interval->lower, 0.07);
  EXPECT_LE(result.q.interval->upper, 0.05);
  EXPECT_EQ(result.reading->verdict, Verdict::kGo);
}

TEST(MlpLearnerTest, GivesTheSameBitsOnOneThreadAndOnFour) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  for (const MemberResampling resample :
       {MemberResampling::kClusters, MemberResampling::kQueries, MemberResampling::kNone}) {
    Protocol protocol = FewEpochs();
    protocol.learner.mlp.resample = resample;
    const AuditResult one = RunAudit(table, protocol, {}, {.jobs = 1}).value();
    const AuditResult four = RunAudit(table, protocol, {}, {.jobs = 4}).value();
    EXPECT_EQ(one.cross_fit, four.cross_fit);
    EXPECT_EQ(one.bootstrap, four.bootstrap);
  }
}

}  // namespace
}  // namespace gonogo::audit
