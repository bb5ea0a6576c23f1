// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/table_reader.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/table/internal/hdf5_table.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kGood =
    "cluster,query,action,cost,time,success,obs_a,obs_b\n"
    "c10,q1,direct,10,1,1,0.5,1\n"
    "c10,q1,fast,8,1.2,0,0.5,1\n"
    "c2,q2,fast,9,1,1,0.25,1\n"
    "c2,q2,direct,12,1,1,0.25,1\n";

Result<OutcomeTable> Parse(std::string_view csv, const Protocol& protocol = {}) {
  return ParseCsvTable(csv, "t.csv", protocol);
}

std::string ErrorOf(std::string_view csv, const Protocol& protocol = {}) {
  const Result<OutcomeTable> table = Parse(csv, protocol);
  EXPECT_TRUE(table.ok() || table.error().kind == ErrorKind::kInput);
  return table.ok() ? "no error" : table.error().message;
}

/// kGood with one text replaced.
std::string With(std::string_view what, std::string_view by) {
  std::string csv(kGood);
  const std::size_t place = csv.find(what);
  EXPECT_NE(place, std::string::npos);
  return csv.replace(place, what.size(), by);
}

TEST(CsvTableTest, PivotsLongRowsIntoAWideTable) {
  const OutcomeTable table = Parse(kGood).value();
  EXPECT_THAT(table.actions, ElementsAre("direct", "fast"));
  EXPECT_THAT(table.clusters, ElementsAre("c2", "c10"));
  EXPECT_THAT(table.cluster_begin, ElementsAre(0, 1, 2));
  EXPECT_THAT(table.queries, ElementsAre("q2", "q1"));
  EXPECT_THAT(table.cost, ElementsAre(12, 9, 10, 8));
  EXPECT_THAT(table.time, ElementsAre(1, 1, 1, 1.2));
  EXPECT_THAT(table.success, ElementsAre(1, 1, 1, 0));
  ASSERT_EQ(table.features.size(), 1U);
  EXPECT_EQ(table.features[0].name, "obs");
  EXPECT_EQ(table.features[0].values(1, 0), 0.5F);
  EXPECT_THAT(table.notes, ElementsAre("1 feature column(s) never vary and carry nothing: obs_b"));
}

TEST(CsvTableTest, TheOrderOfRowsMeansNothing) {
  const std::string header(kGood.substr(0, kGood.find('\n') + 1));
  std::vector<std::string> rows;
  std::string rest(kGood.substr(header.size()));
  for (std::size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
    rows.push_back(rest.substr(0, end + 1));
    rest.erase(0, end + 1);
  }
  const OutcomeTable expected = Parse(kGood).value();
  std::sort(rows.begin(), rows.end());
  do {
    std::string csv = header;
    for (const std::string& row : rows) csv += row;
    const OutcomeTable table = Parse(csv).value();
    EXPECT_EQ(table.actions, expected.actions);
    EXPECT_EQ(table.queries, expected.queries);
    EXPECT_EQ(table.cost, expected.cost);
    EXPECT_EQ(table.features[0].values, expected.features[0].values);
  } while (std::next_permutation(rows.begin(), rows.end()));
}

TEST(CsvTableTest, OnlyCostIsCompulsory) {
  const OutcomeTable table =
      Parse("cluster,query,action,work\na,1,x,1\na,1,y,2\nb,2,x,3\nb,2,y,4\n").value();
  EXPECT_TRUE(table.time.empty());
  EXPECT_TRUE(table.success.empty());
  EXPECT_TRUE(table.features.empty());
  EXPECT_THAT(table.actions, ElementsAre("x", "y"));
}

TEST(CsvTableTest, RenamedColumnsAndPatternsComeFromTheProtocol) {
  Protocol protocol;
  protocol.reference = "fast";
  protocol.table.cost = "time";
  protocol.table.time = "cost";
  protocol.table.features = {{"first", "obs_a"}};
  protocol.table.action_features = {{"second", "*_b"}};
  const OutcomeTable table = Parse(kGood, protocol).value();
  EXPECT_THAT(table.actions, ElementsAre("fast", "direct"));
  EXPECT_THAT(table.cost, ElementsAre(1, 1, 1.2, 1));
  EXPECT_EQ(table.features[0].name, "first");
  EXPECT_EQ(table.action_features[0].values.rows(), 4);
}

