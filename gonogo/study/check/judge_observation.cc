// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/study/check/check_json.h"
#include "gonogo/study/check/judge.h"

namespace gonogo::study {
namespace {

using robot::ObservationTerm;
using robot::TermKind;

constexpr double kStrange = 6.0;      // spreads from the mean that a normaliser expects
constexpr double kLeastScale = 1e-2;  // of a normaliser: smaller ones belong to constant inputs
constexpr double kHuge = 100.0;       // of an input without a normaliser
constexpr double kOftenAtClip = 0.5;  // share of a term's values
constexpr double kConstant = 1e-7;
constexpr double kScanSlopes = 0.15;  // correlation that shows a shape

/// One term and where its values are in the vector.
struct Block {
  const ObservationTerm& term;
  std::size_t first = 0;
  std::size_t size = 0;
};

std::string Element(const robot::RobotSpec& robot, const Block& block, std::size_t i) {
  const auto width = static_cast<std::size_t>(block.term.width());
  const std::size_t k = (i - block.first) % width;
  const bool joints = block.term.kind == TermKind::kJointPos ||
                      block.term.kind == TermKind::kJointVel ||
                      block.term.kind == TermKind::kLastAction;
  if (!joints) return fmt::format("element {}", k + 1);
  return robot
      .joints[block.term.joints.empty() ? k : static_cast<std::size_t>(block.term.joints[k])];
}

void JudgeScale(const Block& block, const CheckReport& report,
                std::vector<CheckFinding>& findings) {
  const ObservationTerm& term = block.term;
  const std::string name = TermName(term.kind);
  const auto zeros = std::count(term.scale.begin(), term.scale.end(), 0.0);
  if (zeros > 0) {
    double slope = 0.0;
    for (std::size_t i = block.first; i < block.first + block.size && i < report.strength.size();
         ++i) {
      if (term.scale[(i - block.first) % term.scale.size()] == 0.0) {
        slope = std::max(slope, report.strength[i]);
      }
    }
    findings.push_back(
        {Severity::kSuspicious, "observation",
         fmt::format("{} of {} values of {} have scale 0: the policy always sees 0 there, and its "
                     "action changes by {:.2f} per unit of them.",
                     zeros, term.width(), name, slope),
         name + " is missing; a policy that was trained with it runs away, drifts or falls."});
    return;
  }
  bool constant = true;
  long clipped = 0;
  long seen = 0;
  for (std::size_t i = block.first; i < block.first + block.size; ++i) {
    constant = constant && report.seen.observation[i].deviation() < kConstant;
    clipped += report.seen.clipped[i];
    seen += report.seen.observation[i].count;
  }
  if (constant && term.kind != TermKind::kConstant) {
    findings.push_back({Severity::kSuspicious, "observation",
                        fmt::format("{} never changes: it is always {:.3g}.", name,
                                    report.seen.observation[block.first].mean),
                        "A clip or scale that leaves nothing of it."});
  }
  if (Share(clipped, seen) > kOftenAtClip) {
    findings.push_back({Severity::kSuspicious, "observation",
                        fmt::format("{} is at its clip in {:.0f} % of the values.", name,
                                    100.0 * Share(clipped, seen)),
                        "Its scale, offset or unit: the policy was trained with values inside."});
  }
}

/// Values against the policy's own normaliser, or against anything sensible.
void JudgeRange(const robot::RobotSpec& robot, const Block& block, const CheckReport& report,
                std::vector<CheckFinding>& findings) {
  double worst = 0.0;
  std::size_t at = block.first;
  for (std::size_t i = block.first; i < block.first + block.size; ++i) {
    const RunningSpread& seen = report.seen.observation[i];
    double strange = std::max(std::abs(seen.low), std::abs(seen.high)) / kHuge;
    if (report.expected) {
      const double scale = std::abs(report.expected->scale[i]);
      if (scale < kLeastScale) continue;
      strange = std::abs(seen.mean - report.expected->mean[i]) / scale / kStrange;
    }
    if (strange > worst) {
      worst = strange;
      at = i;
    }
  }
  if (worst <= 1.0) return;
  const RunningSpread& seen = report.seen.observation[at];
  const std::string name = TermName(block.term.kind);
  if (!report.expected) {
    findings.push_back({Severity::kSuspicious, "observation",
                        fmt::format("{} ({}) ranges from {:.3g} to {:.3g}.", name,
                                    Element(robot, block, at), seen.low, seen.high),
                        "Its scale, or a robot that shakes."});
    return;
  }
  findings.push_back(
      {Severity::kSuspicious, "observation",
       fmt::format("{} ({}) is {:.3g} on average; the policy's normaliser expects {:.3g} ± {:.3g}.",
                   name, Element(robot, block, at), seen.mean, report.expected->mean[at],
                   std::abs(report.expected->scale[at])),
       "The order or scale of the terms, joints.default, or another unit or frame."});
}

void JudgeScan(const robot::RobotSpec& robot, const CheckReport& report,
               std::vector<CheckFinding>& findings) {
  const robot::HeightScanSpec& scan = robot.scan;
  if (robot.TermOffset(TermKind::kHeightScan) < 0) return;
  if (report.scan && report.scan->swapped > kScanSlopes &&
      report.scan->swapped > report.scan->declared + kScanSlopes) {
    findings.push_back(
        {Severity::kSuspicious, "height scan",
         fmt::format("The policy answers alike to points that are neighbours in a scan of {} × {} "
                     "(correlation {:.2f}), not in the declared one of {} × {} ({:.2f}).",
                     scan.ny, scan.nx, report.scan->swapped, scan.nx, scan.ny,
                     report.scan->declared),
         fmt::format("The axes of the scan are swapped: height_scan.points = [{}, {}].", scan.ny,
                     scan.nx)});
    return;
  }
  if (scan.ny > scan.nx) {
    findings.push_back(
        {Severity::kSuspicious, "height scan",
         fmt::format("The scan has {} points along and {} across: it looks further to the sides "
                     "than ahead.",
                     scan.nx, scan.ny),
         "height_scan.points is [along x, along y]; swapped axes do not show on flat ground."});
  }
}

}  // namespace

void JudgeObservation(const robot::RobotSpec& robot, const CheckReport& report,
                      std::vector<CheckFinding>& findings) {
  const std::vector<int> starts = robot.TermStarts();
  for (std::size_t t = 0; t < starts.size(); ++t) {
    const ObservationTerm& term = robot.observation[t];
    const Block block{term, static_cast<std::size_t>(starts[t]),
                      static_cast<std::size_t>(term.size())};
    JudgeScale(block, report, findings);
    if (report.score.falls == 0) JudgeRange(robot, block, report, findings);
  }
  JudgeScan(robot, report, findings);
}

}  // namespace gonogo::study
