// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/gravity.h"
#include "gonogo/study/check/judge.h"

namespace gonogo::study {
namespace {

/// What walking takes, over weight and distance (cost of transport) and, standing, over weight (in
/// m/s). Declared from what was measured with `check` on the robots shipped here and on the public
/// policies of docs/reference/check.md, which lists them: the dearest of each kind took two thirds
/// of the bound or less.
struct EnergyRange {
  bool biped;
  double least_kg;
  double most_kg;
  double walking;
  double standing;
};

constexpr EnergyRange kRanges[] = {
    {true, 20.0, 90.0, 0.9, 0.15},
    {false, 5.0, 40.0, 1.2, 0.15},
    {false, 40.0, 120.0, 2.2, 0.15},
};

constexpr double kMoves = 0.2;        // m/s below which a cost of transport means nothing
constexpr double kMuchDamping = 1.0;  // of the model, over kd
constexpr double kSomeDamping = 0.15;

const EnergyRange* RangeOf(const robot::RobotSpec& robot, double mass_kg) {
  const std::size_t feet = robot.feet.size();
  if (feet != 2 && feet != 4) return nullptr;  // nothing is known of others
  for (const EnergyRange& range : kRanges) {
    if (range.biped == (feet == 2) && mass_kg >= range.least_kg && mass_kg < range.most_kg) {
      return &range;
    }
  }
  return nullptr;
}

/// Largest ratio of the model's own damping to the policy's kd, and whose.
struct DampingShare {
  double share = 0.0;
  std::size_t joint = 0;
};

DampingShare LargestDamping(const robot::RobotSpec& robot, const CheckReport& report) {
  DampingShare largest;
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const double kd = robot.actuator.kd[j];
    if (!(kd > 0.0)) continue;
    const double share = report.joints[j].damping / kd;
    if (share > largest.share) largest = {share, j};
  }
  return largest;
}

std::string DampingText(const robot::RobotSpec& robot, const CheckReport& report,
                        const DampingShare& damping) {
  return fmt::format(
      "the model's joints have damping of their own ({:.3g} N m s/rad at {}, whose kd "
      "is {:.3g}), which acts on top of kd: joints.damping = 0 takes it away",
      report.joints[damping.joint].damping, robot.joints[damping.joint],
      robot.actuator.kd[damping.joint]);
}

std::string Causes(const robot::RobotSpec& robot, const CheckReport& report) {
  const DampingShare damping = LargestDamping(robot, report);
  std::string causes =
      "joints.default of another training, gains or action_scale that are wrong or in "
      "another order, or too little armature";
  if (damping.share > kSomeDamping) causes += "; or " + DampingText(robot, report, damping);
  return "Probably " + causes + ".";
}

}  // namespace

std::vector<double> CostsOfTransport(const CheckReport& report) {
  std::vector<double> costs;
  const double weight = kGravity * report.mass_kg;
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const Motion& motion = report.motions[i];
    const double speed = std::hypot(motion.velocity[0], motion.velocity[1]);
    const bool walks = report.trials[i].channel == 0 && !motion.fell && speed > kMoves;
    if (walks) costs.push_back(motion.power_w / (weight * speed));
  }
  return costs;
}

void JudgeEnergy(const robot::RobotSpec& robot, const CheckReport& report,
                 std::vector<CheckFinding>& findings) {
  const DampingShare damping = LargestDamping(robot, report);
  if (damping.share >= kMuchDamping) {
    std::string text = DampingText(robot, report, damping);
    text[0] = 'T';
    findings.push_back({Severity::kSuspicious, "damping", text + ".",
                        "Damping that was meant to be the policy's kd, once in the model and once "
                        "here."});
  }
  const EnergyRange* range = RangeOf(robot, report.mass_kg);
  if (range == nullptr) return;
  const std::string kind =
      fmt::format("{} of {:.0f} to {:.0f} kg", range->biped ? "Bipeds" : "Quadrupeds",
                  range->least_kg, range->most_kg);
  const std::vector<double> costs = CostsOfTransport(report);
  if (!costs.empty()) {
    const double cheapest = *std::min_element(costs.begin(), costs.end());
    if (cheapest > range->walking) {
      findings.push_back(
          {Severity::kSuspicious, "energy",
           fmt::format(
               "Forwards and backwards it takes {:.2f} of its weight times the way (cost of "
               "transport) or more. {} that walk as they were trained need less than {}.",
               cheapest, kind, range->walking),
           Causes(robot, report)});
    }
  }
  const Motion& standing = report.motions.front();
  const double per_weight = standing.power_w / (kGravity * report.mass_kg);
  if (!standing.fell && per_weight > range->standing) {
    findings.push_back(
        {Severity::kSuspicious, "energy",
         fmt::format(
             "Told to stand it takes {:.0f} W, {:.2f} m/s times its weight. {} that stand as "
             "they were trained need less than {}.",
             standing.power_w, per_weight, kind, range->standing),
         Causes(robot, report)});
  }
}

}  // namespace gonogo::study
