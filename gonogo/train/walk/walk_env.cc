// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/walk/walk_env.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gonogo/base/check.h"
#include "gonogo/sim/world/terrain.h"

namespace gonogo::train {
namespace {

using Worlds = std::vector<std::shared_ptr<const sim::World>>;

constexpr int kSteps =
    kStageGrounds / 2;     // roughness and difficulty rise to the stage's value in so many worlds
constexpr int kTiles = 3;  // along each side of a rough world

sim::Terrain Rough(const robot::TerrainSpec& usual, double high_m, const RngStream& stream) {
  if (high_m <= 0.0) return sim::FlatTerrain();
  robot::TerrainSpec spec = usual;
  spec.rough_high_m = std::max(high_m, spec.rough_low_m);
  return sim::RoughTerrain(kTiles, spec, stream);
}

sim::Terrain Tiles(const robot::TerrainSpec& spec, const std::vector<sim::TileKind>& kinds,
                   double difficulty, const RngStream& stream) {
  sim::TerrainOptions options;
  options.columns = kinds;
  options.rows = 2;
  options.difficulty = difficulty;
  return sim::MakeTerrain(options, spec, stream);
}

double Square(double x) { return x * x; }

}  // namespace

Result<Worlds> MakeWorlds(const robot::RobotSpec& spec, const Stage& stage, bool fast_ground,
                          const RngStream& stream) {
  Worlds worlds;
  const auto add = [&](sim::Terrain terrain) -> Status {
    worlds.push_back(
        GONOGO_TRY(sim::World::Create(spec, std::move(terrain), {.fast_ground = fast_ground})));
    return {};
  };
  // Shares are counted in eighths, so that any number of environments sees the whole mixture.
  const int tiles =
      stage.difficulty < 0.0 ? 0 : static_cast<int>(std::lround(kStageGrounds * stage.tile_share));
  for (int i = 0; i < kStageGrounds; ++i) {
    const double level = static_cast<double>(i % kSteps + 1) / kSteps;
    const RngStream own = stream.Child(i);
    GONOGO_TRY(i < tiles ? add(Tiles(spec.terrain, stage.tiles, level * stage.difficulty, own))
                         : add(Rough(spec.terrain, level * stage.rough_m, own)));
  }
  return worlds;
}

WalkEnv::WalkEnv(std::shared_ptr<const sim::World> world, const Recipe& recipe,
                 const RewardWeights& reward, std::shared_ptr<const robot::Policy> expert,
                 const RngStream& stream)
    : recipe_(recipe),
      reward_(reward),
      expert_(std::move(expert)),
      stream_(stream),
      rng_(stream),
      env_(std::move(world)),
      last_action_(action_dim()),
      last_feet_(env_.spec().feet.size()),
      step_meter_(env_.spec().feet.size()) {
  Restart(0);
}

std::size_t WalkEnv::observation_dim() const { return env_.spec().observation_size(); }
std::size_t WalkEnv::action_dim() const { return env_.spec().joint_count(); }

void WalkEnv::Restart(std::size_t round) {
  rng_ = stream_.Child(round).Generator();
  StartEpisode();
  // Episodes of different environments shall not end together.
  steps_ = static_cast<int>(
      rng_.Below(static_cast<std::uint64_t>(recipe_.episode_s / env_.spec().control_dt_s())));
}

void WalkEnv::StartEpisode() {
  const std::size_t origin = rng_.Below(env_.world().terrain().origins.size());
  sim::Start start =
      sim::DrawStart(env_.world(), stream_.Child("episode").Child(rng_.NextU64()), origin);
  if (rng_.Uniform() < 0.5) start.phase_time_s = rng_.Uniform(0.0, recipe_.gait_period_s());
  env_.Reset(start);
  std::fill(last_action_.begin(), last_action_.end(), 0.0F);
  for (std::size_t f = 0; f < last_feet_.size(); ++f) last_feet_[f] = env_.feet()[f].p_W;
  step_meter_ = sim::StepMeter(env_.feet().size());
  steps_ = 0;
  DrawCommand();
  DrawPush();
}

int WalkEnv::DrawSteps(const std::array<double, 2>& seconds) {
  return std::max(
      1, static_cast<int>(rng_.Uniform(seconds[0], seconds[1]) / env_.spec().control_dt_s()));
}

void WalkEnv::DrawPush() {
  if (recipe_.push_m_s > 0.0) push_steps_left_ = DrawSteps(recipe_.push_s);
}

void WalkEnv::DrawCommand() {
  const robot::CommandBox& box = env_.spec().command_box;
  command_ = {.vx = rng_.Uniform(box.low.vx, box.high.vx),
              .vy = rng_.Uniform(box.low.vy, box.high.vy),
              .wz = rng_.Uniform(box.low.wz, box.high.wz)};
  const double kind = rng_.Uniform();
  if (kind < recipe_.zero_commands) {
    command_ = {};
  } else if (kind < recipe_.zero_commands + recipe_.small_commands) {
    command_ = 0.3 * command_;
  }
  for (const robot::CommandChannel& channel : env_.spec().channels) {
    if (channel.is_velocity()) continue;
    command_[channel.slot] = rng_.Uniform(box.low[channel.slot], box.high[channel.slot]);
  }
  command_steps_left_ = DrawSteps(recipe_.command_s);
}

void WalkEnv::Observe(std::span<float> observation) {
  const std::span<const float> clean = env_.Observe(command_);
  std::copy(clean.begin(), clean.end(), observation.begin());
  if (recipe_.noise <= 0.0) return;
  std::size_t i = 0;
  for (const robot::ObservationTerm& term : env_.spec().observation) {
    const double width = recipe_.noise * term.noise;
    for (int k = 0; k < term.size(); ++k, ++i) {
      if (width <= 0.0) continue;
      const double noise = rng_.Uniform(-width, width) * term.scale[k % term.width()];
      observation[i] += static_cast<float>(noise);
    }
  }
}

void WalkEnv::Expert(std::span<float> action) {
  expert_->Act(env_.Observe(command_), action, no_memory_);
}

bool WalkEnv::ToldToStand() const {
  const robot::Cadence* cadence = env_.spec().cadence();
  return cadence != nullptr && cadence->Rests(command_);
}

double WalkEnv::GaitPhase() const {
  const robot::Cadence* cadence = env_.spec().cadence();
  const bool driven = cadence != nullptr && cadence->follows_command();
  return driven ? env_.state().gait_phase
                : std::fmod(env_.state().gait_clock_s / recipe_.gait_period_s(), 1.0);
}

double WalkEnv::GaitReward() const {
  const bool stand = ToldToStand();
  const double phase = GaitPhase();
  double agreeing = 0.0;
  for (std::size_t f = 0; f < env_.feet().size(); ++f) {
    if ((stand || recipe_.FootInStance(f, phase)) == env_.feet()[f].contact) agreeing += 1.0;
  }
  return agreeing;
}

double WalkEnv::ClearanceReward() {
  step_meter_.Add(env_.feet(), env_.spec().control_dt_s());
  if (ToldToStand() || recipe_.is_biped()) return 0.0;
  const double told = SwingHeight(recipe_.trot, command_);
  double agreeing = 0.0;
  for (std::size_t f = 0; f < env_.feet().size(); ++f) {
    const std::optional<double> height = step_meter_.last_height_m(f);
    if (height) agreeing += std::exp(-Square((*height - told) / reward_.clearance_width));
  }
  return agreeing;
}

double WalkEnv::FootSlip() {
  double slip = 0.0;
  for (std::size_t f = 0; f < last_feet_.size(); ++f) {
    const sim::Foot& foot = env_.feet()[f];
    if (foot.contact_time_s > env_.spec().control_dt_s()) {
      slip += (Square(foot.p_W[0] - last_feet_[f][0]) + Square(foot.p_W[1] - last_feet_[f][1])) /
              Square(env_.spec().control_dt_s());
    }
    last_feet_[f] = foot.p_W;
  }
  return slip;
}

double WalkEnv::Reward(std::span<const float> action) {
  const RewardWeights& w = reward_;
  const robot::RobotState& state = env_.state();
  const double planar =
      Square(command_.vx - state.v_com_B[0]) + Square(command_.vy - state.v_com_B[1]);
  const double yaw = Square(command_.wz - state.w_B[2]);
  double torque = 0.0;
  double acceleration = 0.0;
  double rate = 0.0;
  double motion = 0.0;
  const std::span<const double> last_torque =
      std::span(env_.step().torque).last(last_action_.size());
  for (std::size_t j = 0; j < last_action_.size(); ++j) {
    torque += Square(last_torque[j]);
    acceleration += Square(env_.step().joint_acc[j]);
    rate += Square(action[j] - last_action_[j]);
    motion += Square(state.qd[j]);
  }
  return w.track_velocity * std::exp(-planar / Square(w.velocity_width)) +
         w.velocity_error * std::sqrt(planar) + w.track_yaw * std::exp(-yaw / Square(w.yaw_width)) +
         w.vertical_velocity * Square(state.v_com_B[2]) +
         w.roll_pitch_rate * (Square(state.w_B[0]) + Square(state.w_B[1])) +
         w.tilt * (Square(state.gravity_B[0]) + Square(state.gravity_B[1])) +
         w.height * Square(state.posture_height_m - w.height_m) + w.torque * torque +
         w.power * env_.step().power_w + (ToldToStand() ? w.still * motion : 0.0) +
         w.acceleration * acceleration + w.action_rate * rate + w.gait * GaitReward() +
         (w.clearance != 0.0 ? w.clearance * ClearanceReward() : 0.0) + w.slip * FootSlip();
}

StepOutcome WalkEnv::Step(std::span<const float> action) {
  StepOutcome outcome;
  const double dt = env_.spec().control_dt_s();
  const Status stepped = env_.Step(action);
  const robot::RobotState& state = env_.state();
  // A robot on its back touches nothing that is forbidden, but will not walk again either.
  outcome.terminated =
      !stepped.ok() || env_.termination() != sim::Termination::kNone || state.gravity_B[2] > -0.3;
  const bool readable = stepped.ok() && env_.termination() != sim::Termination::kDiverged;
  const double reward = readable ? Reward(action) * dt : 0.0;
  outcome.reward = static_cast<float>(reward + (outcome.terminated ? reward_.fall : 0.0));
  outcome.tracking_error = static_cast<float>(
      std::hypot(command_.vx - state.v_com_B[0], command_.vy - state.v_com_B[1]));
  std::copy(action.begin(), action.end(), last_action_.begin());
  ++steps_;
  outcome.timed_out =
      !outcome.terminated && (steps_ * dt >= recipe_.episode_s || env_.step().left_terrain);
  if (outcome.terminated || outcome.timed_out) {
    StartEpisode();
    return outcome;
  }
  if (--command_steps_left_ <= 0) {
    DrawCommand();
    outcome.task_ended = recipe_.lasting_commands;
  }
  if (recipe_.push_m_s > 0.0 && --push_steps_left_ <= 0) {
    const double dvx = rng_.Uniform(-recipe_.push_m_s, recipe_.push_m_s);
    env_.Push(dvx, rng_.Uniform(-recipe_.push_m_s, recipe_.push_m_s));
    DrawPush();
  }
  return outcome;
}

}  // namespace gonogo::train
