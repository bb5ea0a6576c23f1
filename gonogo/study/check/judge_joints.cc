// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/gravity.h"
#include "gonogo/study/check/check_json.h"
#include "gonogo/study/check/judge.h"

namespace gonogo::study {
namespace {

constexpr double kUnstable = 1.0;
constexpr double kPowerOff = 0.2;      // share by which half the step changes the power …
constexpr double kPowerFarOff = 0.5;   // … and beyond which no energy can be trusted
constexpr double kLittlePower = 0.02;  // m/s: power over weight below which it means nothing
constexpr double kSag = 1.0;           // rad that a joint gives way under the weight
constexpr double kRangeSlack = 0.01;   // rad
constexpr double kOftenLimited = 0.3;  // share of physics steps
constexpr double kOftenClipped = 0.5;  // share of control steps
constexpr double kLargeAction = 15.0;
constexpr double kUsualStep = 0.02;  // s: 50 Hz

std::string Fit(const CheckReport& report) {
  return fmt::format(
      "physics_dt = {:.5g} with decimation = {} keeps the control step and is fine "
      "for the gains",
      report.fit_dt_s, report.fit_decimation);
}

std::string StepsOf(const robot::RobotSpec& robot, const CheckReport& report, std::size_t joint) {
  const sim::JointMechanics& mechanics = report.joints[joint];
  return fmt::format("{} (kd·dt/J = {:.2f}, kp·dt²/J = {:.2f})", robot.joints[joint],
                     mechanics.damping_step(robot.physics_dt_s),
                     mechanics.stiffness_step(robot.physics_dt_s));
}

void JudgeHalvedStep(const robot::RobotSpec& robot, const CheckReport& report,
                     std::vector<CheckFinding>& findings) {
  const StepComparison& halved = *report.halved;
  const double weight = kGravity * report.mass_kg;
  const double larger = std::max(halved.power_w, halved.halved_power_w);
  if (larger < kLittlePower * weight) return;
  const double off = std::abs(halved.halved_power_w - halved.power_w) / larger;
  if (!halved.fell && off < kPowerOff) return;
  const std::string what =
      halved.fell ? std::string("At half the physics step it falls.")
                  : fmt::format(
                        "At half the physics step the same runs take {:.0f} W instead of "
                        "{:.0f} W.",
                        halved.halved_power_w, halved.power_w);
  const std::string first = report.load.value > kUnstable
                                ? "The gains are too stiff for physics_dt, above all at "
                                : "The physics step is too long for gains or contacts; the "
                                  "stiffest joint is ";
  findings.push_back(
      {off > kPowerFarOff || halved.fell ? Severity::kBroken : Severity::kSuspicious, "time step",
       what, first + StepsOf(robot, report, report.load.joint) + "; " + Fit(report) + "."});
}

/// Names of the joints for which something holds.
template <typename Condition>
std::string Joints(const robot::RobotSpec& robot, const Condition& holds) {
  std::string names;
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    if (holds(j)) names += (names.empty() ? "" : ", ") + robot.joints[j];
  }
  return names;
}

void JudgeRanges(const robot::RobotSpec& robot, const CheckReport& report,
                 std::vector<CheckFinding>& findings) {
  std::string outside;
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const auto& range = report.joints[j].range;
    const double pose = robot.default_pose[j];
    if (!range || (pose >= (*range)[0] - kRangeSlack && pose <= (*range)[1] + kRangeSlack)) {
      continue;
    }
    outside +=
        fmt::format("{}{} is {:.3g} but moves from {:.3g} to {:.3g}", outside.empty() ? "" : ", ",
                    robot.joints[j], pose, (*range)[0], (*range)[1]);
  }
  if (outside.empty()) return;
  findings.push_back({Severity::kSuspicious, "default pose",
                      fmt::format("joints.default leaves the model's joint ranges: {}.", outside),
                      "joints.default in another order than joints.order, or of another robot."});
}

