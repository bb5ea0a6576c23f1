// SPDX-License-Identifier: Apache-2.0
// Whole collections, small: what must not change the bytes, and what may go wrong.
#include "gonogo/study/collect/collect.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "gonogo/audit/audit.h"
#include "gonogo/audit/result/status.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"

namespace gonogo::study {
namespace {

using testing::HasSubstr;

constexpr const char* kTinyProtocol = R"(
[protocol]
name = "tiny"
actions = ["yaw+0.2", "direct", "scale-0.75"]
min_clusters = 2
[collect]
seeds = [5, 3]
queries_per_cluster = 3
queries_per_episode = 2
family = "moderate"
terrain = "flat"
replayed = 2
[learner]
kind = "ridge"
[bootstrap]
refits = 5
[rule]
kind = "paper"
)";

audit::Protocol Tiny() { return ParseProtocol(kTinyProtocol, "tiny.toml").value(); }

class CollectTest : public testing::Test {
 protected:
  static CollectOptions In(const std::filesystem::path& folder) {
    return {.robot = GONOGO_SOURCE_DIR "/robots/go2", .folder = folder};
  }
  static std::filesystem::path Fresh(const std::string& name) {
    std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / name;
    std::filesystem::remove_all(folder);
    return folder;
  }
  /// One complete collection that all tests compare with.
  static std::filesystem::path Reference() {
    static const std::filesystem::path kFolder = [] {
      std::filesystem::path folder = Fresh("reference");
      EXPECT_TRUE(Collect(Tiny(), In(folder), {.jobs = 1}).ok());
      return folder;
    }();
    return kFolder;
  }
  static std::filesystem::path Copy(const std::string& name) {
    std::filesystem::path folder = Fresh(name);
    std::filesystem::copy(Reference(), folder, std::filesystem::copy_options::recursive);
    return folder;
  }
  static std::string Table(const std::filesystem::path& folder) {
    return io::ReadFile(folder / "table.h5").value();
  }
};

TEST_F(CollectTest, TheTableHoldsEveryDeclaredBranchAndItsDeclaration) {
  const audit::OutcomeTable table =
      audit::ReadTable(Reference() / "table.h5", Tiny()).value().table;
  EXPECT_EQ(table.actions, (std::vector<std::string>{"direct", "yaw+0.2", "scale-0.75"}));
  EXPECT_EQ(table.clusters, (std::vector<std::string>{"3", "5"}));
  EXPECT_EQ(table.num_queries(), 6U);
  EXPECT_EQ(table.cost.size(), 18U);
  EXPECT_EQ(table.declaration_sha256, audit::Fingerprint(Tiny()));
  ASSERT_EQ(table.features.size(), 2U);
  EXPECT_EQ(table.features[1].columns, (std::vector<std::string>{"target_x", "target_y"}));
  EXPECT_THAT(audit::DeclarationReasons(table, Tiny()), testing::IsEmpty());
  EXPECT_THAT(audit::CollectionReasons(table, Tiny()), testing::IsEmpty());
  EXPECT_THAT(table.provenance, HasSubstr("\"reconstruction_error\":0.0"));
  EXPECT_THAT(table.provenance, HasSubstr("\"replayed\":4"));
}

TEST_F(CollectTest, TheTableHoldsTheWorkOfBothRatesAndJudgesTheDeclaredOne) {
  const audit::OutcomeTable exact =
      audit::ReadTable(Reference() / "table.h5", Tiny()).value().table;
  ASSERT_EQ(exact.other_outcomes.size(), 1U);
  EXPECT_EQ(exact.other_outcomes[0].name, "control_work");
  EXPECT_NE(exact.other_outcomes[0].values, exact.cost);
  const audit::Protocol read_once = study::Override(Tiny(), "collect.work_rate", "control").value();
  const std::filesystem::path folder = Fresh("read-once");
  ASSERT_TRUE(Collect(read_once, In(folder), {.jobs = 2}).ok());
  const audit::OutcomeTable read = audit::ReadTable(folder / "table.h5", read_once).value().table;
  EXPECT_EQ(read.cost, exact.other_outcomes[0].values);
  EXPECT_EQ(read.other_outcomes[0].name, "physics_work");
  EXPECT_EQ(read.other_outcomes[0].values, exact.cost);
  EXPECT_EQ(read.time, exact.time);
}

TEST_F(CollectTest, AnAuditOfTheTableIsConfirmatory) {
  const audit::OutcomeTable table =
      audit::ReadTable(Reference() / "table.h5", Tiny()).value().table;
  const Result<audit::AuditResult> result = audit::RunAudit(table, Tiny(), {}, {.jobs = 1});
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_THAT(result.value().reasons, testing::IsEmpty());
  EXPECT_TRUE(result.value().confirmatory);
}

TEST_F(CollectTest, ThreadsOrderAndSeparateRunsDoNotChangeTheBytes) {
  const std::filesystem::path folder = Fresh("separate");
  CollectOptions options = In(folder);
  options.clusters = {3};
  const Result<CollectReport> first = Collect(Tiny(), options, {.jobs = 4});
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(first.value().missing, (std::vector<std::uint64_t>{5}));
  EXPECT_FALSE(first.value().merged.has_value());

  const std::filesystem::path elsewhere = Fresh("elsewhere");
  options = In(elsewhere);
  options.clusters = {5};
  ASSERT_TRUE(Collect(Tiny(), options, {.jobs = 2}).ok());
  std::filesystem::copy(elsewhere / "parts" / "cluster-5.h5", folder / "parts");
  const Result<CollectReport> merged = Collect(Tiny(), In(folder), {});
  ASSERT_TRUE(merged.ok()) << merged.error().message;
  EXPECT_TRUE(merged.value().collected.empty());
  EXPECT_EQ(Table(folder), Table(Reference()));
}

TEST_F(CollectTest, AnInterruptedCollectionGoesOnToTheSameBytes) {
  const std::filesystem::path folder = Copy("resumed");
  std::filesystem::remove(folder / "table.h5");
  const std::filesystem::path half = folder / "parts" / "cluster-5.h5.elsewhere-1.tmp";
  std::filesystem::rename(folder / "parts" / "cluster-5.h5", half);  // as a kill -9 leaves it
  const Result<CollectReport> report = Collect(Tiny(), In(folder), {.jobs = 2});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report.value().collected, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(Table(folder), Table(Reference()));

  std::stop_source stop;
  stop.request_stop();
  std::filesystem::remove(folder / "parts" / "cluster-5.h5");
  const Result<CollectReport> stopped = Collect(Tiny(), In(folder), {.stop = stop.get_token()});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kInterrupted);
  EXPECT_THAT(stopped.error().message, HasSubstr("the same command goes on"));
}

