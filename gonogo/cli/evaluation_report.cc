// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/evaluation_report.h"

#include <optional>
#include <span>

#include <fmt/format.h>

#include "gonogo/cli/episode_scene.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/paper/comparison.h"
#include "gonogo/report/section_text.h"
#include "gonogo/report/viewer_page.h"
#include "gonogo/study/episode_table.h"
#include "gonogo/study/rescue.h"

namespace gonogo::cli {
namespace {

using study::Evaluation;
using study::EvaluationSite;

}  // namespace

Result<report::Section> EvaluationReport::Rescue(const EvaluationSite& at,
                                                 const Evaluation& evaluation) const {
  report::Section section{.id = "rescue", .title = "A rescue"};
  const std::optional<study::PairedEpisode> pair = study::FindRescue(evaluation);
  if (!pair) {
    section.blocks.emplace_back(report::Paragraph{"No controller rescued itself."});
    return section;
  }
  const Result<std::vector<sim::EpisodeRecord>> records =
      study::RecordPair(at, evaluation, *pair, settings);
  if (!records.ok()) return records.error();
  const Result<report::Scene> scene = EpisodeScene(records.value());
  if (!scene.ok()) return scene.error();
  const Status written = io::WriteFile(folder / "rescue.html", report::ViewerPage(scene.value()));
  if (!written.ok()) return written.error();
  section.blocks.emplace_back(
      report::Paragraph{study::DescribePair(evaluation, *pair) +
                        " rescue.html beside this page shows both in 3-D, the latter as a ghost."});
  return section;
}

nlohmann::json EvaluationReport::Json(const std::vector<EvaluationSite>& sites,
                                      const std::vector<Evaluation>& evaluations) const {
  nlohmann::json json{{"schema", "gonogo.evaluation/1"},
                      {"complete", true},
                      {"study", study.empty() ? nlohmann::json() : nlohmann::json(study)},
                      {"evaluations", nlohmann::json::array()}};
  for (const Evaluation& evaluation : evaluations) {
    json["evaluations"].push_back(study::ToJson(evaluation));
  }
  nlohmann::json robots = nlohmann::json::array();
  for (const EvaluationSite& at : sites) {
    robots.push_back({{"name", at.site.robot.name}, {"policy_sha256", at.site.policy_sha256}});
  }
  json["provenance"] = {{"robots", robots},
                        {"terrain", terrain},
                        {"terrain_seed", terrain_seed},
                        {"settings", settings},
                        {"build", io::CurrentBuild()}};
  return json;
}

Result<EvaluationText> EvaluationReport::Write(const std::vector<EvaluationSite>& sites,
                                               const std::vector<Evaluation>& evaluations,
                                               std::vector<report::Section> presented) const {
  if (Status made = io::MakeDirectory(folder); !made.ok()) return made.error();
  std::vector<report::Section> numbers;
  for (const Evaluation& evaluation : evaluations) {
    numbers.push_back(paper::ComparisonSection(evaluation));
  }
  EvaluationText text{.json = Json(sites, evaluations).dump(1) + "\n"};
  std::string markdown;
  for (const report::Section& section : study.empty() ? numbers : presented) {
    text.tables += report::SectionText(section) + "\n";
    markdown += report::SectionMarkdown(section) + "\n";
  }
  const Result<report::Section> rescue = Rescue(sites.front(), evaluations.front());
  if (!rescue.ok()) return rescue.error();
  const io::BuildInfo build = io::CurrentBuild();
  report::Page page{.title = study.empty() ? "Controllers compared" : "Study: " + study,
                    .kicker = "gonogo evaluate",
                    .subtitle = fmt::format("{} ground, terrain seed {}", terrain, terrain_seed),
                    .sections = std::move(presented),
                    .footer = {fmt::format("gonogo {}, commit {}", build.version, build.commit)}};
  page.sections.insert(page.sections.end(), numbers.begin(), numbers.end());
  page.sections.push_back(rescue.value());
  for (const auto& [file, bytes] : {std::pair{"episodes.csv", study::EpisodesCsv(evaluations)},
                                    {"evaluation.json", text.json},
                                    {"tables.md", markdown},
                                    {"report.html", report::RenderPage(page)}}) {
    if (Status written = io::WriteFile(folder / file, bytes); !written.ok()) return written.error();
  }
  return text;
}

}  // namespace gonogo::cli
