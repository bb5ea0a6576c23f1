// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "gonogo/audit/fit_time.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/session/audit_request.h"
#include "gonogo/audit/session/other_question.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/cli/run/audit_run.h"
#include "gonogo/cli/run/deploy_run.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/text/learner_readings.h"
#include "gonogo/cli/text/seed_readings.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/stream.h"

namespace gonogo::cli {
namespace {

using audit::AuditResult;
using audit::OutcomeTable;
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
cost, and if you have them time, success and features (obs_*, target_*, f_*). With one row for
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

class AuditVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("audit", "Audit a table of outcomes: GO, NO-GO or ABSTAIN", kAuditExamples);
    verb.Positional(
            "table", table_,
            "The outcomes of every action at every query: CSV or HDF5, or - for standard input")
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
    const Protocol protocol = GONOGO_TRY(ReadProtocol());
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
    const io::FileStamp stamp = io::FileStamp::Of(table_);
    OutcomeTable table = GONOGO_TRY(ReadTable(protocol));
    if (table.logged.has_value() && deploy_.writes_choices()) {
      return UsageError(
          "--choices-out and --map need what every action would have cost at every query, and {} "
          "is "
          "a log that shows one action there",
          table_);
    }
    SayWhatWasFound(table, context);
    const audit::AuditRequest request{
        .learner = flags_.learner(),
        .target = flags_.target() == "all" ? "all" : "",  // a single one stands in the protocol
        .choices = choices_,
        .ablation = ablation_,
        .other_question = other_question_,
        .seeds = seeds_};
    const Status auditable = audit::CheckRequest(table, protocol, request);
    if (!auditable.ok()) return InTable(auditable.error());
    audit::SpellOutDeclaration(GONOGO_TRY(flags_.ReadDeclared(table_)), table);
    audit::Session session = GONOGO_TRY(
        audit::Session::Open(std::move(table), protocol,
                             {.folder = out_,
                              .table_file = table_,
                              .table_stamp = stamp,
                              .table_bytes = piped_,
                              .is_look = !shard,
                              .company = shard ? io::Company::kShards : io::Company::kNobody,
                              .asked = request.Asked()}));
    return shard ? FitShard(session, *shard, context) : RunIn(session, context);
  }

 private:
  /// What an audit finds missing is missing in a file.
  [[nodiscard]] Error InTable(const Error& error) const {
    if (error.kind != ErrorKind::kInput) return error;
    return {ErrorKind::kInput, table_ + ": " + error.message};
  }

  /// Where nobody declared anything the answer is descriptive in any case: a quick learner gives a
  /// first one in seconds.
  Result<Protocol> ReadProtocol() {
    const std::optional<Protocol> declared = GONOGO_TRY(flags_.FindDeclared(table_));
    Protocol protocol = GONOGO_TRY(flags_.Apply(declared.value_or(Protocol{})));
    if (!choices_.empty()) protocol.table.choice = choices_;
    is_first_look_ = !declared.has_value() && choices_.empty() && !flags_.names_learner();
    if (is_first_look_) protocol.learner.kind = audit::LearnerKind::kRidge;
    return protocol;
  }

  Result<OutcomeTable> ReadTable(const Protocol& protocol) {
    if (!io::IsStream(table_)) return audit::ReadTable(table_, protocol);
    std::string bytes = GONOGO_TRY(io::ReadStream(table_));
    piped_ = std::move(bytes);
    return audit::ParseCsvTable(*piped_, table_ == "-" ? "standard input" : table_, protocol);
  }

  static void SayWhatWasFound(const OutcomeTable& table, const Context& context) {
    context.terminal.Say(
        table.logged.has_value()
            ? "a log: one action was tried at every query (docs/howto/logged-data.md)"
            : "a full table: every action at every query");
  }

  void SayHowToGoOn(const audit::Session& session, const Context& context) const {
    const Result<std::chrono::duration<double>> time =
        audit::EstimateMlpTime(session.table(), session.protocol(), context.options.jobs);
    context.terminal.Say(fmt::format(
        "This is a first look, made with the quick learner ridge because no protocol names one. "
        "The paper's learner, mlp, takes about {} here: add --learner mlp. For an answer that "
        "decides, write a protocol: gonogo init {}",
        time.ok() ? HumanDuration(time.value()) : "some minutes",
        piped_.has_value() ? "TABLE" : table_));
  }

