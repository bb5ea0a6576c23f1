// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/gravity.h"
#include "gonogo/study/check/judge.h"

namespace gonogo::study {
namespace {

constexpr double kDriftSpeed = 0.12;  // m/s at zero command
constexpr double kDriftRate = 0.2;    // rad/s
constexpr double kHeightOff = 0.12;   // of the nominal height
constexpr double kHeightNote = 0.05;
constexpr double kPowerPerWeight = 1.0;  // m/s: power at zero command over weight
constexpr double kShareLow = 0.3;
constexpr double kShareHigh = 1.6;
constexpr double kStill = 0.2;     // share below which a channel does not answer
constexpr double kSideways = 0.4;  // m/s or rad/s in channels that were told nothing

constexpr char kMapping[] =
    "joints.order, joints.default, action_scale, the gains, or the order and scales of the "
    "observation are not those of the training";

double Told(const CommandTrial& trial) {
  return trial.channel == 0   ? trial.command.vx
         : trial.channel == 1 ? trial.command.vy
                              : trial.command.wz;
}

const char* Unit(const CommandTrial& trial) { return trial.channel == 2 ? "rad/s" : "m/s"; }

double Done(const CommandTrial& trial, const Motion& motion) {
  return motion.velocity[static_cast<std::size_t>(trial.channel)];
}

void JudgeHeight(const robot::RobotSpec& robot, const Motion& standing,
                 std::vector<CheckFinding>& findings) {
  const double nominal = robot.posture.nominal_height_m;
  const double off = standing.height_m / nominal - 1.0;
  if (std::abs(off) < kHeightNote) return;
  const bool far = std::abs(off) > kHeightOff;
  findings.push_back(
      {far ? Severity::kSuspicious : Severity::kNote, "height",
       fmt::format("It stands at {:.3f} m, {:.0f} % {} than posture.nominal_height = {}.",
                   standing.height_m, 100.0 * std::abs(off), off > 0.0 ? "higher" : "lower",
                   nominal),
       far ? fmt::format("joints.default or action_scale of another training, or gains too small; "
                         "if it is meant to stand like this, nominal_height = {:.2f}.",
                         standing.height_m)
           : fmt::format("nominal_height = {:.2f} would fit.", standing.height_m)});
}

void JudgeFalls(const CheckReport& report, std::vector<CheckFinding>& findings) {
  std::size_t channels = 0;
  std::size_t fallen = 0;
  std::size_t upright_at_half = 0;
  std::string list;
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const CommandTrial& trial = report.trials[i];
    if (trial.channel < 0) continue;
    ++channels;
    const Motion& motion = report.motions[i];
    if (!motion.fell) continue;
    ++fallen;
    if (report.half_motions[i] && !report.half_motions[i]->fell) ++upright_at_half;
    const std::string told = trial.is_velocity()
                                 ? fmt::format("{:+.2f} {}", Told(trial), Unit(trial))
                                 : fmt::format("{:.4g}", trial.told);
    list += fmt::format("{}{} {} after {:.1f} s", list.empty() ? "" : ", ", trial.channel_name(),
                        told, motion.time_s);
    if (list.find('(') == std::string::npos) list += " (" + motion.end + ")";
  }
  if (fallen == 0) return;
  const bool box = upright_at_half == fallen && !report.motions.front().fell;
  findings.push_back(
      {2 * fallen >= channels ? Severity::kBroken : Severity::kSuspicious, "tracking",
       fmt::format("On flat ground it falls under {} of {} commands: {}.", fallen, channels, list),
       box ? "At half of each it stays up: command.low and high probably ask for more than the "
             "policy was trained for."
           : std::string("Probably ") + kMapping + "."});
}

/// Velocities nobody asked for.
void JudgeSideways(const CheckReport& report, std::vector<CheckFinding>& findings) {
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const CommandTrial& trial = report.trials[i];
    if (!trial.is_velocity() || report.motions[i].fell) continue;
    for (int other = 0; other < 3; ++other) {
      const double drift = report.motions[i].velocity[static_cast<std::size_t>(other)];
      if (other == trial.channel || std::abs(drift) < kSideways) continue;
      static constexpr const char* kNames[] = {"vx", "vy", "wz"};
      findings.push_back(
          {Severity::kSuspicious, "tracking",
           fmt::format("Told {} {:+.2f} {} alone, it also moves at {} {:+.2f} {}.",
                       trial.channel_name(), Told(trial), Unit(trial), kNames[other], drift,
                       other == 2 ? "rad/s" : "m/s"),
           "A term of the observation in the wrong frame, order or sign, or legs exchanged in "
           "joints.order."});
      return;
    }
  }
}

}  // namespace

