// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/walk/expert.h"

#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "gonogo/base/gravity.h"

namespace gonogo::train {
namespace {

using robot::TermKind;

/// Physical values of one term of the observation vector: where it is and what its elements are
/// to be divided by.
class TermReader {
 public:
  TermReader(const robot::RobotSpec& spec, const robot::ObservationTerm& term)
      : offset_(spec.TermOffset(term.kind)),
        scale_(term.scale),
        cosine_first_(term.phase == robot::PhaseValues::kCosSin) {}

  [[nodiscard]] double Read(std::span<const float> observation, int i) const {
    return observation[offset_ + i] / scale_[i];
  }
  [[nodiscard]] Eigen::Vector3d ReadVector(std::span<const float> observation) const {
    return {Read(observation, 0), Read(observation, 1), Read(observation, 2)};
  }
  /// Share of the period, in [0, 1), from the sine and cosine of a gait-phase term.
  [[nodiscard]] double ReadPhase(std::span<const float> observation) const {
    const double turns = std::atan2(Read(observation, cosine_first_ ? 1 : 0),
                                    Read(observation, cosine_first_ ? 0 : 1)) /
                         (2.0 * std::numbers::pi);
    return turns - std::floor(turns);
  }

 private:
  int offset_;
  std::vector<double> scale_;
  bool cosine_first_;
};

/// A hand-written walk behind the interface of any policy: it reads the observation and nothing
/// else, so that what a network can learn from it and what it is compared with are the same thing.
class Walker : public robot::Policy {
 public:
  explicit Walker(const robot::RobotSpec& spec)
      : observation_size_(spec.observation_size()),
        default_pose_(spec.default_pose),
        scale_(spec.action_scale),
        channels_(spec.channels) {}

  /// Fails if the observation lacks something the walk needs.
  [[nodiscard]] Status FindTerms(const robot::RobotSpec& spec) {
    for (const TermKind kind : needs()) {
      const auto term = std::ranges::find(spec.observation, kind, &robot::ObservationTerm::kind);
      if (term == spec.observation.end()) {
        return InputError("{}: the walking start needs the observation term {}", spec.file.string(),
                          robot::TermName(kind));
      }
      const bool joints_missing = !term->joints.empty();
      const bool phase_missing = kind == TermKind::kGaitPhase && term->width() != 2;
      if (joints_missing || phase_missing) {
        return InputError("{}: the walking start needs the whole term {}", spec.file.string(),
                          robot::TermName(kind));
      }
      terms_.emplace(kind, TermReader(spec, *term));
    }
    cadence_ = *spec.cadence();
    return {};
  }

  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] int action_size() const override { return static_cast<int>(scale_.size()); }
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& /*memory*/) const override {
    WriteTargets(observation, action);
    for (std::size_t i = 0; i < action.size(); ++i) {
      action[i] = static_cast<float>((action[i] - default_pose_[i]) / scale_[i]);
    }
  }

 protected:
  [[nodiscard]] virtual std::vector<TermKind> needs() const = 0;
  /// One joint angle per element of the action.
  virtual void WriteTargets(std::span<const float> observation, std::span<float> targets) const = 0;

  [[nodiscard]] const TermReader& term(TermKind kind) const { return terms_.at(kind); }
  [[nodiscard]] robot::Command ReadCommand(std::span<const float> observation) const {
    robot::Command command;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      channels_[i].Set(command, term(TermKind::kCommand).Read(observation, static_cast<int>(i)));
    }
    return command;
  }
  [[nodiscard]] const robot::Cadence& cadence() const { return cadence_; }
  [[nodiscard]] const std::vector<double>& default_pose() const { return default_pose_; }

 private:
  int observation_size_;
  std::vector<double> default_pose_;
  std::vector<double> scale_;
  std::vector<robot::CommandChannel> channels_;
  std::map<TermKind, TermReader> terms_;
  robot::Cadence cadence_;
};

class TrotWalker final : public Walker {
 public:
  TrotWalker(const robot::RobotSpec& spec, TrotConfig trot)
      : Walker(spec), trot_(std::move(trot)) {}

