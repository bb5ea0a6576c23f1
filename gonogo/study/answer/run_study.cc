// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/answer/run_study.h"

#include <algorithm>
#include <vector>

#include <fmt/ranges.h>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/audit/session/session.h"
#include "gonogo/base/number_text.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/study/check/check.h"
#include "gonogo/study/collect/collect.h"
#include "gonogo/study/collect/collect_config.h"
#include "gonogo/study/identify/identify.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::study {
namespace {

Status CheckHasLooks(const audit::Protocol& protocol) {
  if (protocol.rule.kind == audit::DecisionRule::kPaper) {
    return UsageError(
        "--until-decided: the paper's rule (rule.kind = \"paper\") does not spend its error over "
        "several looks; add --set rule.kind=calibrated or --set rule.kind=leave-pair-out");
  }
  if (protocol.question.deploy == audit::Deployment::kKnownClusters) {
    return UsageError(
        "--until-decided collects new clusters, and protocol.deploy = \"known clusters\" asks "
        "about "
        "further queries of known ones");
  }
  if (protocol.bootstrap.method == audit::IntervalMethod::kFolds) {
    return UsageError(
        "--until-decided needs complete refits: bootstrap.method = \"folds\" decides nothing");
  }
  return {};
}

/// `first`, then twice as many each time, and `most` last.
std::vector<std::size_t> DoublingLooks(std::size_t first, std::size_t most) {
  std::vector<std::size_t> looks{first};
  while (2 * looks.back() < most) looks.push_back(2 * looks.back());
  if (looks.back() < most) looks.push_back(most);
  return looks;
}

}  // namespace

Result<audit::Protocol> DeclareLooks(const audit::Protocol& protocol,
                                     std::optional<std::size_t> max_clusters) {
  GONOGO_TRY(CheckHasLooks(protocol));
  audit::Protocol declared = protocol;
  CollectConfig collect = GONOGO_TRY(CollectOf(protocol));
  std::vector<std::uint64_t>& seeds = collect.seeds;
  if (declared.rule.looks_at.empty()) {
    const std::size_t first = std::max(protocol.min_clusters, seeds.size());
    const std::size_t most = max_clusters.value_or(kMostTimesFirst * first);
    if (most < first) {
      return UsageError(
          "--max-clusters {}: the first look is at {} clusters, as many as the protocol declares",
          most, first);
    }
    declared.rule.looks_at = DoublingLooks(first, most);
  }
  std::uint64_t last = seeds.empty() ? 0 : *std::max_element(seeds.begin(), seeds.end());
  while (seeds.size() < declared.rule.looks_at.back()) seeds.push_back(++last);
  declared.collect = SectionOf(collect);
  return declared;
}

Result<std::vector<std::size_t>> LooksToTake(const audit::Protocol& protocol,
                                             std::optional<std::size_t> max_clusters) {
  std::vector<std::size_t> looks = protocol.rule.looks_at;
  if (!max_clusters) return looks;
  std::erase_if(looks, [&](std::size_t clusters) { return clusters > *max_clusters; });
  if (looks.empty()) {
    return UsageError("--max-clusters {}: the first declared look is at {} clusters", *max_clusters,
                      protocol.rule.looks_at.front());
  }
  return looks;
}

namespace {

constexpr std::size_t kPaperQueries = 48;

/// The steps of a study, in their order.
class Study {
 public:
  Study(StudyJob job, CollectConfig collect, const StudyWatcher& watcher,
        const Execution& execution)
      : job_(std::move(job)),
        collect_(std::move(collect)),
        watcher_(watcher),
        execution_(execution) {}

  /// A broken robot is an error; what is suspicious becomes a warning of the result.
  Status CheckFirst(const OpenedRobot& robot) {
    if (!job_.check) {
      warnings_.emplace_back("the robot was not checked (--skip-check)");
      return {};
    }
    const CheckReport report =
        GONOGO_TRY(CheckRobot(robot.spec, robot.policy, {.quick = true}, Quietly()));
    if (report.verdict() == CheckVerdict::kBroken) {
      return InputError(
          "{}: this robot is probably described wrongly, so a verdict on it would mean nothing:\n"
          "{}gonogo check {} shows what was measured; --skip-check studies it all the same",
          robot.spec.file.string(), FindingsText(report.findings), job_.robot.string());
    }
    for (const CheckFinding& finding : report.findings) {
      if (finding.severity != Severity::kSuspicious) continue;
      warnings_.push_back(
          fmt::format("robot check, {}: {} {}", finding.subject, finding.what, finding.cause));
      Say(warnings_.back());
    }
    return {};
  }

