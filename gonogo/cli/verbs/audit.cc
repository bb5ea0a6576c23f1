// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "gonogo/audit/deploy/export_adapter.h"
#include "gonogo/audit/fit_time.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/audit/run/choices.h"
#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/cli/run/audit_run.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"

namespace gonogo::cli {
namespace {

using audit::Protocol;

constexpr const char* kAuditExamples = R"(
Examples:
  gonogo audit examples/sorting/table.csv --learner ridge      an answer in seconds
  gonogo audit table.csv                                       your own table, see 'gonogo init'
  gonogo audit - < table.csv                                   the same from standard input
  gonogo audit table.h5 --protocol audit.toml --learner all    all learners side by side
  gonogo audit table.csv --learner all --target all            what would other learners read?
  gonogo audit table.csv --seeds 10          would another bootstrap seed decide otherwise?
  gonogo audit table.csv --rule leave-pair-out    bounds from fits without pairs of clusters
  gonogo audit log.csv --protocol audit.toml      a log: one action tried at every query
  gonogo audit table.csv --choices mine      is the adapter that made these choices worth it?
  gonogo audit table.csv --gate && deploy    for scripts: go on only after GO
  gonogo audit table.csv --export adapters/a --choices-out choices.csv    the adapter, if it is GO
  gonogo audit table.csv --map f_log2_length    where does the adapter choose what?
  gonogo audit table.csv --shard 3/16 --out runs/a    the third of sixteen parts, for job arrays
  mpirun -n 8 gonogo audit table.csv         eight processes share the refits; same bytes
  gonogo audit table.csv --set protocol.kappa=0.02 --set bootstrap.refits=500

A CSV table has one row for every query and action, with the columns cluster, query, action and
cost, and if you have them time, success and features (obs_*, target_*, f_*): numbers, categories,
true or false, some of them missing. Other separators, decimal commas, .gz, .zst, UTF-16 and JSON
lines are read as well. If your columns have other names, begin with 'gonogo init'. With one row for
every query, the action that was tried there, it is a log: add the column propensity, the
probability with which that action was drawn, and read docs/howto/logged-data.md.
docs/reference/formats.md describes both formats.

The protocol is the file of --protocol, else audit.toml beside the table, else what is declared
inside the table. Without any of them the answer is a first look with the quick learner ridge.
Only ratios of costs matter, so their unit is yours.

With --gate the exit code is 0 for GO, 20 for NO-GO, 21 for ABSTAIN or a descriptive result, and
22 where no decision is possible because the reference action itself fails too often. They are
also the exit codes of --export where nothing was exported because the answer is not GO.
docs/howto/deploy.md tells what an exported adapter is and how it is used.
)";

/// What an audit leaves behind for a deployment: the adapter itself and its choices one by one.
class DeployFlags {
 public:
  void Add(Arguments& verb);

  [[nodiscard]] bool wants_export() const { return !export_.empty(); }
  [[nodiscard]] bool any() const {
    return wants_export() || !choices_out_.empty() || !map_.empty();
  }
  /// Refuses, before anything runs, what cannot be written afterwards.
  [[nodiscard]] Status Check(bool given_choices) const;

  /// What of it the audit has to make.
  void Request(audit::AuditRequest& request) const {
    request.map = map_;
    request.keeps_choices = !choices_out_.empty();
  }

  /// Writes what was asked for. False when an adapter was asked for and the verdict forbids it.
  [[nodiscard]] Result<bool> Write(const audit::AuditReport& report, const Context& context) const;

