// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"
#include "bindings.h"
#include "episode.h"
#include "raise.h"
#include "watch.h"

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/study/collect/collect_cluster.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

/// The branches of a query of a collection, by its name in the table.
std::vector<Episode> Branches(const std::filesystem::path& robot, const audit::Protocol& protocol,
                              const std::string& query, const std::filesystem::path& models,
                              int jobs) {
  std::vector<Episode> episodes;
  Watch(jobs, py::none(), [&](const Execution& execution) {
    const study::OpenedRobot opened = Take(study::OpenRobot(robot));
    const std::filesystem::path folder =
        models.empty() ? study::ModelsFolder(opened.spec.name) : models;
    for (sim::EpisodeRecord& record :
         Take(study::RecordBranches(opened, protocol, folder, query, execution))) {
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