  Status IdentifyIfMissing(OpenedRobot robot) const {
    const std::set<std::string> stems = ModelsOf(collect_);
    if (stems.empty()) return {};
    const bool there = GONOGO_TRY(OnRoot<bool>(execution_, "models", [&]() -> Result<bool> {
      return std::all_of(stems.begin(), stems.end(), [&](const std::string& stem) {
        std::error_code code;
        return std::filesystem::exists(job_.models / (stem + ".json"), code);
      });
    }));
    if (there) return {};
    constexpr std::uint64_t kSeed = 1;
    Surroundings surroundings = GONOGO_TRY(SurroundingsOf(collect_));
    surroundings.seed.common = surroundings.seed.For(kSeed);
    const Scene anywhere = GONOGO_TRY(OpenScene(std::move(robot), surroundings));
    const Scene scene = GONOGO_TRY(SceneOf(anywhere, kSeed));
    IdentifyOptions options;
    options.contrasts = false;
    options.excitation.terrain_seed = surroundings.seed.common;
    options.work_rate = GONOGO_TRY(sim::ParseWorkRate(collect_.work_rate));
    const auto stage = [&](std::string_view name) {
      return Stage("identify: " + std::string(name), {});
    };
    GONOGO_TRY(Identify(scene, options, job_.models, execution_, stage));
    return {};
  }

  /// Chooses the folder if none was given: models are part of its name, so that they must be there.
  Result<io::FolderClaim> ClaimFolder() {
    if (job_.folder.empty()) {
      job_.folder = GONOGO_TRY(DefaultFolder("study", job_.protocol, job_.robot, job_.models));
    }
    return io::FolderClaim::Take(job_.folder);
  }

  Result<StudyReport> Once() const {
    const std::filesystem::path table = GONOGO_TRY(CollectTable({}, "collect: queries"));
    StudyReport report{.folder = job_.folder, .clusters = collect_.seeds.size()};
    report.last = GONOGO_TRY(AuditTable(table, job_.folder / "audit"));
    GONOGO_TRY(Audited(report.last, true));
    return report;
  }

  /// One look after the other.
  Result<StudyReport> UntilDecided() const {
    const std::vector<std::size_t> looks =
        GONOGO_TRY(LooksToTake(job_.protocol, job_.max_clusters));
    std::string chance;
    for (std::size_t i = 0;; ++i) {
      const std::filesystem::path table = GONOGO_TRY(CollectTable(
          looks[i], fmt::format("look {} of {}{}: queries", i + 1, looks.size(), chance)));
      StudyReport report{.folder = job_.folder, .clusters = looks[i]};
      report.last = GONOGO_TRY(AuditTable(table, job_.folder / fmt::format("audit-{}", looks[i])));
      const audit::LookReading& look = report.last.result().path.back();
      report.ended = look.then != audit::AfterLook::kGoOn;
      const bool last = report.ended || i + 1 == looks.size();
      GONOGO_TRY(Audited(report.last, last));
      if (last) {
        GONOGO_TRY(CopyAudit(report.last.folder, job_.folder / "audit"));
        return report;
      }
      const audit::LookChance& next = look.later.front();
      chance = fmt::format(" ({} to end there)", Percent(std::min(1.0, next.go + next.no_go), 0));
    }
  }

 private:
  [[nodiscard]] Execution Quietly() const {
    Execution run = execution_;
    run.progress = {};
    return run;
  }
  [[nodiscard]] StudyWatcher::Progress Stage(const std::string& name,
                                             const std::filesystem::path& folder,
                                             const std::filesystem::path& table = {}) const {
    return watcher_.stage ? watcher_.stage(name, folder, table) : StudyWatcher::Progress();
  }
  [[nodiscard]] Execution Begin(const std::string& name, const std::filesystem::path& folder,
                                const std::filesystem::path& table = {}) const {
    Execution run = execution_;
    run.progress = Stage(name, folder, table);
    return run;
  }
  void Say(const std::string& remark) const {
    if (watcher_.say) watcher_.say(remark);
  }
  [[nodiscard]] Status Audited(const audit::AuditReport& audit, bool last) const {
    return watcher_.audited ? watcher_.audited(audit, last) : Status();
  }

