// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/studies/studies.h"
#include "gonogo/study/evaluate/rescue.h"

namespace gonogo::paper {
namespace {

using nlohmann::json;

/// Four digits are enough for a picture.
double ToFourDigits(double value) { return std::round(value * 1e4) / 1e4; }

double Speed(const robot::Command& command) { return std::hypot(command.vx, command.vy); }

report::Chart Lines(const std::vector<sim::EpisodeRecord>& records, const std::string& axis,
                    double (*value)(const sim::EpisodeRecord&, std::size_t step)) {
  json rows = json::array();
  for (const sim::EpisodeRecord& record : records) {
    for (std::size_t step = 0; step < record.steps(); ++step) {
      rows.push_back({{"method", record.controller},
                      {"time", ToFourDigits(record.time_s(step))},
                      {"value", ToFourDigits(value(record, step))}});
    }
  }
  report::Chart chart{
      .title = "",
      .description = "How do the two episodes differ? " + axis + " of both over time."};
  chart.spec = ChartSpec("episode");
  chart.spec["layer"][0]["encoding"]["y"]["title"] = axis;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

}  // namespace

Result<report::Section> RescueExampleSection(const study::EvaluationScene& at,
                                             const study::Evaluation& evaluation) {
  report::Section section{.id = "example", .title = "A rescue"};
  const std::optional<study::PairedEpisode> pair = study::FindRescue(evaluation);
  if (!pair) {
    section.blocks.emplace_back(report::Paragraph{"No controller rescued itself."});
    return section;
  }
  const std::vector<sim::EpisodeRecord> records =
      GONOGO_TRY(study::RecordPair(at, evaluation, *pair, {}));
  report::Chart height =
      Lines(records, "height above ground, m",
            [](const sim::EpisodeRecord& r, std::size_t step) { return r.height_m[step]; });
  const double floor = at.scene.robot.posture.rescue * at.scene.robot.posture.nominal_height_m;
  height.spec["layer"].push_back(
      {{"mark", {{"type", "rule"}, {"strokeDash", {4, 3}}, {"color", "var(--muted)"}}},
       {"encoding", {{"y", {{"datum", ToFourDigits(floor)}}}}}});
  report::Chart command =
      Lines(records, "commanded speed, m/s",
            [](const sim::EpisodeRecord& r, std::size_t step) { return Speed(r.command[step]); });
  section.blocks.emplace_back(
      report::Paragraph{study::DescribePair(evaluation, *pair) +
                        " Its response model forecasts a height below the dashed floor; VGCC then "
                        "takes the candidate that stands tallest."});
  section.blocks.emplace_back(report::Cards{{{.title = "Posture", .chart = std::move(height)},
                                             {.title = "Command", .chart = std::move(command)}}});
  return section;
}

}  // namespace gonogo::paper
