// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/cli/robot/robot_protocol.h"
#include "gonogo/cli/run/audit_run.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/report/audit/audit_report.h"
#include "gonogo/study/answer/run_study.h"

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

class StudyVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "study", "Answer the question for a robot: identify, collect, audit and report",
        kStudyExamples);
    flags_.Add(verb);
    verb.Option("--out", job_.folder, "Folder for the results [runs/study-NAME-CONTROLLER-HASH]");
    verb.Flag("--gate", gate_, "Make the exit code tell the verdict");
    const Argument until = verb.Flag("--until-decided", job_.until_decided,
                                     "Collect clusters until a declared look decides");
    verb.Option("--max-clusters", max_clusters_,
                "Most clusters to collect until then [8 times those of the first look]")
        .Between(2, 1'000'000)
        .Needs(until)
        .Rare();
    verb.Flag("--skip-check", skip_check_, "Study the robot whatever 'gonogo check' says about it")
        .Rare();
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    job_.robot = flags_.robot();
    job_.models = flags_.models();
    job_.protocol = GONOGO_TRY(flags_.Read());
    job_.check = !skip_check_;
    if (max_clusters_ > 0) job_.max_clusters = max_clusters_;
    const study::StudyReport report =
        GONOGO_TRY(study::RunStudy(job_, WatcherOf(context), context.With({})));
    const audit::AuditReport& audit = report.last;
    Show(audit.folder, audit.json, context);
    if (!report.ended) {
      context.terminal.Say(fmt::format("not decided with the {} clusters of --max-clusters {}",
                                       report.clusters, max_clusters_));
    }
    return gate_ ? GateCode(audit.result()) : kExitDone;
  }

 private:
  static study::StudyWatcher WatcherOf(const Context& context) {
    return {.stage = [&](const std::string& name, const std::filesystem::path& folder,
                         const std::filesystem::path& table) -> study::StudyWatcher::Progress {
              return [bar = std::make_shared<Progress>(context.terminal, name, folder, table)](
                         std::size_t done, std::size_t total) { bar->Update(done, total); };
            },
            .say = [&](const std::string& remark) { context.terminal.Say(remark); },
            .audited = [&](const audit::AuditReport& audit, bool last) -> Status {
              GONOGO_TRY(WritePage(audit.json, audit.folder));
              if (!last) context.terminal.Say(report::LookLine(audit.result().path.back()));
              return {};
            }};
  }

  RobotProtocolFlags flags_;
  study::StudyJob job_;
  bool gate_ = false;
  bool skip_check_ = false;
  std::size_t max_clusters_ = 0;  // 0: not given
};

}  // namespace

std::unique_ptr<Verb> MakeStudyVerb() { return std::make_unique<StudyVerb>(); }

}  // namespace gonogo::cli
