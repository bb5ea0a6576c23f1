// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/paper/studies/studies.h"
#include "gonogo/study/evaluate/resampling.h"
#include "gonogo/study/scene.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::kResamples;
using study::WorkTime;

constexpr std::array kScaleNames{"direct", "scale-0.90", "scale-0.75", "scale-0.60"};
constexpr std::size_t kBudgets = 100;
constexpr int kRoughTiles = 3;
constexpr std::uint64_t kGroundSeed = 1;

/// The starts, by their number, from which every scale reaches the target without an early end.
std::vector<std::size_t> Completed(const Evaluation& leg) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < leg.Episodes(0).size(); ++i) {
    bool all = true;
    for (std::size_t m = 0; m < kScaleNames.size(); ++m) {
      all = all && leg.Episodes(m)[i].result.reached;
    }
    if (all) starts.push_back(i);
  }
  return starts;
}

std::vector<WorkTime> Means(const Evaluation& leg, const std::vector<std::size_t>& starts) {
  std::vector<WorkTime> means(kScaleNames.size());
  for (std::size_t m = 0; m < means.size(); ++m) {
    for (const std::size_t start : starts) {
      const sim::EpisodeResult& result = leg.Episodes(m)[start].result;
      means[m].work_j += result.work_j / static_cast<double>(starts.size());
      means[m].time_s += result.time_s / static_cast<double>(starts.size());
    }
  }
  return means;
}

/// As many of them, drawn with replacement.
std::vector<std::size_t> Resample(const std::vector<std::size_t>& starts, Rng& rng) {
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < starts.size(); ++i) drawn.push_back(starts[rng.Below(starts.size())]);
  return drawn;
}

study::BudgetGain Largest(const std::vector<study::BudgetGain>& sweep) {
  return *std::max_element(
      sweep.begin(), sweep.end(),
      [](const study::BudgetGain& a, const study::BudgetGain& b) { return a.gain() < b.gain(); });
}

/// COT, work and time of one method over the given starts, as far as it reached the target.
std::array<std::string, 3> Cells(const Evaluation& leg, const std::vector<std::size_t>& starts,
                                 std::size_t method) {
  double cot = 0.0;
  double work = 0.0;
  double time = 0.0;
  double count = 0.0;
  for (const std::size_t start : starts) {
    const sim::EpisodeResult& result = leg.Episodes(method)[start].result;
    if (!result.reached) continue;  // only VGCC may miss: the scales are jointly complete
    ++count;
    cot += result.cot;
    work += result.work_j;
    time += result.time_s;
  }
  if (count == 0.0) return {"–", "–", "–"};
  return {fmt::format("{:.3f}", cot / count), fmt::format("{:.1f}", work / count),
          fmt::format("{:.2f}", time / count)};
}