  /// The table of all declared clusters, or of the first so many of them.
  Result<std::filesystem::path> CollectTable(std::optional<std::size_t> first,
                                             const std::string& name) const {
    const bool begins = !first || *first == job_.protocol.rule.looks_at.front();
    CollectOptions options{
        .robot = job_.robot, .models = job_.models, .folder = job_.folder, .first = first};
    options.on_ready = [&] {
      if (begins) Say(CollectionLine(job_.protocol, collect_));
    };
    const CollectReport report =
        GONOGO_TRY(Collect(job_.protocol, options, Begin(name, job_.folder)));
    for (const std::string& remark : report.remarks) Say(remark);
    if (!report.merged) {
      return IoError(
          "{}: the outcomes of clusters {} cannot be read back; the same command "
          "collects them again",
          job_.folder.string(), fmt::join(report.missing, ", "));
    }
    GONOGO_TRY(AwaitRootFiles(execution_, {report.merged->file}));
    return report.merged->file;
  }

  /// The only place where a study meets the audit.
  Result<audit::AuditReport> AuditTable(const std::filesystem::path& file,
                                        const std::filesystem::path& folder) const {
    audit::TableFile table = GONOGO_TRY(audit::ReadTable(file, job_.protocol));
    nlohmann::json asked = {{"verb", "study"}, {"collection", audit::CollectionOf(table.table)}};
    std::vector<std::string> remarks;
    if (collect_.queries_per_cluster < kPaperQueries) {
      remarks.push_back(
          fmt::format("{} queries per cluster instead of the paper's {}: intervals are wider",
                      collect_.queries_per_cluster, kPaperQueries));
    }
    remarks.insert(remarks.end(), warnings_.begin(), warnings_.end());
    return audit::Run(
        {.table = std::move(table),
         .protocol = job_.protocol,
         .declared = job_.protocol,
         .folder = folder,
         .asked = std::move(asked),
         .remarks = std::move(remarks)},
        [&](const audit::AuditPart& part) { return Begin(part.label, part.folder, part.table); });
  }

  /// The files of the last look under the name that a study without looks gives them.
  [[nodiscard]] Status CopyAudit(const std::filesystem::path& from,
                                 const std::filesystem::path& to) const {
    if (execution_.team != nullptr && !execution_.team->is_root()) return {};
    GONOGO_TRY(io::OpenRunFolder(to));
    for (const char* file : {"result.json", "report.html"}) {
      std::error_code code;
      if (!std::filesystem::exists(from / file, code)) continue;  // nobody made a page
      const std::string bytes = GONOGO_TRY(io::ReadFile(from / file));
      GONOGO_TRY(io::WriteFile(to / file, bytes));
    }
    return {};
  }

  StudyJob job_;
  CollectConfig collect_;
  const StudyWatcher& watcher_;
  const Execution& execution_;
  std::vector<std::string> warnings_;  // of the check
};

}  // namespace

Result<StudyReport> RunStudy(const StudyJob& job, const StudyWatcher& watcher,
                             const Execution& execution) {
  StudyJob complete = job;
  if (job.until_decided) {
    complete.protocol = GONOGO_TRY(DeclareLooks(job.protocol, job.max_clusters));
  }
  CollectConfig collect = GONOGO_TRY(CollectOf(complete.protocol));
  OpenedRobot robot = GONOGO_TRY(OpenRobot(job.robot));
  if (complete.models.empty()) complete.models = ModelsFolder(robot.spec.name);
  Study study(std::move(complete), std::move(collect), watcher, execution);
  GONOGO_TRY(study.CheckFirst(robot));
  GONOGO_TRY(study.IdentifyIfMissing(std::move(robot)));
  const io::FolderClaim claim = GONOGO_TRY(study.ClaimFolder());
  return job.until_decided ? study.UntilDecided() : study.Once();
}

}  // namespace gonogo::study
