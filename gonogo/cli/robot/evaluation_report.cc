// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/robot/evaluation_report.h"

#include <optional>

#include <fmt/format.h>

#include "gonogo/cli/robot/episode_scene.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/paper/sections/comparison.h"
#include "gonogo/report/page/section_text.h"
#include "gonogo/report/viewer/viewer_page.h"
#include "gonogo/study/evaluate/episode_table.h"
#include "gonogo/study/evaluate/rescue.h"

namespace gonogo::cli {
namespace {

using study::Evaluation;
using study::EvaluationScene;

}  // namespace

/// Files name both rates, so that the first place is always that of every physics step.
std::vector<Evaluation> EvaluationReport::AtPhysicsRate(
    const std::vector<Evaluation>& evaluations) const {
  std::vector<Evaluation> exact;
  for (const Evaluation& evaluation : evaluations) {
    exact.push_back(study::AtRate(evaluation, work_rate));  // changing places twice is nothing
  }
  return exact;
}

Result<report::Section> EvaluationReport::Rescue(const EvaluationScene& at,
                                                 const Evaluation& evaluation) const {
  report::Section section{.id = "rescue", .title = "A rescue"};
  const std::optional<study::PairedEpisode> pair = study::FindRescue(evaluation);
  if (!pair) {
    section.blocks.emplace_back(report::Paragraph{"No controller rescued itself."});
    return section;
  }
  const std::vector<sim::EpisodeRecord> records =
      GONOGO_TRY(study::RecordPair(at, evaluation, *pair, settings));
  const report::ViewerScene scene = GONOGO_TRY(EpisodeScene(records));
  GONOGO_TRY(io::WriteFile(folder / "rescue.html", report::ViewerPage(scene)));
  section.blocks.emplace_back(
      report::Paragraph{study::DescribePair(evaluation, *pair) +
                        " rescue.html beside this page shows both in 3-D, the latter as a ghost."});
  return section;
}

nlohmann::json EvaluationReport::Json(const std::vector<EvaluationScene>& scenes,
                                      const std::vector<Evaluation>& evaluations) const {
  nlohmann::json json{{"schema", "gonogo.evaluation/1"},
                      {"complete", true},
                      {"study", study.empty() ? nlohmann::json() : nlohmann::json(study)},
                      {"evaluations", nlohmann::json::array()}};
  for (const Evaluation& evaluation : AtPhysicsRate(evaluations)) {
    json["evaluations"].push_back(study::ToJson(evaluation));
  }
  nlohmann::json robots = nlohmann::json::array();
  for (const EvaluationScene& at : scenes) {
    robots.push_back({{"name", at.scene.robot.name}, {"policy_sha256", at.scene.sha256.policy}});
  }
  nlohmann::json ground_seed = terrain_seed;  // a number where it is one
  if (terrain_seed != "each") ground_seed = std::stoull(terrain_seed);
  json["provenance"] = {{"robots", robots},
                        {"terrain", terrain},
                        {"terrain_seed", ground_seed},
                        {"conditions", conditions},
                        {"work_rate_shown", sim::WorkRateName(work_rate)},
                        {"settings", settings},
                        {"build", io::CurrentBuild()}};
  return json;
}

Result<EvaluationText> EvaluationReport::Write(const std::vector<EvaluationScene>& scenes,
                                               const std::vector<Evaluation>& evaluations,
                                               std::vector<report::Section> presented) const {
  GONOGO_TRY(io::MakeDirectory(folder));
  std::vector<report::Section> numbers;
  for (const Evaluation& evaluation : evaluations) {
    numbers.push_back(paper::ComparisonSection(evaluation));
  }
  EvaluationText text{.json = Json(scenes, evaluations).dump(1) + "\n"};
  std::string markdown;
  for (const report::Section& section : study.empty() ? numbers : presented) {
    text.tables += report::SectionText(section, width) + "\n";
    markdown += report::SectionMarkdown(section) + "\n";
  }
  const report::Section rescue = GONOGO_TRY(Rescue(scenes.front(), evaluations.front()));
  const io::BuildInfo build = io::CurrentBuild();
  report::Page page{.title = study.empty() ? "Controllers compared" : "Study: " + study,
                    .kicker = "gonogo evaluate",
                    .subtitle = fmt::format("{} ground, terrain seed {}, work read at the {} rate",
                                            terrain, terrain_seed, sim::WorkRateName(work_rate)),
                    .sections = std::move(presented),
                    .footer = {fmt::format("gonogo {}, commit {}", build.version, build.commit)}};
  page.sections.insert(page.sections.end(), numbers.begin(), numbers.end());
  page.sections.push_back(rescue);
  for (const auto& [file, bytes] :
       {std::pair{"episodes.csv", study::EpisodesCsv(AtPhysicsRate(evaluations))},
        {"evaluation.json", text.json},
        {"tables.md", markdown},
        {"report.html", report::RenderPage(page)}}) {
    GONOGO_TRY(io::WriteFile(folder / file, bytes));
  }
  return text;
}

}  // namespace gonogo::cli
