// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/calibration.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

namespace gonogo::calibrate {
namespace {

BenchmarkOptions SmallRun() {
  BenchmarkOptions options;
  options.cells = {
      {.name = "small",
       .role = CellRole::kEffect,
       .purpose = "a test",
       .world = {.clusters = 8, .queries = 12, .actions = 3, .features = 3, .signal = 0.2}}};
  options.data_sets = 6;
  options.simulation.protocol.bootstrap.refits = 12;
  options.simulation.halves = 4;
  options.simulation.fresh_queries = 500;
  return options;
}

/// Everything but the time it took.
nlohmann::json Numbers(const BenchmarkOptions& options, const CalibrationResult& result) {
  nlohmann::json json = ToJson(options, result);
  for (nlohmann::json& cell : json["cells"]) {
    cell.erase("fit_cpu_seconds");
    cell.erase("pair_fit_cpu_seconds");
  }
  return json;
}

TEST(CalibrationTest, GivesTheSameNumbersOnOneThreadAndOnThree) {
  const BenchmarkOptions options = SmallRun();
  const auto one = RunCalibration(options, {.jobs = 1});
  const auto three = RunCalibration(options, {.jobs = 3});
  ASSERT_TRUE(one.ok() && three.ok());
  EXPECT_EQ(Numbers(options, one.value()), Numbers(options, three.value()));
}

TEST(CalibrationTest, AnInterruptedRunGoesOnToTheSameNumbers) {
  const auto directory = std::filesystem::temp_directory_path() / "gonogo_calibration_test";
  std::filesystem::remove_all(directory);
  BenchmarkOptions options = SmallRun();
  const auto whole = RunCalibration(options, {.jobs = 1});
  options.directory = directory;
  std::stop_source stop;
  const auto stopped = RunCalibration(
      options, {.jobs = 1, .stop = stop.get_token(), .progress = [&](std::size_t done, auto) {
                  if (done == 3) stop.request_stop();
                }});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kInterrupted);
  const auto resumed = RunCalibration(options, {.jobs = 1});
  ASSERT_TRUE(whole.ok() && resumed.ok());
  EXPECT_EQ(Numbers(options, resumed.value()), Numbers(options, whole.value()));

