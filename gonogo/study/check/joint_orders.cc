// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/joint_orders.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gonogo::study {
namespace {

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

}  // namespace

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

}  // namespace gonogo::study
