// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"
#include "gonogo/sim/loop/conditions.h"
#include "gonogo/sim/world/terrain.h"
#include "gonogo/sim/world/visible_geom.h"

namespace gonogo::sim {

class Env;
class Figure;
class TargetRun;

/// How a target-reaching episode went. An episode ends when the root is within the tolerance of
/// the target, at the task's horizon, or when it terminates early.
struct EpisodeResult {
  bool reached = false;  ///< within the tolerance, without early termination
  bool success = false;  ///< reached, and not collapsed
  Termination termination = Termination::kNone;
  std::string termination_detail;
  double time_s = 0.0;
  double work_j = 0.0;   ///< sum |tau qd| dt
  double power_w = 0.0;  ///< work over time
  double path_m = 0.0;
  double cot = 0.0;     ///< work / (m g path)
  double effort = 0.0;  ///< mean |a qd|
  /// The same four read once per control step, as Isaac Lab's environments are read (decision 56).
  /// Not a number in an episode that was recorded before they were.
  double control_work_j = 0.0;
  double control_power_w = 0.0;
  double control_cot = 0.0;
  double control_effort = 0.0;
  double final_distance_m = 0.0;
  /// Root height above the ground at the start (the mean under the robot's scan there): posture
  /// and difference in ground elevation together. A success needs more than the declared share of
  /// the spawn height.
  double final_height_m = 0.0;
  double final_posture_height_m = 0.0;  ///< above the ground under the robot
  int decisions = 0;
};

/// How often torques and speeds are read when work, power and effort are summed.
enum class WorkRate : std::uint8_t {
  kPhysics,  ///< at every physics step: exact
  kControl,  ///< once per control step
};
/// "physics" and "control".
[[nodiscard]] std::string_view WorkRateName(WorkRate rate);
[[nodiscard]] Result<WorkRate> ParseWorkRate(std::string_view text);

/// The episode with work, power, cost of transport and effort at that rate in their first places;
/// the other rate's take the second.
[[nodiscard]] EpisodeResult AtRate(EpisodeResult result, WorkRate rate);

/// How an episode ended, in words: "stopped 0.4 m short when the time was over".
[[nodiscard]] std::string OutcomeText(const EpisodeResult& result, const robot::RobotSpec& robot);

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
