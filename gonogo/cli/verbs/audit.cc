// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/cli/run/audit_run.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/text/audit_text.h"
#include "gonogo/cli/text/learner_readings.h"
#include "gonogo/cli/text/seed_readings.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

using audit::AuditResult;
using audit::OutcomeTable;
using audit::Protocol;

constexpr const char* kAuditExamples = R"(
Examples:
  gonogo audit examples/sorting/table.csv
  gonogo audit table.h5 --protocol audit.toml --learner all
  gonogo audit table.csv --learner all --target all        what other learners would read; the verdict stays the declared one's
  gonogo audit table.csv --rule calibrated --seeds 10      would another bootstrap seed decide otherwise?
  gonogo audit table.csv --gate && deploy
  gonogo audit table.csv --choices mine                    is the adapter we have worth it? (always descriptive)
  gonogo audit table.csv --set protocol.kappa=0.02 --set bootstrap.refits=500

TABLE is CSV (one row per query and action) or HDF5 (docs/reference/formats.md). Without --protocol, the file
audit.toml beside the table is used if there is one, else the declaration inside the table, else the defaults. Costs are ratios, so their unit does not matter.
With --gate: 0 GO, 20 NO-GO, 21 ABSTAIN or no decision.
)";

class AuditVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb("audit", "A table of outcomes in, GO, NO-GO or ABSTAIN out",
                                     kAuditExamples);
    verb.Positional("table", table_, "Outcomes of every action at every query").Required();
    verb.Option("--out", out_, "Run directory [runs/NAME-HASH]");
    verb.Option("--choices", choices_, "Audit the choices in this column instead of a learner")
        .Group("Who chooses");
    verb.Flag("--ablation", ablation_, "Also audit every feature set of the protocol")
        .Group("Who chooses");
    verb.Option("--seeds", seeds_,
                "Audit under so many bootstrap seeds and count the answers of both rules")
        .Between(1, 10'000);
    verb.Flag("--gate", gate_, "Let the exit code tell the verdict");
    flags_.Add(verb);
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    if (flags_.target() == "all" && flags_.learner() != "all") {
      return UsageError("--target all compares targets of every learner: add --learner all");
    }
    const Protocol protocol = GONOGO_TRY(ReadProtocol());
    if (ablation_ && protocol.feature_sets.empty()) {
      return UsageError("--ablation needs [feature_sets] in the protocol");
    }
    OutcomeTable table = GONOGO_TRY(audit::ReadTable(table_, protocol));
    const Status auditable = CheckBeforeWriting(table, protocol);
    if (!auditable.ok()) return InTable(auditable.error());
    GONOGO_TRY(SpellOutDeclaration(table));
    nlohmann::json asked = {{"verb", "audit"},
                            {"learner", flags_.learner()},
                            {"choices", choices_},
                            {"ablation", ablation_},
                            {"seeds", seeds_}};
    if (flags_.target() == "all") asked["target"] = "all";  // others stand in the protocol
    audit::Session session = GONOGO_TRY(audit::Session::Open(
        std::move(table), protocol, {.folder = out_, .table_file = table_, .asked = asked}));
    return RunIn(session, context);
  }

 private:
  /// What an audit finds missing is missing in a file.
  [[nodiscard]] Error InTable(const Error& error) const {
    if (error.kind != ErrorKind::kInput) return error;
    return {ErrorKind::kInput, table_ + ": " + error.message};
  }

  /// Refuses before anything is written what the audit would refuse later.
  [[nodiscard]] Status CheckBeforeWriting(const OutcomeTable& table,
                                          const Protocol& protocol) const {
    if (!choices_.empty()) return audit::CheckChoices(table, protocol);
    GONOGO_TRY(audit::CheckAuditable(table, protocol));
    for (const audit::FeatureSet& set : protocol.feature_sets) {
      if (ablation_) GONOGO_TRY(audit::CheckGroups(table, set.groups));
    }
    return {};
  }

  Result<Protocol> ReadProtocol() const {
    Result<Protocol> protocol = flags_.Read(table_);
    if (protocol.ok() && !choices_.empty()) protocol.value().table.choice = choices_;
    return protocol;
  }

  /// A CSV carries only the fingerprint of its declaration. Where the protocol, as it is before any
  /// flag changes it, has that fingerprint, the words are known too, and every override gets named.
  Status SpellOutDeclaration(OutcomeTable& table) const {
    if (table.declaration_sha256.empty() || !table.declaration.empty()) return {};
    const Protocol declared = GONOGO_TRY(flags_.ReadDeclared(table_));
    if (audit::Fingerprint(declared) == table.declaration_sha256) {
      table.declaration = audit::CanonicalText(declared);
    }
    return {};
  }

  Result<ExitCode> RunIn(audit::Session& session, const Context& context) const {
    const Result<AuditResult> result =
        choices_.empty() ? RunDeclared(session, context) : session.Choices();
    if (!result.ok()) return InTable(result.error());
    nlohmann::json json = audit::ToJson(result.value());
    json["provenance"]["collection"] = audit::CollectionOf(session.table());
    std::string text = AuditText(result.value(), context.terminal);
    if (choices_.empty()) {
      if (flags_.learner() == "all") {
        GONOGO_TRY(AddLearners(session, result.value(), context, json, text));
      }
      if (seeds_ > 0) GONOGO_TRY(AddSeeds(session, result.value(), context, json, text));
    }
    if (ablation_) GONOGO_TRY(AddAblation(session, context, json, text));
    GONOGO_TRY(FinishRun(session, json, text, context));
    return gate_ ? GateCode(result.value().decision) : kExitDone;
  }

  /// The same audit with other learners and targets; only what was declared can be confirmatory.
  Status AddLearners(const audit::Session& session, const AuditResult& declared,
                     const Context& context, nlohmann::json& json, std::string& text) const {
    LearnerReadings readings;
    readings.Add(declared);
    for (const audit::LearnerConfig& learner : Alternatives(session.protocol().learner)) {
      Protocol variant = session.protocol();
      variant.learner = learner;
      const std::string name =
          learner.target.has_value()
              ? fmt::format("refits-{}-{}", audit::Name(learner.kind), audit::Name(*learner.target))
              : fmt::format("refits-{}", audit::Name(learner.kind));
      readings.Add(GONOGO_TRY(RunVariant(session, name, variant, context)));
    }
    json["learners"] = readings.Json();
    text += "\n" + readings.Text(context.terminal);
    return {};
  }

  /// Every other learner with the target it has of its own or is told, and with `all` every target.
  [[nodiscard]] std::vector<audit::LearnerConfig> Alternatives(
      const audit::LearnerConfig& declared) const {
    using audit::LearnerKind;
    using audit::LearnerTarget;
    std::vector<audit::LearnerConfig> others;
    const auto add = [&](LearnerKind kind, std::optional<LearnerTarget> target) {
      audit::LearnerConfig other = declared;
      other.kind = kind;
      other.target = target;
      if (target == audit::OwnTarget(kind)) other.target.reset();
      if (!(other == declared)) others.push_back(other);
    };
    for (const LearnerKind kind :
         {LearnerKind::kMlp, LearnerKind::kRidge, LearnerKind::kTrees, LearnerKind::kForest}) {
      if (flags_.target() != "all") {
        if (kind != declared.kind) add(kind, declared.target);
        continue;
      }
      for (const LearnerTarget target :
           {LearnerTarget::kRatio, LearnerTarget::kDifference, LearnerTarget::kLog}) {
        add(kind, target);
      }
    }
    return others;
  }

  /// The same audit under other bootstrap seeds: does either rule's answer depend on the draw?
  Status AddSeeds(const audit::Session& session, const AuditResult& declared,
                  const Context& context, nlohmann::json& json, std::string& text) const {
    SeedReadings readings;
    const std::uint64_t first = session.protocol().bootstrap.seed;
    readings.Add(first, declared);
    for (std::uint64_t seed = first + 1; seed < first + seeds_; ++seed) {
      Protocol variant = session.protocol();
      variant.bootstrap.seed = seed;
      readings.Add(seed, GONOGO_TRY(RunVariant(session, fmt::format("refits-seed-{}", seed),
                                               variant, context)));
    }
    json["seeds"] = readings.Json();
    text += "\n" + readings.Text();
    return {};
  }

  static Status AddAblation(const audit::Session& session, const Context& context,
                            nlohmann::json& json, std::string& text) {
    Progress progress(context.terminal, "ablation");
    const std::vector<audit::AblationRow> rows =
        GONOGO_TRY(session.Ablation(context.With(progress.Callback())));
    report::TextTable lines({"features", "work error", "active", "H_total", "H_alloc", "", "q"});
    for (const audit::AblationRow& row : rows) {
      const audit::Estimands& point = row.result.point;
      lines.AddRow({row.set.name, Percent(point.work_mae), Percent(point.activation),
                    Percent(point.h_total), Percent(point.h_alloc),
                    PercentInterval(row.result.h_alloc.interval), Percent(point.q)});
      nlohmann::json summary = audit::SummaryJson(row.result);
      summary["features"] = row.set.name;
      json["ablation"].push_back(std::move(summary));
    }
    text += "\nFeature sets (descriptive; intervals: the paper's)\n" + lines.Render();
    return {};
  }

  std::string table_;
  std::string out_;
  std::string choices_;
  ProtocolFlags flags_;
  std::size_t seeds_ = 0;
  bool ablation_ = false;
  bool gate_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeAuditVerb() { return std::make_unique<AuditVerb>(); }

}  // namespace gonogo::cli