 private:
  std::filesystem::path export_;
  std::filesystem::path choices_out_;
  std::string map_;
  bool anyway_ = false;
};

void DeployFlags::Add(Arguments& verb) {
  verb.Option("--export", export_,
              "After a GO, write the adapter that would ship, trained on all clusters, into this "
              "folder: adapter.onnx, adapter.json, README.md")
      .Value("FOLDER")
      .Group("After the verdict");
  verb.Flag("--export-anyway", anyway_,
            "Write it whatever the verdict; its files then say that it is not advised")
      .Group("After the verdict");
  verb.Option("--choices-out", choices_out_,
              "Write every held-out choice with its predictions, the oracle's choice and all "
              "outcomes: a name that ends in .csv or .h5")
      .Value("FILE")
      .Group("After the verdict");
  verb.Option("--map", map_,
              "Show at which values of this feature the adapter chooses what, such as ground_ahead")
      .Value("FEATURE")
      .Group("After the verdict");
}

Status DeployFlags::Check(bool given_choices) const {
  if (anyway_ && !wants_export()) return UsageError("--export-anyway needs --export FOLDER");
  if (wants_export() && given_choices) {
    return UsageError(
        "--export writes the adapter that an audit trains; --choices audits one that exists "
        "already");
  }
  return choices_out_.empty() ? Status() : audit::CheckChoicesFile(choices_out_);
}

Result<bool> DeployFlags::Write(const audit::AuditReport& report, const Context& context) const {
  if (!choices_out_.empty()) {
    GONOGO_TRY(audit::WriteChoices(choices_out_, report));
    context.terminal.Say("choices: " + choices_out_.string());
  }
  if (!wants_export()) return true;
  const std::optional<audit::ShippedAdapter> shipped =
      GONOGO_TRY(audit::ExportAdapter(report, export_, anyway_, context.stop));
  if (!shipped) {
    context.terminal.Say(fmt::format(
        "no adapter was exported to {}: the audit does not say GO. --export-anyway exports it all "
        "the same, marked as not advised",
        export_.string()));
    return false;
  }
  context.terminal.Say(
      fmt::format("adapter: {} ({})", export_.string(), shipped->manifest.VerdictText()));
  if (shipped->differing_choices > 0) {
    context.terminal.Say(fmt::format(
        "at {} of {} queries single precision made the exported adapter choose differently from "
        "the learner: two actions are as good as equal there",
        shipped->differing_choices, report.table.table.num_queries()));
  }
  return true;
}

class AuditVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("audit", "Audit a table of outcomes: GO, NO-GO or ABSTAIN", kAuditExamples);
    verb.Positional("table", table_,
                    "The outcomes of every action at every query: CSV, JSON lines or HDF5, or - "
                    "for standard "
                    "input")
        .Required();
    verb.Option("--out", out_, "Folder for the results [runs/NAME-HASH]").Value("FOLDER");
    verb.Option("--choices", choices_,
                "Audit the choices in this column, which an existing adapter made, instead of "
                "those of a learner")
        .Group("Who chooses");
    verb.Flag("--ablation", ablation_,
              "Repeat the audit with every feature set that the protocol declares")
        .Group("Who chooses")
        .Rare();
    verb.Option("--seeds", seeds_,
                "Repeat the audit under so many bootstrap seeds and count the answers")
        .Between(1, 10'000)
        .Rare();
    verb.Flag("--other-question", other_question_,
              "Also show what would be read about further queries of known clusters, or, where "
              "those are declared, about new clusters (always shown there)")
        .Rare();
    verb.Flag("--gate", gate_, "Make the exit code tell the verdict");
    flags_.Add(verb);
    deploy_.Add(verb);
    shard_.Add(verb, "refits");
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    if (flags_.target() == "all" && flags_.learner() != "all") {
      return UsageError("--target all compares targets of every learner: add --learner all");
    }
    const std::optional<Protocol> declared = GONOGO_TRY(flags_.FindDeclared(table_));
    Protocol protocol = GONOGO_TRY(flags_.Apply(declared.value_or(Protocol{})));
    if (!choices_.empty()) protocol.table.choice = choices_;
    if (ablation_ && protocol.feature_sets.empty()) {
      return UsageError("--ablation needs [feature_sets] in the protocol");
    }
    GONOGO_TRY(deploy_.Check(!choices_.empty()));
    const std::optional<Shard> shard = GONOGO_TRY(shard_.Read());
    if (shard && deploy_.any()) {
      return UsageError("--shard makes refits only: --export and --choices-out need all of them");
    }
    if (shard && (ablation_ || !choices_.empty() || flags_.learner() == "all")) {
      return UsageError(
          "--shard divides the refits of the declared audit and of --seeds: without "
          "--ablation, --choices and --learner all");
    }
    audit::AuditJob job{.table = GONOGO_TRY(audit::ReadTableOrStream(table_, protocol)),
                        .protocol = protocol,
                        .declared = declared,
                        .request = Request(),
                        .folder = out_};
    const bool is_log = job.table.table.logged.has_value();
    context.terminal.Say(
        is_log ? "a log: one action was tried at every query (docs/howto/logged-data.md)"
               : "a full table: every action at every query");
    if (shard) return FitShard(std::move(job), *shard, context);
    const audit::AuditReport report = GONOGO_TRY(audit::Run(std::move(job), Shown(context)));
    GONOGO_TRY(WriteAndShow(report.folder, report.json, context));
    if (!report.result().constraints.empty()) {
      context.terminal.Say("constraints: " + report.result().constraints);
    }
    if (report.is_first_look) SayHowToGoOn(report, context);
    const bool complete = GONOGO_TRY(deploy_.Write(report, context));
    return gate_ || !complete ? GateCode(report.result()) : kExitDone;
  }

 private:
  [[nodiscard]] audit::AuditRequest Request() const {
    audit::AuditRequest request{
        .learner = flags_.learner(),
        .target = flags_.target() == "all" ? "all" : "",  // a single one stands in the protocol
        .choices = choices_,
        .ablation = ablation_,
        .other_question = other_question_,
        .seeds = seeds_,
        .any_learner = !flags_.names_learner()};
    deploy_.Request(request);
    return request;
  }

  static void SayHowToGoOn(const audit::AuditReport& report, const Context& context) {
    const Result<std::chrono::duration<double>> time =
        audit::EstimateMlpTime(report.table.table, report.result().protocol, context.options.jobs);
    context.terminal.Say(fmt::format(
        "This is a first look, made with the quick learner ridge because no protocol names one. "
        "The paper's learner, mlp, takes about {} here: add --learner mlp. For an answer that "
        "decides, write a protocol: gonogo init {}",
        time.ok() ? HumanDuration(time.value()) : "some minutes",
        report.table.file.empty() ? "TABLE" : report.table.name));
  }

  /// One task of a job array: refits, no answer.
  static Result<ExitCode> FitShard(audit::AuditJob job, const Shard& shard,
                                   const Context& context) {
    const std::filesystem::path folder =
        GONOGO_TRY(audit::RunShard(std::move(job), shard, Shown(context)));
    context.terminal.Print(fmt::format(
        "{} is done. When all are: gonogo merge {} and then the same command without --shard\n",
        shard.name(), folder.string()));
    return kExitDone;
  }

  std::string table_;
  std::string out_;
  std::string choices_;
  ProtocolFlags flags_;
  ShardFlag shard_;
  DeployFlags deploy_;
  std::size_t seeds_ = 0;
  bool ablation_ = false;
  bool other_question_ = false;
  bool gate_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeAuditVerb() { return std::make_unique<AuditVerb>(); }

}  // namespace gonogo::cli
