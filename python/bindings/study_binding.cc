// SPDX-License-Identifier: Apache-2.0
#include <mutex>
#include <string>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "finished.h"
#include "raise.h"
#include "watch.h"
#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/report/audit/audit_report.h"
#include "gonogo/study/answer/run_study.h"
#include "gonogo/study/check/check_json.h"
#include "gonogo/study/collect/collect.h"
#include "gonogo/study/confirm/confirm_summary.h"

namespace py = nanobind;

/// What `gonogo study`, `collect`, `check` and `confirm` do, by the functions they call.
namespace gonogo::python {
namespace {

/// What a run of several stages tells while it works: which stage it is in, how far that is, and
/// remarks. Threads tell it, and the calling thread hands it on to Python.
class Telling {
  using Count = std::pair<std::size_t, std::size_t>;

 public:
  /// `teller` has `stage(name)`, `say(remark)` and `count(done, total)`.
  explicit Telling(const py::object& teller) : teller_(teller) {}

  study::StudyWatcher::Progress Stage(const std::string& name) {
    Add([name](const py::object& to) { to.attr("stage")(name); });
    return [this, most = std::make_shared<Count>()](std::size_t done, std::size_t total) {
      const std::lock_guard lock(mutex_);
      // Threads report in any order.
      if (total == most->second && done <= most->first) return;
      count_ = *most = {done, total};
    };
  }
  void Say(const std::string& remark) {
    Add([remark](const py::object& to) { to.attr("say")(remark); });
  }
  /// On the calling thread.
  void HandOn() {
    std::vector<Event> events;
    {
      const std::lock_guard lock(mutex_);
      events.swap(events_);
      if (count_) events.push_back(Counted(*count_));
      count_.reset();
    }
    for (const Event& event : events) event(teller_);
  }

 private:
  using Event = std::function<void(const py::object& to)>;

  static Event Counted(Count count) {
    return [count](const py::object& to) { to.attr("count")(count.first, count.second); };
  }
  void Add(Event event) {
    const std::lock_guard lock(mutex_);
    if (count_) events_.push_back(Counted(*count_));  // of the stage before
    count_.reset();
    events_.push_back(std::move(event));
  }