  options.data_sets = 7;  // one more data set extends the same log
  EXPECT_TRUE(RunCalibration(options, {.jobs = 1}).ok());
  options.seed += 1;  // another seed is another run
  EXPECT_FALSE(RunCalibration(options, {.jobs = 1}).ok());
  std::filesystem::remove_all(directory);
}

/// The oracle's answer is made and kept with the fits, at their own level.
nlohmann::json WithoutOracle(nlohmann::json json) {
  for (nlohmann::json& cell : json["cells"]) {
    cell.erase("oracle_GO");
    for (nlohmann::json& rule : cell["rules"]) rule.erase("efficiency");
  }
  return json;
}

TEST(CalibrationTest, KeptFitsAreJudgedAgainUnderAnotherLevelAsIfTheyHadJustBeenMade) {
  const auto directory = std::filesystem::temp_directory_path() / "gonogo_calibration_judge_test";
  std::filesystem::remove_all(directory);
  BenchmarkOptions options = SmallRun();
  options.directory = directory;
  ASSERT_TRUE(RunCalibration(options, {.jobs = 1}).ok());
  options.simulation.protocol.bootstrap.level = 0.8;
  options.data_sets = 100;
  options.finished_only = true;
  const auto judged = RunCalibration(options, {.jobs = 1});
  options.directory.clear();
  options.finished_only = false;
  options.data_sets = 6;
  const auto made = RunCalibration(options, {.jobs = 1});
  ASSERT_TRUE(judged.ok() && made.ok());
  EXPECT_EQ(WithoutOracle(Numbers(options, judged.value())),
            WithoutOracle(Numbers(options, made.value())));
  std::filesystem::remove_all(directory);
}

TEST(CalibrationTest, EveryCellWithATargetHasBeenSolvedAndNamesAreUnique) {
  std::set<std::string> names;
  for (const BenchmarkCell& cell : AllCells()) {
    EXPECT_TRUE(names.insert(cell.name).second) << cell.name;
    EXPECT_FALSE(cell.purpose.empty());
    if (cell.targets.empty()) continue;
    const SolveTarget& target = cell.targets.front();
    const double solved = cell.world.*target.parameter;
    EXPECT_GT(solved, target.low) << cell.name;
    EXPECT_LT(solved, target.high) << cell.name;
  }
  EXPECT_GE(names.size(), 20U);
}

TEST(CalibrationTest, SmallCellsAreThoseOfTheLinearFamilyOnSmallerTables) {
  std::vector<BenchmarkCell> cells = AllCells();
  std::erase_if(cells, [](const BenchmarkCell& cell) {
    return cell.family != Family::kLinear || cell.world.logging != Logging::kFull;
  });
  const std::vector<BenchmarkCell> small = SmallCells();
  ASSERT_EQ(small.size(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(small[i].name, cells[i].name);
    EXPECT_EQ(small[i].world.clusters, cells[i].world.clusters);
    EXPECT_LT(small[i].world.queries, cells[i].world.queries);
    if (cells[i].role != CellRole::kLeastFavourable) continue;
    const auto parameter = cells[i].targets.front().parameter;
    EXPECT_NE(small[i].world.*parameter, cells[i].world.*parameter) << "not solved again";
  }
}

TEST(CalibrationTest, SolvedLinesReadBackAsTheyWereWritten) {
  BenchmarkCell cell{
      .name = "x", .role = CellRole::kStress, .purpose = {}, .world = {.signal = 0.25}};
  EXPECT_EQ(SolvedLine(cell), "{\"x\", 0.250000, 0.000000, -4.0000},");
  cell.world.violation_logit = kNeverViolates;
  EXPECT_EQ(SolvedLine(cell), "{\"x\", 0.250000, 0.000000, kNeverViolates},");
}

/// An audit in which the calibrated rule said GO and the truth is as given.
SimulatedAudit GoAudit(const Truth& truth) {
  SimulatedAudit judged{.truth = truth};
  RuleOutcome& outcome = judged.outcome[static_cast<std::size_t>(RuleUnderTest::kCalibrated)];
  outcome.verdict = audit::Verdict::kGo;
  outcome.interval = {stats::Interval{0.02, 0.04}, {0.02, 0.04}, {0.0, 0.02}, {0.01, 0.05}};
  return judged;
}

TEST(SummaryTest, CountsFalseGoesMissesAndCoverage) {
  const Truth good{.h_total = 0.03,
                   .h_alloc = 0.03,
                   .h_dep = 0.03,
                   .h_dep_argmin = 0.03,
                   .h_dep_best = 0.005,
                   .q = 0.01};
  Truth bad = good;
  bad.h_dep = 0.005;
  const std::vector<SimulatedAudit> audits = {GoAudit(good), GoAudit(bad), GoAudit(good),
                                              SimulatedAudit{good}};
  const CellSummary summary = SummariseAudits(audits, {});
  const RuleSummary& rule = summary.rule[static_cast<std::size_t>(RuleUnderTest::kCalibrated)];
  EXPECT_EQ(rule.go.count, 3U);
  EXPECT_EQ(rule.abstain.count, 1U);
  EXPECT_EQ(rule.false_go.count, 1U);
  EXPECT_EQ(rule.false_go_best.count, 3U);  // the world has a fixed action almost as good
  EXPECT_EQ(rule.interval[0].lower_miss.count, 1U);
  EXPECT_EQ(rule.interval[0].coverage.count, 2U);  // the last one has the interval [0, 0]
  EXPECT_NEAR(summary.mean_truth.h_dep, (3 * 0.03 + 0.005) / 4.0, 1e-12);
}

TEST(SummaryTest, ProportionsCarryClopperPearsonIntervals) {
  const Proportion none = MakeProportion(0, 100);
  EXPECT_EQ(none.interval.lower, 0.0);
  EXPECT_NEAR(none.interval.upper, 1.0 - std::pow(0.025, 0.01), 1e-9);  // 3.6 %
  const Proportion half = MakeProportion(50, 100);
  EXPECT_NEAR(half.interval.lower, 0.3983, 1e-3);
  EXPECT_NEAR(half.interval.upper, 0.6017, 1e-3);
}

TEST(GoalsTest, AFalseGoRateAboveTheGoalIsReportedAsMissed) {
  CalibrationResult result;
  result.cells.push_back(
      {{.name = "c", .role = CellRole::kLeastFavourable, .purpose = {}, .world = {}}, {}});
  result.cells[0].summary.data_sets = 2000;
  RuleSummary& rule =
      result.cells[0].summary.rule[static_cast<std::size_t>(RuleUnderTest::kCalibrated)];
  rule.false_go = MakeProportion(20, 2000);
  EXPECT_TRUE(JudgeGoals(result, RuleUnderTest::kCalibrated)[0].met);
  rule.false_go = MakeProportion(60, 2000);
  EXPECT_FALSE(JudgeGoals(result, RuleUnderTest::kCalibrated)[0].met);
  rule.false_go = MakeProportion(1, 60);  // too few data sets to bear the goal out
  EXPECT_FALSE(JudgeGoals(result, RuleUnderTest::kCalibrated)[0].met);
}

bool IsMet(const CalibrationResult& result, const std::string& part) {
  for (const Goal& goal : JudgeGoals(result, RuleUnderTest::kLeavePairOut)) {
    if (goal.text.find(part) != std::string::npos) return goal.met;
  }
  ADD_FAILURE() << "no goal about " << part;
  return false;
}

TEST(GoalsTest, EveryFamilyIsAskedForTheSameShareOfWhatFreshClustersSay) {
  CalibrationResult result;
  result.cells.push_back({{.name = "effect-2x", .role = CellRole::kEffect}, {.data_sets = 100}});
  RuleSummary& rule =
      result.cells[0].summary.rule[static_cast<std::size_t>(RuleUnderTest::kLeavePairOut)];
  for (const Family family : {Family::kLinear, Family::kSteps}) {
    result.cells[0].cell.family = family;
    rule.efficiency = 0.84;
    EXPECT_FALSE(IsMet(result, "GO that fresh clusters would give"));
    rule.efficiency = 0.86;
    EXPECT_TRUE(IsMet(result, "GO that fresh clusters would give"));
  }
}

TEST(GoalsTest, ABoundOfQThatIsMissedTooOftenIsNamed) {
  CalibrationResult result;
  result.cells.push_back({{.name = "c", .role = CellRole::kStress}, {.data_sets = 1000}});
  auto& rate = result.cells[0]
                   .summary.rule[static_cast<std::size_t>(RuleUnderTest::kLeavePairOut)]
                   .interval[static_cast<std::size_t>(Quantity::kViolation)];
  rate.upper_miss = MakeProportion(25, 1000);
  EXPECT_TRUE(IsMet(result, "q above its bound"));
  rate.upper_miss = MakeProportion(26, 1000);
  EXPECT_FALSE(IsMet(result, "q above its bound"));
}

TEST(GoalsTest, ACellThatWasNotRunSaysNothing) {
  CalibrationResult result;
  result.cells.push_back(
      {{.name = "idle", .role = CellRole::kLeastFavourable, .purpose = {}, .world = {}}, {}});
  EXPECT_TRUE(JudgeGoals(result, RuleUnderTest::kCalibrated).empty());
  const nlohmann::json json = ToJson(BenchmarkOptions{}, result);
  EXPECT_TRUE(json["cells"].empty());
  EXPECT_EQ(json["not_run"], nlohmann::json::array({"idle"}));
}

}  // namespace
}  // namespace gonogo::calibrate
