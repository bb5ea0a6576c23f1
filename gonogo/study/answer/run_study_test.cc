// SPDX-License-Identifier: Apache-2.0
// Whole studies, small, as another program calls them.
#include "gonogo/study/answer/run_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/io/file.h"
#include "gonogo/study/collect/collect_config.h"

namespace gonogo::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kSmallProtocol = R"(
[protocol]
name = "small"
actions = ["direct", "scale-0.75"]
min_clusters = 3
[collect]
seeds = [1, 2, 3]
queries_per_cluster = 3
queries_per_episode = 1
family = "moderate"
terrain = "flat"
replayed = 1
[learner]
kind = "ridge"
[bootstrap]
refits = 20
[rule]
kind = "calibrated"
futility = 0.0
)";

class RunStudyTest : public testing::Test {
 protected:
  RunStudyTest() { std::filesystem::remove_all(job_.folder); }
  ~RunStudyTest() override { std::filesystem::remove_all(job_.folder); }

  Result<StudyReport> Run(const Execution& execution = {.jobs = 2}) {
    return RunStudy(job_,
                    {.stage =
                         [&](const std::string& name, const auto&, const auto&) {
                           stages_.push_back(name);
                           return StudyWatcher::Progress();
                         },
                     .say = [&](const std::string& remark) { remarks_.push_back(remark); },
                     .audited = [&](const audit::AuditReport& audit, bool last) -> Status {
                       audits_.push_back(audit.folder.filename().string() + (last ? "!" : ""));
                       return {};
                     }},
                    execution);
  }
  [[nodiscard]] std::string Read(const char* file) const {
    return io::ReadFile(job_.folder / file).value();
  }

  StudyJob job_{.robot = GONOGO_SOURCE_DIR "/robots/go2",
                .protocol = ParseProtocol(kSmallProtocol, "small.toml").value(),
                .folder = std::filesystem::path(testing::TempDir()) / "run_study_test",
                .check = false};
  std::vector<std::string> stages_;
  std::vector<std::string> remarks_;
  std::vector<std::string> audits_;
};

TEST_F(RunStudyTest, CollectsAuditsAndWarns) {
  const Result<StudyReport> report = Run();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report.value().clusters, 3U);
  EXPECT_TRUE(report.value().ended);
  EXPECT_THAT(stages_, ElementsAre("collect: queries", "ridge refits"));
  EXPECT_THAT(remarks_, ElementsAre(HasSubstr("small: collecting 3 clusters of 3 queries")));
  EXPECT_THAT(audits_, ElementsAre("audit!"));
  EXPECT_THAT(report.value().last.result().warnings,
              testing::IsSupersetOf({HasSubstr("3 queries per cluster instead of the paper's 48"),
                                     HasSubstr("the robot was not checked")}));
  EXPECT_EQ(nlohmann::json::parse(Read("audit/result.json")), report.value().last.json);
}

TEST_F(RunStudyTest, UntilDecidedTakesTheDeclaredLooksAndEndsWithTheLast) {
  job_.until_decided = true;
  job_.max_clusters = 6;
  std::stop_source stop;
  const Execution cut{.jobs = 2, .stop = stop.get_token()};
  audits_.clear();
  const auto interrupt = [&] {
    return RunStudy(job_, {.audited = [&](const audit::AuditReport&, bool) -> Status {
                      stop.request_stop();
                      return {};
                    }},
                    cut);
  };
  EXPECT_EQ(interrupt().error().kind, ErrorKind::kInterrupted);
  const std::string first = Read("audit-3/result.json");

  const Result<StudyReport> report = Run();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(Read("audit-3/result.json"), first) << "the same look, taken again";
  EXPECT_EQ(report.value().clusters, 6U);
  EXPECT_THAT(audits_, ElementsAre("audit-3", "audit-6!"));
  ASSERT_EQ(report.value().last.result().path.size(), 2U);
  EXPECT_EQ(report.value().last.result().path.back().then, audit::AfterLook::kLast);
  EXPECT_THAT(stages_, ElementsAre("look 1 of 2: queries", "ridge refits",
                                   HasSubstr("look 2 of 2 ("), "ridge refits"));
  EXPECT_EQ(Read("audit/result.json"), Read("audit-6/result.json"));
}

TEST_F(RunStudyTest, SaysWhatIsMissingBeforeItWritesAnything) {
  job_.protocol.rule.kind = audit::DecisionRule::kPaper;
  job_.until_decided = true;
  EXPECT_THAT(Run().error().message, HasSubstr("does not spend its error over several looks"));
  job_.until_decided = false;
  job_.robot = "nowhere";
  EXPECT_THAT(Run().error().message, HasSubstr("nowhere"));
  EXPECT_FALSE(std::filesystem::exists(job_.folder));
}

}  // namespace
}  // namespace gonogo::study