/// How far joints give way under the weight in the default pose.
void JudgeGains(const robot::RobotSpec& robot, const CheckReport& report,
                std::vector<CheckFinding>& findings) {
  std::size_t weakest = 0;
  double sag = 0.0;
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const sim::JointMechanics& joint = report.joints[j];
    const double gives = joint.kp > 0.0 ? std::abs(joint.standing_torque) / joint.kp : 0.0;
    if (gives <= sag) continue;
    sag = gives;
    weakest = j;
  }
  if (sag <= kSag) return;
  constexpr double kUsualSag = 0.2;  // rad
  findings.push_back(
      {Severity::kSuspicious, "gains",
       fmt::format("Holding its weight, {} gives way by {:.1f} rad: {:.1f} N m at kp = {:.3g}.",
                   robot.joints[weakest], sag, std::abs(report.joints[weakest].standing_torque),
                   report.joints[weakest].kp),
       fmt::format("kp too small by about a factor of {:.0f}, gains in other units, or a default "
                   "pose it cannot stand in.",
                   sag / kUsualSag)});
}

void JudgeControlRate(const robot::RobotSpec& robot, std::vector<CheckFinding>& findings) {
  const double step = robot.control_dt_s();
  if (std::abs(step / kUsualStep - 1.0) < 0.15) return;
  const bool odd = step > 1.5 * kUsualStep || step < 0.4 * kUsualStep;
  findings.push_back(
      {odd ? Severity::kSuspicious : Severity::kNote, "control step",
       fmt::format("The policy acts every {:.4g} ms ({:.0f} Hz).", 1e3 * step, 1.0 / step),
       fmt::format(
           "Nearly all walking policies act at 50 Hz, some at 100 Hz. If physics_dt = {} is "
           "right, 50 Hz is decimation = {}.",
           robot.physics_dt_s, std::max(1L, std::lround(kUsualStep / robot.physics_dt_s)))});
}

}  // namespace

void JudgeTimeStep(const robot::RobotSpec& robot, const CheckReport& report,
                   std::vector<CheckFinding>& findings) {
  JudgeControlRate(robot, findings);
  const std::size_t before = findings.size();
  if (report.halved) JudgeHalvedStep(robot, report, findings);
  if (report.load.value <= kUnstable || findings.size() > before) return;
  findings.push_back({Severity::kSuspicious, "time step",
                      fmt::format("physics_dt = {} is too long for the gains: {:.1f} times what an "
                                  "explicit step bears, above all at {}.",
                                  robot.physics_dt_s, report.load.value,
                                  StepsOf(robot, report, report.load.joint)),
                      Fit(report) + "; some armature on the joint helps too."});
}

void JudgeJoints(const robot::RobotSpec& robot, const CheckReport& report,
                 std::vector<CheckFinding>& findings) {
  JudgeRanges(robot, report, findings);
  JudgeGains(robot, report, findings);
  const Seen& seen = report.seen;
  const std::string clipped = Joints(robot, [&](std::size_t j) {
    return Share(seen.target_clipped[j], seen.action[j].count) > kOftenClipped;
  });
  if (!clipped.empty()) {
    findings.push_back({Severity::kSuspicious, "actions",
                        fmt::format("Targets are clipped in more than {:.0f} % of the steps: {}.",
                                    100.0 * kOftenClipped, clipped),
                        "target_low and target_high, joints.default or action_scale."});
  }
  const std::string limited = Joints(robot, [&](std::size_t j) {
    return Share(seen.torque_limited[j], seen.torque[j].count) > kOftenLimited;
  });
  if (!limited.empty()) {
    findings.push_back({Severity::kSuspicious, "actions",
                        fmt::format("Torques are at their limit in more than {:.0f} % of the time: "
                                    "{}.",
                                    100.0 * kOftenLimited, limited),
                        "effort_limit too small, gains too large or the wrong default pose."});
  }
  const std::string large = Joints(robot, [&](std::size_t j) {
    return std::max(-seen.action[j].low, seen.action[j].high) > kLargeAction;
  });
  if (!large.empty() && report.score.falls == 0) {
    findings.push_back({Severity::kSuspicious, "actions",
                        fmt::format("Outputs of the policy exceed {}: {}.", kLargeAction, large),
                        "Inputs the policy never met: scales of the observation."});
  }
}

}  // namespace gonogo::study
