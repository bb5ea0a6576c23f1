// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gonogo/base/number_text.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/study/confirm/confirm_summary.h"

namespace gonogo::cli {
namespace {

constexpr std::size_t kShownInputs = 5;

constexpr const char* kConfirmExamples = R"(
Examples:
  gonogo audit runs/collect-go2/table.h5 --export adapters/go2      the adapter, if the audit says GO
  gonogo confirm adapters/go2 robots/go2                            does its gain survive in the closed loop?
  gonogo confirm adapters/go2 robots/go2 --trials 5 --seeds 2001,2002,2003,2004
  gonogo confirm adapters/go2 robots/go2 --hold 4                   each choice kept for four decisions, as in the audit

An audit tries one intervention per state of somebody else's episode. A deployed adapter decides again and again, and its own
choices change the states it meets. Here it walks by itself, on clusters (grounds and starts) it has never seen, from the same
starts as direct control, as the fixed action that was best in the audit, and as its own actions dealt out at random, each as often
as it took them. Ground, targets, conditions and time budget are those of the protocol it was trained under. Intervals resample
clusters. The drift report compares the features it meets with those it was trained on.
Writes confirm.json and episodes.csv into OUT. Finished episodes are kept there: the same command goes on after an interruption.
)";

class ConfirmVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("confirm", "Let an exported adapter walk by itself: does its gain survive?",
                        kConfirmExamples);
    verb.Positional("adapter", adapter_, "The folder that 'gonogo audit --export' wrote")
        .Required();
    verb.Positional("robot", robot_, "The folder of the robot, which holds robot.toml").Required();
    verb.Option("--seeds", options_.seeds,
                "Clusters to walk in, none of which it was trained on [as many as were declared, "
                "after the last of them]")
        .Commas();
    verb.Option("--trials", options_.trials, "How many starts for each cluster and target")
        .ShowDefault();
    verb.Option("--hold", options_.hold, "For how many decisions the adapter keeps what it chose")
        .ShowDefault();
    verb.Option("--out", out_, "Folder for the results [runs/confirm-ROBOT]").Value("FOLDER");
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return true; }

  Result<ExitCode> Run(const Context& context) override {
    const study::ConfirmScene where = GONOGO_TRY(study::ConfirmScene::Open(adapter_, robot_));
    if (out_.empty()) out_ = std::filesystem::path("runs") / ("confirm-" + where.scene.robot.name);
    options_.folder = out_;
    study::ConfirmReport report;
    {
      Progress progress(context.terminal, "episodes", out_);
      report = GONOGO_TRY(study::Confirm(where, options_, context.With(progress.Callback())));
    }
    context.terminal.Print(context.options.json
                               ? report.json.dump(2) + "\n"
                               : Text(report.run, report.summary, where, context.terminal));
    context.terminal.Say("confirm.json, episodes.csv: " + out_.string());
    return kExitDone;
  }

 private:
  static std::string Text(const study::Confirmation& run, const study::ConfirmSummary& summary,
                          const study::ConfirmScene& where, const Terminal& terminal) {
    const std::size_t width = terminal.width();
    report::TextTable who(
        {"controller", "work", "time", "succeeds", "breaks a constraint", "departs from direct"});
    for (const study::ContenderSummary& one : summary.contenders) {
      who.AddRow({one.name, fmt::format("{:.1f} J", one.cost), fmt::format("{:.2f} s", one.time_s),
                  Percent(one.success), Percent(one.violations), Percent(one.departs)});
    }
    report::TextTable gains({"", "<in the closed loop", "point", "interval", "the audit's point"});
    const nlohmann::json& promised = where.adapter->manifest().evidence;
    const auto add = [&](const char* key, const char* question,
                         const study::ClusterEstimate& estimate) {
      const auto pointer = nlohmann::json::json_pointer(fmt::format("/{}/point", key));
      gains.AddRow({key, question, Percent(estimate.point),
                    PercentInterval(estimate.interval.lower, estimate.interval.upper),
                    promised.contains(pointer) ? Percent(promised[pointer].get<double>()) : ""});
    };
    add("H_total", "Does it beat direct control?", summary.total);
    add("H_dep", "Does it beat the best fixed action?", summary.deployment);
    add("H_alloc", "Does it beat its actions at random?", summary.allocation);
    add("q", "Does it break constraints?", summary.violation);
    return fmt::format(
        "{}: {} clusters that the adapter has never seen, {} starts each\n"
        "  {}\n\n{}\n{}\n{}\n  By the declared thresholds the closed loop reads {}.\n\n{}",
        run.robot, run.seeds.size(), run.starts.size() / run.seeds.size(),
        where.adapter->manifest().VerdictText(), who.Render(width), gains.Render(width),
        report::Wrap(summary.answer, width, 2), audit::Name(summary.reading.verdict),
        DriftText(run, where, width));
  }

  /// The inputs whose distribution moved most under the adapter, with what direct control meets on
  /// the same fresh clusters: the part of it that is not the adapter's doing.
  static std::string DriftText(const study::Confirmation& run, const study::ConfirmScene& where,
                               std::size_t width) {
    const adapter::Manifest& manifest = where.adapter->manifest();
    const std::vector<study::InputDrift> own =
        study::CompareWithTraining(manifest, run.adapter_features);
    const std::vector<study::InputDrift> direct =
        study::CompareWithTraining(manifest, run.direct_features);
    std::vector<std::size_t> order(own.size());
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return own[a].distance > own[b].distance;
    });
    report::TextTable rows({"feature", "distance", "under direct", "shift of the mean",
                            "outside of training", "under direct"});
    for (std::size_t i = 0; i < std::min(kShownInputs, order.size()); ++i) {
      const study::InputDrift& met = own[order[i]];
      const study::InputDrift& base = direct[order[i]];
      rows.AddRow({met.name, fmt::format("{:.2f}", met.distance),
                   fmt::format("{:.2f}", base.distance), fmt::format("{:+.2f} sd", met.shift),
                   Percent(met.outside), Percent(base.outside)});
    }
    return fmt::format(
        "Drift: features at {} decisions of the adapter against those it was trained on; the {} of "
        "{} that moved most.\n{}",
        run.adapter_features.rows(), std::min(kShownInputs, order.size()), order.size(),
        rows.Render(width));
  }

  std::filesystem::path adapter_;
  std::filesystem::path robot_;
  std::filesystem::path out_;
  study::ConfirmOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeConfirmVerb() { return std::make_unique<ConfirmVerb>(); }

}  // namespace gonogo::cli
