// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/models/frozen_policy.h"

#include <set>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published_coverage.h"

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

}  // namespace

report::Section FrozenPolicySection(const std::string& robot,
                                    const std::vector<PolicyScore>& scores,
                                    const train::EvaluationOptions& options) {
  std::set<std::string> families;
  for (const PolicyScore& score : scores) {
    for (const auto& [family, _] : score.evaluation.targets) families.insert(family);
  }
  using report::ColumnKind;
  report::Table table{.caption = "",
                      .columns = {{"policy"},
                                  {"velocity error", ColumnKind::kNumber},
                                  {"yaw error", ColumnKind::kNumber},
                                  {"survival", ColumnKind::kNumber}},
                      .rows = {}};
  std::vector<report::Cell> published{"paper's policy", "", "", ""};
  for (const std::string& family : families) {
    table.columns.push_back({family, ColumnKind::kNumber});
    const std::optional<double> success = FindPublishedCoverage(robot, family, "direct").success;
    published.emplace_back(success ? Fixed(success) : "");
  }
  for (const auto& [name, tried] : scores) {
    std::vector<report::Cell> row{name, fmt::format("{:.3f} m/s", tried.velocity_error),
                                  fmt::format("{:.3f} rad/s", tried.yaw_error),
                                  fmt::format("{:.3f} ({})", tried.survival(), tried.episodes)};
    for (const std::string& family : families) {
      const auto found = tried.targets.find(family);
      row.emplace_back(
          found == tried.targets.end()
              ? ""
              : fmt::format("{:.3f} ({})", found->second.rate(), found->second.episodes));
    }
    table.rows.push_back(row);
  }
  table.rows.push_back(published);
  return {.id = "frozen-policy-" + robot,
          .title = "The frozen policy of " + robot,
          .blocks = {report::Paragraph{fmt::format(
                         "{} held-out terrain seeds of {}: {} constant commands of {:g} s each, {} "
                         "episodes per target under direct control. Errors are means over control "
                         "steps, body sway included; numbers of episodes in brackets.",
                         options.terrain_seeds, GroundText(options.ground), options.commands,
                         options.episode_s, options.trials)},
                     table}};
}

}  // namespace gonogo::paper
