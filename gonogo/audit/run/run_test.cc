// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/run/control_run.h"
#include "gonogo/audit/run/findings.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(AuditJobTest, WhatIdentifiesARunKeepsItsKeys) {
  // Other keys would make runs that exist already impossible to resume.
  EXPECT_EQ(AuditRequest{.learner = "ridge"}.Asked().dump(),
            R"({"ablation":false,"choices":"","learner":"ridge","seeds":0,"verb":"audit"})");
}

TEST(AuditJobTest, TheWordsOfADeclarationAreFoundByItsFingerprint) {
  const Protocol declared = PositiveControlProtocol();
  OutcomeTable table = DeclaredPositiveControl(declared);
  table.declaration.clear();
  Protocol other = declared;
  other.min_clusters = 30;
  SpellOutDeclaration(other, table);
  EXPECT_EQ(table.declaration, "");
  SpellOutDeclaration(declared, table);
  EXPECT_EQ(table.declaration, CanonicalText(declared));
}

TEST(AuditJobTest, RefusesWhatTheAuditWouldRefuseLater) {
  const Protocol protocol = PositiveControlProtocol();
  const OutcomeTable table = DeclaredPositiveControl(protocol);
  EXPECT_TRUE(CheckRequest(table, protocol, {}).ok());
  EXPECT_FALSE(CheckRequest(table, protocol, {.choices = "choice"}).ok());
  EXPECT_FALSE(CheckRequest(table, protocol, {.target = "all"}).ok());
  EXPECT_FALSE(CheckRequest(table, protocol, {.map = "sonar"}).ok());
  EXPECT_FALSE(CheckRequest(table, protocol, {.ablation = true}).ok());
  Protocol ablated = protocol;
  ablated.feature_sets = {{"sonar", {"sonar"}}};
  EXPECT_TRUE(CheckRequest(table, ablated, {}).ok());
  EXPECT_FALSE(CheckRequest(table, ablated, {.ablation = true}).ok());
}

TEST(SeedReadingTest, CountsAnswersThatDifferFromTheDeclaredSeed) {
  AuditResult result;
  EXPECT_EQ(SeedReading::Of(1, result).paper, "");  // too few clusters: no rule reads anything
  result.paper_reading = Decision{.verdict = Verdict::kGo};
  result.calibrated = CalibratedAudit{Decision{.verdict = Verdict::kAbstain}};
  const SeedReading go = SeedReading::Of(1, result);
  result.paper_reading->verdict = Verdict::kAbstain;
  const SeedReading abstain = SeedReading::Of(2, result);
  const std::vector<SeedReading> readings = {go, abstain, go, abstain};
  EXPECT_EQ(FlipRate(readings, &SeedReading::paper), 0.5);
  EXPECT_EQ(FlipRate(readings, &SeedReading::calibrated), 0.0);
}

/// Runs in a folder of their own.
class RunTest : public testing::Test {
 protected:
  RunTest() {
    protocol_.learner.kind = LearnerKind::kRidge;
    protocol_.bootstrap.refits = 5;
    protocol_.min_clusters = 4;
  }
  ~RunTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] AuditJob Job(const std::string& name, const AuditRequest& request) const {
    return {.table = MadeInMemory(
                MakePositiveControl({.clusters = 6, .queries_per_cluster = 6}, RngStream(4)), "t"),
            .protocol = protocol_,
            .declared = protocol_,
            .request = request,
            .folder = folder_ / name};
  }
  [[nodiscard]] AuditReport Made(const std::string& name, const AuditRequest& request) const {
    return audit::Run(Job(name, request), Everywhere({.jobs = 1})).value();
  }

  Protocol protocol_;
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "gonogo_run_test";
};

TEST_F(RunTest, TheFileIsTheReportsJson) {
  const AuditReport report = Made("plain", {});
  EXPECT_EQ(io::ReadFile(report.folder / "result.json").value(), report.json.dump(2) + "\n");
  EXPECT_EQ(report.json["provenance"]["table"], "t");
  EXPECT_EQ(report.json["provenance"]["contents_sha256"], report.table.contents_sha256);
  EXPECT_EQ(report.table.table.num_clusters(), 6U);
}

