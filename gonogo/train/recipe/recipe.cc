// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/recipe/recipe.h"

#include <algorithm>
#include <cmath>

#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/io/toml/toml.h"
#include "gonogo/sim/world/ground.h"

namespace gonogo::train {
namespace {

using io::TomlNode;
using robot::RobotSpec;

std::optional<int> JointIndex(const RobotSpec& spec, const std::string& name) {
  const auto found = std::find(spec.joints.begin(), spec.joints.end(), name);
  if (found == spec.joints.end()) return std::nullopt;
  return static_cast<int>(found - spec.joints.begin());
}

/// Joint indices of the names under `key`; an unknown name is recorded and left out.
std::vector<int> Joints(const TomlNode& node, std::string_view key, const RobotSpec& spec) {
  std::vector<int> indices;
  for (const std::string& name : node.Strings(key, {})) {
    const std::optional<int> index = JointIndex(spec, name);
    if (index) {
      indices.push_back(*index);
    } else {
      node.Fail(key, fmt::format("names {}, which is no joint of {}", name, spec.name));
    }
  }
  return indices;
}

// The channel of the command that says how high the trot swings its feet, if there is one.
void ReadSwingChannel(const TomlNode& node, const RobotSpec& spec, TrotConfig& trot) {
  if (!node.Has("swing_channel")) return;
  const std::string name = node.String("swing_channel", "");
  const robot::CommandChannel* channel = robot::FindChannel(spec.channels, name);
  if (channel == nullptr || channel->is_velocity()) {
    node.Fail(
        "swing_channel",
        fmt::format("found \"{}\", expected a channel of the command without a role; {} has {}",
                    name, spec.name, robot::ChannelNames(spec.channels)));
  } else if (channel->Of(spec.command_box.low) < 0.0) {
    node.Fail("swing_channel", fmt::format("\"{}\" can be {}, expected a height of 0 m or more",
                                           name, channel->Of(spec.command_box.low)));
  } else {
    trot.swing_channel = *channel;
    trot.swing_height_m = channel->nominal;
  }
}

/// `[trot]` with its legs. Its stiffness is the robot's own.
void ReadTrot(const TomlNode& node, const RobotSpec& spec, TrotConfig& trot) {
  if (spec.cadence() != nullptr) trot.period_s = spec.cadence()->period_s;
  trot.period_s = node.NumberIn("period", trot.period_s, 0.05, 5.0);
  trot.stance_share = node.NumberIn("stance_share", trot.stance_share, 0.1, 0.9);
  trot.stand_height_m = node.NumberIn("stand_height", trot.stand_height_m, 0.01, 5.0);
  trot.swing_height_m = node.NumberIn("swing_height", trot.swing_height_m, 0.0, 1.0);
  ReadSwingChannel(node, spec, trot);
  trot.velocity_gain_s = node.NumberIn("velocity_gain", trot.velocity_gain_s, 0.0, 1.0);
  trot.attitude_rate_gain_s = node.NumberIn("attitude_gain", trot.attitude_rate_gain_s, 0.0, 1.0);
  trot.press_share = node.NumberIn("press_share", trot.press_share, 0.0, 2.0);
  trot.trim_m.x() = node.NumberIn("trim", trot.trim_m.x(), -1.0, 1.0);
  trot.lead_s = node.NumberIn("lead", trot.lead_s, 0.0, 1.0);
  const bool gains = spec.actuator.has_gains();
  const double damping = gains ? spec.actuator.kd.front() : 0.0;
  trot.damping_nms = damping * node.NumberIn("damping_share", 0.0, 0.0, 2.0);
  const std::vector<double> inertia = node.NumbersFor("inertia", 3, {0.0, 0.0, 0.0});
  std::copy(inertia.begin(), inertia.end(), trot.inertia_kgm2.data());
  trot.stiffness_nm = gains ? spec.actuator.kp.front() : trot.stiffness_nm;
  for (const TomlNode& leg_node : node.Tables("leg")) {
    TrotLeg leg;
    const std::vector<int> joints = Joints(leg_node, "joints", spec);
    if (joints.size() == 3) {
      std::copy(joints.begin(), joints.end(), leg.joints.begin());
    } else {
      leg_node.Fail("joints", "expected three joints: abduction, hip, knee");
    }
    const std::vector<double> hip = leg_node.Numbers("hip", {});
    if (hip.size() == 2) {
      leg.geometry.hip_B = {hip[0], hip[1]};
    } else {
      leg_node.Fail("hip", "expected two coordinates of the abduction axis in the base frame");
    }
    leg.geometry.lateral = leg_node.NumberIn("lateral", 0.0, -5.0, 5.0);
    leg.geometry.thigh = leg_node.Require("thigh").NumberIn("thigh", 1.0, 1e-3, 5.0);
    leg.geometry.shank = leg_node.Require("shank").NumberIn("shank", 1.0, 1e-3, 5.0);
    leg.geometry.knee_sign = leg_node.Bool("knee_forward", false) ? 1.0 : -1.0;
    leg.geometry.foot_forward = leg_node.NumberIn("foot_forward", 0.0, -5.0, 5.0);
    leg.home_m = leg_node.NumberIn("home", 0.0, -5.0, 5.0);
    leg.phase = leg_node.NumberIn("phase", 0.0, 0.0, 1.0);
    trot.legs.push_back(leg);
  }
  if (3 * static_cast<int>(trot.legs.size()) != spec.joint_count()) {
    node.Fail("leg", fmt::format("{} legs of three joints do not make the {} joints of {}",
                                 trot.legs.size(), spec.joint_count(), spec.name));
  }
}

BipedLeg ReadBipedLeg(const TomlNode& node, const RobotSpec& spec) {
  BipedLeg leg;
  const std::vector<int> joints = Joints(node, "joints", spec);
  if (joints.size() == 5) {
    std::copy(joints.begin(), joints.end(), leg.joints.begin());
  } else {
    node.Fail("joints", "expected five joints: yaw, roll, pitch, knee, ankle");
  }
  for (const char* key : {"yaw_axis", "thigh", "shank"}) node.Require(key);
  const std::vector<double> axis = node.NumbersFor("yaw_axis", 3, {0.0, 0.0, 0.0});
  std::copy(axis.begin(), axis.end(), leg.yaw_axis_B.data());
  leg.geometry.hip_B.x() = node.NumberIn("roll_forward", 0.0, -5.0, 5.0);
  leg.geometry.lateral = node.NumberIn("lateral", 0.0, -5.0, 5.0);
  leg.geometry.thigh = node.NumberIn("thigh", 1.0, 1e-3, 5.0);
  leg.geometry.shank = node.NumberIn("shank", 1.0, 1e-3, 5.0);
  leg.geometry.knee_sign = 1.0;
  leg.phase = node.NumberIn("phase", 0.0, 0.0, 1.0);
  return leg;
}

/// `[biped]` with its legs.
void ReadBiped(const TomlNode& node, const RobotSpec& spec, BipedConfig& biped) {
  const auto read = [&node](const char* key, double& value, double low, double high) {
    value = node.NumberIn(key, value, low, high);
  };
  read("period", biped.period_s, 0.05, 5.0);
  read("stance_share", biped.stance_share, 0.5, 0.9);
  read("stand_height", biped.stand_height_m, 0.01, 5.0);
  read("sole", biped.sole_m, 0.0, 1.0);
  read("pendulum", biped.pendulum_m, 0.01, 5.0);
  read("swing_height", biped.swing_height_m, 0.0, 1.0);
  read("half_width", biped.half_width_m, 0.0, 1.0);
  read("pressure", biped.pressure_m, -1.0, 1.0);
  read("speed_change", biped.speed_change_m_s, 0.0, 10.0);
  read("trim", biped.trim_m, -1.0, 1.0);
  read("lean", biped.lean, -1.0, 1.0);
  read("height_stiffness", biped.height_stiffness_n_m, 0.0, 1e6);
  read("height_damping", biped.height_damping_ns_m, 0.0, 1e5);
  read("trunk_stiffness", biped.trunk_stiffness_nm, 0.0, 1e5);
  read("trunk_damping", biped.trunk_damping_nms, 0.0, 1e4);
  read("hip_arm", biped.hip_arm_m, 0.0, 1.0);
  read("trunk_share", biped.trunk_share, 0.0, 2.0);
  read("swing_rate", biped.swing_rate, 0.0, 100.0);
  read("swing_damping", biped.swing_damping, 0.0, 10.0);
  const std::vector<double> inertia = node.NumbersFor("inertia", 5, std::vector<double>(5, 0.0));
  std::copy(inertia.begin(), inertia.end(), biped.inertia_kgm2.data());
  for (const TomlNode& leg : node.Tables("leg")) biped.legs.push_back(ReadBipedLeg(leg, spec));
  if (biped.legs.size() != 2) node.Fail("leg", "expected two legs: left, right");
}

// What a network is to imitate must be a function of the phase it sees.
void CheckPeriod(const TomlNode& gait, const RobotSpec& spec, double period_s) {
  for (const robot::ObservationTerm& term : spec.observation) {
    if (term.kind != robot::TermKind::kGaitPhase || term.cadence.period_s == period_s) continue;
    gait.Fail("period",
              fmt::format("found {}, expected the {} of the gait_phase term in {}", period_s,
                          term.cadence.period_s, spec.file.filename().string()));
  }
}

void ReadRun(const TomlNode& node, Recipe& recipe) {
  recipe.seed = static_cast<std::uint64_t>(node.Integer("seed", 1));
  const auto count = [&node](const char* key, int fallback, int low) {
    return static_cast<int>(node.IntegerIn(key, fallback, low, 1 << 20));
  };
  recipe.environments = count("environments", recipe.environments, 1);
  recipe.steps = count("steps", recipe.steps, 1);
  recipe.critic_warm_up = count("critic_warm_up", recipe.critic_warm_up, 0);
  recipe.checkpoint_every = count("checkpoint_every", recipe.checkpoint_every, 1);
  recipe.episode_s = node.NumberIn("episode", recipe.episode_s, 0.1, 1e4);
  const auto span = [&node](const char* key, std::array<double, 2>& times) {
    const std::vector<double> read = node.Numbers(key, {times[0], times[1]});
    if (read.size() != 2 || !(read[0] > 0.0) || read[1] < read[0]) {
      node.Fail(key, "expected two increasing positive times");
    } else {
      times = {read[0], read[1]};
    }
  };
  span("command_time", recipe.command_s);
  recipe.push_m_s = node.NumberIn("push", recipe.push_m_s, 0.0, 10.0);
  span("push_time", recipe.push_s);
  recipe.small_commands = node.NumberIn("small_commands", recipe.small_commands, 0.0, 1.0);
  recipe.zero_commands = node.NumberIn("zero_commands", recipe.zero_commands, 0.0, 1.0);
  recipe.lasting_commands = node.Bool("lasting_commands", recipe.lasting_commands);
  recipe.fast_ground = node.Bool("fast_ground", recipe.fast_ground);
  recipe.noise = node.NumberIn("noise", recipe.noise, 0.0, 10.0);
}

std::vector<int> Widths(const TomlNode& node, std::string_view key, const std::vector<int>& usual) {
  const std::vector<double> widths =
      node.Numbers(key, std::vector<double>(usual.begin(), usual.end()));
  constexpr int kWidest = 1 << 16;
  const auto sound = [](double width) { return width >= 1.0 && width <= kWidest; };
  if (!std::all_of(widths.begin(), widths.end(), sound)) {
    node.Fail(key, fmt::format("expected widths from 1 to {}", kWidest));
    return usual;
  }
  return {widths.begin(), widths.end()};
}

void ReadNetwork(const TomlNode& node, NetworkConfig& network) {
  network.actor_hidden = Widths(node, "actor", network.actor_hidden);
  network.critic_hidden = Widths(node, "critic", network.critic_hidden);
  network.scan_scale = node.NumberIn("scan_scale", network.scan_scale, 1e-3, 100.0);
  network.scan_centre = node.NumberIn("scan_centre", network.scan_centre, -10.0, 10.0);
  network.initial_std = node.NumberIn("initial_std", network.initial_std, 1e-3, 10.0);
}

void ReadClone(const TomlNode& node, CloneConfig& clone) {
  clone.rounds = static_cast<int>(node.IntegerIn("rounds", clone.rounds, 0, 10000));
  clone.steps = static_cast<int>(node.IntegerIn("steps", clone.steps, 1, 1 << 20));
  clone.epochs = static_cast<int>(node.IntegerIn("epochs", clone.epochs, 1, 1000));
  clone.std = node.NumberIn("std", clone.std, 1e-3, 10.0);
  clone.learning_rate = node.NumberIn("learning_rate", clone.learning_rate, 1e-8, 1.0);
}

void ReadPpo(const TomlNode& node, PpoConfig& ppo) {
  ppo.epochs = static_cast<int>(node.IntegerIn("epochs", ppo.epochs, 1, 100));
  ppo.mini_batches = static_cast<int>(node.IntegerIn("mini_batches", ppo.mini_batches, 1, 1000));
  ppo.gamma = node.NumberIn("gamma", ppo.gamma, 0.0, 1.0);
  ppo.lambda = node.NumberIn("lambda", ppo.lambda, 0.0, 1.0);
  if (node.Has("by_ground")) ppo.groups = node.Bool("by_ground", false) ? kStageGrounds : 1;
  ppo.loss.clip = node.NumberIn("clip", ppo.loss.clip, 1e-3, 1.0);
  ppo.loss.entropy_weight = node.NumberIn("entropy", ppo.loss.entropy_weight, 0.0, 1.0);
  ppo.learning_rate = node.NumberIn("learning_rate", ppo.learning_rate, 1e-8, 1.0);
  ppo.min_learning_rate = node.NumberIn("min_learning_rate", ppo.min_learning_rate, 1e-8, 1.0);
  ppo.max_learning_rate = node.NumberIn("max_learning_rate", ppo.max_learning_rate, 1e-8, 1.0);
  ppo.critic_learning_rate =
      node.NumberIn("critic_learning_rate", ppo.critic_learning_rate, 1e-8, 1.0);
  ppo.desired_kl = node.NumberIn("desired_kl", ppo.desired_kl, 1e-6, 1.0);
  ppo.alternate_reflections = node.Bool("alternate_reflections", ppo.alternate_reflections);
  ppo.reflections_on_policy = node.Bool("reflections_on_policy", ppo.reflections_on_policy);
  ppo.loss.clip_values = node.Bool("clip_values", ppo.loss.clip_values);
  ppo.average = node.NumberIn("average", ppo.average, 0.0, 1e6);
  ppo.min_std = node.NumberIn("min_std", ppo.min_std, 1e-3, 10.0);
  ppo.max_std = node.NumberIn("max_std", ppo.max_std, ppo.min_std, 10.0);
}

void ReadReward(const TomlNode& node, RewardWeights& reward) {
  const auto read = [&node](const char* key, double& value) { value = node.Number(key, value); };
  read("track_velocity", reward.track_velocity);
  read("velocity_width", reward.velocity_width);
  read("velocity_error", reward.velocity_error);
  read("track_yaw", reward.track_yaw);
  read("yaw_width", reward.yaw_width);
  read("vertical_velocity", reward.vertical_velocity);
  read("roll_pitch_rate", reward.roll_pitch_rate);
  read("tilt", reward.tilt);
  read("height", reward.height);
  read("height_m", reward.height_m);
  read("torque", reward.torque);
  read("power", reward.power);
  read("still", reward.still);
  read("acceleration", reward.acceleration);
  read("action_rate", reward.action_rate);
  read("gait", reward.gait);
  read("clearance", reward.clearance);
  reward.clearance_width = node.NumberIn("clearance_width", reward.clearance_width, 1e-4, 1.0);
  read("slip", reward.slip);
  read("fall", reward.fall);
}

// Kinds of tiles by name.
void ReadTiles(const TomlNode& node, Stage& stage) {
  if (!node.Has("tiles")) return;
  stage.tiles.clear();
  for (const std::string& name : node.Strings("tiles", {})) {
    if (const std::optional<sim::TileKind> kind = sim::TileNamed(name)) {
      stage.tiles.push_back(*kind);
    } else {
      node.Fail("tiles", fmt::format("found \"{}\", expected stairs, stairs-down, boxes, rough, "
                                     "slope, slope-down or mixed",
                                     name));
    }
  }
  if (stage.tiles.empty()) node.Fail("tiles", "expected at least one kind of tile");
}

void ReadStages(const TomlNode& root, Recipe& recipe) {
  for (const TomlNode& node : root.Tables("stage")) {
    Stage stage;
    stage.iterations =
        static_cast<int>(node.Require("iterations").IntegerIn("iterations", 1, 1, 1 << 20));
    stage.rough_m = node.NumberIn("rough", stage.rough_m, 0.0, 0.5);
    stage.difficulty = node.NumberIn("difficulty", stage.difficulty, -1.0, 1.0);
    stage.tile_share = node.NumberIn("tile_share", stage.tile_share, 0.0, 1.0);
    ReadTiles(node, stage);
    stage.reward = recipe.reward;
    ReadReward(node.Table("reward"), stage.reward);
    stage.ppo = recipe.ppo;
    ReadPpo(node.Table("ppo"), *stage.ppo);
    recipe.stages.push_back(stage);
  }
}

void ReadSymmetry(const TomlNode& node, const RobotSpec& spec, Recipe& recipe) {
  recipe.mirror = node.Bool("use", recipe.mirror);
  const std::vector<int> left = Joints(node, "left", spec);
  const std::vector<int> right = Joints(node, "right", spec);
  if (left.size() != right.size()) {
    node.Fail("right", "expected one joint for every joint of symmetry.left");
    return;
  }
  std::vector<int> partner(spec.joints.size());
  for (std::size_t i = 0; i < partner.size(); ++i) partner[i] = static_cast<int>(i);
  for (std::size_t i = 0; i < left.size(); ++i) {
    partner[left[i]] = right[i];
    partner[right[i]] = left[i];
  }
  std::vector<char> flip(spec.joints.size(), 0);
  for (const int joint : Joints(node, "flip", spec)) flip[joint] = 1;
  recipe.symmetry = MakeSymmetry(spec, partner, flip);
}

/// What can be described but not trained here.
Status CheckTrainable(const RobotSpec& spec, bool symmetric) {
  if (!spec.inputs.empty() || !spec.encoder.file.empty()) {
    return InputError(
        "{}: policies trained here take one observation and have no encoder; remove input, "
        "[[input]] and [encoder]",
        spec.file.string());
  }
  const bool contacts = spec.TermOffset(robot::TermKind::kFootContact) >= 0;
  if (!symmetric || !contacts) return {};
  return InputError(
      "{}: nothing says which foot is another's mirror image; train with the term foot_contact "
      "only "
      "without [symmetry]",
      spec.file.string());
}

}  // namespace

bool Recipe::FootInStance(std::size_t i, double phase) const {
  if (!is_biped()) return InStance(trot, trot.legs[i], phase);
  const double shifted = phase + biped.legs[i].phase;
  return shifted - std::floor(shifted) < biped.stance_share;
}

Result<Recipe> LoadRecipe(const std::filesystem::path& file, const RobotSpec& spec) {
  io::TomlDocument document = GONOGO_TRY(io::TomlDocument::Load(file));
  const TomlNode root = document.Root();
  GONOGO_TRY(CheckTrainable(spec, root.Has("symmetry")));
  Recipe recipe;
  ReadRun(root.Table("run"), recipe);
  ReadNetwork(root.Table("network"), recipe.network);
  ReadClone(root.Table("clone"), recipe.clone);
  ReadPpo(root.Table("ppo"), recipe.ppo);
  ReadReward(root.Table("reward"), recipe.reward);
  ReadStages(root, recipe);
  if (root.Has("biped")) {
    ReadBiped(root.Table("biped"), spec, recipe.biped);
  } else {
    ReadTrot(root.Table("trot"), spec, recipe.trot);
  }
  CheckPeriod(root.Table(recipe.is_biped() ? "biped" : "trot"), spec, recipe.gait_period_s());
  ReadSymmetry(root.Table("symmetry"), spec, recipe);
  GONOGO_TRY(document.Finish());
  std::string files;
  for (const std::filesystem::path& path : {file, spec.file, spec.model}) {
    const std::string bytes = GONOGO_TRY(io::ReadFile(path));
    files += io::Sha256Hex(bytes);
  }
  recipe.fingerprint = io::Sha256Hex(files);
  if (recipe.stages.empty()) return InputError("{}: no [[stage]] to train on", file.string());
  return recipe;
}

}  // namespace gonogo::train