void JudgeStanding(const robot::RobotSpec& robot, const CheckReport& report,
                   std::vector<CheckFinding>& findings) {
  const Motion& standing = report.motions.front();
  if (standing.fell) {
    findings.push_back(
        {Severity::kBroken, "standing",
         fmt::format("At zero command it falls after {:.1f} s: {}.", standing.time_s, standing.end),
         std::string("Probably ") + kMapping + "."});
    return;
  }
  const double drift = std::hypot(standing.velocity[0], standing.velocity[1]);
  if (drift > kDriftSpeed || std::abs(standing.velocity[2]) > kDriftRate) {
    findings.push_back(
        {Severity::kSuspicious, "standing",
         fmt::format("At zero command it drifts at vx {:+.2f} m/s, vy {:+.2f} m/s, wz {:+.2f} "
                     "rad/s.",
                     standing.velocity[0], standing.velocity[1], standing.velocity[2]),
         "joints.default of another training, a base velocity or height scan that is wrong or in "
         "the wrong frame, or a policy that never learned to stand."});
  }
  const double per_weight = standing.power_w / (kGravity * report.mass_kg);
  if (per_weight > kPowerPerWeight) {
    findings.push_back(
        {Severity::kSuspicious, "standing",
         fmt::format("Standing takes {:.0f} W, as much as lifting it by {:.1f} m every second.",
                     standing.power_w, per_weight),
         "It shakes: kd too large for physics_dt, damping of the model on top of the policy's kd, "
         "gains too large, or a control step that is too long."});
  }
  JudgeHeight(robot, standing, findings);
}

void JudgeTracking(const CheckReport& report, std::vector<CheckFinding>& findings) {
  JudgeFalls(report, findings);
  std::size_t walked = 0;
  std::size_t still = 0;
  std::vector<CheckFinding> single;
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const CommandTrial& trial = report.trials[i];
    if (!trial.is_velocity() || report.motions[i].fell) continue;
    ++walked;
    const double done = Done(trial, report.motions[i]);
    const double share = done / Told(trial);
    if (std::abs(share) < kStill) ++still;
    const std::string text =
        fmt::format("Told {} {:+.2f} {}, it does {:+.2f} ({:.0f} %).", trial.channel_name(),
                    Told(trial), Unit(trial), done, 100.0 * share);
    if (share < -kStill) {
      single.push_back({Severity::kBroken, "tracking", text,
                        "The command's sign or place in the observation, or legs exchanged in "
                        "joints.order."});
    } else if (share < kShareLow) {
      single.push_back({Severity::kSuspicious, "tracking", text,
                        "The command's scale or place in the observation, a wrong height scan, or "
                        "a policy that was not trained for this channel: then narrow command.low "
                        "and high."});
    } else if (share > kShareHigh) {
      single.push_back({Severity::kSuspicious, "tracking", text,
                        "A base velocity that is missing, scaled wrongly or in the wrong frame, or "
                        "a command scaled twice."});
    }
  }
  if (walked > 0 && still == walked) {
    findings.push_back({Severity::kBroken, "tracking", "It does not move whatever it is told.",
                        "A height scan with the wrong sign or offset, a command scaled to nothing "
                        "or at the wrong place in the observation, or a dead band of the policy."});
    return;
  }
  findings.insert(findings.end(), single.begin(), single.end());
  JudgeSideways(report, findings);
}

}  // namespace gonogo::study
