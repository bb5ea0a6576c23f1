// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/nearest.h"
#include "gonogo/base/number_text.h"
#include "gonogo/calibrate/benchmark/calibration.h"
#include "gonogo/calibrate/benchmark/simulated_learner.h"
#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/cli/run/sequential_run.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/report/page/section_text.h"
#include "gonogo/report/result_page.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

constexpr const char* kCalibrateExamples = R"(
Examples:
  gonogo calibrate --list                                        the worlds, one line each
  gonogo calibrate --cells dep-threshold,effect-2x --data-sets 200 --out runs/calibration
  gonogo calibrate --data-sets 2000 --jobs 4 --out runs/calibration     resumes where it stopped
  gonogo calibrate --learner small-mlp --refits 100 --data-sets 200 --out runs/calibration-mlp
  gonogo calibrate --learner mlp --small-tables --refits 100 --cells dep-threshold --data-sets 20 --out runs/mlp
  gonogo calibrate --cells logged-2-dep-threshold --out runs/logs     one action tried at every query
  gonogo calibrate --known-blocks 40 --out runs/known            protocol.deploy = "known clusters"
  gonogo calibrate --looks 20,40,80,160 --out runs/looks         audits that go on until they can decide
  gonogo calibrate --protocol audit.toml --cells null,effect-2x --data-sets 100 --out runs/mine
  gonogo calibrate --finished --out runs/calibration             what an unfinished run says so far
  gonogo calibrate --solve                                       solve the worlds' parameters again

Simulates data sets whose truth is known, audits each with every rule, and counts how often GO and NO-GO are wrong.
Needs hours at full size: one data set with ridge and 200 refits takes about 0.15 s of CPU time.
)";

std::string ShareText(const calibrate::Proportion& p) { return Percent(p.share(), 1); }

class CalibrateVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "calibrate", "Measure how often the decision rules are wrong, on simulated data",
        kCalibrateExamples);
    verb.Option("--cells", cells_, "Names of the worlds to simulate [all]").Commas();
    verb.Option("--data-sets", options_.data_sets, "Data sets to draw in each world")
        .ShowDefault()
        .Between(1, kMost);
    verb.Option(
            "--protocol", protocol_file_,
            "A file such as audit.toml: everything that it declares is measured, in worlds made "
            "for the default thresholds [the defaults, with ridge]")
        .Value("FILE");
    verb.Option("--refits", refits_,
                "Refits on resampled clusters in each audit [as declared, 200]")
        .Between(1, kMost);
    verb.Option("--learner", learner_,
                "The learner: mlp, ridge, trees, forest, policy, or one that takes less time: "
                "small-mlp, medium-mlp and small-trees (on small tables), small-forest [as "
                "declared, ridge]")
        .OneOf(calibrate::SimulatedLearnerNames());
    verb.Flag("--small-tables", small_tables_,
              "Tables of 20 clusters of 16 queries, 3 actions and 5 features, for learners that "
              "take long")
        .Rare();
    verb.Option("--target", target_,
                "How costs are compared before they are learned: ratio, difference or log [the "
                "learner's own]")
        .OneOf({"ratio", "difference", "log"})
        .Rare();
    verb.Option("--known-blocks", known_blocks_,
                "Ask about further queries of the clusters drawn, dealt into so many blocks [0: "
                "about new clusters]")
        .Between(4, kMost)
        .Rare();
    verb.Option("--looks", looks_,
                "Audit growing data at these numbers of clusters until a look decides, instead of "
                "once")
        .Commas();
    verb.Flag("--pairs-only", options_.pairs_only, "Only the leave-pair-out rule, with --looks")
        .Rare();
    verb.Option("--seed", options_.seed, "Seed of everything that is drawn at random")
        .ShowDefault();
    const Argument out = verb.Option("--out", options_.directory,
                                     "Folder for the fits, result.json, report.html and report.md");
    verb.Flag("--finished", options_.finished_only,
              "Report on the data sets that are finished, without making any")
        .Needs(out)
        .Rare();
    verb.Flag("--list", list_, "List the worlds and stop");
    verb.Flag("--solve", solve_,
              "Solve the parameters of the worlds again and print solved_cells.inc")
        .Rare();
    verb.Option("--trainings", trainings_, "Data sets for each step of --solve")
        .ShowDefault()
        .Between(1, kMost)
        .Rare();
    shard_.Add(verb, "data sets");
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return !list_ && !solve_; }

  Result<ExitCode> Run(const Context& context) override {
    GONOGO_TRY(ReadProtocol());
    std::vector<calibrate::BenchmarkCell> cells = GONOGO_TRY(SelectCells());
    options_.cells = std::move(cells);
    if (list_) return List(context);
    if (solve_) return Solve(context);
    const std::optional<Shard> shard = GONOGO_TRY(shard_.Read());
    if ((shard || context.team != nullptr) && options_.directory.empty()) {
      return UsageError("{} --out, where finished data sets are kept",
                        shard ? "--shard needs" : "several ranks need");
    }
    if (!protocol().rule.looks_at.empty()) {
      if (shard) return UsageError("--shard divides single audits: without looks");
      return RunLooks(context);
    }
    // Who only reads leaves the status of who writes alone.
    Progress progress(context.terminal, "data sets",
                      options_.finished_only ? std::filesystem::path() : options_.directory);
    if (shard) {
      GONOGO_TRY(
          calibrate::FitCalibrationShard(options_, *shard, context.With(progress.Callback())));
      context.terminal.Print(fmt::format(
          "{} is done. When all are: gonogo merge {} and then the same command without --shard\n",
          shard->name(), options_.directory.string()));
      return kExitDone;
    }
    const calibrate::CalibrationResult result =
        GONOGO_TRY(calibrate::RunCalibration(options_, context.With(progress.Callback())));
    if (context.helps()) return kExitDone;
    const nlohmann::json json = calibrate::ToJson(options_, result);
    GONOGO_TRY(Write(json));
    context.terminal.Print(context.options.json ? json.dump(2) + "\n"
                                                : Text(result, context.terminal.width()));
    return kExitDone;
  }

 private:
  [[nodiscard]] audit::Protocol& protocol() { return options_.simulation.protocol; }

  /// The protocol that is measured: that of the file, or ours, with what the flags say.
  Status ReadProtocol() {
    if (!protocol_file_.empty()) protocol() = GONOGO_TRY(audit::LoadProtocol(protocol_file_));
    audit::LearnerConfig& learner = protocol().learner;
    if (!learner_.empty()) learner = calibrate::SimulatedLearnerNamed(learner_)->config;
    options_.learner = learner_.empty() ? std::string(Name(learner.kind)) : learner_;
    if (!target_.empty()) {
      learner.target = audit::LearnerTargetNamed(target_);
      if (learner.target == audit::OwnTarget(learner.kind)) learner.target.reset();
    }
    if (learner.target.has_value()) {
      options_.learner += fmt::format("-{}", Name(*learner.target));
    }
    if (refits_ > 0) protocol().bootstrap.refits = refits_;
    if (known_blocks_ > 0) {
      protocol().question.deploy = audit::Deployment::kKnownClusters;
      protocol().question.blocks = known_blocks_;
    }
    if (!looks_.empty()) protocol().rule.looks_at = looks_;
    return calibrate::CheckSimulable(protocol());
  }

  /// Whether the learner is one of those that are simulated on small tables.
  [[nodiscard]] bool small() const {
    return small_tables_ ||
           (!learner_.empty() && calibrate::SimulatedLearnerNamed(learner_)->small_tables);
  }

  [[nodiscard]] Result<std::vector<calibrate::BenchmarkCell>> SelectCells() const {
    const bool with_series = !options_.simulation.protocol.rule.looks_at.empty();
    std::vector<calibrate::BenchmarkCell> all =
        small() ? calibrate::SmallCells() : calibrate::AllCells();
    if (!small() && (with_series || solve_ || list_)) {
      for (calibrate::BenchmarkCell& cell : calibrate::LookCells()) all.push_back(std::move(cell));
    }
    if (cells_.empty() && with_series && !solve_ && !list_) return CellsForLooks(all);
    if (cells_.empty()) {
      std::vector<calibrate::BenchmarkCell> ready = all;
      if (!solve_ && !list_) std::erase_if(ready, [](const auto& cell) { return !cell.solved; });
      return ready;
    }
    std::vector<std::string> names;
    for (const calibrate::BenchmarkCell& cell : all) names.push_back(cell.name);
    std::vector<calibrate::BenchmarkCell> chosen;
    for (const std::string& name : cells_) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) {
        return UsageError("--cells {}: no such world{}; --list shows them", name,
                          DidYouMean(name, names));
      }
      chosen.push_back(all[static_cast<std::size_t>(found - names.begin())]);
      if (!chosen.back().solved && !solve_ && !list_) {
        return UsageError(
            "--cells {}: this world has not been solved yet; gonogo calibrate --solve --cells {} "
            "prints its line for gonogo/calibrate/benchmark/solved_cells.inc",
            name, name);
      }
    }
    return chosen;
  }

  /// What a series of looks is asked when nobody names cells.
  static std::vector<calibrate::BenchmarkCell> CellsForLooks(
      const std::vector<calibrate::BenchmarkCell>& all) {
    std::vector<calibrate::BenchmarkCell> chosen;
    for (const char* name : {"null", "dep-threshold-160", "alloc-threshold-160", "q-threshold-160",
                             "dep-threshold", "effect-1.5x", "effect-2x"}) {
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const auto& cell) { return cell.name == name; });
      if (found != all.end() && found->solved) chosen.push_back(*found);
    }
    return chosen;
  }

  [[nodiscard]] Result<ExitCode> RunLooks(const Context& context) {
    const std::vector<std::size_t>& looks = protocol().rule.looks_at;
    if (protocol().question.deploy == audit::Deployment::kKnownClusters) {
      return UsageError("--looks adds clusters, and --known-blocks asks about known ones");
    }
    if (std::adjacent_find(looks.begin(), looks.end(), std::greater_equal<>()) != looks.end() ||
        looks.front() < 4) {
      return UsageError("--looks {}: expected rising numbers of clusters, at least 4",
                        fmt::join(looks, ","));
    }
    return RunSeriesOfLooks(options_, context);
  }

  [[nodiscard]] Result<ExitCode> List(const Context& context) const {
    report::TextTable table({"cell", "<family", "<role", "clusters", "<what it shows"});
    for (const calibrate::BenchmarkCell& cell : options_.cells) {
      table.AddRow({cell.name, std::string(Name(cell.family)), std::string(Name(cell.role)),
                    std::to_string(cell.world.clusters),
                    cell.purpose + (cell.solved ? "" : " (not solved yet: --solve)")});
    }
    context.terminal.Print(table.Render(context.terminal.width()));
    return kExitDone;
  }

  [[nodiscard]] Result<ExitCode> Solve(const Context& context) const {
    const calibrate::SolveOptions options{.trainings = trainings_,
                                          .fresh_queries = 4096,
                                          .steps = 10,
                                          .protocol = options_.simulation.protocol};
    for (const calibrate::BenchmarkCell& cell : options_.cells) {
      if (cell.targets.empty()) continue;
      const calibrate::BenchmarkCell solved =
          GONOGO_TRY(calibrate::SolveCell(cell, options, RngStream(1), context.With({})));
      context.terminal.Print(calibrate::SolvedLine(solved) + "\n");
    }
    return kExitDone;
  }

  [[nodiscard]] Status Write(const nlohmann::json& json) const {
    if (options_.directory.empty()) return {};
    if (Status written = io::WriteFile(options_.directory / "result.json", json.dump(2) + "\n");
        !written.ok()) {
      return written;
    }
    const report::Page page = report::MakeCalibrationPage(json);
    std::string markdown;
    for (const report::Section& section : page.sections) {
      markdown += report::SectionMarkdown(section) + "\n";
    }
    GONOGO_TRY(io::WriteFile(options_.directory / "report.md", markdown));
    return io::WriteFile(options_.directory / "report.html", report::RenderPage(page));
  }

  static std::string Text(const calibrate::CalibrationResult& result, std::size_t width) {
    report::TextTable table({"cell", "<rule", "GO", "NO-GO", "false GO", "up to", "false NO-GO",
                             "H_dep", "H_alloc", "q", "efficiency", "flips"});
    std::vector<std::string> not_run;
    for (const calibrate::CellResult& cell : result.cells) {
      if (cell.summary.data_sets == 0) {
        not_run.push_back(cell.cell.name);
        continue;
      }
      for (const calibrate::RuleUnderTest rule : calibrate::kRules) {
        const calibrate::RuleSummary& summary = cell.summary.rule[static_cast<std::size_t>(rule)];
        table.AddRow({cell.cell.name, std::string(Name(rule)), ShareText(summary.go),
                      ShareText(summary.no_go), ShareText(summary.false_go),
                      Percent(summary.false_go.interval.upper, 1), ShareText(summary.false_no_go),
                      ShareText(summary.interval[0].coverage),
                      ShareText(summary.interval[1].coverage),
                      ShareText(summary.interval[2].coverage),
                      summary.efficiency ? Percent(*summary.efficiency, 0) : "",
                      Percent(summary.flip_rate, 1)});
      }
    }
    std::string text = table.Render(width);
    text +=
        "  H_dep, H_alloc, q: coverage of the nominal 95 % intervals; efficiency: share of GO over "
        "that of an oracle\n  that tests the shipped adapter on as many fresh clusters\n";
    if (!not_run.empty()) text += fmt::format("  not run: {}\n", fmt::join(not_run, ", "));
    for (const calibrate::RuleUnderTest rule :
         {calibrate::RuleUnderTest::kCalibrated, calibrate::RuleUnderTest::kLeavePairOut}) {
      std::size_t missed = 0;
      const std::vector<calibrate::Goal> goals = calibrate::JudgeGoals(result, rule);
      for (const calibrate::Goal& goal : goals) {
        if (goal.met) continue;
        ++missed;
        text += fmt::format("  {} missed: {}: {}\n", Name(rule), goal.text, goal.measured);
      }
      text += fmt::format("  {} rule: {} of {} goals met\n", Name(rule), goals.size() - missed,
                          goals.size());
    }
    return text;
  }

  static constexpr int kMost = 1'000'000;  // of anything that is counted

  calibrate::BenchmarkOptions options_;
  std::vector<std::string> cells_;
  std::filesystem::path protocol_file_;
  std::string learner_;
  std::string target_;
  std::size_t refits_ = 0;        ///< 0: as declared
  std::size_t known_blocks_ = 0;  ///< 0: as declared
  std::vector<std::size_t> looks_;
  bool small_tables_ = false;
  ShardFlag shard_;
  std::size_t trainings_ = 100;
  bool list_ = false;
  bool solve_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeCalibrateVerb() { return std::make_unique<CalibrateVerb>(); }

}  // namespace gonogo::cli
