// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/alternatives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gonogo::study {
namespace {

using robot::ObservationTerm;
using robot::TermKind;

/// Adds copies of a description with something changed.
class Changes {
 public:
  explicit Changes(const robot::RobotSpec& robot) : robot_(robot) {}

  /// `change` may decline by returning false.
  template <typename Change>
  void Try(std::string key, std::string what, bool silent, const Change& change) {
    robot::RobotSpec changed = robot_;
    if (!change(changed)) return;
    found_.push_back({std::move(key), std::move(what), std::move(changed), silent});
  }
  /// The same for all terms of a kind.
  template <typename Change>
  void TryTerms(TermKind kind, std::string what, bool silent, const Change& change) {
    Try(fmt::format("the scale of {}", TermName(kind)), std::move(what), silent,
        [&](robot::RobotSpec& spec) {
          bool any = false;
          for (ObservationTerm& term : spec.observation) {
            if (term.kind == kind) any = change(term) || any;
          }
          return any;
        });
  }
  [[nodiscard]] std::vector<Alternative> Take() { return std::move(found_); }

 private:
  const robot::RobotSpec& robot_;
  std::vector<Alternative> found_;
};

void Multiply(std::vector<double>& values, double factor) {
  for (double& value : values) value *= factor;
}

bool AllAre(const std::vector<double>& values, double wanted) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == wanted; });
}

void ScaleChanges(Changes& changes) {
  changes.TryTerms(TermKind::kHeightScan, "the opposite sign of the height scan", true,
                   [](ObservationTerm& term) {
                     Multiply(term.scale, -1.0);
                     return true;
                   });
  for (const TermKind kind : {TermKind::kBaseLinVel, TermKind::kBaseAngVel,
                              TermKind::kProjectedGravity, TermKind::kCommand, TermKind::kJointPos,
                              TermKind::kJointVel, TermKind::kLastAction, TermKind::kHeightScan}) {
    changes.TryTerms(kind, fmt::format("a scale of 1 of {} instead of 0", TermName(kind)), true,
                     [](ObservationTerm& term) {
                       if (!AllAre(term.scale, 0.0)) return false;
                       std::fill(term.scale.begin(), term.scale.end(), 1.0);
                       return true;
                     });
  }
  changes.TryTerms(TermKind::kProjectedGravity, "the opposite sign of projected_gravity", false,
                   [](ObservationTerm& term) {
                     Multiply(term.scale, -1.0);
                     return true;
                   });
  changes.Try("the scales of the observation",
              "the scales of legged_gym (velocities 2, rates 0.25, joint speeds 0.05)", false,
              [](robot::RobotSpec& spec) {
                for (ObservationTerm& term : spec.observation) {
                  if (term.kind != TermKind::kHeightScan && !AllAre(term.scale, 1.0)) return false;
                  if (term.kind == TermKind::kBaseLinVel) Multiply(term.scale, 2.0);
                  if (term.kind == TermKind::kBaseAngVel) Multiply(term.scale, 0.25);
                  if (term.kind == TermKind::kJointVel) Multiply(term.scale, 0.05);
                  if (term.kind != TermKind::kCommand) continue;
                  for (std::size_t i = 0; i < term.scale.size(); ++i) {
                    const std::size_t slot = spec.channels[i].slot;
                    if (slot < 3) term.scale[i] = slot == 2 ? 0.25 : 2.0;
                  }
                }
                return true;
              });
}

/// Frameworks differ in where the command stands. Terms with inputs are named on purpose.
void OrderChanges(Changes& changes) {
  changes.Try("the order of the observation", "the command as the last term", false,
              [](robot::RobotSpec& spec) {
                const auto command = std::find_if(
                    spec.observation.begin(), spec.observation.end(),
                    [](const ObservationTerm& term) { return term.kind == TermKind::kCommand; });
                if (!spec.inputs.empty() || command == spec.observation.end()) return false;
                if (command + 1 == spec.observation.end()) return false;
                std::rotate(command, command + 1, spec.observation.end());
                return true;
              });
}

void ActuatorChanges(Changes& changes) {
  for (const double factor : {10.0, 0.1}) {
    changes.Try("actuator.kp and kd",
                fmt::format("kp and kd ten times {}", factor > 1.0 ? "larger" : "smaller"), false,
                [&](robot::RobotSpec& spec) {
                  Multiply(spec.actuator.kp, factor);
                  Multiply(spec.actuator.kd, factor);
                  return spec.actuator.has_gains();
                });
  }
  for (const double factor : {2.0, 0.5}) {
    changes.Try("joints.action_scale",
                fmt::format("{} action_scale", factor > 1.0 ? "twice the" : "half the"), false,
                [&](robot::RobotSpec& spec) {
                  Multiply(spec.action_scale, factor);
                  return true;
                });
  }
}

void TimingChanges(Changes& changes) {
  for (const double factor : {0.5, 2.0}) {
    changes.Try("period of gait_phase",
                fmt::format("{} period of gait_phase", factor < 1.0 ? "half the" : "twice the"),
                true, [&](robot::RobotSpec& spec) {
                  bool any = false;
                  for (ObservationTerm& term : spec.observation) {
                    if (term.kind != TermKind::kGaitPhase) continue;
                    term.cadence.period_s *= factor;
                    term.cadence.slow_period_s *= factor;
                    any = true;
                  }
                  return any;
                });
  }
  changes.Try("robot.decimation", "half the decimation", true, [](robot::RobotSpec& spec) {
    spec.decimation /= 2;
    return spec.decimation >= 1;
  });
  changes.Try("robot.decimation", "twice the decimation", true, [](robot::RobotSpec& spec) {
    spec.decimation *= 2;
    return true;
  });
}

