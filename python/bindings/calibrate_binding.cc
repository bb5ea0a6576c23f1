// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "arrays.h"
#include "bindings.h"
#include "raise.h"
#include "table.h"
#include "watch.h"
#include <fmt/ranges.h>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/audit/run/run.h"
#include "gonogo/base/nearest.h"
#include "gonogo/calibrate/benchmark/calibration.h"
#include "gonogo/calibrate/benchmark/simulated_learner.h"
#include "gonogo/calibrate/plan/assumed_plan.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

std::string PlanAssumed(const audit::Protocol& protocol, double effect,
                        const std::vector<std::size_t>& clusters, std::size_t largest,
                        std::size_t queries, std::size_t actions, std::size_t features,
                        std::size_t data_sets, int jobs, const py::object& progress) {
  std::string json;
  Watch(jobs, progress, [&](const Execution& execution) {
    calibrate::Assumption assumption{
        .effect = effect, .clusters = clusters, .largest = largest, .data_sets = data_sets};
    assumption.world.queries = queries;
    assumption.world.actions = actions;
    assumption.world.features = features;
    const calibrate::Plan plan =
        Take(calibrate::PlanFromAssumption(protocol, assumption, execution));
    json = calibrate::ToJson(plan, calibrate::PlannedRule(protocol)).dump(2) + "\n";
  });
  return json;
}

std::string PlanPilot(const Table& table, const audit::Protocol& protocol,
                      const std::vector<std::size_t>& clusters, std::size_t largest,
                      const std::filesystem::path& folder, int jobs, const py::object& progress) {
  std::string json;
  Watch(jobs, progress, [&](const Execution& execution) {
    audit::AuditJob job = audit::PilotJob(TableUnder(protocol, table), protocol);
    job.folder = folder;
    const audit::AuditReport pilot = Take(audit::Run(std::move(job), audit::Everywhere(execution)));
    const calibrate::Plan plan = Take(calibrate::PlanFromPilot(
        pilot.table.table, pilot.result(), {.clusters = clusters, .largest = largest}));
    json = calibrate::ToJson(plan, calibrate::RuleUnderTest::kCalibrated).dump(2) + "\n";
  });
  return json;
}

calibrate::SimulatedLearner LearnerNamed(const std::string& name) {
  const std::optional<calibrate::SimulatedLearner> learner = calibrate::SimulatedLearnerNamed(name);
  if (learner.has_value()) return *learner;
  throw RaisedError(UsageError("learner is '{}', expected one of {}", name,
                               fmt::join(calibrate::SimulatedLearnerNames(), ", ")));
}

std::vector<calibrate::BenchmarkCell> CellsFor(const calibrate::SimulatedLearner& learner) {
  return learner.small_tables ? calibrate::SmallCells() : calibrate::AllCells();
}

std::string Calibrate(const std::vector<std::string>& names, std::size_t data_sets,
                      std::size_t refits, const std::string& learner, std::uint64_t seed,
                      const std::filesystem::path& folder, int jobs, const py::object& progress) {
  calibrate::BenchmarkOptions options;
  options.data_sets = data_sets;
  options.seed = seed;
  options.learner = learner;
  options.directory = folder;
  audit::Protocol& protocol = options.simulation.protocol;
  protocol.bootstrap.refits = refits;
  const calibrate::SimulatedLearner simulated = LearnerNamed(learner);
  protocol.learner = simulated.config;
  const std::vector<calibrate::BenchmarkCell> all = CellsFor(simulated);
  std::vector<std::string> known;
  for (const calibrate::BenchmarkCell& cell : all) known.push_back(cell.name);
  for (const std::string& name : names.empty() ? known : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw RaisedError(
          UsageError("cells: no world is called '{}'{}; gonogo.calibration_cells() "
                     "lists them",
                     name, DidYouMean(name, known)));
    }
    options.cells.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  std::string json;
  Watch(jobs, progress, [&](const Execution& execution) {
    const calibrate::CalibrationResult result = Take(calibrate::RunCalibration(options, execution));
    json = calibrate::ToJson(options, result).dump(2) + "\n";
  });
  return json;
}

std::vector<std::vector<std::string>> CellRows(const std::string& learner) {
  std::vector<std::vector<std::string>> rows;
  for (const calibrate::BenchmarkCell& cell : CellsFor(LearnerNamed(learner))) {
    rows.push_back({cell.name, std::string(calibrate::Name(cell.role)),
                    std::to_string(cell.world.clusters), cell.purpose});
  }
  return rows;
}

}  // namespace

void BindCalibrate(py::module_& module) {
  const calibrate::SyntheticWorld world;
  module.attr("DEFAULT_WORLD") = py::make_tuple(world.queries, world.actions, world.features);
  module.def("plan_assumed", &PlanAssumed, py::arg("protocol"), py::arg("effect"),
             py::arg("clusters"), py::arg("largest"), py::arg("queries"), py::arg("actions"),
             py::arg("features"), py::arg("data_sets"), py::arg("jobs"),
             py::arg("progress").none());
  module.def("plan_pilot", &PlanPilot, py::arg("table"), py::arg("protocol"), py::arg("clusters"),
             py::arg("largest"), py::arg("folder"), py::arg("jobs"), py::arg("progress").none());
  module.def("calibrate", &Calibrate, py::arg("cells"), py::arg("data_sets"), py::arg("refits"),
             py::arg("learner"), py::arg("seed"), py::arg("folder"), py::arg("jobs"),
             py::arg("progress").none());
  module.def("calibration_cells", &CellRows, py::arg("learner"));
}

}  // namespace gonogo::python
