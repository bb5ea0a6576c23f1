// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/robot/command/command.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/sim/world/figure.h"

namespace gonogo::sim {

/// One episode, complete enough to be looked at, measured again and replayed. With T control steps,
/// S physics steps in each, B bodies, F feet and J joints (in the policy's order).
struct EpisodeRecord {
  std::string robot;
  std::uint64_t layout_hash = 0;
  std::string controller;  ///< who chose the commands
  std::string provenance;  ///< JSON: seeds, versions, hashes
  double control_dt_s = 0.0;
  double first_time_s = 0.0;  ///< of the first frame; a branch does not begin at zero
  int physics_steps = 0;      ///< S

  std::vector<std::string> bodies;
  std::vector<std::string> joints;
  std::vector<std::string> feet;
  std::vector<VisibleGeom> geoms;
  Terrain terrain;  ///< within 3 m of the path and the target; origins are left out
  robot::Point2 target_W;
  double tolerance_m = 0.0;

  // At the T + 1 instants between control steps.
  std::vector<float> poses;        ///< [T + 1, B, 7], see Figure::Poses
  std::vector<double> height_m;    ///< terrain-relative posture height
  std::vector<double> height_W_m;  ///< root height in the world
  // In the T control steps.
  std::vector<robot::Command> command;
  std::vector<robot::CommandChannel> channels = robot::VelocityChannels();  ///< what it means
  std::vector<float> action;  ///< [T, J], raw output of the policy
  std::vector<double> power_w;
  std::vector<double> effort;
  std::vector<float> foot_force_n;  ///< [T, F], normal force in the last physics step
  std::vector<float> torque;        ///< [T, S, J]
  std::vector<float> joint_vel;     ///< [T, S, J]
  EpisodeResult result;

  [[nodiscard]] std::size_t steps() const { return command.size(); }
  [[nodiscard]] double time_s(std::size_t frame) const {
    return first_time_s + static_cast<double>(frame) * control_dt_s;
  }
};

/// Follows an episode step by step:
///
///     EpisodeRecorder recorder(loop.env(), figure);
///     TargetRun run(loop, start, target, std::ref(recorder));
///     recorder.Begin();            // after every reset or restore
///     …
///     EpisodeRecord record = recorder.Finish(run);
class EpisodeRecorder {
 public:
  /// Both must outlive the recorder.
  EpisodeRecorder(const Env& env, Figure& figure) : env_(env), figure_(figure) {}

  /// Forgets everything and takes the present state as the first frame.
  void Begin();
  /// Adds the control step that was just made.
  void operator()(const Env& env, const robot::Command& command);
  [[nodiscard]] EpisodeRecord Finish(const TargetRun& run);
  /// The same for an episode that was driven otherwise.
  [[nodiscard]] EpisodeRecord Finish(robot::Point2 target_W, const EpisodeResult& result);

 private:
  void AddFrame();

  const Env& env_;
  Figure& figure_;
  EpisodeRecord record_;
};

/// Writes and reads an episode file; the schema is in docs/reference/formats.md.
[[nodiscard]] Status WriteEpisode(const std::filesystem::path& path, const EpisodeRecord& record);
[[nodiscard]] Result<EpisodeRecord> ReadEpisode(const std::filesystem::path& path);

}  // namespace gonogo::sim
