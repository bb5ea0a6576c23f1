// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/spec/spec.h"

#include <array>
#include <bit>
#include <string_view>

// What is newer than the first version of the hash is added only where it is used: models
// identified on older layouts still fit. Noise is no part of it: it belongs to a run, and so do the
// limits of a command.

namespace gonogo::robot {
namespace {

/// FNV-1a over the meaning of a layout; stable across platforms, not cryptographic.
class LayoutHasher {
 public:
  template <typename... Values>
  void Add(const Values&... values) {
    (One(values), ...);
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void One(std::string_view text) {
    for (const char c : text) Byte(static_cast<unsigned char>(c));
    Byte(0);
  }
  void One(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (int shift = 0; shift < 64; shift += 8) Byte(static_cast<unsigned char>(bits >> shift));
  }
  void One(const std::vector<double>& numbers) {
    for (const double number : numbers) One(number);
  }
  void One(const FrameHistory& frames) {
    Add(frames.count, frames.newest_first ? 1.0 : 0.0, frames.zero_filled ? 1.0 : 0.0);
  }
  void Byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3ULL; }
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

void AddTerm(const RobotSpec& spec, const ObservationTerm& term, LayoutHasher& hash) {
  hash.Add(TermName(term.kind), term.scale, term.clip_low, term.clip_high, term.history,
           term.cadence.period_s);
  if (term.cadence.follows_command()) {  // older layouts keep their hash
    hash.Add(term.cadence.slow_period_s, term.cadence.full_speed, term.cadence.rest_below);
  }
  if (const auto& frequency = term.cadence.frequency) {
    hash.Add("frequency", static_cast<double>(frequency->slot), frequency->nominal);
  }
  if (term.newest_first) hash.Add("newest first");
  if (term.zero_filled) hash.Add("zero filled");
  for (const int joint : term.joints) hash.Add(spec.joints[static_cast<std::size_t>(joint)]);
  hash.Add(term.value);
  if (term.phase != PhaseValues::kSinCos) hash.Add(static_cast<double>(term.phase));
  if (term.phase_offsets != std::vector<double>{0.0}) hash.Add(term.phase_offsets);
  if (term.kind == TermKind::kBaseLinVel && !term.at_com) {
    hash.Add("at", term.point_B[0], term.point_B[1], term.point_B[2]);
  }
  if (term.site >= 0) hash.Add("site", spec.sites[static_cast<std::size_t>(term.site)]);
  if (term.smoothed) hash.Add("smoothed");
  if (term.kind == TermKind::kFootContact) {
    for (const int foot : term.feet) hash.Add(spec.feet[static_cast<std::size_t>(foot)]);
    hash.Add(term.contact_n);
  }
}

}  // namespace

const char* TermName(TermKind kind) {
  static constexpr std::array kNames = {
      "base_lin_vel", "base_ang_vel", "projected_gravity", "command", "joint_pos", "joint_vel",
      "last_action",  "height_scan",  "gait_phase",        "euler",   "constant",  "foot_contact"};
  return kNames.at(static_cast<std::size_t>(kind));
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

std::uint64_t RobotSpec::LayoutHash() const {
  LayoutHasher hash;
  hash.Add(control_dt_s());
  for (const std::string& joint : joints) hash.Add(joint);
  hash.Add(default_pose, action_scale);
  for (const ObservationTerm& term : observation) AddTerm(*this, term, hash);
  hash.Add(scan.nx, scan.ny, scan.spacing_m, scan.offset_m);
  if (!scan.body.empty()) hash.Add(scan.body);
  if (frames.count > 1) hash.Add("frames", frames);
  for (const ObservationInput& input : inputs) {
    hash.Add("input", input.name, input.terms, input.frames);
  }
  if (std::isfinite(action_clip)) hash.Add(action_clip);
  if (action_smoothing > 0.0) hash.Add("smoothing", action_smoothing);
  if (action_delay > 0) hash.Add("delay", action_delay * physics_dt_s);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (actuator.takes_angle(j)) continue;
    hash.Add(joints[j], static_cast<double>(actuator.kind_of(j)));  // a torque or a speed
  }
  if (channels == VelocityChannels()) return hash.value();
  for (const CommandChannel& channel : channels) {
    hash.Add(channel.name, static_cast<double>(channel.slot), channel.nominal);
  }
  return hash.value();
}

std::string HashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace gonogo::robot
