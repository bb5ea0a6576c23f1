// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/cli/flags/robot_protocol.h"
#include "gonogo/cli/run/audit_run.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/text/audit_text.h"
#include "gonogo/cli/text/check_text.h"
#include "gonogo/cli/text/path_text.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/study/check/check.h"
#include "gonogo/study/collect/collect.h"
#include "gonogo/study/collect/declare_looks.h"
#include "gonogo/study/identify/identify.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::cli {
namespace {

constexpr const char* kStudyExamples = R"(
Examples:
  gonogo study robots/go2 --set collect.queries_per_cluster=2 --set learner.kind=ridge     a taste, within a minute
  gonogo study robots/go2                                   is a learned adapter worth it here? (ROBOT/audit.toml)
  gonogo study robots/go2 --protocol robots/go2/demo.toml   the same outcomes judged by ridge, in minutes
  gonogo study robots/go2 --queries vgcc                    at the states a compensator visits
  gonogo study robots/go2 --set rule.kind=calibrated --until-decided --max-clusters 80     more clusters until it can answer

Identifies models if the protocol needs them and --models has none, branches from the same states, audits the outcomes and writes
OUT/audit/report.html. Everything finished is kept: the same command goes on after an interruption. First of all the robot is checked
(`gonogo check`): a broken one is refused, a suspicious one is studied and the report says so.

With --until-decided the audit is a series of looks: at as many clusters as the protocol has seeds, then at twice as many each time (or as
`rule.looks_at` says), each at the part of the error that it may spend. It ends with GO or NO-GO, when no later look is likely to say GO
(`rule.futility`), or with the last look. Seeds and looks are declared before the first branch runs.
)";

constexpr std::size_t kPaperQueries = 48;

class StudyVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "study", "Answer the question for a robot: identify, collect, audit and report",
        kStudyExamples);
    flags_.Add(verb);
    verb.Option("--out", out_, "Folder for the results [runs/study-NAME-CONTROLLER-HASH]");
    verb.Flag("--gate", gate_, "Make the exit code tell the verdict");
    const Argument until = verb.Flag("--until-decided", until_decided_,
                                     "Collect clusters until a declared look decides");
    verb.Option("--max-clusters", max_clusters_,
                "Most clusters to collect until then [8 times those of the first look]")
        .Between(2, 1'000'000)
        .Needs(until);
    verb.Flag("--skip-check", skip_check_, "Study the robot whatever 'gonogo check' says about it");
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    audit::Protocol protocol = GONOGO_TRY(flags_.Read());
    if (until_decided_) protocol = GONOGO_TRY(study::DeclareLooks(protocol, MaxClusters()));
    const study::CollectConfig collect = GONOGO_TRY(study::CollectOf(protocol));
    GONOGO_TRY(CheckFirst(context));
    if (!study::ModelsOf(collect).empty()) {
      GONOGO_TRY(IdentifyIfMissing(collect, context));
    }
    if (out_.empty()) {
      std::filesystem::path folder = GONOGO_TRY(flags_.Folder("study", protocol));
      out_ = std::move(folder);
    }
    const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(out_));
    return until_decided_ ? UntilDecided(protocol, collect, context)
                          : Once(protocol, collect, context);
  }

 private:
  /// A broken robot is an error; what is suspicious becomes a warning of the result.
  Status CheckFirst(const Context& context) {
    if (skip_check_) {
      remarks_.emplace_back("the robot was not checked (--skip-check)");
      return {};
    }
    const robot::RobotSpec robot = GONOGO_TRY(robot::LoadRobotSpec(flags_.robot()));
    const std::shared_ptr<const robot::Policy> policy = GONOGO_TRY(sim::OnnxPolicy::Load(robot));
    const study::CheckReport report =
        GONOGO_TRY(study::CheckRobot(robot, policy, {.quick = true}, context.With({})));
    if (report.verdict() == study::CheckVerdict::kBroken) {
      return InputError(
          "{}: this robot is probably described wrongly, so a verdict on it would mean nothing:\n"
          "{}gonogo check {} shows what was measured; --skip-check studies it all the same",
          robot.file.string(), FindingsText(report, context.terminal), flags_.robot().string());
    }
    for (const study::Finding& finding : report.findings) {
      if (finding.severity != study::Severity::kSuspicious) continue;
      remarks_.push_back(
          fmt::format("robot check, {}: {} {}", finding.subject, finding.what, finding.cause));
      context.terminal.Say(remarks_.back());
    }
    return {};
  }

  Status IdentifyIfMissing(const study::CollectConfig& collect, const Context& context) const {
    const std::filesystem::path models = flags_.models();
    const bool there =
        GONOGO_TRY(study::OnRoot<bool>(context.With({}), "models", [&]() -> Result<bool> {
          const auto stems = study::ModelsOf(collect);
          return std::all_of(stems.begin(), stems.end(), [&](const std::string& stem) {
            std::error_code code;
            return std::filesystem::exists(models / (stem + ".json"), code);
          });
        }));
    if (there) return {};
    constexpr std::uint64_t kSeed = 1;
    study::Surroundings surroundings = GONOGO_TRY(study::SurroundingsOf(collect));
    surroundings.seed.common = surroundings.seed.For(kSeed);
    const study::Site anywhere = GONOGO_TRY(study::OpenSite(flags_.robot(), surroundings));
    const study::Site site = GONOGO_TRY(study::SiteOf(anywhere, kSeed));
    std::optional<Progress> progress;
    const auto stage = [&](std::string_view name) {
      progress.emplace(context.terminal, "identify: " + std::string(name));
      return progress->Callback();
    };
    study::IdentifyOptions options;
    options.contrasts = false;
    options.excitation.terrain_seed = surroundings.seed.common;
    options.work_rate = GONOGO_TRY(sim::ParseWorkRate(collect.work_rate));
    const study::IdentifyResult identified =
        GONOGO_TRY(study::Identify(site, options, models, context.With({}), stage));
    return {};
  }

  [[nodiscard]] std::optional<std::size_t> MaxClusters() const {
    return max_clusters_ > 0 ? std::optional(max_clusters_) : std::nullopt;
  }

  Result<ExitCode> Once(const audit::Protocol& protocol, const study::CollectConfig& collect,
                        const Context& context) const {
    const std::filesystem::path table =
        GONOGO_TRY(CollectTable(protocol, collect, {}, "collect: queries", context));
    audit::Session session = GONOGO_TRY(OpenAudit(table, protocol, out_ / "audit"));
    const audit::AuditResult result = GONOGO_TRY(Audit(session, collect, context));
    nlohmann::json json = audit::ToJson(result);
    GONOGO_TRY(FinishRun(session, json, AuditText(result, context.terminal), context));
    return gate_ ? GateCode(result) : kExitDone;
  }

  /// One look after the other. Everything that is finished is found again, so that an interrupted
  /// series is the same series: looks that were taken are taken again from what was kept.
  Result<ExitCode> UntilDecided(const audit::Protocol& protocol,
                                const study::CollectConfig& collect, const Context& context) const {
    const std::vector<std::size_t> looks = GONOGO_TRY(study::LooksToTake(protocol, MaxClusters()));
    std::string chance;
    for (std::size_t i = 0;; ++i) {
      const std::size_t clusters = looks[i];
      const std::filesystem::path table = GONOGO_TRY(CollectTable(
          protocol, collect, clusters,
          fmt::format("look {} of {}{}: queries", i + 1, looks.size(), chance), context));
      audit::Session session =
          GONOGO_TRY(OpenAudit(table, protocol, out_ / fmt::format("audit-{}", clusters)));
      const audit::AuditResult result = GONOGO_TRY(Audit(session, collect, context));
      nlohmann::json json = audit::ToJson(result);
      const audit::LookReading& look = result.path.back();
      const bool ends = look.then != audit::AfterLook::kGoOn;
      if (!ends && i + 1 < looks.size()) {
        GONOGO_TRY(WriteRun(session, json));
        context.terminal.Say(LookLine(look));
        const audit::LookChance& next = look.later.front();
        chance = fmt::format(" ({} to end there)", Percent(std::min(1.0, next.go + next.no_go), 0));
        continue;
      }
      GONOGO_TRY(FinishRun(session, json, AuditText(result, context.terminal), context));
      if (!context.helps()) GONOGO_TRY(CopyRun(session, out_ / "audit"));
      if (!ends) {
        context.terminal.Say(fmt::format("not decided with the {} clusters of --max-clusters {}",
                                         clusters, max_clusters_));
      }
      return gate_ ? GateCode(result) : kExitDone;
    }
  }

  /// The table of all declared clusters, or of the first so many of them.
  Result<std::filesystem::path> CollectTable(const audit::Protocol& protocol,
                                             const study::CollectConfig& collect,
                                             std::optional<std::size_t> first,
                                             const std::string& label,
                                             const Context& context) const {
    Progress progress(context.terminal, label, out_);
    const bool begins = !first || *first == protocol.rule.looks_at.front();
    const study::CollectReport report =
        GONOGO_TRY(study::Collect(protocol,
                                  {.robot = flags_.robot(),
                                   .models = flags_.models(),
                                   .folder = out_,
                                   .first = first,
                                   .on_ready =
                                       [&] {
                                         if (begins)
                                           context.terminal.Say(CollectionLine(protocol, collect));
                                       }},
                                  context.With(progress.Callback())));
    for (const std::string& remark : report.remarks) context.terminal.Say(remark);
    if (!report.merged) {
      return IoError(
          "{}: the outcomes of clusters {} cannot be read back; the same command "
          "collects them again",
          out_.string(), fmt::join(report.missing, ", "));
    }
    GONOGO_TRY(study::AwaitRootFiles(context.With({}), {report.merged->file}));
    return report.merged->file;
  }

  static Result<audit::Session> OpenAudit(const std::filesystem::path& file,
                                          const audit::Protocol& protocol,
                                          const std::filesystem::path& folder) {
    audit::OutcomeTable table = GONOGO_TRY(audit::ReadTable(file, protocol));
    const nlohmann::json asked = {{"verb", "study"}, {"collection", audit::CollectionOf(table)}};
    return audit::Session::Open(std::move(table), protocol,
                                {.folder = folder, .table_file = file, .asked = asked});
  }

  Result<audit::AuditResult> Audit(const audit::Session& session,
                                   const study::CollectConfig& collect,
                                   const Context& context) const {
    audit::AuditResult result = GONOGO_TRY(RunDeclared(session, context));
    if (collect.queries_per_cluster < kPaperQueries) {
      result.warnings.push_back(
          fmt::format("{} queries per cluster instead of the paper's {}: intervals are wider",
                      collect.queries_per_cluster, kPaperQueries));
    }
    result.warnings.insert(result.warnings.end(), remarks_.begin(), remarks_.end());
    return result;
  }

  RobotProtocolFlags flags_;
  std::filesystem::path out_;
  bool gate_ = false;
  bool skip_check_ = false;
  bool until_decided_ = false;
  std::size_t max_clusters_ = 0;      // 0: not given
  std::vector<std::string> remarks_;  // of the check
};

}  // namespace

std::unique_ptr<Verb> MakeStudyVerb() { return std::make_unique<StudyVerb>(); }

}  // namespace gonogo::cli
