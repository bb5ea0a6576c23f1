// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collect_cluster.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>

#include <fmt/ranges.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/io/build_info.h"
#include "gonogo/sim/world/figure.h"

namespace gonogo::study {
namespace {

/// Everything the table holds about one query.
struct QueryRow {
  std::vector<float> observation;
  robot::Point2 goal_B;
  std::vector<BranchOutcome> outcomes;  ///< one per action
  std::vector<PredictionGroup> predictions;
  double reconstruction_error = 0.0;
};

bool IsReplayed(std::size_t query, const CollectConfig& config) {
  const std::size_t count = config.queries_per_cluster;
  return query * config.replayed / count != (query + 1) * config.replayed / count;
}

/// Reaches the query from its episode's start and runs one branch from there: state and outcome
/// must be those of the snapshot.
Result<double> ReplayError(const CollectPlan& plan, const SourceEpisode& episode,
                           std::size_t decision, std::size_t action, const QueryRow& row,
                           sim::ClosedLoop& loop) {
  sim::TargetRun run(loop, episode.start, episode.target_S);
  GONOGO_TRY(ReplayTo(decision, episode, run));
  const double error = Difference(run.Save(), episode.states[decision]);
  const std::unique_ptr<control::Controller> continuation = plan.continuation.make();
  const BranchOutcome outcome =
      GONOGO_TRY(RunBranch(run, plan.interventions[action], plan.rule, *continuation));
  const double lost = std::abs(outcome.work_j - row.outcomes[action].work_j);
  return outcome == row.outcomes[action] ? error : std::max({error, lost, 1e-300});
}

Result<QueryRow> RunQuery(const Scene& scene, const CollectPlan& plan, const ClusterSource& source,
                          std::size_t index) {
  const Query& query = source.queries[index];
  const SourceEpisode& episode = source.episodes[query.episode];
  const sim::Bookmark& state = episode.states[query.decision];
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(scene.world, scene.policy));
  sim::TargetRun run(loop, episode.start, episode.target_S);
  run.Restore(state);
  const sim::EpisodeResult before = run.result();
  QueryRow row;
  {
    const sim::Percept percept = run.Look();
    row.observation.assign(percept.observation.begin(), percept.observation.end());
    row.goal_B = percept.goal_B;
  }
  for (const Intervention& intervention : plan.interventions) {
    if (intervention.is_direct() && plan.source_is_direct_branch()) {
      row.outcomes.push_back(Remaining(before, episode.result, scene.robot.control_dt_s()));
      continue;
    }
    run.Restore(state);
    const std::unique_ptr<control::Controller> continuation = plan.continuation.make();
    const BranchOutcome outcome =
        GONOGO_TRY(RunBranch(run, intervention, plan.rule, *continuation));
    row.outcomes.push_back(outcome);
  }
  row.predictions = plan.predictions.Predict({row.observation, row.goal_B, plan.interventions},
                                             plan.rule, scene.robot);
  if (IsReplayed(index, plan.config)) {
    const double error = GONOGO_TRY(
        ReplayError(plan, episode, query.decision, index % plan.actions.size(), row, loop));
    row.reconstruction_error = error;
  }
  return row;
}

/// What the scan says of the ground at every query.
audit::FeatureGroup GroundFeatures(const std::vector<QueryRow>& rows,
                                   const robot::GroundView& ground) {
  audit::FeatureGroup group{"ground", robot::GroundView::Columns(),
                            audit::FeatureMatrix(rows.size(), robot::GroundView::kSize)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto values = ground.Of(rows[i].observation, rows[i].goal_B);
    std::copy(values.begin(), values.end(), group.values.row(static_cast<Eigen::Index>(i)).data());
  }
  return group;
}

void AddFeatures(const CollectPlan& plan, const std::vector<QueryRow>& rows,
                 audit::OutcomeTable& table) {
  const auto queries = static_cast<Eigen::Index>(rows.size());
  const auto width = static_cast<Eigen::Index>(rows.front().observation.size());
  audit::FeatureGroup observation{"obs", {}, audit::FeatureMatrix(queries, width)};
  for (Eigen::Index j = 0; j < width; ++j) observation.columns.push_back(fmt::format("obs_{}", j));
  audit::FeatureGroup target{"target", {"target_x", "target_y"}, audit::FeatureMatrix(queries, 2)};
  for (Eigen::Index i = 0; i < queries; ++i) {
    const QueryRow& row = rows[static_cast<std::size_t>(i)];
    std::copy(row.observation.begin(), row.observation.end(), observation.values.row(i).data());
    target.values(i, 0) = static_cast<float>(row.goal_B.x);
    target.values(i, 1) = static_cast<float>(row.goal_B.y);
  }
  table.features = {std::move(observation), std::move(target)};
  if (plan.ground) table.features.push_back(GroundFeatures(rows, *plan.ground));
  const std::size_t actions = table.num_actions();
  for (std::size_t g = 0; g < rows.front().predictions.size(); ++g) {
    const PredictionGroup& first = rows.front().predictions[g];
    const auto columns = static_cast<Eigen::Index>(first.columns.size());
    audit::ActionFeatureGroup group{
        first.name, first.columns,
        audit::FeatureMatrix(queries * static_cast<Eigen::Index>(actions), columns)};
    float* to = group.values.data();
    for (const QueryRow& row : rows) {
      to = std::copy(row.predictions[g].values.begin(), row.predictions[g].values.end(), to);
    }
    table.action_features.push_back(std::move(group));
  }
}

ClusterOutcomes Assemble(const CollectPlan& plan, std::uint64_t seed, const ClusterSource& source,
                         const std::vector<QueryRow>& rows) {
  ClusterOutcomes cluster;
  audit::OutcomeTable& table = cluster.table;
  table.actions = plan.actions;
  table.clusters = {std::to_string(seed)};
  table.cluster_begin = {0, rows.size()};
  const bool at_control_rate = plan.config.work_rate == sim::WorkRateName(sim::WorkRate::kControl);
  audit::NamedOutcome other{at_control_rate ? "physics_work" : "control_work", {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.queries.push_back(source.queries[i].name);
    for (const BranchOutcome& outcome : rows[i].outcomes) {
      table.cost.push_back(at_control_rate ? outcome.control_work_j : outcome.work_j);
      other.values.push_back(at_control_rate ? outcome.work_j : outcome.control_work_j);
      table.time.push_back(outcome.time_s);
      table.success.push_back(outcome.success ? 1 : 0);
    }
    cluster.replayed += IsReplayed(i, plan.config) ? 1 : 0;
    cluster.reconstruction_error =
        std::max(cluster.reconstruction_error, rows[i].reconstruction_error);
  }
  table.other_outcomes = {std::move(other)};
  AddFeatures(plan, rows, table);
  return cluster;
}

}  // namespace

Result<CollectPlan> CollectPlan::Open(const audit::Protocol& protocol,
                                      const robot::RobotSpec& robot,
                                      const std::filesystem::path& models) {
  CollectPlan plan;
  plan.config = GONOGO_TRY(CollectOf(protocol));
  const std::string reference = protocol.reference.empty() ? "direct" : protocol.reference;
  if (reference != "direct") {
    return UsageError("protocol.reference is '{}', expected 'direct' for a collection", reference);
  }
  plan.actions = protocol.actions;
  const auto direct = std::find(plan.actions.begin(), plan.actions.end(), reference);
  if (plan.actions.size() < 2 || direct == plan.actions.end()) {
    return UsageError("protocol.actions needs 'direct' and at least one other intervention");
  }
  std::rotate(plan.actions.begin(), direct, direct + 1);
  for (const std::string& action : plan.actions) {
    const Result<Intervention> intervention = ParseIntervention(action, robot.channels);
    if (!intervention.ok()) {
      return UsageError("protocol.actions: {}", intervention.error().message);
    }
    plan.interventions.push_back(intervention.value());
  }
  const auto family = robot.task.targets.find(plan.config.family);
  if (family == robot.task.targets.end() || family->second.empty()) {
    return UsageError("{}: has no target family \"{}\"", robot.file.string(), plan.config.family);
  }
  plan.targets = family->second;
  plan.rule = {
      .prefix = plan.config.prefix,
      .blend = {.share = plan.config.blend, .anneal_distance_m = plan.config.anneal_distance}};
  Method source = GONOGO_TRY(OpenMethod(plan.config.controller, robot, models, {}));
  Method continuation = GONOGO_TRY(OpenMethod(plan.config.continuation, robot, models, {}));
  PredictionModels predictions =
      GONOGO_TRY(PredictionModels::Open(plan.config.predictions, models, robot));
  for (std::size_t i = 0; i < plan.actions.size(); ++i) {
    if (predictions.Know(plan.interventions[i])) continue;
    return UsageError(
        "protocol.actions has '{}', but the models of collect.predictions were identified on data "
        "in which {} never changed; run 'gonogo identify' again, or leave one of the two out",
        plan.actions[i], plan.interventions[i].channel.name);
  }
  if (!plan.config.features.empty()) plan.ground = GONOGO_TRY(robot::GroundView::Create(robot));
  plan.source = std::move(source);
  plan.continuation = std::move(continuation);
  plan.predictions = std::move(predictions);
  return plan;
}

Result<ClusterSource> RunSources(const Scene& scene, const CollectPlan& plan, std::uint64_t seed,
                                 const Execution& execution) {
  constexpr std::uint64_t kPatience = 1000;  // trials; a robot that never moves never gets there
  const RngStream cluster = RngStream(seed).Child("collect");
  ClusterSource source;
  for (std::uint64_t trial = 0; trial < kPatience; ++trial) {
    std::vector<std::optional<Result<SourceEpisode>>> runs(plan.targets.size());
    ParallelFor(execution.jobs, runs.size(), [&](std::size_t target) {
      if (execution.stop.stop_requested()) return;
      runs[target] = RunSource(scene, plan.source, cluster, trial, target, plan.targets[target]);
    });
    for (std::size_t target = 0; target < runs.size(); ++target) {
      if (!runs[target]) return Error{ErrorKind::kInterrupted, "collecting was interrupted"};
      if (!runs[target]->ok()) return runs[target]->error();
      SourceEpisode episode = std::move(*runs[target]).value();
      const RngStream draw = cluster.Child("queries").Child(trial).Child(target);
      for (const std::size_t decision :
           DrawDecisions(episode.commands.size(), plan.config.queries_per_episode, draw)) {
        if (source.queries.size() == plan.config.queries_per_cluster) break;
        source.queries.push_back({fmt::format("{}/{:03}", seed, source.queries.size()),
                                  source.episodes.size(), decision});
      }
      source.episodes.push_back(std::move(episode));
    }
    if (source.queries.size() == plan.config.queries_per_cluster) return source;
  }
  return InputError("cluster {}: {} trials gave only {} of {} queries; do episodes end at once?",
                    seed, kPatience, source.queries.size(), plan.config.queries_per_cluster);
}

Result<ClusterOutcomes> CollectCluster(const Scene& scene, const CollectPlan& plan,
                                       std::uint64_t seed, const Execution& execution) {
  const ClusterSource source = GONOGO_TRY(RunSources(scene, plan, seed, execution));
  const std::size_t count = source.queries.size();
  std::vector<std::optional<Result<QueryRow>>> slots(count);
  std::atomic<std::size_t> done = 0;
  ParallelFor(execution.jobs, count, [&](std::size_t i) {
    if (execution.stop.stop_requested()) return;
    slots[i] = RunQuery(scene, plan, source, i);
    const std::size_t finished = ++done;
    if (execution.progress) execution.progress(finished, count);
  });
  std::vector<QueryRow> rows;
  for (std::optional<Result<QueryRow>>& slot : slots) {
    if (!slot) return Error{ErrorKind::kInterrupted, "collecting was interrupted"};
    if (!slot->ok()) return slot->error();
    rows.push_back(std::move(*slot).value());
  }
  ClusterOutcomes cluster = Assemble(plan, seed, source, rows);
  if (cluster.reconstruction_error > 0.0) {
    return InputError(
        "cluster {}: a query replayed from its episode's start differs from its snapshot by {}; "
        "branches would not start from one state, nothing was written",
        seed, cluster.reconstruction_error);
  }
  return cluster;
}

namespace {

/// The declared cluster a query's name begins with.
Result<std::uint64_t> ClusterOf(const std::string& query, const CollectConfig& config) {
  std::uint64_t seed = 0;
  const char* end = query.data() + query.size();
  const auto [stop, failure] = std::from_chars(query.data(), end, seed);
  const bool known =
      std::find(config.seeds.begin(), config.seeds.end(), seed) != config.seeds.end();
  if (failure == std::errc() && stop != end && *stop == '/' && known) return seed;
  return UsageError("query '{}': expected CLUSTER/NUMBER such as {}/007; the clusters are {}",
                    query, config.seeds.front(), fmt::join(config.seeds, ", "));
}

}  // namespace

Result<std::vector<sim::EpisodeRecord>> RecordBranches(OpenedRobot robot,
                                                       const audit::Protocol& protocol,
                                                       const std::filesystem::path& models,
                                                       const std::string& query,
                                                       const Execution& execution) {
  const CollectConfig config = GONOGO_TRY(CollectOf(protocol));
  const Surroundings surroundings = GONOGO_TRY(SurroundingsOf(config));
  const Scene everywhere = GONOGO_TRY(OpenScene(std::move(robot), surroundings));
  const CollectPlan plan = GONOGO_TRY(CollectPlan::Open(protocol, everywhere.robot, models));
  const std::uint64_t seed = GONOGO_TRY(ClusterOf(query, config));
  const Scene scene = GONOGO_TRY(SceneOf(everywhere, seed));
  const ClusterSource source = GONOGO_TRY(RunSources(scene, plan, seed, execution));
  const std::vector<Query>& queries = source.queries;
  const auto found = std::find_if(queries.begin(), queries.end(),
                                  [&](const Query& candidate) { return candidate.name == query; });
  if (found == queries.end()) {
    return UsageError("query '{}': cluster {} has {} to {}", query, seed, queries.front().name,
                      queries.back().name);
  }
  const SourceEpisode& episode = source.episodes[found->episode];
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(scene.world, scene.policy));
  sim::Figure figure = GONOGO_TRY(sim::Figure::Create(scene.robot));
  sim::EpisodeRecorder recorder(loop.env(), figure);
  sim::TargetRun run(loop, episode.start, episode.target_S, std::ref(recorder));
  std::vector<sim::EpisodeRecord> records;
  for (std::size_t a = 0; a < plan.actions.size(); ++a) {
    run.Restore(episode.states[found->decision]);
    recorder.Begin();
    const std::unique_ptr<control::Controller> continuation = plan.continuation.make();
    const BranchOutcome outcome =
        GONOGO_TRY(RunBranch(run, plan.interventions[a], plan.rule, *continuation));
    sim::EpisodeRecord record = recorder.Finish(run);
    record.controller = plan.actions[a];
    record.provenance = nlohmann::json{{"query", query},
                                       {"source", plan.source.name},
                                       {"remaining_work_j", outcome.work_j},
                                       {"remaining_time_s", outcome.time_s},
                                       {"build", io::CurrentBuild()}}
                            .dump();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace gonogo::study
