// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"
#include "gonogo/sim/loop/closed_loop.h"

namespace gonogo::sim {

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

/// What an episode has cost and how it ended, whatever it was for: everything but target and
/// height.
[[nodiscard]] EpisodeResult MeasuredSoFar(const Env& env);

/// How an episode ended, in words: "stopped 0.4 m short when the time was over".
[[nodiscard]] std::string OutcomeText(const EpisodeResult& result, const robot::RobotSpec& robot);

/// Progress of one episode; with a loop snapshot it is all there is to know.
struct TargetProgress {
  robot::Point2 target_W;
  double start_ground_z = 0.0;
  bool arrived = false;
  int decisions = 0;
};

/// What a task-level controller may look at when it decides.
struct Percept {
  std::span<const float> observation;  ///< the policy's, with `direct` as its command
  const robot::RobotState& state;
  robot::Point2 goal_B;   ///< the target, from the body
  robot::Command direct;  ///< c_goal of Eq. 1
};

/// One target-reaching episode, decision by decision:
///
///     TargetRun run(loop, start, {2.0, 0.0});
///     while (!run.done()) {
///       const Status status = run.Execute(run.Look().direct);
///       …
///     }
///     EpisodeResult result = run.result();
class TargetRun {
 public:
  struct Bookmark {
    LoopSnapshot loop;
    TargetProgress progress;
  };
  /// Called after every control step with the command it was given.
  using Observer = std::function<void(const Env&, const robot::Command&)>;

  /// Resets the loop to the start; the target is relative to that pose.
  TargetRun(ClosedLoop& loop, const Start& start, robot::Point2 target_S, Observer observer = {});

  [[nodiscard]] bool done() const;
  /// What a controller knows now. Valid until the next call.
  [[nodiscard]] Percept Look();
  /// Holds a command for the task's number of control steps, or until the episode is done.
  [[nodiscard]] Status Execute(const robot::Command& command);
  [[nodiscard]] robot::Point2 target_W() const { return progress_.target_W; }
  [[nodiscard]] const robot::RobotSpec& spec() const { return loop_.env().spec(); }
  /// How the episode stands; final once `done`.
  [[nodiscard]] EpisodeResult result() const;

  [[nodiscard]] Bookmark Save() const { return {loop_.Save(), progress_}; }
  void Restore(const Bookmark& snapshot);

 private:
  [[nodiscard]] double Distance() const;

  ClosedLoop& loop_;
  TargetProgress progress_;
  Observer observer_;
};

/// Chooses the command until the next decision.
using Decider = std::function<robot::Command(const Percept&)>;

/// Runs an episode from start to end.
[[nodiscard]] Result<EpisodeResult> RunToTarget(ClosedLoop& loop, const Start& start,
                                                robot::Point2 target_S, const Decider& decide,
                                                TargetRun::Observer observer = {});

/// The start of an episode in a paired design: the same (cluster, trial, target) gives the same
/// start whatever the method, the number of threads or the order of the episodes.
[[nodiscard]] Start PairedStart(const World& world, const RngStream& cluster, std::uint64_t trial,
                                std::uint64_t target);

}  // namespace gonogo::sim
