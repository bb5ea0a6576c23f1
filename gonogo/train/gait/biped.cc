// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/biped.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "gonogo/base/gravity.h"

namespace gonogo::train {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Angles = Eigen::Matrix<double, 5, 1>;  // yaw, roll, pitch, knee, ankle

// Of a target from its joint [rad]: a robot that has fallen asks for anything.
constexpr double kMaxOffset = 1.2;

double Fraction(double x) { return x - std::floor(x); }

double Side(const BipedLeg& leg) { return leg.yaw_axis_B.y() > 0.0 ? 1.0 : -1.0; }

Vector3d AboutZ(double angle, const Vector3d& v) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()) * v;
}

// Points of a leg in the root frame.
struct LegPoints {
  Vector3d hip;
  Vector3d knee;
  Vector3d ankle;
};

LegPoints Locate(const BipedLeg& leg, const Angles& q) {
  const auto place = [&](const Vector3d& p) -> Vector3d {
    return leg.yaw_axis_B +
           AboutZ(q[0], Vector3d(leg.geometry.hip_B.x(), leg.geometry.hip_B.y(), 0.0) + p);
  };
  LegGeometry thigh = leg.geometry;
  thigh.shank = 1e-9;
  LegGeometry none = thigh;
  none.thigh = 0.0;
  const LegAngles bent(q[1], q[2], q[3]);
  return {place(FootPosition(none, bent)), place(FootPosition(thigh, bent)),
          place(FootPosition(leg.geometry, bent))};
}

// The walk at one instant, in the level frame: root axes without roll and pitch.
class Walk {
 public:
  Walk(const BipedConfig& config, const DriveGains& gains, const BipedState& state)
      : config_(config),
        gains_(gains),
        state_(state),
        level_(Eigen::Quaterniond::FromTwoVectors(state.gravity_B, -Vector3d::UnitZ())),
        velocity_(level_ * state.velocity_B),
        omega_(level_ * state.omega_B),
        pitch_(std::atan2(state.gravity_B.x(), -state.gravity_B.z())),
        roll_(std::atan2(-state.gravity_B.y(), -state.gravity_B.z())),
        rate_(std::sqrt(kGravity / config.pendulum_m)) {}

  void Write(std::span<float> targets) const {
    for (std::size_t i = 0; i < config_.legs.size(); ++i) {
      const BipedLeg& leg = config_.legs[i];
      const Angles q = Read(leg, state_.q);
      const Angles target =
          state_.stand ? Stand(leg, config_.legs[1 - i], q) : Step(leg, config_.legs[1 - i], q);
      for (int j = 0; j < 5; ++j) {
        targets[leg.joints[j]] =
            static_cast<float>(std::clamp(target[j], q[j] - kMaxOffset, q[j] + kMaxOffset));
      }
    }
  }

 private:
  Angles Step(const BipedLeg& leg, const BipedLeg& other, const Angles& q) const {
    const double phase = Fraction(state_.phase + leg.phase);
    if (phase >= config_.stance_share) return Swing(leg, other, phase, q);
    Angles target = Carry(leg, Load(phase), config_.pressure_m, q);
    target[0] = YawReference(phase) -
                gains_.kd[leg.joints[0]] / gains_.kp[leg.joints[0]] * state_.command.z();
    return target;
  }

  // Both feet carry. The centre of pressure has to be ahead of where the pendulum would come to
  // rest, or it is not pushed back: along the feet by moving it under each of them, sideways by
  // giving the outer foot more of the weight.
  Angles Stand(const BipedLeg& leg, const BipedLeg& other, const Angles& q) const {
    constexpr double kAhead = 1.5;
    constexpr double kHeel = -0.05;  // m from the ankle
    constexpr double kToe = 0.12;
    const Vector3d ankle = level_ * Locate(leg, q).ankle;
    const Vector3d beside = level_ * Locate(other, Read(other, state_.q)).ankle;
    const Vector2d middle = 0.5 * (ankle + beside).head<2>();
    const Vector2d rest = velocity_.head<2>() / rate_ - middle;  // from the middle of the feet
    const double width = std::max(std::abs(ankle.y() - beside.y()), 0.05);
    const double load = std::clamp(0.5 + kAhead * Side(leg) * rest.y() / width, 0.0, 1.0);
    const double pressure = middle.x() + kAhead * rest.x() - ankle.x();
    Angles target = Carry(leg, load, std::clamp(pressure, kHeel, kToe), q);
    target[0] = 0.0;
    return target;
  }

