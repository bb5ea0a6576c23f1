// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/evaluate.h"

#include <optional>

#include <fmt/format.h>

#include "gonogo/cli/episode_scene.h"
#include "gonogo/cli/progress.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/paper/comparison.h"
#include "gonogo/paper/evaluation_studies.h"
#include "gonogo/report/section_text.h"
#include "gonogo/report/viewer_page.h"
#include "gonogo/study/episode.h"
#include "gonogo/study/episode_table.h"
#include "gonogo/study/rescue.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo evaluate robots/go2 --study frontier
  gonogo evaluate robots/go2 robots/anymal_d robots/h1 --study coverage
  gonogo evaluate robots/go2 --methods direct,scale-0.90,vgcc --seeds 901,902 --trials 2 --set vgcc.gain=0.3
  gonogo evaluate robots/go2 --study ablation --models runs/identify-go2 --json

Studies: {}.
Controllers: {} (any factor after "scale-").

Every method starts every episode from the same state; the first one is the reference of the differences. OUT gets episodes.csv,
evaluation.json, report.html and, when a controller rescued itself, rescue.html (3-D). Finished episodes are kept in OUT: the same
command goes on after an interruption, and studies written to one folder share their episodes.
)";

std::string Footer() {
  std::vector<std::string> studies;
  for (const paper::EvaluationStudy& study : paper::EvaluationStudies()) {
    studies.push_back(fmt::format("{} ({})", study.name, study.summary));
  }
  return fmt::format(kExamples, fmt::join(studies, ", "), fmt::join(study::MethodNames(), ", ")) +
         kExitCodeHelp;
}

class EvaluateVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb = app.add_subcommand("evaluate", "Compare controllers from identical starts");
    verb->footer(Footer());
    verb->add_option("robots", robots_, "Folders with robot.toml")->required();
    verb->add_option("--study", study_, "A comparison of the paper by name, at its sample size");
    verb->add_option("--methods", methods_, "Controllers, the reference first")->delimiter(',');
    verb->add_option("--seeds", plan_.seeds, "Evaluation seeds [1,2,3]")->delimiter(',');
    trials_ = verb->add_option("--trials", plan_.trials, "Starts per seed and target")
                  ->capture_default_str();
    family_ = verb->add_option("--family", plan_.family, "Target family of robot.toml")
                  ->capture_default_str();
    verb->add_option("--terrain", terrain_, "flat, rough or grid")->capture_default_str();
    verb->add_option("--terrain-seed", terrain_seed_, "Names the ground")->capture_default_str();
    verb->add_option("--models", models_,
                     "Where gonogo identify wrote, one per robot [runs/identify-ROBOT]");
    verb->add_option("--set", settings_, "A setting of a controller, such as vgcc.gain=0.3");
    verb->add_option("--out", out_, "Folder to write to [runs/evaluate-ROBOT]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const Result<paper::EvaluationStudy> study = ChooseStudy();
    if (!study.ok()) return study.error();
    const Result<std::vector<study::EvaluationSite>> sites = OpenSites();
    if (!sites.ok()) return sites.error();
    const std::vector<study::EvaluationBlock> blocks = study.value().blocks(sites.value().size());
    std::optional<Progress> progress(std::in_place, context.terminal, "episodes");
    const Result<std::vector<study::Evaluation>> evaluations = study::RunBlocks(
        sites.value(), blocks, settings_, out_, context.Control(progress->Callback()));
    progress.reset();
    if (!evaluations.ok()) return evaluations.error();
    return Report(context, study.value(), sites.value(), evaluations.value());
  }

 private:
  /// The named study with what the user changed, or one made of the flags.
  Result<paper::EvaluationStudy> ChooseStudy() const {
    paper::EvaluationStudy study;
    if (study_.empty()) {
      study::EvaluationBlock block{.plan = plan_,
                                   .methods = {"direct", "scale-0.90", "scale-0.75", "governor"}};
      if (!methods_.empty()) block.methods = methods_;
      if (plan_.seeds.empty()) block.plan.seeds = {1, 2, 3};
      study.blocks = [block](std::size_t) { return std::vector{block}; };
      study.present = [](auto evaluations) {
        return std::vector{paper::OverviewSection(evaluations.front())};
      };
    } else {
      Result<paper::EvaluationStudy> found = paper::FindEvaluationStudy(study_);
      if (!found.ok()) return found.error();
      if (!methods_.empty() || family_->count() > 0) {
        return UsageError(
            "--study {} says which methods and targets it compares; leave out "
            "--methods and --family",
            study_);
      }
      study = std::move(found).value();
    }
    if (robots_.size() > 1 && !study.many_robots) {
      return UsageError(
          "{} robots: only studies over several robots take more than one, such as "
          "--study coverage",
          robots_.size());
    }
    study.blocks = [this, all = study.blocks](std::size_t robots) {
      std::vector<study::EvaluationBlock> blocks = all(robots);
      for (study::EvaluationBlock& block : blocks) {
        if (!plan_.seeds.empty()) block.plan.seeds = plan_.seeds;
        if (trials_->count() > 0) block.plan.trials = plan_.trials;
      }
      return blocks;
    };
    return study;
  }

  Result<std::vector<study::EvaluationSite>> OpenSites() {
    if (!models_.empty() && models_.size() != robots_.size()) {
      return UsageError("--models: {} folders for {} robots, expected one each", models_.size(),
                        robots_.size());
    }
    std::vector<study::EvaluationSite> sites;
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      Result<study::Site> site = study::OpenSite(robots_[i], terrain_, terrain_seed_);
      if (!site.ok()) return site.error();
      const std::string& name = site.value().robot.name;
      std::filesystem::path models = std::filesystem::path("runs") / ("identify-" + name);
      if (!models_.empty()) models = models_[i];
      if (out_.empty()) out_ = std::filesystem::path("runs") / ("evaluate-" + name);
      sites.push_back({std::move(site).value(), std::move(models)});
    }
    return sites;
  }

  /// Writes the pair of episodes that shows a rescue; says where, or that there was none.
  Result<report::Section> Rescue(const study::EvaluationSite& at,
                                 const study::Evaluation& evaluation) const {
    report::Section section{.id = "rescue", .title = "A rescue"};
    const std::optional<study::PairedEpisode> pair = study::FindRescue(evaluation);
    if (!pair) {
      section.blocks.emplace_back(report::Paragraph{"No controller rescued itself."});
      return section;
    }
    std::vector<sim::EpisodeRecord> records;
    for (const study::EpisodeRecord* episode : {pair->method, pair->reference}) {
      const Result<study::Method> method = study::OpenMethod(evaluation.methods[episode->method],
                                                             at.site.robot, at.models, settings_);
      if (!method.ok()) return method.error();
      Result<sim::EpisodeRecord> record = study::RecordEpisode(
          at.site, method.value(),
          study::EvaluationStart(at.site, episode->seed, episode->trial, episode->target),
          evaluation.targets[episode->target]);
      if (!record.ok()) return record.error();
      records.push_back(std::move(record).value());
    }
    const Result<report::Scene> scene = EpisodeScene(records);
    if (!scene.ok()) return scene.error();
    const Status written = io::WriteFile(out_ / "rescue.html", report::ViewerPage(scene.value()));
    if (!written.ok()) return written.error();
    const auto outcome = [](const study::EpisodeRecord& e) {
      return e.result.success ? "succeeds" : "fails";
    };
    section.blocks.emplace_back(report::Paragraph{fmt::format(
        "rescue.html beside this page shows seed {}, trial {}, target ({:g}, {:g}) in 3-D: {} "
        "rescues itself in {} of {} decisions and {}, {} (the ghost) {}. A selected example: it "
        "shows the mechanism, not how often it helps.",
        pair->method->seed, pair->method->trial, evaluation.targets[pair->method->target].x,
        evaluation.targets[pair->method->target].y, evaluation.methods[pair->method->method],
        pair->method->count(control::Reason::kRescue), pair->method->result.decisions,
        outcome(*pair->method), evaluation.methods.front(), outcome(*pair->reference))});
    return section;
  }

  nlohmann::json Json(const std::vector<study::EvaluationSite>& sites,
                      const std::vector<study::Evaluation>& evaluations) const {
    nlohmann::json json{{"schema", "gonogo.evaluation/1"},
                        {"complete", true},
                        {"study", study_.empty() ? nlohmann::json() : nlohmann::json(study_)},
                        {"evaluations", nlohmann::json::array()}};
    for (const study::Evaluation& evaluation : evaluations) {
      json["evaluations"].push_back(study::ToJson(evaluation));
    }
    nlohmann::json robots = nlohmann::json::array();
    for (const study::EvaluationSite& at : sites) {
      robots.push_back({{"name", at.site.robot.name}, {"policy_sha256", at.site.policy_sha256}});
    }
    json["provenance"] = {{"robots", robots},
                          {"terrain", terrain_},
                          {"terrain_seed", terrain_seed_},
                          {"settings", settings_},
                          {"build", io::CurrentBuild()}};
    return json;
  }

  Result<ExitCode> Report(const Context& context, const paper::EvaluationStudy& study,
                          const std::vector<study::EvaluationSite>& sites,
                          const std::vector<study::Evaluation>& evaluations) const {
    const nlohmann::json json = Json(sites, evaluations);
    report::Page page{
        .title = study_.empty() ? "Controllers compared" : "Study: " + study_,
        .kicker = "gonogo evaluate",
        .subtitle = fmt::format("{} ground, terrain seed {}", terrain_, terrain_seed_),
        .sections = study.present(evaluations)};
    const std::size_t presented = page.sections.size();
    for (const study::Evaluation& evaluation : evaluations) {
      page.sections.push_back(paper::ComparisonSection(evaluation));
    }
    const Result<report::Section> rescue = Rescue(sites.front(), evaluations.front());
    if (!rescue.ok()) return rescue.error();
    page.sections.push_back(rescue.value());
    const io::BuildInfo build = io::CurrentBuild();
    page.footer = {fmt::format("gonogo {}, commit {}", build.version, build.commit)};
    for (const auto& [file, bytes] : {std::pair{"episodes.csv", study::EpisodesCsv(evaluations)},
                                      {"evaluation.json", json.dump(1) + "\n"},
                                      {"report.html", report::RenderPage(page)}}) {
      if (Status written = io::WriteFile(out_ / file, bytes); !written.ok()) return written.error();
    }
    if (context.options.json) {
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    // The paper's tables; without a study, whose pictures a terminal cannot show, all numbers.
    const std::size_t first = study_.empty() ? presented : 0;
    const std::size_t last = study_.empty() ? presented + evaluations.size() : presented;
    for (std::size_t i = first; i < last; ++i) {
      context.terminal.Print(report::SectionText(page.sections[i]) + "\n");
    }
    context.terminal.Say(
        fmt::format("episodes.csv, evaluation.json, report.html: {}", out_.string()));
    return kExitDone;
  }

  std::vector<std::string> robots_;
  std::string study_;
  std::vector<std::string> methods_;
  std::vector<std::string> settings_;
  std::string terrain_ = "grid";
  std::uint64_t terrain_seed_ = 1;
  std::vector<std::filesystem::path> models_;
  std::filesystem::path out_;
  CLI::Option* trials_ = nullptr;
  CLI::Option* family_ = nullptr;
  study::EvaluationPlan plan_;
};

}  // namespace

std::unique_ptr<Verb> MakeEvaluateVerb() { return std::make_unique<EvaluateVerb>(); }

}  // namespace gonogo::cli
