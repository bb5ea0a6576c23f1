// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/robot/ground_view.h"
#include "gonogo/sim/episode/episode_record.h"
#include "gonogo/study/branch/branch.h"
#include "gonogo/study/collect/action_predictions.h"
#include "gonogo/study/collect/collect_config.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

/// A declared collection, ready to run: controllers, interventions and models are found and sound.
struct CollectPlan {
  CollectConfig config;
  std::vector<std::string> actions;         ///< the direct one first
  std::vector<Intervention> interventions;  ///< one per action
  std::vector<robot::Point2> targets;
  BranchRule rule;
  Method source;
  Method continuation;
  PredictionModels predictions;
  std::optional<robot::GroundView> ground = {};  ///< if its features are declared

  /// Whether continuing the source episode is the branch that does nothing.
  [[nodiscard]] bool source_is_direct_branch() const {
    return source.name == "direct" && continuation.name == "direct";
  }

  /// `models` is where `gonogo identify` wrote; only read if something needs a model.
  [[nodiscard]] static Result<CollectPlan> Open(const audit::Protocol& protocol,
                                                const robot::RobotSpec& robot,
                                                const std::filesystem::path& models);
};

/// A state at which every action is tried.
struct Query {
  std::string name;          ///< "1301/07"
  std::size_t episode = 0;   ///< in the cluster
  std::size_t decision = 0;  ///< of that episode
};

/// The episodes of a cluster and the queries drawn from them.
struct ClusterSource {
  std::vector<SourceEpisode> episodes;
  std::vector<Query> queries;
};

/// Runs the source controller, all targets of a trial at a time, until the cluster has its queries.
[[nodiscard]] Result<ClusterSource> RunSources(const Scene& scene, const CollectPlan& plan,
                                               std::uint64_t seed, const Execution& execution);

/// All branches of one cluster. `scene` must stand on the ground of this seed.
struct ClusterOutcomes {
  audit::OutcomeTable table;          ///< one cluster, without declaration
  std::size_t replayed = 0;           ///< queries also reached from their episode's start …
  double reconstruction_error = 0.0;  ///< … and the largest difference found there
};

/// Queries run in parallel; the result does not depend on how many at a time. Progress counts
/// queries. A replay that ends elsewhere is an error: outcomes would not be those of one state.
[[nodiscard]] Result<ClusterOutcomes> CollectCluster(const Scene& scene, const CollectPlan& plan,
                                                     std::uint64_t seed,
                                                     const Execution& execution);

/// All branches of one query, step by step, the direct one first; each carries its action as the
/// controller's name. `models` is where `gonogo identify` wrote; `query` is its name in the table,
/// such as "1301/007".
[[nodiscard]] Result<std::vector<sim::EpisodeRecord>> RecordBranches(
    OpenedRobot robot, const audit::Protocol& protocol, const std::filesystem::path& models,
    const std::string& query, const Execution& execution);

}  // namespace gonogo::study