  static Angles Read(const BipedLeg& leg, std::span<const double> values) {
    Angles q;
    for (int j = 0; j < 5; ++j) q[j] = values[leg.joints[j]];
    return q;
  }

  // Share of the weight: taken over linearly while both feet stand.
  double Load(double phase) const {
    const double both = config_.stance_share - 0.5;
    if (both <= 0.0) return 1.0;
    return std::clamp(std::min(phase, config_.stance_share - phase) / both, 0.0, 1.0);
  }

  double YawReference(double phase) const {
    const double stance = config_.stance_share;
    const double reach = 0.5 * stance * config_.period_s * state_.command.z();
    if (phase < stance) return reach * (1.0 - 2.0 * phase / stance);
    const double progress = (phase - stance) / (1.0 - stance);
    return -reach * std::cos(std::numbers::pi * progress);
  }

  // A leg on the ground: its share of the weight, with the centre of pressure so far ahead of the
  // ankle, and the trunk turned upright. The yaw joint is left where it is.
  Angles Carry(const BipedLeg& leg, double load, double pressure_m, const Angles& q) const {
    const LegPoints points = Locate(leg, q);
    const Vector3d hip = level_ * points.hip;
    const Vector3d knee = level_ * points.knee;
    const Vector3d ankle = level_ * points.ankle;
    const double height = config_.sole_m - ankle.z();
    const double force =
        load * std::max(0.0, config_.weight_n +
                                 config_.height_stiffness_n_m * (config_.stand_height_m - height) -
                                 config_.height_damping_ns_m * velocity_.z());
    const Vector3d pressure = ankle + Vector3d(pressure_m, 0.0, -config_.sole_m);
    Angles torque;
    torque[2] = load * (config_.trunk_stiffness_nm * (pitch_ - config_.lean) +
                        config_.trunk_damping_nms * omega_.y()) -
                config_.trunk_share * hip.x() * force;
    const double push = (torque[2] - (pressure - hip).x() * force) / (pressure - hip).z();
    torque[3] = (pressure - knee).z() * push + (pressure - knee).x() * force;
    torque[4] = (pressure - ankle).z() * push + (pressure - ankle).x() * force;
    torque[1] =
        Side(leg) * config_.hip_arm_m * force +
        load * (config_.trunk_stiffness_nm * roll_ + config_.trunk_damping_nms * omega_.x());
    torque[0] = 0.0;
    Angles target = q;
    for (int j = 0; j < 5; ++j) target[j] += torque[j] / gains_.kp[leg.joints[j]];
    return target;
  }

  // Touch-down relative to the root: where the pendulum has to step to be as fast as wanted at the
  // end of the step that follows. The root's axes turn meanwhile.
  Vector2d TouchDown(const BipedLeg& leg, const BipedLeg& stance, double left_s) const {
    const Vector3d foot = level_ * Locate(stance, Read(stance, state_.q)).ankle;
    const Vector2d from(-foot.x() - config_.pressure_m, -foot.y());
    const double t = rate_ * left_s;
    const double turn = state_.command.z();
    const Vector2d landing = Eigen::Rotation2Dd(-turn * left_s) *
                             (velocity_.head<2>() * std::cosh(t) + rate_ * from * std::sinh(t));
    const double step_s = 0.5 * config_.period_s;
    const double step = rate_ * step_s;
    const double sway = rate_ * config_.half_width_m * std::tanh(0.5 * step);
    const double peak = 0.5 * step / std::tanh(0.5 * step);
    const double speed =
        std::clamp(state_.command.x() * peak, landing.x() - config_.speed_change_m_s,
                   landing.x() + config_.speed_change_m_s);
    const Vector2d wanted =
        Eigen::Rotation2Dd(turn * step_s) * Vector2d(speed, state_.command.y() - Side(leg) * sway);
    return (landing * std::cosh(step) - wanted) / (rate_ * std::sinh(step));
  }

