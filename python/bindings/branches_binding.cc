// SPDX-License-Identifier: Apache-2.0
#include "bindings.h"
#include "episode.h"
#include "raise.h"
#include "watch.h"
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/study/collect/record_branches.h"

namespace py = pybind11;

namespace gonogo::python {
namespace {

/// The branches of a query of a collection, by its name in the table.
std::vector<Episode> Branches(const std::filesystem::path& robot, const audit::Protocol& protocol,
                              const std::string& query, const std::filesystem::path& models,
                              int jobs) {
  std::vector<Episode> episodes;
  Watch(jobs, py::none(), [&](const Execution& execution) {
    const robot::RobotSpec spec = Take(robot::LoadRobotSpec(robot));
    const std::filesystem::path folder =
        models.empty() ? std::filesystem::path("runs") / ("identify-" + spec.name) : models;
    const study::CollectPlan plan = Take(study::CollectPlan::Open(protocol, spec, folder));
    for (sim::EpisodeRecord& record : Take(study::RecordBranches(robot, plan, query, execution))) {
      episodes.push_back({.record = std::move(record), .queries = {}});
    }
  });
  return episodes;
}

}  // namespace

void BindBranches(py::module_& module) {
  module.def("branches", &Branches, py::arg("robot"), py::arg("protocol"), py::arg("query"),
             py::arg("models"), py::arg("jobs"));
}

}  // namespace gonogo::python
