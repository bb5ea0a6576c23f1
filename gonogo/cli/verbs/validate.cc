// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/run/control_run.h"
#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/cli/run/audit_run.h"
#include "gonogo/cli/verbs/all_verbs.h"

namespace gonogo::cli {
namespace {

constexpr const char* kValidateExamples = R"(
Examples:
  gonogo validate learner --learner ridge               a synthetic domain where an adapter pays: must answer GO
  gonogo validate observable table.csv --feature target_y --actions scale-0.90,scale-0.75
  gonogo validate hidden table.csv --actions scale-0.90,scale-0.75 --gamma 0.05 --mappings 10

learner: audits a synthetic domain in which an adapter pays, through the whole procedure; the answer must be GO.
observable: at every query one of two actions becomes cheaper by the share gamma, and the sign of a feature tells which; the audit
should find that.
hidden: the same, but the toss of a coin decides, which no feature shows; the audit should not find anything. Whatever the table's
own signal saves is saved here too, and may be read as GO: compare with the audit of the table as it is.
An interrupted control goes on with the same command. gonogo report RESULT --control CONTROL shows controls of the same table in the
report of an audit.
)";

class ValidateVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "validate", "Test the audit itself: does it find a planted signal, and only a real one?",
        kValidateExamples);
    verb.Alias("control");  // what it was called before
    verb.Positional("kind", kind_, "Which control: learner, observable or hidden")
        .Required()
        .OneOf({"learner", "observable", "hidden"});
    verb.Positional("table", table_, "The table to plant a signal into (observable and hidden)");
    verb.Option("--feature", signal_.feature,
                "The feature whose sign tells which action is made cheaper (observable)");
    verb.Option("--actions", actions_,
                "Two actions: the one made cheaper where the feature is 0 or more, and the one "
                "where it is below 0")
        .Commas()
        .Exactly(2);
    verb.Option("--gamma", gammas_,
                "By which share the action is made cheaper; several values are tried in turn "
                "[0.02,0.05,0.09,0.1; hidden: 0.05]")
        .Commas();
    verb.Option("--mappings", mappings_, "How many hidden signals to try, each drawn anew")
        .Between(1, 10'000)
        .ShowDefault();
    verb.Option("--out", out_, "Folder for the results [runs/NAME-HASH]");
    flags_.Add(verb);
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    if (flags_.learner() == "all") {
      return UsageError("validate {} takes one learner, got --learner all", kind_);
    }
    if (kind_ == "learner") return RunLearner(context);
    GONOGO_TRY(CheckPlanted());
    const audit::Protocol protocol = GONOGO_TRY(flags_.Read(table_));
    audit::TableFile table = GONOGO_TRY(audit::ReadTable(table_, protocol));
    const audit::PlantedReport report =
        GONOGO_TRY(audit::RunPlanted({.table = std::move(table),
                                      .protocol = protocol,
                                      .kind = kind_,
                                      .signal = {signal_.feature, actions_[0], actions_[1]},
                                      .gammas = gammas_,
                                      .mappings = mappings_,
                                      .folder = out_},
                                     Shown(context)));
    GONOGO_TRY(WriteAndShow(report.folder, report.json, context));
    return kExitDone;
  }

 private:
  [[nodiscard]] Status CheckPlanted() const {
    if (table_.empty()) return UsageError("validate {} needs a table", kind_);
    if (actions_.size() != 2) return UsageError("validate {} needs --actions A,B", kind_);
    if (actions_[0] == actions_[1]) {
      return UsageError("--actions names '{}' twice, expected two actions", actions_[0]);
    }
    if (kind_ == "observable" && signal_.feature.empty()) {
      return UsageError("validate observable needs --feature");
    }
    if (kind_ == "hidden" && gammas_.size() > 1) {
      return UsageError("validate hidden takes one --gamma, got {}", gammas_.size());
    }
    for (const double gamma : gammas_) {
      if (!(gamma >= 0.0 && gamma < 1.0)) {
        return UsageError("--gamma is {}, expected a share from 0 up to, but not including, 1",
                          gamma);
      }
    }
    return {};
  }

  Result<ExitCode> RunLearner(const Context& context) const {
    const audit::Protocol protocol = GONOGO_TRY(flags_.Apply(audit::PositiveControlProtocol()));
    const audit::AuditReport report =
        GONOGO_TRY(audit::Run(audit::PositiveControlJob(protocol, out_), Shown(context)));
    GONOGO_TRY(WriteAndShow(report.folder, report.json, context));
    return kExitDone;
  }

  std::string kind_;
  std::string table_;
  std::filesystem::path out_;
  audit::PlantedSignal signal_;
  std::vector<std::string> actions_;
  std::vector<double> gammas_;
  std::size_t mappings_ = 10;
  ProtocolFlags flags_;
};

}  // namespace

std::unique_ptr<Verb> MakeValidateVerb() { return std::make_unique<ValidateVerb>(); }

}  // namespace gonogo::cli
