// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"
#include "bindings.h"
#include "finished.h"
#include "raise.h"
#include "table.h"
#include "watch.h"
#include <nlohmann/json.hpp>

#include "gonogo/audit/deploy/export_adapter.h"
#include "gonogo/audit/run/choices.h"
#include "gonogo/audit/run/control_run.h"
#include "gonogo/io/json/json.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

using audit::Protocol;

/// With the page beside result.json.
Finished FinishWithPage(const nlohmann::json& json, const std::filesystem::path& folder) {
  Take(WritePage(json, folder));
  return Finish(json, folder);
}

Finished Audit(const Table& table, const Protocol& protocol,
               const std::optional<Protocol>& declared, const audit::AuditRequest& request,
               const std::filesystem::path& folder, const std::filesystem::path& choices_file,
               const std::filesystem::path& export_folder, bool export_anyway, int jobs,
               const py::object& progress) {
  if (!choices_file.empty()) Take(audit::CheckChoicesFile(choices_file));
  Finished finished;
  Watch(jobs, progress, [&](const Execution& execution) {
    const audit::AuditReport report = Take(audit::Run({.table = TableUnder(protocol, table),
                                                       .protocol = protocol,
                                                       .declared = declared,
                                                       .request = request,
                                                       .folder = folder},
                                                      audit::Everywhere(execution)));
    finished = FinishWithPage(report.json, report.folder);
    if (!choices_file.empty()) Take(audit::WriteChoices(choices_file, report));
    if (export_folder.empty()) return;
    if (Take(audit::ExportAdapter(report, export_folder, export_anyway, execution.stop))) {
      finished.adapter = export_folder.string();
    }
  });
  return finished;
}

Finished PositiveControl(const Protocol& protocol, const std::filesystem::path& folder, int jobs,
                         const py::object& progress) {
  Finished finished;
  Watch(jobs, progress, [&](const Execution& execution) {
    const audit::AuditReport report =
        Take(audit::Run(audit::PositiveControlJob(protocol, folder), audit::Everywhere(execution)));
    finished = FinishWithPage(report.json, report.folder);
  });
  return finished;
}

Finished PlantedControl(const std::string& kind, const Table& table, const Protocol& protocol,
                        const std::string& feature, const std::vector<std::string>& actions,
                        const std::vector<double>& gammas, std::size_t mappings,
                        const std::filesystem::path& folder, int jobs, const py::object& progress) {
  Finished finished;
  Watch(jobs, progress, [&](const Execution& execution) {
    const audit::PlantedReport report =
        Take(audit::RunPlanted({.table = TableUnder(protocol, table),
                                .protocol = protocol,
                                .kind = kind,
                                .signal = {feature, actions.at(0), actions.at(1)},
                                .gammas = gammas,
                                .mappings = mappings,
                                .folder = folder},
                               audit::Everywhere(execution)));
    finished = FinishWithPage(report.json, report.folder);
  });
  return finished;
}

/// The page of a result with the controls of its table.
std::string ReportPage(const std::string& json, const std::string& name,
                       const std::vector<std::string>& controls) {
  const py::gil_scoped_release release;
  nlohmann::json result = Take(io::ParseJson(json, name));
  for (const std::string& text : controls) {
    const nlohmann::json control = Take(io::ParseJson(text, "control"));
    Take(report::AttachControl(control, "control", result));
  }
  return Take(report::ResultPage(result, name));
}

}  // namespace

void BindAudit(py::module_& module) {
  py::class_<Finished>(module, "Finished")
      .def_ro("json", &Finished::json)
      .def_ro("text", &Finished::text)
      .def_ro("folder", &Finished::folder)
      .def_ro("adapter", &Finished::adapter);
  py::class_<audit::AuditRequest>(module, "Request")
      .def(py::new_([](std::string learner, bool any_learner, std::string target,
                       std::string choices, bool ablation, bool other_question, std::size_t seeds,
                       std::string map_over, bool keeps_choices) {
             return audit::AuditRequest{.learner = std::move(learner),
                                        .target = std::move(target),
                                        .choices = std::move(choices),
                                        .ablation = ablation,
                                        .other_question = other_question,
                                        .seeds = seeds,
                                        .map = std::move(map_over),
                                        .keeps_choices = keeps_choices,
                                        .any_learner = any_learner};
           }),
           py::kw_only(), py::arg("learner") = "", py::arg("any_learner") = false,
           py::arg("target") = "", py::arg("choices") = "", py::arg("ablation") = false,
           py::arg("other_question") = false, py::arg("seeds") = 0, py::arg("map_over") = "",
           py::arg("keeps_choices") = false);
  module.def("audit", &Audit, py::arg("table"), py::arg("protocol"), py::arg("declared").none(),
             py::arg("request"), py::arg("folder"), py::arg("choices_file"),
             py::arg("export_folder"), py::arg("export_anyway"), py::arg("jobs"),
             py::arg("progress").none());
  module.def("positive_control", &PositiveControl, py::arg("protocol"), py::arg("folder"),
             py::arg("jobs"), py::arg("progress").none());
  module.def("planted_control", &PlantedControl, py::arg("kind"), py::arg("table"),
             py::arg("protocol"), py::arg("feature"), py::arg("actions"), py::arg("gammas"),
             py::arg("mappings"), py::arg("folder"), py::arg("jobs"), py::arg("progress").none());
  module.def("report_page", &ReportPage, py::arg("json"), py::arg("name"), py::arg("controls"));
}

}  // namespace gonogo::python