TEST_F(RunTest, EveryPartThatWasAskedForIsInTheReportAndInItsJson) {
  protocol_.feature_sets = {{"where to", {"target"}}};
  const AuditReport report = Made("all", {.ablation = true,
                                          .other_question = true,
                                          .seeds = 2,
                                          .map = "target_y",
                                          .keeps_choices = true});
  EXPECT_EQ(report.findings->seeds.size(), 2U);
  EXPECT_EQ(report.findings->seeds[1].seed, protocol_.bootstrap.seed + 1);
  EXPECT_EQ(report.json["ablation"][0]["features"], "where to");
  EXPECT_EQ(report.json["other_question"]["about"],
            "further queries of the clusters in this table");
  EXPECT_EQ(report.json["choice_map"]["feature"], "target_y");
  const std::filesystem::path file = folder_ / "choices.csv";
  ASSERT_TRUE(WriteChoices(file, report).ok());
  EXPECT_THAT(io::ReadFile(file).value(), HasSubstr("cluster,query,action,chosen"));
}

TEST_F(RunTest, LearnersAreComparedWithTheDeclaredOneFirst) {
  protocol_.learner.mlp.epochs = 1;
  protocol_.learner.mlp.members = 1;
  protocol_.learner.trees.rounds = 2;
  protocol_.learner.forest.members = 2;
  const AuditReport report = Made("learners", {.learner = "all", .target = "all"});
  ASSERT_EQ(report.json["learners"].size(), 15U);
  EXPECT_EQ(report.json["learners"][0]["learner"], "ridge");
  EXPECT_EQ(report.json["learners"][0]["target"], "ratio");
  EXPECT_TRUE(report.findings->learners[0].cross_fit.empty());
  EXPECT_FALSE(report.result().cross_fit.empty());
}

TEST_F(RunTest, WhereNobodyDeclaresAnythingAQuickLearnerGivesAFirstLook) {
  protocol_.learner.kind = LearnerKind::kMlp;
  protocol_.learner.mlp.epochs = 1;
  AuditJob job = Job("first", {.any_learner = true});
  job.declared.reset();
  const AuditReport first = audit::Run(std::move(job), Everywhere({.jobs = 1})).value();
  EXPECT_TRUE(first.is_first_look);
  EXPECT_EQ(first.result().source, "ridge");
  const AuditReport declared = Made("declared", {.any_learner = true});
  EXPECT_FALSE(declared.is_first_look);
  EXPECT_EQ(declared.result().source, "mlp");
}

TEST_F(RunTest, AWrongRequestIsRefusedByTheNameOfItsTableBeforeAnythingIsWritten) {
  protocol_.learner.features = {"lidar"};
  const Result<AuditReport> refused = audit::Run(Job("refused", {}), Everywhere({}));
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::StartsWith("t: "));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "refused"));
}

TEST_F(RunTest, TellsThePartsItConsistsOf) {
  std::vector<std::string> labels;
  const Executions told = [&](const AuditPart& part) {
    labels.push_back(part.label);
    return Execution{.jobs = 1};
  };
  ASSERT_TRUE(audit::Run(Job("parts", {.other_question = true, .map = "target_y"}), told).ok());
  EXPECT_THAT(labels, ElementsAre("ridge refits", "ridge refits", "fits for the choices"));
}

TEST_F(RunTest, AnAuditFindsTheRefitsOfItsShards) {
  const std::filesystem::path folder =
      RunShard(Job("shards", {.seeds = 2}), {.number = 1, .count = 1}, Everywhere({})).value();
  EXPECT_EQ(folder, folder_ / "shards");
  EXPECT_FALSE(std::filesystem::exists(folder / "result.json"));
}

TEST_F(RunTest, APlantedSignalIsFoundAgainAndKept) {
  const AuditJob job = Job("planted", {});
  const PlantedReport report = RunPlanted({.table = job.table,
                                           .protocol = protocol_,
                                           .kind = "observable",
                                           .signal = {"target_y", "left", "right"},
                                           .gammas = {0.05, 0.1},
                                           .folder = job.folder},
                                          Everywhere({.jobs = 1}))
                                   .value();
  EXPECT_EQ(report.points.size(), 2U);
  EXPECT_EQ(io::ReadFile(report.folder / "result.json").value(), report.json.dump(2) + "\n");
}

}  // namespace
}  // namespace gonogo::audit