using Order = std::vector<std::size_t>;

template <typename T>
void Permute(const Order& order, std::vector<T>& values) {
  if (values.size() != order.size()) return;
  const std::vector<T> before = values;
  for (std::size_t i = 0; i < order.size(); ++i) values[i] = before[order[i]];
}

/// Ranks of the branches: as in the model, neighbours exchanged, halves exchanged.
std::vector<std::vector<std::size_t>> BranchRanks(std::size_t branches) {
  std::vector<std::size_t> plain(branches);
  std::iota(plain.begin(), plain.end(), 0);
  std::vector<std::vector<std::size_t>> ranks{plain};
  if (branches % 2 != 0) return ranks;
  std::vector<std::size_t> neighbours = plain;
  for (std::size_t i = 0; i < branches; i += 2) std::swap(neighbours[i], neighbours[i + 1]);
  std::vector<std::size_t> halves = plain;
  std::rotate(halves.begin(), halves.begin() + static_cast<std::ptrdiff_t>(branches / 2),
              halves.end());
  ranks.push_back(neighbours);
  if (branches > 2) ranks.push_back(halves);
  return ranks;
}

/// Every usual order, as indices into the declared one.
std::vector<std::pair<std::string, Order>> UsualOrders(const sim::Mechanics& mechanics) {
  const auto& joints = mechanics.joints();
  std::map<int, std::size_t> branch;  // chain to its place in the model
  for (const sim::JointMechanics& joint : joints) branch.emplace(joint.chain, 0);
  std::size_t next = 0;
  for (auto& [chain, place] : branch) place = next++;
  std::vector<std::pair<std::string, Order>> orders;
  for (const std::vector<std::size_t>& rank : BranchRanks(branch.size())) {
    for (const bool by_level : {false, true}) {
      Order order(joints.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto key = [&](std::size_t i) {
          const auto place = static_cast<int>(rank[branch.at(joints[i].chain)]);
          return std::tuple(by_level ? joints[i].depth : 0, place, joints[i].place);
        };
        return key(a) < key(b);
      });
      orders.emplace_back(by_level ? "joint type by joint type" : "leg by leg", std::move(order));
    }
  }
  return orders;
}

/// Usual orders of joints that differ from the declared one: branch by branch (a leg at a time) and
/// level by level (all hips, all thighs …), with branches in the model's order and with neighbours
/// or halves exchanged; each with the joints' values moving along and with the values staying where
/// they are in their lists.
std::vector<Alternative> OtherJointOrders(const robot::RobotSpec& robot,
                                          const sim::Mechanics& mechanics) {
  std::vector<Alternative> alternatives;
  std::set<std::vector<std::string>> known{robot.joints};
  for (const auto& [name, order] : UsualOrders(mechanics)) {
    robot::RobotSpec names_only = robot;
    Permute(order, names_only.joints);
    if (!known.insert(names_only.joints).second) continue;
    robot::RobotSpec moved = names_only;
    robot::ActuatorSpec& actuator = moved.actuator;
    for (std::vector<double>* values :
         {&moved.default_pose, &moved.action_scale, &moved.target_low, &moved.target_high,
          &actuator.kp, &actuator.kd, &actuator.effort_limit, &actuator.saturation,
          &actuator.no_load_speed, &actuator.lag_s, &moved.armature, &moved.friction}) {
      Permute(order, *values);
    }
    Permute(order, actuator.kind);
    const auto shown = std::min<std::size_t>(moved.joints.size(), 4);
    const std::string listed = fmt::format("joints.order {} ({}, …)", name,
                                           fmt::join(std::span(moved.joints).first(shown), ", "));
    alternatives.push_back(
        {"joints.order", listed + ", each joint keeping its values", std::move(moved), false});
    alternatives.push_back({"joints.order", listed + ", the other lists left as they are",
                            std::move(names_only), false});
  }
  return alternatives;
}

}  // namespace

std::vector<Alternative> AlternativesTo(const robot::RobotSpec& robot,
                                        const sim::Mechanics& mechanics) {
  Changes changes(robot);
  ScaleChanges(changes);
  OrderChanges(changes);
  ActuatorChanges(changes);
  TimingChanges(changes);
  for (std::size_t key = 0; key < mechanics.keyframes().size(); ++key) {
    changes.Try("joints.default", fmt::format("the model's keyframe {} as default pose", key), true,
                [&](robot::RobotSpec& spec) {
                  spec.default_pose = mechanics.keyframes()[key];
                  double most = 0.0;
                  for (std::size_t j = 0; j < spec.default_pose.size(); ++j) {
                    most = std::max(most, std::abs(spec.default_pose[j] - robot.default_pose[j]));
                  }
                  return most > 1e-3;
                });
  }
  std::vector<Alternative> all = changes.Take();
  for (Alternative& order : OtherJointOrders(robot, mechanics)) all.push_back(std::move(order));
  return all;
}

}  // namespace gonogo::study