TEST_F(CollectTest, AHalfWrittenClusterIsPutAsideAndCollectedAgain) {
  const std::filesystem::path folder = Copy("damaged");
  const std::filesystem::path part = folder / "parts" / "cluster-3.h5";
  std::filesystem::resize_file(part, std::filesystem::file_size(part) / 2);
  const Result<CollectReport> report = Collect(Tiny(), In(folder), {.jobs = 2});
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report.value().remarks.size(), 1U);
  EXPECT_THAT(report.value().remarks[0], HasSubstr("cluster 3 will be collected again"));
  EXPECT_TRUE(std::filesystem::exists(part.string() + ".damaged"));
  EXPECT_EQ(Table(folder), Table(Reference()));
}

TEST_F(CollectTest, AProtocolChangedAfterwardsIsRefusedAndNothingIsLost) {
  const std::filesystem::path folder = Copy("changed");
  const audit::Protocol changed = study::Override(Tiny(), "collect.blend", "0.6").value();
  const Result<CollectReport> report = Collect(changed, In(folder), {});
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.error().message, HasSubstr("collect.blend: declared 0.5, used 0.6"));
  EXPECT_EQ(Table(folder), Table(Reference()));

  // Audited under it anyway, the table is descriptive and says why.
  const audit::OutcomeTable table = audit::ReadTable(folder / "table.h5", changed).value().table;
  EXPECT_THAT(audit::DeclarationReasons(table, changed),
              testing::ElementsAre(HasSubstr("collect.blend")));
}