TEST(CsvTableTest, ReadsChoicesAsNamesOrAsMarks) {
  const std::string header = "cluster,query,action,cost,choice\n";
  const OutcomeTable names = Parse(header + "a,1,0,1,1\na,1,1,2,1\nb,2,0,3,0\nb,2,1,4,0\n").value();
  EXPECT_THAT(names.choice, ElementsAre(1, 0));
  const OutcomeTable marks =
      Parse(header + "a,1,x,1,0\na,1,y,2,1\nb,2,x,3,True\nb,2,y,4,False\n").value();
  EXPECT_THAT(marks.choice, ElementsAre(1, 0));
  EXPECT_EQ(ErrorOf(header + "a,1,x,1,z\na,1,y,2,z\nb,2,x,3,x\nb,2,y,4,x\n"),
            "t.csv:2: the choice of query '1' is 'z', expected the name of an action on all its "
            "rows, or 1 on one of them and 0 on the others");
  EXPECT_THAT(ErrorOf(header + "a,1,x,1,1\na,1,y,2,1\nb,2,x,3,1\nb,2,y,4,0\n"),
              HasSubstr("choice of query '1'"));
}

TEST(CsvTableTest, ReadsGivenEligibility) {
  const std::string header = "cluster,query,action,cost,eligible\n";
  const OutcomeTable table = Parse(header + "a,1,x,1,1\na,1,y,2,0\nb,2,x,3,1\nb,2,y,4,1\n").value();
  EXPECT_THAT(table.eligible, ElementsAre(1, 0, 1, 1));
  EXPECT_EQ(ErrorOf(header + "a,1,x,1,0\na,1,y,2,0\nb,2,x,3,1\nb,2,y,4,1\n"),
            "t.csv:2: eligibility of the reference action 'x' is 0, expected 1: the reference "
            "action is eligible by definition");
}

TEST(CsvTableTest, RefusesWrongCellsByPlaceValueAndExpectation) {
  EXPECT_EQ(ErrorOf(With("10,1,1,0.5", "ten,1,1,0.5")),
            "t.csv:2: column 'cost' is 'ten', expected a number");
  EXPECT_EQ(ErrorOf(With("10,1,1,0.5", "nan,1,1,0.5")),
            "t.csv:2: column 'cost' is 'nan', expected a finite number, 0 or more");
  EXPECT_EQ(ErrorOf(With("8,1.2", "-8,1.2")),
            "t.csv:3: column 'cost' is '-8', expected a finite number, 0 or more");
  EXPECT_EQ(ErrorOf(With("direct,10", "direct,0")),
            "t.csv:2: cost of the reference action 'direct' is 0, expected more than 0 for the "
            "reference action");
  EXPECT_EQ(ErrorOf(With("8,1.2", "1e16,1.2")),
            "t.csv:3: column 'cost' is '1e16', expected at most 1e15; choose a larger unit");
  EXPECT_EQ(ErrorOf(With("direct,10", "direct,1e-16")),
            "t.csv:2: cost of the reference action 'direct' is 1e-16, expected at least 1e-15; "
            "choose a smaller unit");
  EXPECT_EQ(ErrorOf(With("1.2,0", "inf,0")),
            "t.csv:3: column 'time' is 'inf', expected a finite number, 0 or more");
  EXPECT_EQ(ErrorOf(With("1.2,0", "1.2,0.5")),
            "t.csv:3: column 'success' is '0.5', expected 0 or 1");
  EXPECT_EQ(
      ErrorOf(With("0.25,1\nc2", "inf,1\nc2")),
      "t.csv:4: column 'obs_a' is 'inf', expected a finite number, or nothing where it is missing");
  EXPECT_EQ(ErrorOf(With("0.25,1\nc2", "1e39,1\nc2")),
            "t.csv:4: column 'obs_a' is '1e39', expected a number below 3.4e38");
  EXPECT_EQ(ErrorOf(With("q1", "")), "t.csv:2: column 'query' is '', expected a name");
}

