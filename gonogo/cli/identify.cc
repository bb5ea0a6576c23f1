// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/identify.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "gonogo/cli/progress.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text_table.h"
#include "gonogo/study/identify.h"

namespace gonogo::cli {
namespace {

using response::RegressionScore;

/// Table 1 of the paper (Go2, Isaac Lab).
struct PublishedRow {
  const char* output;
  RegressionScore score;
};
constexpr std::array<PublishedRow, 6> kPublished{{{"Δx (m)", {0.019, 0.025, 0.944}},
                                                  {"Δy (m)", {0.019, 0.025, 0.942}},
                                                  {"Δψ (rad)", {0.029, 0.042, 0.927}},
                                                  {"effort proxy", {0.435, 0.625, 0.752}},
                                                  {"min. rel. height (m)", {0.009, 0.012, 0.875}},
                                                  {"mean rel. height (m)", {0.008, 0.010, 0.906}}}};
constexpr RegressionScore kPublishedWorld{0.039, 0.092, 0.247};

std::vector<std::string> Cells(const std::string& name, const RegressionScore& ours,
                               const std::optional<RegressionScore>& theirs, int digits = 3) {
  std::vector<std::string> cells{name, fmt::format("{:.{}f}", ours.mae, digits),
                                 fmt::format("{:.{}f}", ours.rmse, digits),
                                 fmt::format("{:.3f}", ours.r2)};
  if (!theirs) return cells;
  cells.push_back(fmt::format("{:.3f}", theirs->mae));
  cells.push_back(theirs->rmse > 0.0 ? fmt::format("{:.3f}", theirs->rmse) : "");  // unpublished
  cells.push_back(fmt::format("{:.3f}", theirs->r2));
  return cells;
}

std::string ResponseTable(const study::IdentifyResult& result) {
  report::TextTable table({"output", "MAE", "RMSE", "R²", "paper MAE", "RMSE", "R²"});
  const auto& main = result.rows.front().scores;
  for (std::size_t i = 0; i < kPublished.size(); ++i) {
    table.AddRow(Cells(kPublished[i].output, main[i], kPublished[i].score));
  }
  for (const study::ResponseRow& row : result.rows) {
    if (row.name == "power") {
      table.AddRow(Cells("power (W), five members", row.scores[3],
                         RegressionScore{.mae = 13.0, .rmse = 0.0, .r2 = 0.797}));
    }
    if (row.name == "world-frame heights") {
      table.AddRow(Cells("min. height, world-frame labels", row.scores[4], kPublishedWorld));
    }
  }
  return table.Render();
}

std::string ContrastTable(const study::IdentifyResult& result) {
  report::TextTable table(
      {"f_φ trained on", "windows", "Δx R²", "Δy R²", "Δψ R²", "cost R²", "height R²"});
  for (const study::ResponseRow& row : result.rows) {
    std::vector<std::string> cells{row.name, fmt::format("{}", row.training_windows)};
    for (const std::size_t output : {0U, 1U, 2U, 3U, 4U}) {
      cells.push_back(fmt::format("{:.3f}", row.scores[output].r2));
    }
    table.AddRow(cells);
  }
  return table.Render();
}

std::string PlannerTables(const study::IdentifyResult& result) {
  std::string text;
  if (result.macro) {
    report::TextTable table(
        {"F_η open loop", "displacement (cm)", "work (J)", "min. height (mm)", "state RMSE"});
    for (const response::OpenLoopScore& s : result.macro->open_loop) {
      table.AddRow(
          {fmt::format("{} macro steps", s.steps),
           fmt::format("{:.2f}", 100 * s.displacement_mae_m), fmt::format("{:.2f}", s.work_mae_j),
           fmt::format("{:.1f}", 1000 * s.min_height_mae_m), fmt::format("{:.3f}", s.state_rmse)});
    }
    table.AddRow({"paper, 4 macro steps", "3.30", "5.17", "8.8", "0.756"});
    text += "\n" + table.Render();
  }
  if (result.value) {
    report::TextTable table({"task value", "MAE", "R²", "paper MAE", "R²"});
    const study::ValueSummary& v = *result.value;
    table.AddRow({"remaining work (J)", fmt::format("{:.1f}", v.work.mae),
                  fmt::format("{:.3f}", v.work.r2), "15.7", "0.846"});
    table.AddRow({"remaining time (s)", fmt::format("{:.3f}", v.time.mae),
                  fmt::format("{:.3f}", v.time.r2), "0.362", "0.654"});
    table.AddRow({"success (AUC)", "", fmt::format("{:.3f}", v.success_auc), "", "0.819"});
    text += "\n" + table.Render();
  }
  return text;
}

constexpr const char* kExamples = R"(
Examples:
  gonogo identify robots/go2
  gonogo identify robots/go2 --terrain flat --steps 400 --epochs 50 --no-planner
  gonogo identify robots/go2 --json --out runs/go2 > identification.json

Writes excitation.h5, response-effort, response-power, macro and value (.onnx + .json) and identification.json into OUT. The same
command resumes an interrupted collection (docs/reference/identification-data.md).
)";

class IdentifyVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb = app.add_subcommand(
        "identify", "Excite a frozen policy and learn what each command would do");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    verb->add_option("robot", robot_, "Folder of a robot.toml, or the file")->required();
    verb->add_option("--out", out_, "Folder to write to [runs/identify-ROBOT]");
    verb->add_option("--terrain", terrain_, "flat, rough or grid")->capture_default_str();
    verb->add_option("--seed", options_.seed, "Seed of everything drawn")->capture_default_str();
    ExcitationFlags(*verb);
    verb->add_option("--epochs", options_.response_fit.epochs, "Of the response models")
        ->capture_default_str();
    verb->add_option("--macro-epochs", options_.macro.fit.epochs, "Of the macro ensemble")
        ->capture_default_str();
    verb->add_option("--value-episodes", options_.value_data.episodes,
                     "Episodes for the task-value network")
        ->capture_default_str();
    verb->add_flag("!--no-contrasts", options_.contrasts,
                   "Leave out world-frame labels, less data and filtered data");
    verb->add_flag("!--no-planner", options_.planner, "Leave out the models of the sampling MPC");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    options_.excitation.seed = options_.seed;
    options_.value_data.seed = options_.seed;
    const Result<study::Site> site = study::OpenSite(robot_, terrain_, options_.seed);
    if (!site.ok()) return site.error();
    const std::filesystem::path folder =
        out_.empty() ? std::filesystem::path("runs") / ("identify-" + site.value().robot.name)
                     : std::filesystem::path(out_);
    std::optional<Progress> progress;
    const auto stage = [&](std::string_view name) {
      progress.emplace(context.terminal, std::string(name));
      return progress->Callback();
    };
    const Result<study::IdentifyResult> result =
        study::Identify(site.value(), options_, folder, context.Control({}), stage);
    progress.reset();
    if (!result.ok()) return result.error();
    return Report(context, site.value(), folder, result.value());
  }

 private:
  void ExcitationFlags(CLI::App& verb) {
    verb.add_option("--envs", options_.excitation.envs, "Environments to excite")
        ->capture_default_str();
    verb.add_option("--steps", options_.excitation.steps, "Control steps of each environment")
        ->capture_default_str();
    verb.add_option("--hold", options_.excitation.hold, "Control steps a command is held")
        ->capture_default_str();
  }

  static Result<ExitCode> Report(const Context& context, const study::Site& site,
                                 const std::filesystem::path& folder,
                                 const study::IdentifyResult& result) {
    nlohmann::json json = result;
    json["schema"] = "gonogo.identification/1";
    json["complete"] = true;
    json["provenance"] = {{"robot", site.robot.name},
                          {"terrain", site.world->terrain().name},
                          {"policy_sha256", site.policy_sha256},
                          {"build", io::CurrentBuild()}};
    const Status written = io::WriteFile(folder / "identification.json", json.dump(1) + "\n");
    if (!written.ok()) return written.error();
    if (context.options.json) {
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    std::string text = fmt::format(
        "{} on {} ground: {} states of {} episodes, {} held-out windows\n\n", site.robot.name,
        site.world->terrain().name, result.states, result.episodes, result.held_out_windows);
    text += ResponseTable(result) + "\n" + ContrastTable(result) + PlannerTables(result);
    context.terminal.Print(text + "\nWritten to " + folder.string() + "\n");
    return kExitDone;
  }

  std::string robot_;
  std::string out_;
  std::string terrain_ = "grid";
  study::IdentifyOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeIdentifyVerb() { return std::make_unique<IdentifyVerb>(); }

}  // namespace gonogo::cli
