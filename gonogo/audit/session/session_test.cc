// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/session.h"

#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/table/first_clusters.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

/// A declared table of so many clusters, written as a file of its own.
class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    protocol_.learner.kind = LearnerKind::kRidge;
    protocol_.bootstrap.refits = 10;
    protocol_.min_clusters = 5;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// The first `clusters` of the positive control.
  [[nodiscard]] OutcomeTable Table(std::size_t clusters) const {
    OutcomeTable table = FirstClusters(
        MakePositiveControl({.clusters = 12, .queries_per_cluster = 6}, RngStream(4)), clusters);
    table.declaration = CanonicalText(protocol_);
    table.declaration_sha256 = Fingerprint(protocol_);
    return table;
  }

  [[nodiscard]] std::filesystem::path Write(const OutcomeTable& table,
                                            const std::string& name) const {
    const std::filesystem::path file = folder_ / name;
    EXPECT_TRUE(WriteTable(table, file).ok());
    return file;
  }

  /// Opens, audits and finishes, as a verb does.
  [[nodiscard]] AuditResult Audit(const OutcomeTable& table, const std::string& name) const {
    const std::filesystem::path file = Write(table, name);
    Session session = Session::Open(ReadTable(file, protocol_).value(), protocol_,
                                    {.folder = folder_ / (name + ".run")})
                          .value();
    AuditResult result = session.Audit({.jobs = 1}).value();
    nlohmann::json json = ToJson(result);
    EXPECT_TRUE(session.Finish(json).ok());
    return result;
  }

  Protocol protocol_;
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gonogo_session_test";
};

TEST_F(SessionTest, WritesTheResultWithWhatIdentifiesTheRun) {
  (void)Audit(Table(6), "six.h5");
  const auto text = io::ReadFile(folder_ / "six.h5.run" / "result.json");
  ASSERT_TRUE(text.ok());
  const nlohmann::json json = nlohmann::json::parse(text.value());
  EXPECT_EQ(json["provenance"]["table"], "six.h5");
  EXPECT_EQ(json["provenance"]["protocol"], CanonicalText(protocol_));
  EXPECT_EQ(json["provenance"]["schema"], "gonogo.manifest/1");
}

TEST_F(SessionTest, GrownDataUnderTheSameDeclarationAreDescriptiveAndTheReasonNamesTheEarlierLook) {
  EXPECT_TRUE(Audit(Table(6), "six.h5").confirmatory);
  const AuditResult second = Audit(Table(8), "eight.h5");
  EXPECT_EQ(second.look, 2U);
  EXPECT_FALSE(second.confirmatory);
  ASSERT_EQ(second.reasons.size(), 1U);
  EXPECT_NE(second.reasons[0].find("6 clusters of six.h5"), std::string::npos);
  EXPECT_NE(second.reasons[0].find((folder_ / "looks.json").string()), std::string::npos);
  EXPECT_NE(second.reasons[0].find("rule.looks = 2"), std::string::npos);
}

TEST_F(SessionTest, LooksAreKeptBesideTheTableWhereverTheRunIsWritten) {
  const std::filesystem::path file = Write(Table(6), "six.h5");
  for (const char* run : {"one/a", "another/b"}) {
    Session session =
        Session::Open(ReadTable(file, protocol_).value(), protocol_, {.folder = folder_ / run})
            .value();
    const AuditResult result = session.Audit({.jobs = 1}).value();
    nlohmann::json json = ToJson(result);
    ASSERT_TRUE(session.Finish(json).ok());
    EXPECT_EQ(result.look, 1U);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "looks.json"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "one" / "looks.json"));
}

TEST_F(SessionTest, AFileWrittenAgainInAnotherFormIsTheSameLook) {
  const OutcomeTable table = Table(6);
  const std::filesystem::path file = Write(table, "six.h5");
  EXPECT_EQ(ClusterHashes(ReadTable(file, protocol_).value().table), ClusterHashes(table));
}

TEST_F(SessionTest, ACorrectedCellIsNotAnotherLook) {
  (void)Audit(Table(6), "six.h5");
  OutcomeTable corrected = Table(6);
  corrected.cost[1] *= 1.5;
  const AuditResult result = Audit(corrected, "corrected.h5");
  EXPECT_EQ(result.look, 1U);
  EXPECT_TRUE(result.confirmatory);
}

TEST_F(SessionTest, AnAuditThatDidNotFinishLeavesNoLook) {
  {
    const std::filesystem::path file = Write(Table(6), "six.h5");
    ASSERT_TRUE(
        Session::Open(ReadTable(file, protocol_).value(), protocol_, {.folder = folder_ / "run"})
            .ok());
  }
  EXPECT_EQ(Audit(Table(8), "eight.h5").look, 1U);
}

TEST_F(SessionTest, TablesWithoutADeclarationKeepNoLedger) {
  OutcomeTable table = Table(6);
  table.declaration.clear();
  table.declaration_sha256.clear();
  EXPECT_FALSE(Audit(table, "undeclared.h5").confirmatory);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "looks.json"));
}

TEST_F(SessionTest, AFolderThatHoldsAnotherRunIsRefused) {
  (void)Audit(Table(6), "six.h5");
  const std::filesystem::path file = folder_ / "six.h5";
  Protocol other = protocol_;
  other.bootstrap.seed = 7;
  const auto session =
      Session::Open(ReadTable(file, other).value(), other, {.folder = folder_ / "six.h5.run"});
  ASSERT_FALSE(session.ok());
  EXPECT_NE(session.error().message.find("holds another run"), std::string::npos);
}

TEST_F(SessionTest, AGrowingTableIsReadAtTheDeclaredLooksAndCarriesThePathOfThem) {
  protocol_.rule.looks_at = {6, 12};
  const AuditResult first = Audit(Table(6), "grown.h5");
  ASSERT_TRUE(first.confirmatory) << first.reasons.front();
  ASSERT_EQ(first.path.size(), 1U);
  EXPECT_EQ(first.path[0].look, 1U);
  // alpha ln(1 + (e - 1) / 2) of 2.5 %, by hand: 0.62011 of it.
  EXPECT_NEAR(first.path[0].alpha, 0.0155028, 1e-6);

  const AuditResult between = Audit(Table(8), "between.h5");
  EXPECT_FALSE(between.confirmatory);
  EXPECT_NE(between.reasons.front().find("4 more make the next"), std::string::npos)
      << between.reasons.front();
  EXPECT_EQ(between.path.size(), 1U);  // the look before it; this one is none
}

TEST_F(SessionTest, TheSecondLookShowsWhatTheFirstReadAndTheFirstAgainIsTheSame) {
  protocol_.rule.looks_at = {6, 12};
  const AuditResult first = Audit(Table(6), "six.h5");
  const AuditResult second = Audit(Table(12), "twelve.h5");
  ASSERT_TRUE(second.confirmatory) << second.reasons.front();
  ASSERT_EQ(second.path.size(), 2U);
  EXPECT_EQ(nlohmann::json(second.path[0]), nlohmann::json(first.path[0]));
  EXPECT_EQ(second.path[1].clusters, 12U);
  EXPECT_TRUE(second.path[1].later.empty());
  EXPECT_NE(second.path[1].then, AfterLook::kGoOn);
  const AuditResult again = Audit(Table(6), "six.h5");
  EXPECT_EQ(ToJson(again), ToJson(first));
}

}  // namespace
}  // namespace gonogo::audit