TEST(CsvTableTest, RefusesAnIncompleteTable) {
  EXPECT_EQ(ErrorOf(With("c2,q2,fast,9,1,1,0.25,1\n", "")),
            "t.csv: query 'q2' has no row for action 'fast', expected one row for each query and "
            "action, or one row for each query in a log of single tries");
  EXPECT_EQ(ErrorOf(With("c2,q2,fast", "c2,q2,direct")),
            "t.csv:5: query 'q2' and action 'direct' were already on line 4, expected one row for "
            "each query and action");
  EXPECT_EQ(ErrorOf(With("c10,q1,fast", "c2,q1,fast")),
            "t.csv:3: query 'q1' is in cluster 'c2' here and in cluster 'c10' above, expected one "
            "cluster per query. Where names of queries begin anew in every cluster, join the two: "
            "awk -F, 'NR>1{$2=$1\"-\"$2}1' OFS=, makes such names");
  EXPECT_EQ(ErrorOf(With("0,0.5,1", "0,0.75,1")),
            "t.csv:3: column 'obs_a' is '0.75', which differs from the other rows of query 'q1', "
            "expected the same on all of them: what differs between actions goes under "
            "[table.action_features]");
  EXPECT_EQ(ErrorOf("cluster,query,action,cost\na,1,x,1\na,1,y,2\n"),
            "t.csv: found 1 cluster(s), expected at least two independent ones");
  EXPECT_THAT(ErrorOf("cluster,query,action,cost\n"), HasSubstr("no rows after the header"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("the file is empty"));
  EXPECT_EQ(ErrorOf("cluster,query,action,cost\na,1,x,1\na,1,y\n"),
            "t.csv:3: the row has 3 fields, the header has 4");
}

TEST(CsvTableTest, RefusesNamesThatAreNotText) {
  EXPECT_EQ(
      ErrorOf(With("q1,fast", "q1,f\x01st")),
      "t.csv:3: column 'action' is 'f\\x01st', expected UTF-8 text without control characters");
  EXPECT_THAT(ErrorOf(With("c10", std::string_view("c\0", 2))), HasSubstr("has bytes of 0"));
}

TEST(CsvTableTest, KeepsItsMessagesShortWhateverTheCells) {
  const std::string giant(10'000'000, '9');
  for (const std::string& csv : {With("10,1,1,0.5", giant + "x,1,1,0.5"), With("q1", giant),
                                 With("cost", giant), With("c10,q1,direct", giant), giant}) {
    EXPECT_LT(ErrorOf(csv).size(), 300U);
  }
}

TEST(CsvTableTest, RefusesTwoFeaturesOfOneName) {
  EXPECT_EQ(ErrorOf(With("obs_b", "obs_a")), "t.csv: two columns are called 'obs_a', expected one");
}

TEST(CsvTableTest, RefusesAColumnTakenForTheActionsWithoutATableOfItsSquare) {
  std::string csv = "cluster,query,action,cost\n";
  for (int i = 0; i < 200'000; ++i) csv += fmt::format("c{},q{},a{},1\n", i % 7, i, i);
  EXPECT_THAT(ErrorOf(csv), HasSubstr("query 'q0' has no row for action 'a1'"));
  csv = "cluster,query,action,cost\n";
  for (int i = 0; i < 20'002; ++i) csv += fmt::format("c{0},q{0},a{1},1\n", i % 2, i / 2);
  EXPECT_THAT(ErrorOf(csv), HasSubstr("found 10001 actions (a0, a1, a2, ...), expected at most"));
}

TEST(CsvTableTest, RefusesUnknownNamesWithTheNearestOne) {
  EXPECT_EQ(ErrorOf(With("cost", "kost")),
            "t.csv: no column 'cost' (did you mean 'kost'?): expected the cost there; name your "
            "column under [table] in the protocol, or let 'gonogo init t.csv' find out which "
            "column is what");
  Protocol protocol;
  protocol.actions = {"direct", "fest"};
  EXPECT_EQ(
      ErrorOf(kGood, protocol),
      "t.csv:3: column 'action' is 'fast', expected one of the declared actions (did you mean "
      "'fest'?)");
  protocol.actions = {"direct", "fast", "slow"};
  EXPECT_THAT(ErrorOf(kGood, protocol), HasSubstr("the declared action 'slow' does not occur"));
  protocol.actions = {};
  protocol.reference = "directly";
  EXPECT_THAT(ErrorOf(kGood, protocol), HasSubstr("the reference action 'directly'"));
  protocol.reference = {};
  protocol.table.time = "seconds";
  EXPECT_THAT(ErrorOf(kGood, protocol), HasSubstr("no column 'seconds'"));
  protocol.table.time = "time";
  protocol.table.features = {{"x", "x_*"}};
  EXPECT_THAT(ErrorOf(kGood, protocol), HasSubstr("no column fits the pattern 'x_*'"));
  protocol.table.features = {{"x", "obs_*"}, {"y", "*_a"}};
  EXPECT_EQ(ErrorOf(kGood, protocol), "t.csv: column 'obs_a' fits both feature groups 'x' and 'y'");
}

TEST(CsvTableTest, MentionsColumnsItDoesNotUse) {
  const OutcomeTable table = Parse(With("obs_b", "colour")).value();
  EXPECT_THAT(table.notes, ElementsAre("1 column(s) not used: colour"));
}

TEST(CsvTableTest, CarriesAFingerprint) {
  const std::string header = "cluster,query,action,cost,declaration_sha256\n";
  const OutcomeTable table =
      Parse(header + "a,1,x,1,ff\na,1,y,2,ff\nb,2,x,3,ff\nb,2,y,4,ff\n").value();
  EXPECT_EQ(table.declaration_sha256, "ff");
  EXPECT_THAT(ErrorOf(header + "a,1,x,1,ff\na,1,y,2,fe\nb,2,x,3,ff\nb,2,y,4,ff\n"),
              HasSubstr("the same fingerprint on every row"));
}

class Hdf5TableTest : public testing::Test {
 protected:
  [[nodiscard]] std::string ErrorAfter(const std::function<Status(io::Hdf5File&)>& damage,
                                       const Protocol& protocol = {}) const {
    io::Hdf5File file = std::move(io::Hdf5File::Create(path_).value());
    EXPECT_TRUE(internal::WriteHdf5Table(file, table_).ok());
    const Status damaged = damage(file);
    EXPECT_TRUE(damaged.ok()) << damaged.error().message;
    EXPECT_TRUE(file.Close().ok());
    const Result<TableFile> read = ReadTable(path_, protocol);
    return read.ok() ? "no error" : read.error().message;
  }

  std::filesystem::path path_ = std::filesystem::path(testing::TempDir()) / "gonogo_table.h5";
  OutcomeTable table_ =
      MakePositiveControl({.clusters = 12, .queries_per_cluster = 3}, RngStream(1));
};

TEST_F(Hdf5TableTest, ReadsBackWhatWasWritten) {
  table_.choice.assign(table_.num_queries(), 2);
  table_.declaration = "protocol.name = \"x\"\n";
  table_.declaration_sha256 = "ab";
  ActionFeatureGroup phi{.name = "phi", .columns = {"p"}};
  phi.values = FeatureMatrix::Random(static_cast<Eigen::Index>(table_.cost.size()), 1);
  table_.action_features.push_back(phi);
  table_.other_outcomes = {
      {"control_work", std::vector<double>(table_.cost.rbegin(), table_.cost.rend())}};
  ASSERT_TRUE(WriteTable(table_, path_).ok());
  const Result<TableFile> read = ReadTable(path_, {});
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().table.actions, table_.actions);
  EXPECT_EQ(read.value().table.clusters, table_.clusters);
  EXPECT_EQ(read.value().table.cluster_begin, table_.cluster_begin);
  EXPECT_EQ(read.value().table.queries, table_.queries);
  EXPECT_EQ(read.value().table.cost, table_.cost);
  EXPECT_EQ(read.value().table.time, table_.time);
  EXPECT_EQ(read.value().table.success, table_.success);
  EXPECT_EQ(read.value().table.choice, table_.choice);
  EXPECT_EQ(read.value().table.features[1].columns, table_.features[1].columns);
  EXPECT_EQ(read.value().table.features[0].values, table_.features[0].values);
  EXPECT_EQ(read.value().table.action_features[0].values, phi.values);
  ASSERT_EQ(read.value().table.other_outcomes.size(), 1U);
  EXPECT_EQ(read.value().table.other_outcomes[0].name, "control_work");
  EXPECT_EQ(read.value().table.other_outcomes[0].values, table_.other_outcomes[0].values);
  EXPECT_EQ(read.value().table.declaration, table_.declaration);
  EXPECT_EQ(ReadDeclaration(path_).value()->name, "x");
}

TEST_F(Hdf5TableTest, DeclaredActionsMayComeInAnotherOrder) {
  ASSERT_TRUE(WriteTable(table_, path_).ok());
  Protocol protocol;
  protocol.reference = "left";
  protocol.actions = {"right", "left", "direct"};
  const OutcomeTable read = ReadTable(path_, protocol).value().table;
  EXPECT_THAT(read.actions, ElementsAre("left", "right", "direct"));
  EXPECT_EQ(read.cost[read.cell(4, 0)], table_.cost[table_.cell(4, 1)]);
  EXPECT_EQ(read.cost[read.cell(4, 2)], table_.cost[table_.cell(4, 0)]);
}

TEST_F(Hdf5TableTest, RefusesARaggedFile) {
  const std::vector<double> short_time(std::size_t{35} * 3, 1.0);
  table_.time.clear();
  EXPECT_THAT(ErrorAfter([&](io::Hdf5File& file) {
                return file.Write<double>("/time", std::vector<std::size_t>{35, 3}, short_time);
              }),
              HasSubstr("/time has shape [35,3], expected [36,3]"));
}

TEST_F(Hdf5TableTest, RefusesWrongCellsByPlaceValueAndExpectation) {
  table_.cost[table_.cell(7, 1)] = -1.0;
  EXPECT_THAT(ErrorAfter([](io::Hdf5File&) { return Status(); }),
              HasSubstr("/cost[7,1] (action 'left') is -1, expected a finite number, 0 or more"));
  table_.cost[table_.cell(7, 1)] = 1.0;
  table_.features[0].values(3, 2) = std::numeric_limits<float>::infinity();
  EXPECT_THAT(ErrorAfter([](io::Hdf5File&) { return Status(); }),
              HasSubstr("/features/obs row 3, column 2 is inf, expected a number below 3.4e38"));
}

TEST_F(Hdf5TableTest, WritesNothingThatItWouldNotRead) {
  std::filesystem::remove(path_);
  table_.cost.pop_back();
  const Status written = WriteTable(table_, path_);
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr("cost has 107 values, expected 36 queries x 3"));
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Hdf5TableTest, NumbersQueriesThatHaveNoNames) {
  table_.queries.clear();
  ASSERT_TRUE(WriteTable(table_, path_).ok());
  EXPECT_EQ(ReadTable(path_, {}).value().table.queries[4], "4");
}

TEST_F(Hdf5TableTest, RefusesTwoGroupsOfOneName) {
  table_.action_features.push_back(
      {.name = "obs",
       .columns = {"p"},
       .values = FeatureMatrix::Ones(static_cast<Eigen::Index>(table_.cost.size()), 1)});
  EXPECT_THAT(ErrorAfter([](io::Hdf5File&) { return Status(); }),
              HasSubstr("feature groups[2] is 'obs' like feature groups[0]"));
}

TEST_F(Hdf5TableTest, RefusesAnotherSchema) {
  io::Hdf5File file = std::move(io::Hdf5File::Create(path_).value());
  ASSERT_TRUE(file.WriteText("/", "schema", "gonogo.table/2").ok());
  ASSERT_TRUE(file.Close().ok());
  const Result<TableFile> read = ReadTable(path_, {});
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message,
              HasSubstr("schema is 'gonogo.table/2', expected 'gonogo.table/1'"));
}

TEST_F(Hdf5TableTest, RefusesAQueryThatOccursTwice) {
  table_.queries[5] = table_.queries[2];
  EXPECT_THAT(ErrorAfter([](io::Hdf5File&) { return Status(); }),
              HasSubstr("/query[5] is '2' like /query[2]"));
}

TEST_F(Hdf5TableTest, RefusesATruncatedFile) {
  ASSERT_TRUE(WriteTable(table_, path_).ok());
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  const Result<TableFile> read = ReadTable(path_, {});
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("gonogo_table.h5"));
}

}  // namespace
}  // namespace gonogo::audit