  Angles SwingReference(const BipedLeg& leg, const Vector2d& touch_down, double phase) const {
    const double progress =
        std::clamp((phase - config_.stance_share) / (1.0 - config_.stance_share), 0.0, 1.0);
    const double eased = 0.5 - 0.5 * std::cos(std::numbers::pi * progress);
    const Vector2d start(-0.22 * state_.command.x() - config_.pressure_m,
                         Side(leg) * config_.half_width_m);
    const Vector2d end = touch_down + Vector2d(config_.trim_m - config_.pressure_m, 0.0);
    const Vector2d at = start + eased * (end - start);
    const double lift = config_.swing_height_m * std::sin(std::numbers::pi * progress);
    const Vector3d ankle = level_.conjugate() *
                           Vector3d(at.x(), at.y(), config_.sole_m - config_.stand_height_m + lift);
    const double yaw = YawReference(phase);
    const Vector3d hip(leg.geometry.hip_B.x(), leg.geometry.hip_B.y(), 0.0);
    const LegAngles bent = SolveLeg(leg.geometry, AboutZ(-yaw, ankle - leg.yaw_axis_B) - hip);
    Angles q;
    q << yaw, bent, -(bent[1] + bent[2]) - pitch_;
    return q;
  }

  Angles Swing(const BipedLeg& leg, const BipedLeg& stance, double phase, const Angles& q) const {
    constexpr double kStep = 0.01;  // s
    const double step = kStep / config_.period_s;
    const Vector2d end = Bounded(leg, TouchDown(leg, stance, (1.0 - phase) * config_.period_s));
    const double middle = std::clamp(phase, config_.stance_share + step, 1.0 - step);
    const Angles before = SwingReference(leg, end, middle - step);
    const Angles at = SwingReference(leg, end, phase);
    const Angles mid = SwingReference(leg, end, middle);
    const Angles after = SwingReference(leg, end, middle + step);
    const Angles speed = (after - before) / (2.0 * kStep);
    const Angles acceleration = (after - 2.0 * mid + before) / (kStep * kStep);
    const Angles qd = Read(leg, state_.qd);
    Angles target = at;
    for (int j = 0; j < 5; ++j) {
      const double kp = gains_.kp[leg.joints[j]];
      const double kd = gains_.kd[leg.joints[j]];
      if (config_.inertia_kgm2[j] <= 0.0) {
        target[j] += kd / kp * speed[j];
        continue;
      }
      const double rate = config_.swing_rate;
      const double torque =
          config_.inertia_kgm2[j] *
          (acceleration[j] + 2.0 * config_.swing_damping * rate * (speed[j] - qd[j]) +
           rate * rate * (at[j] - q[j]));
      target[j] = q[j] + (torque + kd * qd[j]) / kp;
    }
    return target;
  }

  Vector2d Bounded(const BipedLeg& leg, Vector2d at) const {
    at.x() = std::clamp(at.x(), -0.4, 0.5);
    at.y() = Side(leg) * std::clamp(Side(leg) * at.y(), 0.04, 0.45);
    return at;
  }

  const BipedConfig& config_;
  const DriveGains& gains_;
  const BipedState& state_;
  Eigen::Quaterniond level_;  // turns root axes into level ones
  Vector3d velocity_;
  Vector3d omega_;
  double pitch_;
  double roll_;
  double rate_;  // of the pendulum, 1/s
};

}  // namespace

void BipedTargets(const BipedConfig& config, const DriveGains& gains, const BipedState& state,
                  std::span<float> targets) {
  Walk(config, gains, state).Write(targets);
}

}  // namespace gonogo::train