 private:
  [[nodiscard]] std::vector<TermKind> needs() const override {
    return {TermKind::kBaseLinVel, TermKind::kBaseAngVel, TermKind::kProjectedGravity,
            TermKind::kCommand, TermKind::kGaitPhase};
  }

  void WriteTargets(std::span<const float> observation, std::span<float> targets) const override {
    const robot::Command command = ReadCommand(observation);
    if (cadence().Rests(command)) return StandTargets(trot_, targets);
    TrotConfig now = trot_;
    if (cadence().follows_command()) now.period_s = cadence().PeriodAt(command);
    now.swing_height_m = SwingHeight(trot_, command);
    TrotTargets(now,
                {.phase = term(TermKind::kGaitPhase).ReadPhase(observation),
                 .command = {command.vx, command.vy, command.wz},
                 .velocity_B = term(TermKind::kBaseLinVel).ReadVector(observation),
                 .omega_B = term(TermKind::kBaseAngVel).ReadVector(observation),
                 .gravity_B = term(TermKind::kProjectedGravity).ReadVector(observation)},
                targets);
  }

  TrotConfig trot_;
};

/// Joints that are in no leg stay at their default.
class BipedWalker final : public Walker {
 public:
  BipedWalker(const robot::RobotSpec& spec, BipedConfig biped)
      : Walker(spec), biped_(std::move(biped)), kp_(spec.actuator.kp), kd_(spec.actuator.kd) {}

 private:
  [[nodiscard]] std::vector<TermKind> needs() const override {
    return {TermKind::kBaseLinVel, TermKind::kBaseAngVel, TermKind::kProjectedGravity,
            TermKind::kCommand,    TermKind::kJointPos,   TermKind::kJointVel,
            TermKind::kGaitPhase};
  }

  void WriteTargets(std::span<const float> observation, std::span<float> targets) const override {
    std::vector<double> q(targets.size());
    std::vector<double> qd(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const int joint = static_cast<int>(i);
      q[i] = default_pose()[i] + term(TermKind::kJointPos).Read(observation, joint);
      qd[i] = term(TermKind::kJointVel).Read(observation, joint);
      targets[i] = static_cast<float>(default_pose()[i]);
    }
    BipedConfig now = biped_;
    const robot::Command told = ReadCommand(observation);
    if (cadence().follows_command()) now.period_s = cadence().PeriodAt(told);
    BipedTargets(now, {.kp = kp_, .kd = kd_},
                 {.stand = cadence().Rests(told),
                  .phase = term(TermKind::kGaitPhase).ReadPhase(observation),
                  .command = {told.vx, told.vy, told.wz},
                  .velocity_B = term(TermKind::kBaseLinVel).ReadVector(observation),
                  .omega_B = term(TermKind::kBaseAngVel).ReadVector(observation),
                  .gravity_B = term(TermKind::kProjectedGravity).ReadVector(observation),
                  .q = q,
                  .qd = qd},
                 targets);
  }

  BipedConfig biped_;
  std::vector<double> kp_;
  std::vector<double> kd_;
};

}  // namespace

Result<std::shared_ptr<const robot::Policy>> MakeExpert(const robot::RobotSpec& spec,
                                                        const Recipe& recipe, double mass_kg) {
  std::shared_ptr<Walker> walker;
  if (recipe.is_biped()) {
    if (!spec.actuator.has_gains()) {
      return InputError("{}: the walking start needs actuator.kp and actuator.kd",
                        spec.file.string());
    }
    BipedConfig biped = recipe.biped;
    biped.weight_n = kGravity * mass_kg;
    walker = std::make_shared<BipedWalker>(spec, std::move(biped));
  } else {
    TrotConfig trot = recipe.trot;
    trot.weight_n = kGravity * mass_kg;
    walker = std::make_shared<TrotWalker>(spec, std::move(trot));
  }
  GONOGO_TRY(walker->FindTerms(spec));
  return std::shared_ptr<const robot::Policy>(std::move(walker));
}

}  // namespace gonogo::train
