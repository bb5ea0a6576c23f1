// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/robot/episode_scene.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/base/check.h"

namespace gonogo::cli {
namespace {

using report::SceneSeries;
using report::SceneTrack;
using sim::EpisodeRecord;

report::SceneGeom GeomOf(const sim::VisibleGeom& geom) {
  return {.body = geom.body,
          .shape = static_cast<report::GeomShape>(geom.shape),
          .size = geom.size,
          .position = geom.position,
          .rotation = geom.rotation,
          .rgba = geom.rgba};
}

static_assert(static_cast<int>(sim::Shape::kEllipsoid) ==
              static_cast<int>(report::GeomShape::kEllipsoid));

/// Values of control steps, one per frame: the first frame shows the first step.
template <typename Value>
SceneSeries PerStep(const EpisodeRecord& record, std::string plot, std::string line,
                    Value&& value) {
  SceneSeries series = {std::move(plot), std::move(line), {}};
  for (std::size_t frame = 0; frame <= record.steps(); ++frame) {
    const std::size_t step = frame == 0 ? 0 : frame - 1;
    series.values.push_back(record.steps() == 0 ? 0.0F : static_cast<float>(value(step)));
  }
  return series;
}

/// Velocities share a plot; any other channel has a range of its own, and so a plot, in which the
/// episodes are compared.
std::string PlotOf(const robot::CommandChannel& channel) {
  return channel.is_velocity() ? "command" : channel.name;
}

void AddSeries(const EpisodeRecord& record, SceneTrack& track) {
  for (const robot::CommandChannel& channel : record.channels) {
    track.series.push_back(PerStep(record, PlotOf(channel), channel.name,
                                   [&](std::size_t t) { return channel.Of(record.command[t]); }));
  }
  track.series.push_back(
      {"height", "above ground", {record.height_m.begin(), record.height_m.end()}});
  track.series.push_back(
      PerStep(record, "power", "mechanical", [&](std::size_t t) { return record.power_w[t]; }));
  for (std::size_t foot = 0; foot < record.feet.size(); ++foot) {
    // "FL" for "FL_foot": the plot has little room for names.
    const std::string name = record.feet[foot].substr(0, record.feet[foot].find('_'));
    track.series.push_back(PerStep(record, "contact", name, [&](std::size_t t) {
      return record.foot_force_n[t * record.feet.size() + foot] > 1.0F ? 1.0 : 0.0;
    }));
  }
}

/// What came of an episode. A branch is told by what followed its branch point, as the table of
/// outcomes has it; the height is the one at the end of its plot.
std::vector<std::pair<std::string, std::string>> FactsOf(const EpisodeRecord& record) {
  const sim::EpisodeResult& result = record.result;
  const std::string time = fmt::format("{:.2f} s", result.time_s);
  const std::string work = fmt::format("{:.1f} J", result.work_j);
  std::vector<std::pair<std::string, std::string>> facts = {{"outcome", OutcomeText(result)}};
  if (const std::optional<BranchFacts> branch = BranchFactsOf(record)) {
    facts.emplace_back("time from the branch point", fmt::format("{:.2f} s", branch->time_s));
    facts.emplace_back("work from the branch point", fmt::format("{:.1f} J", branch->work_j));
    facts.emplace_back("whole episode", time + ", " + work);
  } else {
    facts.emplace_back("time", time);
    facts.emplace_back("work", work);
    facts.emplace_back("path", fmt::format("{:.2f} m", result.path_m));
    facts.emplace_back("cost of transport", fmt::format("{:.3f}", result.cot));
  }
  facts.emplace_back("distance to the target at the end",
                     fmt::format("{:.2f} m", result.final_distance_m));
  facts.emplace_back("height above ground at the end",
                     fmt::format("{:.2f} m", result.final_posture_height_m));
  return facts;
}

SceneTrack TrackOf(const EpisodeRecord& record, bool ghost) {
  SceneTrack track;
  track.name = record.controller;
  track.ghost = ghost;
  track.poses = record.poses;
  for (std::size_t frame = 0; frame <= record.steps(); ++frame) {
    track.times_s.push_back(static_cast<float>(record.time_s(frame)));
  }
  AddSeries(record, track);
  track.facts = FactsOf(record);
  return track;
}

}  // namespace

std::string OutcomeText(const sim::EpisodeResult& result) {
  if (result.success) return "reached the target";
  if (!result.termination_detail.empty()) return "failed: " + result.termination_detail;
  return result.reached ? "reached the target, but collapsed" : "failed: out of time";
}

std::optional<BranchFacts> BranchFactsOf(const EpisodeRecord& record) {
  const nlohmann::json facts = nlohmann::json::parse(record.provenance, nullptr, false);
  if (!facts.is_object()) return std::nullopt;
  const auto time = facts.find("remaining_time_s");
  const auto work = facts.find("remaining_work_j");
  if (time == facts.end() || work == facts.end()) return std::nullopt;
  if (!time->is_number() || !work->is_number()) return std::nullopt;
  return BranchFacts{time->get<double>(), work->get<double>()};
}

Result<report::ViewerScene> EpisodeScene(std::span<const EpisodeRecord> records) {
  GONOGO_CHECK(!records.empty());
  const EpisodeRecord& first = records.front();
  report::ViewerScene scene;
  scene.title = first.robot + " episode";
  scene.bodies = static_cast<int>(first.bodies.size());
  for (const sim::VisibleGeom& geom : first.geoms) scene.geoms.push_back(GeomOf(geom));
  scene.terrain = {.nx = first.terrain.nx,
                   .ny = first.terrain.ny,
                   .spacing_m = first.terrain.spacing_m,
                   .x0 = first.terrain.x0,
                   .y0 = first.terrain.y0,
                   .heights = first.terrain.heights};
  scene.plots = {{"command", "m/s, rad/s"}};
  for (const robot::CommandChannel& channel : first.channels) {
    if (!channel.is_velocity()) scene.plots.push_back({channel.name, ""});
  }
  scene.plots.insert(scene.plots.end(),
                     {{"height", "m"}, {"power", "W"}, {"contact", "", report::PlotKind::kOnOff}});
  scene.markers = {{report::MarkerKind::kTarget, "target", first.target_W.x, first.target_W.y,
                    first.tolerance_m},
                   {report::MarkerKind::kStart, "start", first.poses[0], first.poses[1]}};
  for (const EpisodeRecord& record : records) {
    if (record.robot != first.robot || record.bodies != first.bodies) {
      return InputError("an episode of {} cannot be shown together with one of {}", record.robot,
                        first.robot);
    }
    scene.tracks.push_back(TrackOf(record, &record != &first));
  }
  return scene;
}

}  // namespace gonogo::cli
