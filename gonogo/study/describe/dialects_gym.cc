// SPDX-License-Identifier: Apache-2.0
// Files of rl_sar, of legged_gym and its relatives, and what is not recognised.
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "gonogo/study/describe/fact_finder.h"

namespace gonogo::study {
namespace {

using robot::TermKind;

std::vector<int> Wholes(const RobotFacts::Numbers& numbers) {
  std::vector<int> wholes;
  if (!numbers) return wholes;
  for (const double number : numbers->value) wholes.push_back(static_cast<int>(number));
  return wholes;
}

/// Scales that have keys of their own.
void ReadScales(FactFinder& file, RobotFacts& facts) {
  struct Key {
    std::string_view name;
    TermKind term;
  };
  constexpr Key kKeys[] = {
      {"lin_vel_scale", TermKind::kBaseLinVel}, {"ang_vel_scale", TermKind::kBaseAngVel},
      {"dof_pos_scale", TermKind::kJointPos},   {"dof_vel_scale", TermKind::kJointVel},
      {"cmd_scale", TermKind::kCommand},        {"commands_scale", TermKind::kCommand},
  };
  for (const Key& key : kKeys) {
    if (const auto scale = file.Numbers({key.name})) facts.scales.insert({key.term, *scale});
  }
}

/// Terms that only the code of a framework lists, with the scales its files name.
void AddTerms(std::span<const TermKind> kinds, const std::string& framework, RobotFacts& facts) {
  std::vector<TermFact> terms;
  for (const TermKind kind : kinds) {
    TermFact term{.kind = kind};
    if (const auto scale = facts.scales.find(kind); scale != facts.scales.end()) {
      term.scale = scale->second.value;
      term.source = scale->second.source;
    }
    terms.push_back(std::move(term));
  }
  facts.terms = {{terms,
                  fmt::format("the usual ones of {} (its code; no file lists them)", framework),
                  false}};
}

void ClipTerms(const RobotFacts::Number& clip, RobotFacts& facts) {
  if (!clip || !facts.terms) return;
  // The clip is behind the scale there, before it here.
  for (TermFact& term : facts.terms->value) {
    const double scale = term.scale.empty() ? 1.0 : std::abs(term.scale.front());
    const bool alike = std::all_of(term.scale.begin(), term.scale.end(),
                                   [&](double one) { return std::abs(one) == scale; });
    if (!alike || scale == 0.0) {
      facts.unread.push_back(fmt::format("{} for {}, whose scales differ", clip->source,
                                         robot::TermName(term.kind)));
      continue;
    }
    term.clip = {-clip->value / scale, clip->value / scale};
    if (term.source.empty()) term.source = clip->source;
  }
}

}  // namespace

RobotFacts ReadRlSar(FactFinder& file) {
  RobotFacts facts;
  facts.dialect = "rl_sar";
  facts.joints = file.Words({"joint_names"});
  facts.kp = file.Numbers({"rl_kp"});
  facts.kd = file.Numbers({"rl_kd"});
  facts.default_pose = file.Numbers({"default_dof_pos"});
  facts.action_scale = file.Numbers({"action_scale"});
  facts.effort_limit = file.Numbers({"torque_limits"});
  facts.physics_dt_s = file.Number({"dt"});
  facts.decimation = file.Number({"decimation"});
  facts.wheels = Wholes(file.Numbers({"wheel_indices"}));
  facts.actuator = {{"pd", "rl_sar sends kp and kd to the motors", true}};
  if (const auto map = file.Numbers({"joint_mapping"})) {
    facts.places = Fact<std::vector<int>>{Wholes(map), map->source};
  }
  ReadScales(file, facts);
  const auto low = file.Numbers({"clip_actions_lower"});
  const auto high = file.Numbers({"clip_actions_upper"});
  if (low && high) {
    const double most = high->value.front();
    const auto all = [](const auto& values, double wanted) {
      return std::all_of(values.begin(), values.end(), [&](double v) { return v == wanted; });
    };
    if (most > 0.0 && all(high->value, most) && all(low->value, -most)) {
      facts.action_clip = {{most, high->source}};
    } else {
      facts.unread.push_back(high->source + " and the lower ones: not one limit for all actions");
    }
  }
  std::vector<TermFact> terms;
  if (const auto names = file.Words({"observations"})) {
    for (const std::string& name : names->value) {
      const auto kind = TermOfName(name);
      if (!kind) {
        facts.unread.push_back(fmt::format("observation {} of {}", name, file.file()));
        continue;
      }
      TermFact term{.kind = *kind};
      if (const auto scale = facts.scales.find(*kind); scale != facts.scales.end()) {
        term.scale = scale->second.value;
        term.source = scale->second.source;
      }
      terms.push_back(std::move(term));
    }
    facts.terms = {{terms, names->source}};
  }
  ClipTerms(file.Number({"clip_obs"}), facts);
  const auto history = file.Numbers({"observations_history"});
  const auto priority = file.Words({"observations_history_priority"});
  if (history && history->value.size() > 1 && facts.terms) {
    const bool newest_first = history->value.front() < history->value.back();
    const auto count = static_cast<int>(history->value.size());
    if (priority && priority->value.front() == "term") {
      for (TermFact& term : facts.terms->value) {
        term.history = count;
        term.newest_first = newest_first;
      }
    } else {
      facts.frames = {{{.count = count, .newest_first = newest_first}, history->source}};
    }
  }
  file.Ignore({"fixed_kp", "fixed_kd", "num_of_dofs", "model_name", "num_observations",
               "joint_controller_names"});
  return facts;
}

void JoinRlSar(RobotFacts& base, const RobotFacts& config) {
  // What the second file lists is in the policy's order already; the first one's is the robot's.
  RobotFacts joined = config;
  const auto places = config.places ? config.places : base.places;
  if (places) {
    const auto move = [&](auto& values) {
      if (!values || values->value.size() == 1) return;
      auto moved = values->value;
      for (std::size_t i = 0; i < moved.size() && i < places->value.size(); ++i) {
        const auto place = static_cast<std::size_t>(places->value[i]);
        if (places->value[i] < 0 || place >= values->value.size()) return;
        moved[i] = values->value[place];
      }
      values->value = std::move(moved);
    };
    move(base.joints);
    for (RobotFacts::Numbers* values :
         {&base.kp, &base.kd, &base.default_pose, &base.action_scale, &base.effort_limit}) {
      move(*values);
    }
    base.places.reset();
    joined.places.reset();
  }
  joined.joints.reset();
  // Nothing is noted where the second file says something else: it is meant to.
  const std::vector<std::string> unread = joined.unread;
  joined.Complete(base);
  joined.unread = unread;
  joined.unread.insert(joined.unread.end(), base.unread.begin(), base.unread.end());
  base = std::move(joined);
}

RobotFacts ReadTrainingConfig(FactFinder& file) {
  RobotFacts facts;
  const bool booster = file.Has("stiffness.Hip") || file.Has("stiffness.Shoulder") ||
                       file.Has("commands.gait_frequency");
  const bool humanoid = file.Has("env.frame_stack");
  facts.dialect = booster ? "booster_gym" : humanoid ? "humanoid-gym" : "legged_gym";
  facts.named_pose = file.Named("init_state.default_joint_angles", booster);
  facts.named_kp = file.Named("control.stiffness", true);
  facts.named_kd = file.Named("control.damping", true);
  facts.action_scale = file.Numbers({"control.action_scale"});
  facts.decimation = file.Number({"control.decimation"});
  facts.physics_dt_s = file.Number({"sim.dt"});
  facts.armature = file.Numbers({"asset.armature"});
  facts.action_clip = file.Number({"normalization.clip_actions"});
  facts.feet = file.Words({"asset.foot_names", "asset.foot_name"});
  facts.forbidden = file.Words({"asset.terminate_after_contacts_on"});
  facts.actuator = {{"pd", facts.dialect + " computes torques itself (its code)", false}};
  if (const auto pos = file.Numbers({"init_state.pos"}); pos && pos->value.size() == 3) {
    facts.spawn_height_m = {{pos->value[2], pos->source}};
  }
  std::vector<double> low;
  std::vector<double> high;
  std::string source;
  for (const char* channel : {"lin_vel_x", "lin_vel_y", "ang_vel_yaw"}) {
    auto range = file.Numbers(
        {std::string("commands.ranges.") + channel, std::string("commands.") + channel});
    if (!range && std::string_view(channel) == "ang_vel_yaw") {
      range = file.Numbers({"commands.ang_vel_yaw", "commands.ranges.ang_vel_z"});
    }
    if (!range || range->value.size() != 2) continue;
    low.push_back(range->value[0]);
    high.push_back(range->value[1]);
    source = range->source;
  }
  if (low.size() == 3) {
    facts.command_low = {{low, source}};
    facts.command_high = {{high, source}};
  }
  const std::string scales = booster ? "normalization." : "obs_scales.";
  const auto scale = [&](const char* key, TermKind kind) {
    if (const auto found = file.Numbers({scales + key})) facts.scales.insert({kind, *found});
  };
  scale("ang_vel", TermKind::kBaseAngVel);
  scale("dof_pos", TermKind::kJointPos);
  scale("dof_vel", TermKind::kJointVel);
  scale("lin_vel", TermKind::kBaseLinVel);
  scale("gravity", TermKind::kProjectedGravity);
  scale("quat", TermKind::kEuler);
  scale("height_measurements", TermKind::kHeightScan);
  const auto linear = facts.scales.find(TermKind::kBaseLinVel);
  const auto angular = facts.scales.find(TermKind::kBaseAngVel);
  if (linear != facts.scales.end() && angular != facts.scales.end()) {
    const double v = linear->second.value.front();
    facts.scales.insert({TermKind::kCommand,
                         {{v, v, angular->second.value.front()},
                          linear->second.source + " and " + angular->second.source}});
  }
  using enum TermKind;
  static constexpr TermKind kLegged[] = {kBaseLinVel, kBaseAngVel, kProjectedGravity, kCommand,
                                         kJointPos,   kJointVel,   kLastAction};
  static constexpr TermKind kBlind[] = {kBaseAngVel, kProjectedGravity, kCommand,  kJointPos,
                                        kJointVel,   kLastAction,       kGaitPhase};
  static constexpr TermKind kHumanoid[] = {kGaitPhase,  kCommand,    kJointPos, kJointVel,
                                           kLastAction, kBaseAngVel, kEuler};
  static constexpr TermKind kBooster[] = {kProjectedGravity, kBaseAngVel, kCommand,   kGaitPhase,
                                          kJointPos,         kJointVel,   kLastAction};
  const auto size = file.Number({"env.num_observations"});
  const double joints = file.Number({"env.num_actions"}).value_or(Fact<double>{12.0, ""}).value;
  const bool phased = size && std::abs(size->value - (9.0 + 3.0 * joints + 2.0)) < 0.5;
  if (humanoid) {
    AddTerms(kHumanoid, facts.dialect, facts);
    const auto frames = file.Number({"env.frame_stack"});
    if (frames && frames->value >= 1.0 && frames->value <= 1000.0) {
      facts.frames = {
          {{.count = static_cast<int>(frames->value), .zero_filled = true}, frames->source}};
    }
  } else if (booster) {
    AddTerms(kBooster, facts.dialect, facts);
  } else if (phased) {
    AddTerms(kBlind, "unitree_rl_gym", facts);
  } else {
    AddTerms(kLegged, facts.dialect, facts);
  }
  const auto cycle = file.Number({"rewards.cycle_time"});
  const auto beat = file.Numbers({"commands.gait_frequency"});
  for (TermFact& term : facts.terms->value) {
    if (term.kind != kGaitPhase) continue;
    term.cos_first = booster;
    if (cycle) {
      term.period_s = cycle->value;
      term.source = cycle->source;
    } else if (beat && beat->value.size() == 2 && beat->value[0] + beat->value[1] > 0.0) {
      term.period_s = 2.0 / (beat->value[0] + beat->value[1]);
      term.source = beat->source + ", its middle";
    }
  }
  ClipTerms(file.Number({"normalization.clip_observations"}), facts);
  file.Ignore({"rewards", "runner", "algorithm", "policy", "noise", "domain_rand", "randomization",
               "viewer", "terrain", "basic", "physx", "env", "algo"});
  return facts;
}

RobotFacts ReadUnitreeGym(FactFinder& file) {
  RobotFacts facts;
  facts.dialect = file.Has("control_decimation") ? "unitree_rl_gym" : "";
  facts.joints = file.Words({"joint_names"});
  facts.kp = file.Numbers({"kps", "stiffness", "joint_stiffness", "kp"});
  facts.kd = file.Numbers({"kds", "damping", "joint_damping", "kd"});
  facts.default_pose = file.Numbers({"default_angles", "default_joint_pos", "default_dof_pos"});
  facts.action_scale = file.Numbers({"action_scale"});
  facts.physics_dt_s = file.Number({"simulation_dt", "dt"});
  facts.control_dt_s = file.Number({"control_dt", "step_dt"});
  facts.decimation = file.Number({"control_decimation", "decimation"});
  if (!facts.dialect.empty()) {
    facts.actuator = {{"pd", "unitree_rl_gym computes torques itself (its code)", false}};
  }
  if (const auto most = file.Numbers({"max_cmd"}); most && most->value.size() == 3) {
    std::vector<double> low;
    for (const double value : most->value) low.push_back(-value);
    facts.command_low = {{low, most->source}};
    facts.command_high = most;
  }
  ReadScales(file, facts);
  file.Ignore({"policy_path", "xml_path", "simulation_duration", "num_actions", "num_obs",
               "cmd_init", "lowcmd_topic", "lowstate_topic", "msg_type", "imu_type"});
  return facts;
}

}  // namespace gonogo::study
