// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/control_run.h"

#include "gonogo/audit/controls/control_json.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/session/session.h"

namespace gonogo::audit {

Result<PlantedReport> RunPlanted(PlantedJob job, const Executions& executions) {
  const bool hidden = job.kind == "hidden";
  if (job.gammas.empty()) job.gammas = UsualGammas(job.kind);
  const double gamma = job.gammas.front();
  // Tried once, so that a wrong name is told before anything is written.
  const Result<OutcomeTable> planted =
      hidden ? PlantHidden(job.table.table, job.signal, gamma, RngStream(0))
             : PlantObservable(job.table.table, job.signal, gamma);
  if (!planted.ok()) return InTable(job.table.name, planted.error());
  const std::vector<std::string> actions = {job.signal.if_positive, job.signal.if_negative};
  Session session = GONOGO_TRY(Session::Open(std::move(job.table), job.protocol,
                                             {.folder = job.folder,
                                              .name = job.protocol.name + "-" + job.kind,
                                              .is_look = false,
                                              .asked = {{"verb", "control " + job.kind},
                                                        {"feature", job.signal.feature},
                                                        {"actions", actions},
                                                        {"gamma", job.gammas},
                                                        {"mappings", job.mappings}}}));
  const StoreOfAudit stores = session.Stores("refits");
  const Execution execution = executions({job.kind + " control", session.folder(), {}});
  Result<std::vector<ControlPoint>> points =
      hidden ? RepeatHidden(session.table(), job.protocol, job.signal, gamma, job.mappings,
                            execution, stores)
             : SweepObservable(session.table(), job.protocol, job.signal, job.gammas, execution,
                               stores);
  if (!points.ok()) return session.Resumable(points.error());
  PlantedReport report{.folder = session.folder(), .points = std::move(points).value(), .json = {}};
  report.json = ControlJson(job.kind, report.points, job.protocol);
  GONOGO_TRY(session.Finish(report.json));
  return report;
}

AuditJob PositiveControlJob(const Protocol& protocol, const std::filesystem::path& folder) {
  return {.table = {.table = DeclaredPositiveControl(protocol)},
          .protocol = protocol,
          .declared = protocol,
          .folder = folder,
          .asked = {{"verb", "control learner"}},
          .is_look = false};
}

}  // namespace gonogo::audit
