// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/spec.h"

#include <bit>
#include <cmath>
#include <string_view>

namespace gonogo::robot {
namespace {

/// FNV-1a over the meaning of a layout; stable across platforms, not cryptographic.
class LayoutHasher {
 public:
  void Add(std::string_view text) {
    for (const char c : text) Byte(static_cast<unsigned char>(c));
    Byte(0);
  }
  void Add(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int shift = 0; shift < 64; shift += 8) Byte(static_cast<unsigned char>(bits >> shift));
  }
  void Add(const std::vector<double>& numbers) {
    for (const double number : numbers) Add(number);
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void Byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace

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
  }
  return "";
}

int RobotSpec::frame_size() const {
  int size = 0;
  for (const ObservationTerm& term : observation) size += term.size();
  return size;
}

int RobotSpec::TermOffset(TermKind kind) const {
  int offset = newest_frame();
  for (const ObservationTerm& term : observation) {
    if (term.kind == kind) return offset + (term.newest_first ? 0 : term.size() - term.width());
    offset += term.size();
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

std::uint64_t RobotSpec::LayoutHash() const {
  LayoutHasher hash;
  hash.Add(control_dt_s());
  for (const std::string& joint : joints) hash.Add(joint);
  hash.Add(default_pose);
  hash.Add(action_scale);
  for (const ObservationTerm& term : observation) {
    hash.Add(TermName(term.kind));
    hash.Add(term.scale);
    hash.Add(term.clip_low);
    hash.Add(term.clip_high);
    hash.Add(term.history);
    hash.Add(term.cadence.period_s);
    if (term.cadence.follows_command()) {  // older layouts keep their hash
      hash.Add(term.cadence.slow_period_s);
      hash.Add(term.cadence.full_speed);
      hash.Add(term.cadence.rest_below);
    }
    if (term.cadence.frequency) {
      hash.Add("frequency");
      hash.Add(static_cast<double>(term.cadence.frequency->slot));
      hash.Add(term.cadence.frequency->nominal);
    }
    if (term.newest_first) hash.Add("newest first");
    if (term.zero_filled) hash.Add("zero filled");
    for (const int joint : term.joints) hash.Add(joints[static_cast<std::size_t>(joint)]);
    hash.Add(term.value);
    if (term.phase != PhaseValues::kSinCos) hash.Add(static_cast<double>(term.phase));
    if (term.phase_offsets != std::vector<double>{0.0}) hash.Add(term.phase_offsets);
    if (term.kind == TermKind::kBaseLinVel && !term.at_com) {
      hash.Add("at");
      for (const double coordinate : term.point_B) hash.Add(coordinate);
    }
  }
  hash.Add(scan.nx);
  hash.Add(scan.ny);
  hash.Add(scan.spacing_m);
  hash.Add(scan.offset_m);
  if (!scan.body.empty()) hash.Add(scan.body);
  if (frames.count > 1) {
    hash.Add("frames");
    hash.Add(frames.count);
    hash.Add(frames.newest_first ? 1.0 : 0.0);
    hash.Add(frames.zero_filled ? 1.0 : 0.0);
  }
  if (std::isfinite(action_clip)) hash.Add(action_clip);
  if (channels == VelocityChannels()) return hash.value();
  for (const CommandChannel& channel : channels) {
    hash.Add(channel.name);
    hash.Add(static_cast<double>(channel.slot));
    hash.Add(channel.nominal);
  }
  return hash.value();
}

std::string HashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace gonogo::robot
