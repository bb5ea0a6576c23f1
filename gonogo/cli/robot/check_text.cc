// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/robot/check_text.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/report/text/text_table.h"
#include "gonogo/study/check/check_json.h"

namespace gonogo::cli {
namespace {

using report::TextTable;
using study::CheckReport;
using study::CheckVerdict;
using study::Severity;

Style StyleOfCheck(CheckVerdict verdict) {
  return verdict == CheckVerdict::kOk       ? Style::kGo
         : verdict == CheckVerdict::kBroken ? Style::kNoGo
                                            : Style::kAbstain;
}

const char* MeaningOf(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::kOk:
      return "it stands, does what it is told, and sees what it should";
    case CheckVerdict::kSuspicious:
      return "it may be described as it was trained, but most robots like this are not";
    case CheckVerdict::kBroken:
      return "nothing measured on it would mean anything";
  }
  return "";
}

std::string TrackingText(const CheckReport& report) {
  TextTable table({"command", "told", "done", "share", "power", "height", "tilt", "<"});
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const study::Trial& trial = report.trials[i];
    const study::Motion& motion = report.motions[i];
    if (trial.channel < 0) {
      const double speed = std::hypot(motion.velocity[0], motion.velocity[1]);
      table.AddRow({"zero", "0", fmt::format("{:.2f} m/s", speed), "",
                    fmt::format("{:.0f} W", motion.power_w),
                    fmt::format("{:.3f} m", motion.height_m),
                    fmt::format("{:.2f} rad", motion.tilt_rad),
                    motion.fell ? fmt::format("fell after {:.1f} s", motion.time_s) : ""});
      continue;
    }
    if (!trial.is_velocity()) {
      table.AddRow({trial.channel_name(), fmt::format("{:.4g}", trial.told),
                    motion.fell ? "" : fmt::format("vx {:+.2f} m/s", motion.velocity[0]), "",
                    fmt::format("{:.0f} W", motion.power_w),
                    fmt::format("{:.3f} m", motion.height_m),
                    fmt::format("{:.2f} rad", motion.tilt_rad),
                    motion.fell ? fmt::format("fell after {:.1f} s", motion.time_s) : ""});
      continue;
    }
    const double told = trial.command[static_cast<std::size_t>(trial.channel)];
    const double done = motion.velocity[static_cast<std::size_t>(trial.channel)];
    const char* unit = trial.channel == 2 ? "rad/s" : "m/s";
    table.AddRow({trial.channel_name(), fmt::format("{:+.2f} {}", told, unit),
                  motion.fell ? "" : fmt::format("{:+.2f} {}", done, unit),
                  motion.fell ? "" : fmt::format("{:.0f} %", 100.0 * done / told),
                  fmt::format("{:.0f} W", motion.power_w), fmt::format("{:.3f} m", motion.height_m),
                  fmt::format("{:.2f} rad", motion.tilt_rad),
                  motion.fell ? fmt::format("fell after {:.1f} s", motion.time_s) : ""});
  }
  return table.Render();
}

std::string SweepText(const CheckReport& report) {
  TextTable table({"<channel", "told", "steps are high", "steps a second", "vx", "power", "<"});
  for (const study::ChannelPoint& point : report.sweep) {
    const study::Motion& motion = point.motion;
    table.AddRow({point.channel, fmt::format("{:.4g}", point.told),
                  fmt::format("{:.3f} m", motion.step_height_m),
                  fmt::format("{:.2f} Hz", motion.step_frequency_hz),
                  fmt::format("{:+.2f} m/s", motion.velocity[0]),
                  fmt::format("{:.0f} W", motion.power_w),
                  motion.fell ? fmt::format("fell after {:.1f} s", motion.time_s) : ""});
  }
  return table.Render();
}

