// SPDX-License-Identifier: Apache-2.0
#include "audit_comparisons.h"
#include "bindings.h"
#include "raise.h"
#include "table.h"
#include "watch.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gonogo/audit/controls/control_json.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/deploy/export_adapter.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/session/audit_request.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/session/session.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"
#include "gonogo/report/result_page.h"

namespace py = pybind11;

namespace gonogo::python {
namespace {

using audit::Protocol;

/// result.json as it was written, what a terminal would show, the run's folder, and the folder of
/// the adapter if one was exported.
struct Finished {
  std::string json;
  std::string text;
  std::string folder;
  std::string adapter = {};
};

/// What identifies a table that is no file: another one in the same folder is another run.
void IdentifyTable(const Table& table, audit::SessionOptions& options) {
  if (!table.file.empty()) {
    options.table_file = table.file;
    return;
  }
  nlohmann::json contents = audit::ClusterHashes(table.outcomes);
  options.asked["table"] = table.name;
  options.asked["contents_sha256"] = io::Sha256Hex(contents.dump());
}

/// Whatever an audit finds missing is missing in this table.
template <typename T>
Result<T> InTable(const Table& table, Result<T> result) {
  if (result.ok() || result.error().kind != ErrorKind::kInput) return result;
  const std::string& message = result.error().message;
  if (message.rfind(table.name, 0) == 0) return result;
  return InputError("{}: {}", table.name, message);
}

/// Writes result.json and its page.
Finished Finish(audit::Session& session, nlohmann::json json) {
  Take(session.Finish(json));
  const std::string file = (session.folder() / "result.json").string();
  const std::string page = Take(report::ResultPage(json, file));
  Take(io::WriteFile(session.folder() / "report.html", page));
  return {json.dump(2) + "\n", report::ResultText(json), session.folder().string()};
}

Finished Audit(const Table& table, const Protocol& protocol, const Protocol& declared,
               const std::string& learner, const std::string& choices, bool ablation,
               std::size_t seeds, const std::filesystem::path& folder,
               const std::filesystem::path& export_folder, bool export_anyway, int jobs,
               const py::object& progress) {
  Finished finished;
  Watch(jobs, progress, [&](const Execution& execution) {
    const audit::AuditRequest request{
        .learner = learner, .choices = choices, .ablation = ablation, .seeds = seeds};
    audit::OutcomeTable outcomes = OutcomesUnder(protocol, table);
    Take(InTable(table, audit::CheckRequest(outcomes, protocol, request)));
    audit::SpellOutDeclaration(declared, outcomes);
    audit::SessionOptions options{.folder = folder, .asked = request.Asked()};
    IdentifyTable(table, options);
    audit::Session session =
        Take(audit::Session::Open(std::move(outcomes), protocol, std::move(options)));
    const audit::AuditResult result =
        Take(InTable(table, choices.empty() ? session.Audit(execution) : session.Choices()));
    nlohmann::json json = audit::ToJson(result);
    json["provenance"]["collection"] = audit::CollectionOf(session.table());
    Take(AddComparisons(session, result, request, execution, json));
    finished = Finish(session, std::move(json));
    if (export_folder.empty()) return;
    if (!export_anyway && result.decision != audit::Verdict::kGo) return;
    Take(audit::ExportAdapter(session, result, export_folder, execution.stop));
    finished.adapter = export_folder.string();
  });
  return finished;
}

Finished PositiveControl(const Protocol& protocol, const std::filesystem::path& folder, int jobs,
                         const py::object& progress) {
  Finished finished;
  Watch(jobs, progress, [&](const Execution& execution) {
    audit::Session session =
        Take(audit::Session::Open(audit::DeclaredPositiveControl(protocol), protocol,
                                  {.folder = folder, .asked = {{"verb", "control learner"}}}));
    const audit::AuditResult result = Take(session.Audit(execution));
    finished = Finish(session, audit::ToJson(result));
  });
  return finished;
}

Finished PlantedControl(const std::string& kind, const Table& table, const Protocol& protocol,
                        const std::string& feature, const std::vector<std::string>& actions,
                        const std::vector<double>& gammas, std::size_t mappings,
                        const std::filesystem::path& folder, int jobs, const py::object& progress) {
  Finished finished;
  Watch(jobs, progress, [&](const Execution& execution) {
    const bool hidden = kind == "hidden";
    const audit::PlantedSignal signal{feature, actions.at(0), actions.at(1)};
    const std::vector<double> planted = gammas.empty() ? audit::UsualGammas(kind) : gammas;
    audit::OutcomeTable outcomes = OutcomesUnder(protocol, table);
    // Tried once, so that a wrong name is told before anything is written.
    Take(InTable(table, hidden ? audit::PlantHidden(outcomes, signal, planted.front(), RngStream(0))
                               : audit::PlantObservable(outcomes, signal, planted.front())));
    audit::SessionOptions options{.folder = folder,
                                  .name = protocol.name + "-" + kind,
                                  .is_look = false,
                                  .asked = {{"verb", "control " + kind},
                                            {"feature", feature},
                                            {"actions", actions},
                                            {"gamma", planted},
                                            {"mappings", mappings}}};
    IdentifyTable(table, options);
    audit::Session session =
        Take(audit::Session::Open(std::move(outcomes), protocol, std::move(options)));
    const audit::StoreOfAudit stores = session.Stores("refits");
    const Result<std::vector<audit::ControlPoint>> points =
        hidden
            ? audit::RepeatHidden(session.table(), protocol, signal, planted.front(), mappings,
                                  execution, stores)
            : audit::SweepObservable(session.table(), protocol, signal, planted, execution, stores);
    if (!points.ok()) throw RaisedError(session.Resumable(points.error()));
    finished = Finish(session, audit::ControlJson(kind, points.value(), protocol));
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
      .def_readonly("json", &Finished::json)
      .def_readonly("text", &Finished::text)
      .def_readonly("folder", &Finished::folder)
      .def_readonly("adapter", &Finished::adapter);
  module.def("audit", &Audit, py::arg("table"), py::arg("protocol"), py::arg("declared"),
             py::arg("learner"), py::arg("choices"), py::arg("ablation"), py::arg("seeds"),
             py::arg("folder"), py::arg("export_folder"), py::arg("export_anyway"), py::arg("jobs"),
             py::arg("progress"));
  module.def("positive_control", &PositiveControl, py::arg("protocol"), py::arg("folder"),
             py::arg("jobs"), py::arg("progress"));
  module.def("planted_control", &PlantedControl, py::arg("kind"), py::arg("table"),
             py::arg("protocol"), py::arg("feature"), py::arg("actions"), py::arg("gammas"),
             py::arg("mappings"), py::arg("folder"), py::arg("jobs"), py::arg("progress"));
  module.def("report_page", &ReportPage, py::arg("json"), py::arg("name"), py::arg("controls"));
}

}  // namespace gonogo::python
