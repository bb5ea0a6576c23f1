// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/deploy_run.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/deploy/choice_map.h"
#include "gonogo/audit/deploy/choices.h"
#include "gonogo/audit/deploy/export_adapter.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/cli/terminal/progress.h"

namespace gonogo::cli {

void DeployFlags::Add(Arguments& verb) {
  verb.Option("--export", export_,
              "After a GO, write the adapter that would ship, trained on all clusters, into this "
              "folder: adapter.onnx, adapter.json, README.md")
      .Value("FOLDER")
      .Group("After the verdict");
  verb.Flag("--export-anyway", anyway_,
            "Write it whatever the verdict; its files then say that it is not advised")
      .Group("After the verdict")
      .Rare();
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

namespace {

/// The outcomes that were judged and what was chosen at each of them; the table in `asked` is
/// theirs unless the session's own is.
struct JudgedChoices {
  std::optional<audit::OutcomeTable> asked;
  std::optional<audit::PotentialOutcomes> outcomes;
  audit::QueryChoices choices;
};

Status MakeChoices(const audit::Session& session, const audit::AuditResult& result,
                   const Context& context, JudgedChoices& judged) {
  judged.asked = GONOGO_TRY(audit::AskedTable(session.table(), result.protocol));
  judged.outcomes =
      audit::DeriveOutcomes(judged.asked ? *judged.asked : session.table(),
                            result.protocol.time_budget, result.protocol.time_tolerance);
  Progress progress(context.terminal, "fits for the choices");
  judged.choices = GONOGO_TRY(
      audit::ChooseEverywhere(*judged.outcomes, result, context.With(progress.Callback())));
  return {};
}

}  // namespace

Status DeployFlags::AddMap(const audit::Session& session, const audit::AuditResult& result,
                           const Context& context, nlohmann::json& json) const {
  if (map_.empty()) return {};
  JudgedChoices judged;
  GONOGO_TRY(MakeChoices(session, result, context, judged));
  const audit::ChoiceMap map =
      GONOGO_TRY(audit::MapChoices(*judged.outcomes, judged.choices.choice, map_));
  const std::vector<std::string>& actions = judged.outcomes->table->actions;
  json["choice_map"] = audit::ToJson(map, actions);
  return {};
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

Result<bool> DeployFlags::Write(const audit::Session& session, const audit::AuditResult& result,
                                const Context& context) const {
  if (!choices_out_.empty()) GONOGO_TRY(WriteChoices(session, result, context));
  return wants_export() ? Export(session, result, context) : Result<bool>(true);
}

Status DeployFlags::WriteChoices(const audit::Session& session, const audit::AuditResult& result,
                                 const Context& context) const {
  JudgedChoices judged;
  GONOGO_TRY(MakeChoices(session, result, context, judged));
  GONOGO_TRY(audit::WriteChoices(choices_out_, *judged.outcomes, judged.choices));
  context.terminal.Say("choices: " + choices_out_.string());
  return {};
}

Result<bool> DeployFlags::Export(const audit::Session& session, const audit::AuditResult& result,
                                 const Context& context) const {
  const bool go = result.decision == audit::Verdict::kGo;
  if (!go && !anyway_) {
    context.terminal.Say(fmt::format(
        "no adapter was exported to {}: the audit does not say GO. --export-anyway exports it all "
        "the same, marked as not advised",
        export_.string()));
    return false;
  }
  const audit::ShippedAdapter shipped =
      GONOGO_TRY(audit::ExportAdapter(session, result, export_, context.stop));
  context.terminal.Say(
      fmt::format("adapter: {} ({})", export_.string(), shipped.manifest.VerdictText()));
  if (shipped.differing_choices > 0) {
    context.terminal.Say(fmt::format(
        "at {} of {} queries single precision made the exported adapter choose differently from "
        "the learner: two actions are as good as equal there",
        shipped.differing_choices, session.table().num_queries()));
  }
  return true;
}

}  // namespace gonogo::cli