TEST_F(CollectTest, AMissingClusterMakesTheResultDescriptive) {
  const std::filesystem::path folder = Copy("missing");
  std::filesystem::remove(folder / "parts" / "cluster-5.h5");
  CollectOptions options = In(folder);
  options.merge_only = true;
  const Result<CollectReport> report = Collect(Tiny(), options, {});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report.value().missing, (std::vector<std::uint64_t>{5}));
  const audit::OutcomeTable table = audit::ReadPart(folder / "table.h5", Tiny()).value();
  EXPECT_THAT(audit::CollectionReasons(table, Tiny()),
              testing::ElementsAre("declared clusters are not in the table: 5"));
}

/// HDF5 never frees a file that it could not write to its end, whatever is closed afterwards.
struct UnwrittenFileLeaks {
#ifdef __SANITIZE_ADDRESS__
  __lsan::ScopedDisabler disabler;
#endif
};

TEST_F(CollectTest, AFullDiskIsReportedAndKeepsWhatIsFinished) {
  const std::filesystem::path folder = Copy("full");
  std::filesystem::remove(folder / "table.h5");
  std::filesystem::remove(folder / "parts" / "cluster-3.h5");
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<CollectReport> report = [&] {
    [[maybe_unused]] const UnwrittenFileLeaks known;
    return Collect(Tiny(), In(folder), {.jobs = 1});
  }();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::kIo);
  EXPECT_THAT(report.error().message, HasSubstr("cluster-3.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder / "parts" / "cluster-3.h5"));
  EXPECT_TRUE(std::filesystem::exists(folder / "parts" / "cluster-5.h5"));
  ASSERT_TRUE(Collect(Tiny(), In(folder), {}).ok());
  EXPECT_EQ(Table(folder), Table(Reference()));
}

TEST_F(CollectTest, WrongRequestsAreNamed) {
  const std::filesystem::path folder = Fresh("wrong");
  const auto message = [&](const audit::Protocol& protocol, const CollectOptions& options) {
    const Result<CollectReport> report = Collect(protocol, options, {});
    return report.ok() ? std::string() : report.error().message;
  };
  audit::Protocol protocol = Tiny();
  protocol.actions = {"direct", "scale0.75"};
  EXPECT_THAT(message(protocol, In(folder)), HasSubstr("no intervention is called 'scale0.75'"));
  protocol.actions = {"scale-0.75", "scale-0.90"};
  EXPECT_THAT(message(protocol, In(folder)), HasSubstr("needs 'direct'"));
  protocol = study::Override(Tiny(), "collect.controller", "vgc").value();
  EXPECT_THAT(message(protocol, In(folder)), HasSubstr("no controller is called \"vgc\""));
  protocol = study::Override(Tiny(), "collect.family", "easy").value();
  EXPECT_THAT(message(protocol, In(folder)), HasSubstr("\"easy\""));
  protocol.collect.reset();
  EXPECT_THAT(message(protocol, In(folder)), HasSubstr("[collect]"));
  CollectOptions options = In(folder);
  options.clusters = {4};
  EXPECT_THAT(message(Tiny(), options), HasSubstr("--clusters 4: the protocol declares 5, 3"));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(CollectTest, WhatTheScanSaysOfTheGroundIsAFeatureIfDeclared) {
  const audit::Protocol with = study::Override(Tiny(), "collect.features", "[\"ground\"]").value();
  EXPECT_NE(audit::Fingerprint(with), audit::Fingerprint(Tiny()));
  const robot::RobotSpec robot = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  EXPECT_TRUE(CollectPlan::Open(with, robot, "").value().ground.has_value());
  EXPECT_FALSE(CollectPlan::Open(Tiny(), robot, "").value().ground.has_value());
}

}  // namespace
}  // namespace gonogo::study