report::Table Frontier(const TerrainStudy& study) {
  report::Table table = NumberTable("Means over episodes in which every scale reaches the target",
                                    {"method", "of", "flat COT", "flat work (J)", "flat time (s)",
                                     "rough COT", "rough work (J)", "rough time (s)"},
                                    2);
  const std::vector<std::size_t> flat = Completed(study.flat);
  const std::vector<std::size_t> rough = Completed(study.rough);
  const std::vector<std::string>& methods = study.flat.methods;
  const PublishedTable& paper = Published("hetero");
  for (std::size_t m = 0; m < methods.size(); ++m) {
    AddPublishedRow(paper, methods[m],
                    {"flat_cot", "flat_work", "flat_time", "rough_cot", "rough_work", "rough_time"},
                    table);
    std::vector<report::Cell> row{methods[m], "ours"};
    for (const std::string& cell : Cells(study.flat, flat, m)) row.emplace_back(cell);
    for (const std::string& cell : Cells(study.rough, rough, m)) row.emplace_back(cell);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Result<TerrainStudy> RunTerrainStudy(const std::filesystem::path& robot,
                                     const std::filesystem::path& models,
                                     const Execution& execution) {
  study::Scene flat = GONOGO_TRY(study::OpenScene(robot, "flat", kGroundSeed));
  study::Scene rough = flat;
  rough.robot.terrain.rough_low_m = 0.02;
  rough.robot.terrain.rough_high_m = 0.10;
  rough.robot.terrain.rough_step_m = 0.02;
  rough.world = GONOGO_TRY(
      sim::World::Create(rough.robot, sim::RoughTerrain(kRoughTiles, rough.robot.terrain,
                                                        RngStream(kGroundSeed).Child("terrain"))));

  std::vector<std::string> names(kScaleNames.begin(), kScaleNames.end());
  if (!models.empty()) names.emplace_back("vgcc");
  std::vector<study::Method> methods;
  for (const std::string& name : names) {
    methods.push_back(GONOGO_TRY(study::OpenMethod(name, rough.robot, models, {})));
  }
  const study::EvaluationPlan plan{.family = "harder", .seeds = {701, 702, 703}, .trials = 2};
  Evaluation on_flat = GONOGO_TRY(study::RunEvaluation(flat, methods, plan, nullptr, execution));
  Evaluation on_rough = GONOGO_TRY(study::RunEvaluation(rough, methods, plan, nullptr, execution));
  return TerrainStudy{std::move(on_flat), std::move(on_rough)};
}

SharedBudget MeasureSharedBudget(const TerrainStudy& study, const RngStream& stream) {
  const std::vector<std::size_t> flat = Completed(study.flat);
  const std::vector<std::size_t> rough = Completed(study.rough);
  const auto largest = [&](const std::vector<std::size_t>& on_flat,
                           const std::vector<std::size_t>& on_rough) {
    return Largest(
        study::SweepBudget(Means(study.flat, on_flat), Means(study.rough, on_rough), kBudgets));
  };
  Rng rng = stream.Generator();
  std::vector<double> gains;
  for (int b = 0; b < kResamples; ++b) {
    const std::vector<std::size_t> on_flat = Resample(flat, rng);
    gains.push_back(largest(on_flat, Resample(rough, rng)).gain());
  }
  return {largest(flat, rough), stats::PercentileInterval(gains, 0.95)};
}

report::Section TerrainSection(const TerrainStudy& study, const RngStream& stream) {
  const std::size_t flat = Completed(study.flat).size();
  const std::size_t rough = Completed(study.rough).size();
  const PublishedTable& size = Published("hetero-size");
  report::Section section{
      .id = "terrain-heterogeneity",
      .title = "Terrain heterogeneity",
      .blocks = {report::Paragraph{fmt::format(
          "A plane and height noise of 2-10 cm, identical starts: {} of {} flat and {} of {} rough "
          "episodes are completed at every scale (paper: {} and {} of {}). Seeds {}, ground seed "
          "{}.",
          flat, study.flat.Episodes(0).size(), rough, study.rough.Episodes(0).size(),
          *size.Text("flat", "completed"), *size.Text("rough", "completed"),
          *size.Text("each", "evaluated"), fmt::join(study.flat.plan.seeds, ", "), kGroundSeed)}}};
  section.blocks.emplace_back(Frontier(study));
  if (flat == 0 || rough == 0) return section;
  const SharedBudget shared = MeasureSharedBudget(study, stream);
  report::Table table =
      NumberTable("One flat and one rough leg under a shared completion-time budget",
                  {"quantity", "paper", "ours"});
  const PublishedTable& budget = Published("shared-budget");
  table.rows = {{"largest saving of terrain-dependent scales (%)",
                 TextOrBlank(budget.Text("largest", "saving")),
                 fmt::format("{:.2f} [{:.2f}, {:.2f}]", 100 * shared.best.gain(),
                             100 * shared.interval.lower, 100 * shared.interval.upper)},
                {"at a budget of (s)", TextOrBlank(budget.Text("largest", "budget")),
                 fmt::format("{:.2f}", shared.best.budget_s)}};
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace gonogo::paper
