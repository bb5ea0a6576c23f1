// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/evaluate.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/cli/progress.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text_table.h"
#include "gonogo/study/evaluate.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo evaluate robots/go2 --study frontier
  gonogo evaluate robots/go2 --methods direct,scale-0.90,vgcc --seeds 901,902 --trials 2 --set vgcc.gain=0.3
  gonogo evaluate robots/go2 --study ablation --models runs/identify-go2 --json

Every method starts every episode from the same state. Studies: frontier, harder, ablation, objective, retrieval. The first method
is the reference of the paired differences. Intervals resample episodes and are descriptive: episodes of a seed are not independent.
)";

/// What a named study of the paper compares, at its sample size.
struct Preset {
  const char* name;
  std::vector<std::string> methods;
  std::vector<std::uint64_t> seeds;
  int trials;
};

std::vector<Preset> Presets() {
  return {
      {"frontier",
       {"direct", "scale-0.90", "vgcc", "vgcc-power", "scale-0.75", "governor", "mpc"},
       {901, 902, 903, 904, 905, 906},
       2},
      {"harder", {"direct", "vgcc"}, {101, 102, 103, 104, 105}, 10},
      {"ablation",
       {"direct", "vgcc", "vgcc-no-anneal", "vgcc-no-gate", "vgcc-no-floor", "vgcc-substitute",
        "vgcc-quarter-data", "vgcc-absolute-margin"},
       {201, 202},
       5},
      {"objective", {"direct", "vgcc", "vgcc-cost-per-progress"}, {301, 302, 303}, 2},
      {"retrieval",
       {"direct", "vgcc", "vgsr", "vgsr-no-gate", "vgsr-2000", "vgsr-500"},
       {401, 402, 403, 404, 405},
       2},
  };
}

nlohmann::json ToJson(const study::MethodSummary& s) {
  nlohmann::json reasons;
  for (std::size_t i = 0; i < s.reasons.size(); ++i) {
    if (s.reasons[i] == 0) continue;
    reasons[std::string(control::ReasonName(static_cast<control::Reason>(i)))] = s.reasons[i];
  }
  return {{"name", s.name},
          {"episodes", s.episodes},
          {"success", s.success},
          {"success_interval", {s.success_interval.lower, s.success_interval.upper}},
          {"effort", s.effort},
          {"effort_interval", {s.effort_interval.lower, s.effort_interval.upper}},
          {"work_j", s.work_j},
          {"power_w", s.power_w},
          {"time_s", s.time_s},
          {"cot", s.cot},
          {"path_m", s.path_m},
          {"work_per_metre", s.work_per_metre},
          {"final_distance_m", s.final_distance_m},
          {"final_height_m", s.final_height_m},
          {"terminations", s.terminations},
          {"active_decisions", s.active},
          {"reasons", reasons}};
}

class EvaluateVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb = app.add_subcommand("evaluate", "Compare controllers from identical starts");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    verb->add_option("robot", robot_, "Folder with robot.toml")->required();
    verb->add_option("--study", study_, "A comparison of the paper by name");
    verb->add_option("--methods", methods_, "Controllers, the reference first")->delimiter(',');
    verb->add_option("--seeds", plan_.seeds, "Evaluation seeds")->delimiter(',');
    verb->add_option("--trials", plan_.trials, "Starts per seed and target")->capture_default_str();
    verb->add_option("--family", plan_.family, "Target family of robot.toml")
        ->capture_default_str();
    verb->add_option("--terrain", terrain_, "flat, rough or grid")->capture_default_str();
    verb->add_option("--terrain-seed", terrain_seed_, "Names the ground")->capture_default_str();
    verb->add_option("--models", models_, "Where gonogo identify wrote [runs/identify-ROBOT]");
    verb->add_option("--set", settings_, "A setting of a controller, such as vgcc.gain=0.3");
    verb->add_option("--out", out_, "Folder for evaluation.json [runs/evaluate-ROBOT]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    if (Status chosen = ApplyPreset(); !chosen.ok()) return chosen.error();
    const Result<study::Site> site = study::OpenSite(robot_, terrain_, terrain_seed_);
    if (!site.ok()) return site.error();
    const std::string& name = site.value().robot.name;
    if (models_.empty()) models_ = std::filesystem::path("runs") / ("identify-" + name);
    if (out_.empty()) out_ = std::filesystem::path("runs") / ("evaluate-" + name);
    std::vector<study::Method> methods;
    for (const std::string& method : methods_) {
      Result<study::Method> opened =
          study::OpenMethod(method, site.value().robot, models_, settings_);
      if (!opened.ok()) return opened.error();
      methods.push_back(std::move(opened).value());
    }
    Progress progress(context.terminal, "episodes");
    const Result<std::vector<study::EpisodeRecord>> records =
        study::RunEvaluation(site.value(), methods, plan_, context.Control(progress.Callback()));
    if (!records.ok()) return records.error();
    return Report(context, site.value(), records.value());
  }

 private:
  Status ApplyPreset() {
    if (study_.empty()) {
      if (methods_.empty()) methods_ = {"direct", "scale-0.90", "scale-0.75", "governor"};
      if (plan_.seeds.empty()) plan_.seeds = {1, 2, 3};
      return {};
    }
    for (const Preset& preset : Presets()) {
      if (study_ != preset.name) continue;
      if (methods_.empty()) methods_ = preset.methods;
      if (plan_.seeds.empty()) plan_.seeds = preset.seeds;
      plan_.trials = preset.trials;
      return {};
    }
    return UsageError("--study {}: expected frontier, harder, ablation, objective or retrieval",
                      study_);
  }

  Result<ExitCode> Report(const Context& context, const study::Site& site,
                          const std::vector<study::EpisodeRecord>& records) const {
    report::TextTable table({"method", "n", "success", "effort", "Δ effort", "work (J)",
                             "power (W)", "time (s)", "COT", "active", "falls", "sign test p"});
    nlohmann::json json{{"schema", "gonogo.evaluation/1"}, {"complete", true}};
    std::vector<study::MethodSummary> summaries;
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      summaries.push_back(
          study::Summarise(records, m, methods_[m], RngStream(1).Child("bootstrap").Child(m)));
    }
    std::vector<std::size_t> order(summaries.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return summaries[a].time_s < summaries[b].time_s;
    });
    for (const std::size_t m : order) {
      const study::MethodSummary& s = summaries[m];
      const study::PairedDifference effort =
          study::ComparePaired(records, m, 0, &sim::EpisodeResult::effort);
      table.AddRow({s.name, fmt::format("{}", s.episodes), fmt::format("{:.3f}", s.success),
                    fmt::format("{:.3f}", s.effort),
                    fmt::format("{:+.1f} %", 100 * (s.effort / summaries[0].effort - 1)),
                    fmt::format("{:.1f}", s.work_j), fmt::format("{:.1f}", s.power_w),
                    fmt::format("{:.3f}", s.time_s), fmt::format("{:.3f}", s.cot),
                    fmt::format("{:.1f}", s.active), fmt::format("{:.3f}", s.terminations),
                    m == 0 ? "" : fmt::format("{:.3g}", effort.p_value)});
      nlohmann::json entry = ToJson(s);
      entry["effort_per_seed"] = effort.per_seed;
      json["methods"].push_back(entry);
    }
    json["provenance"] = {{"robot", site.robot.name},      {"terrain", site.world->terrain().name},
                          {"terrain_seed", terrain_seed_}, {"family", plan_.family},
                          {"seeds", plan_.seeds},          {"trials", plan_.trials},
                          {"settings", settings_},         {"policy_sha256", site.policy_sha256},
                          {"build", io::CurrentBuild()}};
    if (Status made = io::MakeDirectory(out_); !made.ok()) return made.error();
    const Status written = io::WriteFile(out_ / "evaluation.json", json.dump(1) + "\n");
    if (!written.ok()) return written.error();
    context.terminal.Print(context.options.json ? json.dump(2) + "\n" : table.Render());
    return kExitDone;
  }

  std::string robot_;
  std::string study_;
  std::vector<std::string> methods_;
  std::vector<std::string> settings_;
  std::string terrain_ = "grid";
  std::uint64_t terrain_seed_ = 1;
  std::filesystem::path models_;
  std::filesystem::path out_;
  study::EvaluationPlan plan_;
};

}  // namespace

std::unique_ptr<Verb> MakeEvaluateVerb() { return std::make_unique<EvaluateVerb>(); }

}  // namespace gonogo::cli
