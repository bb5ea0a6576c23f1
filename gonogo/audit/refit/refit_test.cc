// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/refit.h"

#include <atomic>
#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/audit/refit/audit_tasks.h"

namespace gonogo::audit {
namespace {

class RefitTest : public testing::Test {
 protected:
  RefitTest()
      : table_(MakePositiveControl({.clusters = 6, .queries_per_cluster = 20}, RngStream(1))),
        outcomes_(DeriveOutcomes(table_, 1.1)),
        problem_(SelectFeatures(outcomes_, {}).value()),
        learner_(std::move(MakeRidgeLearner(problem_, {}).value())),
        tasks_(BootstrapTasks(6, 12, RngStream(2))) {}

  [[nodiscard]] Result<std::vector<Refit>> Run(const RefitStore& store,
                                               const Execution& execution) const {
    return RunRefits(problem_, *learner_, {}, tasks_, store, execution);
  }

  OutcomeTable table_;
  PotentialOutcomes outcomes_;
  LearningProblem problem_;
  std::unique_ptr<Learner> learner_;
  std::vector<RefitTask> tasks_;
};

TEST_F(RefitTest, GivesTheSameRefitsOnOneThreadAndOnFour) {
  EXPECT_EQ(Run({}, {.jobs = 1}).value(), Run({}, {.jobs = 4}).value());
}

TEST_F(RefitTest, EvaluatesExactlyTheOutOfBagClusters) {
  const std::vector<Refit> refits = Run({}, {}).value();
  for (const Refit& refit : refits) {
    std::vector<std::size_t> evaluated;
    for (const ChoiceTotals& choices : refit.held_out) evaluated.push_back(choices.cluster);
    EXPECT_EQ(evaluated, stats::HeldOut(refit.split));
  }
}

TEST_F(RefitTest, GoesOnFromStoredRefitsToTheSameResult) {
  std::mutex lock;
  std::map<std::size_t, Refit> kept;
  const auto save = [&](std::size_t task, const Refit& refit) {
    const std::lock_guard guard(lock);
    kept[task] = refit;
    return Status();
  };
  const std::vector<Refit> whole = Run({.save = save}, {}).value();
  for (const std::size_t lost : {0U, 5U, 11U}) kept.erase(lost);
  kept[3].split = stats::LeaveOneOut(6, 0);   // of another run: must not be used
  kept[4].held_out.front().count.pop_back();  // damaged: likewise
  kept[6].held_out.front().cluster = 99;
  std::atomic<int> saved = 0;
  const RefitStore store{.load = [&](std::size_t task) -> std::optional<Refit> {
                           const auto found = kept.find(task);
                           return found == kept.end() ? std::nullopt : std::optional(found->second);
                         },
                         .save =
                             [&](std::size_t, const Refit&) {
                               ++saved;
                               return Status();
                             }};
  EXPECT_EQ(Run(store, {}).value(), whole);
  EXPECT_EQ(saved, 6);
}

TEST_F(RefitTest, StopsBetweenRefitsWhenAsked) {
  std::stop_source stop;
  Execution execution{.jobs = 1, .stop = stop.get_token()};
  execution.progress = [&](std::size_t done, std::size_t) {
    if (done == 3) stop.request_stop();
  };
  const Result<std::vector<Refit>> stopped = Run({}, execution);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(stopped.error().message, "stopped after 3 of 12 refits");
}

TEST_F(RefitTest, AFitThatWasStoppedIsNeitherKeptNorCounted) {
  std::stop_source stop;
  stop.request_stop();
  for (const LearnerKind kind : {LearnerKind::kMlp, LearnerKind::kRidge, LearnerKind::kTrees}) {
    const std::unique_ptr<Learner> learner =
        std::move(MakeLearner({.kind = kind}, problem_).value());
    EXPECT_FALSE(RunRefit(problem_, *learner, {}, tasks_[0], stop.get_token()).has_value());
    EXPECT_EQ(learner->Fit(tasks_[0].split, RngStream(1), stop.get_token()), nullptr);
  }
}

TEST_F(RefitTest, ReportsARefitThatCannotBeSaved) {
  const auto refuse = [](std::size_t, const Refit&) -> Status { return IoError("disk full"); };
  const Result<std::vector<Refit>> failed = Run({.save = refuse}, {.jobs = 2});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "disk full");
}

TEST(CrossFitTasksTest, LeaveEveryClusterOutOnce) {
  const std::vector<RefitTask> tasks = CrossFitTasks(5, RngStream(3));
  ASSERT_EQ(tasks.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(stats::HeldOut(tasks[k].split), (std::vector<std::size_t>{k}));
  }
}

}  // namespace
}  // namespace gonogo::audit
