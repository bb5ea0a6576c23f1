// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

const char* TermName(TermKind kind) {
  switch (kind) {
    case TermKind::kBaseLinVel:
      return "base_lin_vel";
    case TermKind::kBaseAngVel:
      return "base_ang_vel";
    case TermKind::kProjectedGravity:
      return "projected_gravity";
    case TermKind::kCommand:
      return "command";
    case TermKind::kJointPos:
      return "joint_pos";
    case TermKind::kJointVel:
      return "joint_vel";
    case TermKind::kLastAction:
      return "last_action";
    case TermKind::kHeightScan:
      return "height_scan";
    case TermKind::kGaitPhase:
      return "gait_phase";
    case TermKind::kEuler:
      return "euler";
    case TermKind::kConstant:
      return "constant";
    case TermKind::kFootContact:
      return "foot_contact";
  }
  return "";
}

std::vector<ObservationBlock> RobotSpec::ObservationBlocks() const {
  std::vector<ObservationInput> pieces = inputs;
  if (pieces.empty()) pieces.push_back({"", static_cast<int>(observation.size()), frames});
  std::vector<ObservationBlock> blocks;
  std::size_t term = 0;
  std::size_t first = 0;
  for (const ObservationInput& piece : pieces) {
    ObservationBlock block{.name = piece.name,
                           .first_term = term,
                           .terms = static_cast<std::size_t>(piece.terms),
                           .first = first,
                           .frame = 0,
                           .frames = piece.frames};
    for (const std::size_t end = term + block.terms; term < end; ++term) {
      block.frame += static_cast<std::size_t>(observation[term].size());
    }
    first += block.size();
    blocks.push_back(std::move(block));
  }
  return blocks;
}

int RobotSpec::observation_size() const {
  std::size_t size = 0;
  for (const ObservationBlock& block : ObservationBlocks()) size += block.size();
  return static_cast<int>(size);
}

std::vector<int> RobotSpec::TermStarts() const {
  std::vector<int> starts;
  for (const ObservationBlock& block : ObservationBlocks()) {
    int start = static_cast<int>(block.newest());
    for (std::size_t i = 0; i < block.terms; ++i) {
      starts.push_back(start);
      start += observation[block.first_term + i].size();
    }
  }
  return starts;
}

int RobotSpec::TermOffset(TermKind kind) const {
  const std::vector<int> starts = TermStarts();
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const ObservationTerm& term = observation[i];
    if (term.kind == kind) return starts[i] + (term.newest_first ? 0 : term.size() - term.width());
  }
  return -1;
}

const Cadence* RobotSpec::cadence() const {
  const Cadence* found = nullptr;
  for (const ObservationTerm& term : observation) {
    if (term.kind != TermKind::kGaitPhase) continue;
    if (term.cadence.follows_command()) return &term.cadence;
    if (found == nullptr) found = &term.cadence;
  }
  return found;
}

}  // namespace gonogo::robot