std::string JointsText(const robot::RobotSpec& robot, const CheckReport& report) {
  TextTable table({"output", "<joint", "action", "moves (rad)", "kd·dt/J", "kp·dt²/J", "sag (rad)",
                   "clipped", "at its limit"});
  const study::Seen& seen = report.seen;
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const sim::JointMechanics& joint = report.joints[j];
    table.AddRow(
        {fmt::format("{}", j), robot.joints[j],
         fmt::format("{:+.1f} … {:+.1f}", seen.action[j].low, seen.action[j].high),
         fmt::format("{:+.2f} … {:+.2f}", seen.position[j].low, seen.position[j].high),
         fmt::format("{:.2f}", joint.damping_step(robot.physics_dt_s)),
         fmt::format("{:.3f}", joint.stiffness_step(robot.physics_dt_s)),
         joint.kp > 0.0 ? fmt::format("{:.2f}", std::abs(joint.standing_torque) / joint.kp) : "–",
         fmt::format("{:.0f} %",
                     100.0 * study::Share(seen.target_clipped[j], seen.action[j].count)),
         fmt::format("{:.0f} %",
                     100.0 * study::Share(seen.torque_limited[j], seen.torque[j].count))});
  }
  return table.Render();
}

std::string TermsText(const robot::RobotSpec& robot, const CheckReport& report) {
  TextTable table({"term", "size", "mean", "spread", "range", "at clip", "slope", "off"});
  for (const study::TermRow& row : study::TermRows(robot, report)) {
    table.AddRow({row.name, fmt::format("{}", row.size), fmt::format("{:+.2f}", row.mean),
                  fmt::format("{:.2f}", row.spread),
                  fmt::format("{:+.2f} … {:+.2f}", row.low, row.high),
                  fmt::format("{:.0f} %", 100.0 * row.at_clip),
                  row.slope ? fmt::format("{:.2f}", *row.slope) : "–",
                  row.strangest ? fmt::format("{:.1f}", *row.strangest) : "–"});
  }
  return table.Render();
}

std::string OthersText(const CheckReport& report) {
  TextTable table({"error", "falls", "power", "commands", "<with"});
  for (const study::AlternativeResult& other : report.alternatives) {
    table.AddRow({fmt::format("{:.0f} %", 100.0 * other.score.error),
                  fmt::format("{}", other.score.falls),
                  fmt::format("{:.0f} W", other.score.power_w),
                  fmt::format("{} of {}", other.score.trials, report.trials.size()),
                  other.what + (other.better ? "  (clearly better)" : "")});
  }
  return table.Render();
}

}  // namespace

std::string CheckText(const robot::RobotSpec& robot, const CheckReport& report,
                      const Terminal& terminal) {
  const CheckVerdict verdict = report.verdict();
  std::string text =
      fmt::format("{}  {}: {}\n", terminal.Paint(StyleOfCheck(verdict), Name(verdict)),
                  report.robot, MeaningOf(verdict));
  const std::string findings = study::FindingsText(report.findings, [&](Severity severity) {
    const Style style = severity == Severity::kBroken ? Style::kNoGo
                        : severity == Severity::kNote ? Style::kDim
                                                      : Style::kWarning;
    return terminal.Paint(style, Name(severity));
  });
  if (!findings.empty()) text += "\n" + findings;
  text += "\nEach command alone, on flat ground\n" + TrackingText(report);
  if (report.standing_height_m()) {
    text += fmt::format("  stands at {:.3f} m: posture.nominal_height is {}\n",
                        *report.standing_height_m(), robot.posture.nominal_height_m);
  }
  if (!report.sweep.empty()) {
    text += "\nOther channels, forwards at half speed on flat ground\n" + SweepText(report);
  }
  text += fmt::format(
      "\nOutputs and joints (physics step {:.4g} ms: {:.0f} % of what explicit gains bear)\n",
      1e3 * robot.physics_dt_s, 100.0 * report.load.value);
  text += JointsText(robot, report);
  if (report.halved) {
    text += fmt::format("  at half the physics step: {:.0f} W instead of {:.0f} W\n",
                        report.halved->halved_power_w, report.halved->power_w);
  }
  text += fmt::format("\nObservation (slope: change of the action per unit{})\n",
                      report.expected ? "; off: spreads from what the policy's normaliser expects"
                                      : "; the policy contains no normaliser");
  text += TermsText(robot, report);
  if (!report.alternatives.empty()) {
    text += fmt::format("\nOther descriptions (this one: error {:.0f} %, {} falls, {:.0f} W)\n",
                        100.0 * report.score.error, report.score.falls, report.score.power_w);
    text += OthersText(report);
  }
  return text;
}

}  // namespace gonogo::cli