  /// One task of a job array: refits, no answer.
  Result<ExitCode> FitShard(const audit::Session& session, const Shard& shard,
                            const Context& context) const {
    for (std::size_t i = 0; i < std::max<std::size_t>(seeds_, 1); ++i) {
      Protocol variant = session.protocol();
      variant.bootstrap.seed += i;
      Progress progress(context.terminal, fmt::format("refits of {}", shard.name()));
      GONOGO_TRY(session.FitShard(RefitsUnder(i == 0, variant.bootstrap.seed), variant, shard,
                                  context.With(progress.Callback())));
    }
    context.terminal.Print(fmt::format(
        "{} is done. When all are: gonogo merge {} and then the same command without --shard\n",
        shard.name(), session.folder().string()));
    return kExitDone;
  }

  /// The name under which the refits of a bootstrap seed are kept.
  static std::string RefitsUnder(bool declared, std::uint64_t seed) {
    return declared ? "refits" : fmt::format("refits-seed-{}", seed);
  }

  Result<ExitCode> RunIn(audit::Session& session, const Context& context) const {
    const Result<AuditResult> result =
        choices_.empty() ? RunDeclared(session, context) : session.Choices();
    if (!result.ok()) return InTable(result.error());
    nlohmann::json json = audit::ToJson(result.value());
    json["provenance"]["collection"] = audit::CollectionOf(session.table());
    if (choices_.empty()) {
      if (flags_.learner() == "all") {
        GONOGO_TRY(AddLearners(session, result.value(), context, json));
      }
      if (seeds_ > 0) GONOGO_TRY(AddSeeds(session, result.value(), context, json));
    }
    if (ablation_) GONOGO_TRY(AddAblation(session, context, json));
    if (audit::ShowsOtherQuestion(session.protocol(), other_question_) && choices_.empty()) {
      GONOGO_TRY(AddOtherQuestion(session, context, json));
    }
    GONOGO_TRY(deploy_.AddMap(session, result.value(), context, json));
    GONOGO_TRY(FinishRun(session, json, context));
    if (is_first_look_) SayHowToGoOn(session, context);
    const bool complete = GONOGO_TRY(deploy_.Write(session, result.value(), context));
    return gate_ || !complete ? GateCode(result.value()) : kExitDone;
  }

  /// The same audit with other learners and targets; only what was declared can be confirmatory.
  Status AddLearners(const audit::Session& session, const AuditResult& declared,
                     const Context& context, nlohmann::json& json) const {
    LearnerReadings readings;
    readings.Add(declared);
    const bool every_target = flags_.target() == "all";
    for (const audit::LearnerConfig& other :
         OtherLearners(session.protocol().learner, every_target)) {
      Protocol variant = session.protocol();
      variant.learner = other;
      readings.Add(GONOGO_TRY(RunVariant(session, RefitsOf(other), variant, context)));
    }
    json["learners"] = readings.Json();
    return {};
  }

  /// The same audit under other bootstrap seeds: does either rule's answer depend on the draw?
  Status AddSeeds(const audit::Session& session, const AuditResult& declared,
                  const Context& context, nlohmann::json& json) const {
    SeedReadings readings;
    const std::uint64_t first = session.protocol().bootstrap.seed;
    readings.Add(first, declared);
    for (std::uint64_t seed = first + 1; seed < first + seeds_; ++seed) {
      Protocol variant = session.protocol();
      variant.bootstrap.seed = seed;
      readings.Add(seed,
                   GONOGO_TRY(RunVariant(session, RefitsUnder(false, seed), variant, context)));
    }
    json["seeds"] = readings.Json();
    return {};
  }

  static Status AddOtherQuestion(const audit::Session& session, const Context& context,
                                 nlohmann::json& json) {
    const AuditResult other =
        GONOGO_TRY(RunVariant(session, audit::kOtherQuestionRefits,
                              audit::WithOtherQuestion(session.protocol()), context));
    json["other_question"] = audit::OtherQuestionJson(other);
    return {};
  }

  static Status AddAblation(const audit::Session& session, const Context& context,
                            nlohmann::json& json) {
    Progress progress(context.terminal, "ablation");
    const std::vector<audit::AblationRow> rows =
        GONOGO_TRY(session.Ablation(context.With(progress.Callback())));
    for (const audit::AblationRow& row : rows) {
      nlohmann::json summary = audit::SummaryJson(row.result);
      summary["features"] = row.set.name;
      json["ablation"].push_back(std::move(summary));
    }
    return {};
  }

  std::string table_;
  std::string out_;
  std::string choices_;
  ProtocolFlags flags_;
  std::optional<std::string> piped_;  ///< the table, where it is no file
  bool is_first_look_ = false;        ///< nobody named a learner
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