  const py::object& teller_;
  std::mutex mutex_;
  std::vector<Event> events_;
  std::optional<Count> count_;
};

std::filesystem::path ModelsOr(const std::filesystem::path& models,
                               const std::filesystem::path& robot) {
  if (!models.empty()) return models;
  return study::ModelsFolder(Take(robot::LoadRobotSpec(robot)).name);
}

struct FinishedStudy : Finished {
  std::size_t clusters = 0;
  bool ended = true;
};

/// Models that are missing are made. Where nobody named a folder for them, that of the command line
/// is only read: nothing is written that nobody asked for.
std::filesystem::path ModelsOfStudy(const study::StudyJob& job) {
  std::filesystem::path found = ModelsOr(job.models, job.robot);
  if (!job.models.empty()) return found;
  for (const std::string& stem : study::ModelsOf(Take(study::CollectOf(job.protocol)))) {
    std::error_code code;
    if (!std::filesystem::exists(found / (stem + ".json"), code)) return job.folder / "identify";
  }
  return found;
}

FinishedStudy Study(study::StudyJob job, int jobs, const py::object& teller) {
  FinishedStudy finished;
  job.models = ModelsOfStudy(job);
  Telling telling(teller);
  const auto work = [&](const Execution& execution) {
    const study::StudyWatcher watcher{
        .stage = [&](const std::string& name, const std::filesystem::path&,
                     const std::filesystem::path&) { return telling.Stage(name); },
        .say = [&](const std::string& remark) { telling.Say(remark); },
        .audited = [&](const audit::AuditReport& audit, bool last) -> Status {
          GONOGO_TRY(WritePage(audit.json, audit.folder));
          if (!last) telling.Say(report::LookLine(audit.result().path.back()));
          return {};
        }};
    const study::StudyReport report = Take(study::RunStudy(job, watcher, execution));
    static_cast<Finished&>(finished) = Finish(report.last.json, report.folder);
    finished.clusters = report.clusters;
    finished.ended = report.ended;
  };
  Watch(jobs, py::none(), work, [&] { telling.HandOn(); });
  return finished;
}

std::string Collect(const audit::Protocol& protocol, study::CollectOptions options, int jobs,
                    const py::object& teller) {
  std::string json;
  Telling telling(teller);
  options.models = ModelsOr(options.models, options.robot);
  const study::CollectConfig collect = Take(study::CollectOf(protocol));
  options.on_ready = [&] { telling.Say(study::CollectionLine(protocol, collect)); };
  const auto work = [&](const Execution& execution) {
    Execution run = execution;
    run.progress = telling.Stage("queries");
    const study::CollectReport report = Take(study::Collect(protocol, options, run));
    for (const std::string& remark : report.remarks) telling.Say(remark);
    json = study::ToJson(report).dump(2) + "\n";
  };
  Watch(jobs, py::none(), work, [&] { telling.HandOn(); });
  return json;
}

/// check.json, and the findings in words.
std::pair<std::string, std::string> Check(const std::filesystem::path& robot, double seconds,
                                          bool quick, int jobs) {
  std::pair<std::string, std::string> found;
  Watch(jobs, py::none(), [&](const Execution& execution) {
    const study::OpenedRobot opened = Take(study::OpenRobot(robot));
    const study::CheckReport report = Take(study::CheckRobot(
        opened.spec, opened.policy, {.seconds = seconds, .quick = quick}, execution));
    found = {study::ToJson(opened.spec, report).dump(2) + "\n",
             study::FindingsText(report.findings)};
  });
  return found;
}

std::string Confirm(const std::filesystem::path& adapter, const std::filesystem::path& robot,
                    const study::ConfirmOptions& options, int jobs, const py::object& progress) {
  std::string json;
  Watch(jobs, progress, [&](const Execution& execution) {
    const study::ConfirmScene where = Take(study::ConfirmScene::Open(adapter, robot));
    json = Take(study::Confirm(where, options, execution)).json.dump(2) + "\n";
  });
  return json;
}

}  // namespace

void BindStudy(py::module_& module) {
  py::class_<FinishedStudy, Finished>(module, "FinishedStudy")
      .def_ro("clusters", &FinishedStudy::clusters)
      .def_ro("ended", &FinishedStudy::ended);
  module.def(
      "study",
      [](std::filesystem::path robot, const audit::Protocol& protocol, std::filesystem::path models,
         std::filesystem::path folder, bool check, bool until_decided,
         std::optional<std::size_t> max_clusters, int jobs, const py::object& teller) {
        return Study({.robot = std::move(robot),
                      .protocol = protocol,
                      .models = std::move(models),
                      .folder = std::move(folder),
                      .check = check,
                      .until_decided = until_decided,
                      .max_clusters = max_clusters},
                     jobs, teller);
      },
      py::arg("robot"), py::arg("protocol"), py::arg("models"), py::arg("folder"), py::arg("check"),
      py::arg("until_decided"), py::arg("max_clusters"), py::arg("jobs"), py::arg("teller"));
  module.def(
      "collect",
      [](std::filesystem::path robot, const audit::Protocol& protocol, std::filesystem::path models,
         std::filesystem::path folder, std::vector<std::uint64_t> clusters, bool merge_only,
         int jobs, const py::object& teller) {
        return Collect(protocol,
                       {.robot = std::move(robot),
                        .models = std::move(models),
                        .folder = std::move(folder),
                        .clusters = std::move(clusters),
                        .merge_only = merge_only},
                       jobs, teller);
      },
      py::arg("robot"), py::arg("protocol"), py::arg("models"), py::arg("folder"),
      py::arg("clusters"), py::arg("merge_only"), py::arg("jobs"), py::arg("teller"));
  module.def("check", &Check, py::arg("robot"), py::arg("seconds"), py::arg("quick"),
             py::arg("jobs"));
  module.def(
      "confirm",
      [](const std::filesystem::path& adapter, const std::filesystem::path& robot,
         std::vector<std::uint64_t> seeds, int trials, std::size_t hold,
         std::filesystem::path folder, int jobs, const py::object& progress) {
        return Confirm(adapter, robot,
                       {.seeds = std::move(seeds),
                        .trials = trials,
                        .hold = hold,
                        .folder = std::move(folder)},
                       jobs, progress);
      },
      py::arg("adapter"), py::arg("robot"), py::arg("seeds"), py::arg("trials"), py::arg("hold"),
      py::arg("folder"), py::arg("jobs"), py::arg("progress").none());
}

}  // namespace gonogo::python
