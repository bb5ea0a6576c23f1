// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/sections/frozen_policy.h"

#include <set>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"

namespace gonogo::paper {
namespace {

const char* GroundText(train::EvaluationOptions::Ground ground) {
  switch (ground) {
    case train::EvaluationOptions::Ground::kFlat:
      return "flat ground";
    case train::EvaluationOptions::Ground::kRough:
      return "random rough ground";
    case train::EvaluationOptions::Ground::kGrid:
      return "the grid of all tile types";
  }
  return "";
}

/// Power of the robots that were told to stand; how many fell, if any did.
std::string StandingText(const train::WalkEvaluation& tried) {
  if (tried.stands == 0) return "";
  const std::string power = fmt::format("{:.1f} W", tried.stand_power_w);
  return tried.stood == tried.stands
             ? power
             : fmt::format("{} ({} of {} fell)", power, tried.stands - tried.stood, tried.stands);
}

}  // namespace

report::Section FrozenPolicySection(const std::string& robot,
                                    const std::vector<PolicyScore>& scores,
                                    const train::EvaluationOptions& options) {
  std::set<std::string> families;
  for (const PolicyScore& score : scores) {
    for (const auto& [family, _] : score.evaluation.targets) families.insert(family);
  }
  std::vector<std::string> titles{"policy",   "velocity error",  "yaw error",
                                  "survival", "power, standing", "COT 0.75 / 1"};
  std::vector<report::Cell> published{"paper's policy", "", "", "", "", ""};
  for (const std::string& family : families) {
    titles.insert(titles.end(), {family, "COT"});
    const std::optional<double> success = FindPublishedCoverage(robot, family, "direct").success;
    published.emplace_back(success ? Fixed(success) : "");
    published.emplace_back("");
  }
  report::Table table = NumberTable("", titles);
  for (const auto& [name, tried, scale] : scores) {
    std::vector<report::Cell> row{name,
                                  fmt::format("{:.3f} m/s", tried.velocity_error),
                                  fmt::format("{:.3f} rad/s", tried.yaw_error),
                                  fmt::format("{:.3f} ({})", tried.survival(), tried.episodes),
                                  StandingText(tried),
                                  scale.episodes > 0 ? fmt::format("{:.3f}", scale.ratio()) : ""};
    for (const std::string& family : families) {
      const auto found = tried.targets.find(family);
      row.emplace_back(
          found == tried.targets.end()
              ? ""
              : fmt::format("{:.3f} ({})", found->second.rate(), found->second.episodes));
      row.emplace_back(found == tried.targets.end() ? ""
                                                    : fmt::format("{:.3f}", found->second.cot()));
    }
    table.rows.push_back(row);
  }
  table.rows.push_back(published);
  return {
      .id = "frozen-policy-" + robot,
      .title = "The frozen policy of " + robot,
      .blocks = {
          report::Paragraph{fmt::format(
              "{} held-out terrain seeds of {}: {} constant commands of {:g} s each, {} "
              "episodes per target under direct control. Errors are means over control "
              "steps, body sway included; from a fall on, the error is the whole "
              "command. The power is that of {:g} s told to stand, the cost of transport "
              "(COT) of a family that of all its episodes: work of every physics step "
              "over weight times path. COT 0.75 / 1 is that of commands scaled by 0.75 "
              "over that of full ones, on stairs of difficulty {:g}. Numbers of episodes "
              "in brackets.",
              options.terrain_seeds, GroundText(options.ground), options.commands,
              options.episode_s, options.trials, options.stand_s, train::ScaleCost::kDifficulty)},
          table}};
}

}  // namespace gonogo::paper
