// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/check_json.h"

#include <algorithm>
#include <cmath>

#include "gonogo/io/build_info.h"

namespace gonogo::study {
namespace {

constexpr double kLeastSpread = 1e-2;  // of a normaliser: smaller ones belong to constant inputs

}  // namespace

double Share(long count, long total) {
  return total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0.0;
}

std::vector<TermRow> TermRows(const robot::RobotSpec& robot, const CheckReport& report) {
  std::vector<TermRow> rows;
  const std::vector<int> starts = robot.TermStarts();
  for (std::size_t t = 0; t < starts.size(); ++t) {
    const robot::ObservationTerm& term = robot.observation[t];
    const auto first = static_cast<std::size_t>(starts[t]);
    TermRow row{
        .name = TermName(term.kind), .first = first, .size = static_cast<std::size_t>(term.size())};
    RunningSpread all;
    long clipped = 0;
    for (std::size_t i = first; i < first + row.size; ++i) {
      all.Add(report.seen.observation[i]);
      clipped += report.seen.clipped[i];
      if (i < report.strength.size()) {
        row.slope = std::max(row.slope.value_or(0.0), report.strength[i]);
      }
      if (!report.expected) continue;
      const double scale = std::abs(report.expected->scale[i]);
      if (scale < kLeastSpread) continue;
      const double off =
          std::abs(report.seen.observation[i].mean - report.expected->mean[i]) / scale;
      row.strangest = std::max(row.strangest.value_or(0.0), off);
    }
    row.mean = all.mean;
    row.spread = all.deviation();
    row.low = all.low;
    row.high = all.high;
    row.at_clip = Share(clipped, all.count);
    rows.push_back(row);
  }
  return rows;
}

namespace {

using nlohmann::json;

json MotionJson(const Motion& motion) {
  return {{"vx", motion.velocity[0]},
          {"vy", motion.velocity[1]},
          {"wz", motion.velocity[2]},
          {"height_m", motion.height_m},
          {"lowest_m", motion.lowest_m},
          {"tilt_rad", motion.tilt_rad},
          {"power_w", motion.power_w},
          {"time_s", motion.time_s},
          {"fell", motion.fell},
          {"end", motion.end},
          {"step_height_m", motion.step_height_m},
          {"step_frequency_hz", motion.step_frequency_hz}};
}

json ScoreJson(const Score& score) {
  return {{"falls", score.falls},
          {"error", score.error},
          {"power_w", score.power_w},
          {"trials", score.trials}};
}

json TrialsJson(const robot::RobotSpec& robot, const CheckReport& report) {
  json trials = json::array();
  for (std::size_t i = 0; i < report.trials.size(); ++i) {
    const robot::Command& command = report.trials[i].command;
    json told = {{"vx", command.vx}, {"vy", command.vy}, {"wz", command.wz}};
    for (const robot::CommandChannel& channel : robot.channels) {
      if (!channel.is_velocity()) told[channel.name] = channel.Of(command);
    }
    json trial = {{"name", report.trials[i].name},
                  {"told", std::move(told)},
                  {"done", MotionJson(report.motions[i])}};
    if (report.half_motions[i]) trial["at_half"] = MotionJson(*report.half_motions[i]);
    trials.push_back(std::move(trial));
  }
  return trials;
}

json JointsJson(const robot::RobotSpec& robot, const CheckReport& report) {
  json joints = json::array();
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const sim::JointMechanics& joint = report.joints[j];
    const Seen& seen = report.seen;
    joints.push_back({{"joint", robot.joints[j]},
                      {"output", j},
                      {"inertia", joint.inertia},
                      {"kp", joint.kp},
                      {"kd", joint.kd},
                      {"kd_dt_over_inertia", joint.damping_step(robot.physics_dt_s)},
                      {"kp_dt2_over_inertia", joint.stiffness_step(robot.physics_dt_s)},
                      {"standing_torque", joint.standing_torque},
                      {"action", {seen.action[j].low, seen.action[j].high}},
                      {"position", {seen.position[j].low, seen.position[j].high}},
                      {"target_clipped", Share(seen.target_clipped[j], seen.action[j].count)},
                      {"torque_limited", Share(seen.torque_limited[j], seen.torque[j].count)}});
  }
  return joints;
}

json TermsJson(const robot::RobotSpec& robot, const CheckReport& report) {
  json terms = json::array();
  for (const TermRow& row : TermRows(robot, report)) {
    json term = {{"term", row.name}, {"first", row.first},    {"size", row.size},
                 {"mean", row.mean}, {"spread", row.spread},  {"low", row.low},
                 {"high", row.high}, {"at_clip", row.at_clip}};
    if (row.slope) term["slope"] = *row.slope;
    if (row.strangest) term["spreads_from_expected"] = *row.strangest;
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace

json ToJson(const robot::RobotSpec& robot, const CheckReport& report) {
  json findings = json::array();
  for (const CheckFinding& finding : report.findings) {
    findings.push_back({{"severity", Name(finding.severity)},
                        {"subject", finding.subject},
                        {"what", finding.what},
                        {"cause", finding.cause}});
  }
  json others = json::array();
  for (const AlternativeResult& other : report.alternatives) {
    json row = ScoreJson(other.score);
    row["key"] = other.key;
    row["what"] = other.what;
    row["better"] = other.better;
    others.push_back(std::move(row));
  }
  json result = {{"schema", "gonogo.check/1"},
                 {"complete", true},
                 {"provenance", {{"build", io::CurrentBuild()}}},
                 {"robot", report.robot},
                 {"verdict", Name(report.verdict())},
                 {"findings", std::move(findings)},
                 {"mass_kg", report.mass_kg},
                 {"score", ScoreJson(report.score)},
                 {"trials", TrialsJson(robot, report)},
                 {"joints", JointsJson(robot, report)},
                 {"observation", TermsJson(robot, report)},
                 {"time_step",
                  {{"physics_dt_s", robot.physics_dt_s},
                   {"decimation", robot.decimation},
                   {"load", report.load.value},
                   {"stiffest", robot.joints[report.load.joint]},
                   {"fitting_physics_dt_s", report.fit_dt_s},
                   {"fitting_decimation", report.fit_decimation}}},
                 {"other_descriptions", std::move(others)}};
  if (report.standing_height_m()) result["standing_height_m"] = *report.standing_height_m();
  if (report.halved) {
    result["time_step"]["halved"] = {{"power_w", report.halved->power_w},
                                     {"halved_power_w", report.halved->halved_power_w},
                                     {"speed", report.halved->speed},
                                     {"halved_speed", report.halved->halved_speed},
                                     {"fell", report.halved->fell}};
  }
  for (const ChannelPoint& point : report.sweep) {
    result["channels"].push_back(
        {{"channel", point.channel}, {"told", point.told}, {"done", MotionJson(point.motion)}});
  }
  if (report.scan) {
    result["height_scan"] = {{"declared", report.scan->declared},
                             {"swapped", report.scan->swapped}};
  }
  return result;
}

}  // namespace gonogo::study
