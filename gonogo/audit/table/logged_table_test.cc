// SPDX-License-Identifier: Apache-2.0
// A log as HDF5: one entry per query, of the action that was tried there.
#include <array>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array<std::size_t, 1> kTwo = {2};
constexpr std::string_view kLog =
    "cluster,query,action,cost,time,success,propensity,obs_a\n"
    "b,q1,fast,10,1,1,0.25,0.5\n"
    "b,q2,direct,8,1.5,0,0.75,0.25\n"
    "a,q3,direct,9,1,1,0.75,1\n"
    "a,q4,fast,12,2,1,0.25,2\n";

class LoggedTableTest : public testing::Test {
 protected:
  LoggedTableTest() : path_(std::filesystem::path(testing::TempDir()) / "log.h5") {
    table_ = std::move(ParseCsvTable(kLog, "log.csv", {}).value());
  }
  ~LoggedTableTest() override { std::filesystem::remove(path_); }

  [[nodiscard]] std::string ErrorOfReading() const {
    const Result<TableFile> read = ReadTable(path_, {});
    return read.ok() ? "no error" : read.error().message;
  }

  /// Two clusters of one query with a cost each, and what `more` adds.
  template <typename More>
  void WriteByHand(More&& more) const {
    io::Hdf5File file = std::move(io::Hdf5File::Create(path_).value());
    const std::vector<std::string> actions = {"direct", "fast"};
    const std::vector<std::string> cluster = {"a", "b"};
    const std::vector<double> cost = {1.0, 2.0};
    ASSERT_TRUE(file.WriteTexts("/", "actions", actions).ok());
    ASSERT_TRUE(file.WriteStrings("/cluster", cluster).ok());
    ASSERT_TRUE(file.Write<double>("/cost", kTwo, cost).ok());
    ASSERT_TRUE(more(file).ok());
    ASSERT_TRUE(file.Close().ok());
  }

  std::filesystem::path path_;
  OutcomeTable table_;
};

TEST_F(LoggedTableTest, ReadsBackWhatWasWritten) {
  ASSERT_TRUE(table_.logged.has_value());
  ASSERT_TRUE(WriteTable(table_, path_).ok());
  const Result<TableFile> read = ReadTable(path_, {});
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_TRUE(read.value().table.logged.has_value());
  const LoggedOutcomes& log = *read.value().table.logged;
  EXPECT_THAT(read.value().table.queries, ElementsAre("q3", "q4", "q1", "q2"));
  EXPECT_THAT(log.action, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(log.cost, ElementsAre(9, 12, 10, 8));
  EXPECT_THAT(log.time, ElementsAre(1, 2, 1, 1.5));
  EXPECT_THAT(log.success, ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(log.propensity, ElementsAre(0.75, 0.25, 0.25, 0.75));
  EXPECT_TRUE(log.eligible.empty());
  EXPECT_EQ(ClusterHashes(read.value().table), ClusterHashes(table_));
}

TEST_F(LoggedTableTest, AnotherReferenceMovesTheActionsThatWereTried) {
  ASSERT_TRUE(WriteTable(table_, path_).ok());
  Protocol protocol;
  protocol.reference = "fast";
  const Result<TableFile> read = ReadTable(path_, protocol);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_THAT(read.value().table.actions, ElementsAre("fast", "direct"));
  EXPECT_THAT(read.value().table.logged->action, ElementsAre(1, 0, 0, 1));
}

TEST_F(LoggedTableTest, OneCostPerQueryNeedsTheActionItIsOf) {
  WriteByHand([](io::Hdf5File&) { return Status(); });
  EXPECT_THAT(ErrorOfReading(), HasSubstr("has /cost [queries] and /action [queries]"));
}

TEST_F(LoggedTableTest, AWrongPropensityIsNamedByItsPlace) {
  WriteByHand([](io::Hdf5File& file) {
    const std::vector<double> propensity = {0.5, 1.5};
    const Status status = file.WriteStrings("/action", std::vector<std::string>{"fast", "direct"});
    return status.ok() ? file.Write<double>("/propensity", kTwo, propensity) : status;
  });
  EXPECT_THAT(ErrorOfReading(), HasSubstr("/propensity[1] is 1.5, expected"));
}

}  // namespace
}  // namespace gonogo::audit
