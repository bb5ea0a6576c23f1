// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"
#include "gonogo/sim/episode/episode_record.h"
#include "gonogo/sim/loop/closed_loop.h"

namespace gonogo::sim {

/// What an episode has cost and how it ended, whatever it was for: everything but target and
/// height.
[[nodiscard]] EpisodeResult MeasuredSoFar(const Env& env);

/// Progress of one episode; with a loop snapshot it is all there is to know.
struct TargetProgress {
  robot::Point2 target_W;
  double start_ground_z = 0.0;
  bool arrived = false;
  int decisions = 0;
};

/// An episode at a decision: it goes on from there bit by bit.
struct Bookmark {
  LoopSnapshot loop;
  TargetProgress progress;
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
