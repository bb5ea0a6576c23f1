// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collect.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "gonogo/base/parallel/run_units.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/sim/model/engine.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/ranks/number_bytes.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::study {
namespace {

using audit::FeatureMatrix;
using nlohmann::json;

template <typename Group>
json Groups(const std::vector<Group>& groups) {
  json all = json::array();
  for (const Group& group : groups) {
    all.push_back(
        {{"name", group.name},
         {"columns", group.columns},
         {"rows", group.values.rows()},
         {"values", Binary(group.values.data(), static_cast<std::size_t>(group.values.size()))}});
  }
  return all;
}

template <typename Group>
std::vector<Group> GroupsOf(const json& all) {
  using Scalar = FeatureMatrix::Scalar;
  std::vector<Group> groups;
  for (const json& value : all) {
    Group group{.name = value.at("name"), .columns = value.at("columns")};
    const auto numbers = Numbers<Scalar>(value.at("values"));
    group.values = Eigen::Map<const FeatureMatrix>(numbers.data(), value.at("rows").get<long>(),
                                                   static_cast<long>(group.columns.size()));
    groups.push_back(std::move(group));
  }
  return groups;
}

json Others(const std::vector<audit::NamedOutcome>& outcomes) {
  json all = json::array();
  for (const audit::NamedOutcome& outcome : outcomes) {
    all.push_back({{"name", outcome.name}, {"values", Binary(outcome.values)}});
  }
  return all;
}

std::vector<audit::NamedOutcome> OthersOf(const json& all) {
  std::vector<audit::NamedOutcome> outcomes;
  for (const json& value : all) {
    outcomes.push_back({value.at("name"), Numbers<double>(value.at("values"))});
  }
  return outcomes;
}

/// A cluster on its way from the rank that collected it to the one that keeps it; numbers keep all
/// their bits.
std::string EncodeOutcomes(const ClusterOutcomes& outcomes) {
  const audit::OutcomeTable& table = outcomes.table;
  return Cbor({{"actions", table.actions},
               {"clusters", table.clusters},
               {"begin", table.cluster_begin},
               {"queries", table.queries},
               {"cost", Binary(table.cost)},
               {"time", Binary(table.time)},
               {"success", Binary(table.success)},
               {"other_outcomes", Others(table.other_outcomes)},
               {"features", Groups(table.features)},
               {"action_features", Groups(table.action_features)},
               {"replayed", outcomes.replayed},
               {"error", outcomes.reconstruction_error}});
}

ClusterOutcomes DecodeOutcomes(std::string_view bytes) {
  const json value = json::from_cbor(bytes);
  ClusterOutcomes outcomes;
  audit::OutcomeTable& table = outcomes.table;
  value.at("actions").get_to(table.actions);
  value.at("clusters").get_to(table.clusters);
  value.at("begin").get_to(table.cluster_begin);
  value.at("queries").get_to(table.queries);
  table.cost = Numbers<double>(value.at("cost"));
  table.time = Numbers<double>(value.at("time"));
  table.success = Numbers<std::uint8_t>(value.at("success"));
  table.other_outcomes = OthersOf(value.at("other_outcomes"));
  table.features = GroupsOf<audit::FeatureGroup>(value.at("features"));
  table.action_features = GroupsOf<audit::ActionFeatureGroup>(value.at("action_features"));
  value.at("replayed").get_to(outcomes.replayed);
  value.at("error").get_to(outcomes.reconstruction_error);
  return outcomes;
}

Status CheckClusters(const std::vector<std::uint64_t>& asked,
                     const std::vector<std::uint64_t>& declared) {
  for (const std::uint64_t seed : asked) {
    if (std::find(declared.begin(), declared.end(), seed) != declared.end()) continue;
    return UsageError("--clusters {}: the protocol declares {}", seed, fmt::join(declared, ", "));
  }
  return {};
}

/// Clusters of this call that are not finished, in the declared order.
Result<std::vector<std::uint64_t>> ToDo(Collection& collection, const CollectOptions& options,
                                        const std::vector<std::uint64_t>& declared) {
  std::vector<std::uint64_t> todo;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const std::uint64_t seed = declared[i];
    if (options.shard && !options.shard->Holds(i)) continue;
    const std::vector<std::uint64_t>& asked = options.clusters;
    if (!asked.empty() && std::find(asked.begin(), asked.end(), seed) == asked.end()) continue;
    const bool done = GONOGO_TRY(collection.Has(seed));
    if (!done) todo.push_back(seed);
  }
  return todo;
}

/// Finished clusters are kept whatever ends the call.
Error Resumable(const Error& error, const CollectOptions& options) {
  if (error.kind != ErrorKind::kInterrupted) return error;
  return {ErrorKind::kInterrupted,
          fmt::format("interrupted; finished clusters are kept in {}: the same command goes on",
                      options.folder.string())};
}

/// Runs the clusters, one at a time on every rank of a team; the threads of a rank share the
/// queries of one. Each is kept as soon as it is finished.
Status RunClusters(const std::vector<std::uint64_t>& todo, const CollectPlan& plan,
                   const Scene& everywhere, const Collection& collection,
                   const Execution& execution, CollectReport& report) {
  const std::size_t queries = plan.config.queries_per_cluster;
  const bool alone = execution.team == nullptr;
  TeamWork work{.what = "clusters",
                .identity = collection.identity(),
                .count = todo.size(),
                .everywhere = false};
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    const Scene scene = GONOGO_TRY(SceneOf(everywhere, todo[i]));
    Execution inside{.jobs = execution.jobs, .stop = stop};
    if (alone && execution.progress) {
      inside.progress = [&, i](std::size_t done, std::size_t) {
        execution.progress(i * queries + done, todo.size() * queries);
      };
    }
    const ClusterOutcomes outcomes = GONOGO_TRY(CollectCluster(scene, plan, todo[i], inside));
    return EncodeOutcomes(outcomes);
  };
  work.keep = [&](std::size_t i, const std::string& bytes) -> Status {
    const ClusterOutcomes outcomes = DecodeOutcomes(bytes);
    GONOGO_TRY(collection.Save(todo[i], outcomes));
    report.collected.push_back(todo[i]);
    report.branches += outcomes.table.cost.size();
    return {};
  };
  Execution run = execution;
  run.progress = [&](std::size_t done, std::size_t total) {
    if (!alone && execution.progress) execution.progress(done * queries, total * queries);
  };
  const Result<std::vector<std::string>> done = RunUnits(work, run);
  if (!done.ok()) return done.error();
  std::sort(report.collected.begin(), report.collected.end(), [&](auto a, auto b) {
    return std::find(todo.begin(), todo.end(), a) < std::find(todo.begin(), todo.end(), b);
  });
  return {};
}

/// Several processes may collect clusters of one folder, and one may put together what others have
/// finished; each cluster is a file of its own.
io::Sharing SharingOf(const CollectOptions& options) {
  if (options.merge_only) return io::Sharing::kAnybody;
  const bool is_part = options.shard || !options.clusters.empty();
  return is_part ? io::Sharing::kShards : io::Sharing::kNobody;
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MergedTable, file, clusters, queries, replayed,
                                   reconstruction_error, success)

void to_json(json& value, const CollectReport& report) {
  value = {{"collected", report.collected},
           {"missing", report.missing},
           {"branches", report.branches},
           {"remarks", report.remarks}};
  if (report.merged) value["merged"] = *report.merged;
}

void from_json(const json& value, CollectReport& report) {
  value.at("collected").get_to(report.collected);
  value.at("missing").get_to(report.missing);
  value.at("branches").get_to(report.branches);
  value.at("remarks").get_to(report.remarks);
  if (value.contains("merged")) report.merged = value.at("merged").get<MergedTable>();
}

std::set<std::string> ModelsOf(const CollectConfig& config) {
  std::set<std::string> stems;
  for (const std::string& controller : {config.controller, config.continuation}) {
    if (controller == "mpc") stems.insert({"macro", "value"});
    if (controller.starts_with("vgcc")) {
      stems.insert(controller == "vgcc-power" ? "response-power" : "response-effort");
    }
  }
  for (const std::string& model : config.predictions) {
    stems.insert(model == "phi" ? "response-power" : "macro");
  }
  return stems;
}

Result<json> CollectProvenance(const CollectConfig& config, const robot::RobotSpec& robot,
                               const RobotHashes& sha256, const std::filesystem::path& models) {
  json provenance = {{"schema", "gonogo.collection/1"},    {"robot", robot.name},
                     {"layout_hash", robot.LayoutHash()},  {"build", io::CurrentBuild()},
                     {"robot_sha256", sha256.description}, {"model_sha256", sha256.model},
                     {"policy_sha256", sha256.policy},     {"engine", sim::EngineVersion()}};
  for (const std::string& stem : ModelsOf(config)) {
    GONOGO_TRY(CheckIdentified(models / (stem + ".onnx"), robot, "the protocol"));
    const std::string bytes = GONOGO_TRY(io::ReadFile(models / (stem + ".onnx")));
    provenance["models_sha256"][stem] = io::Sha256Hex(bytes);
  }
  return provenance;
}

Result<std::filesystem::path> DefaultFolder(const std::string& verb,
                                            const audit::Protocol& protocol,
                                            const std::filesystem::path& robot,
                                            const std::filesystem::path& models) {
  const CollectConfig collect = GONOGO_TRY(CollectOf(protocol));
  const OpenedRobot opened = GONOGO_TRY(OpenRobot(robot));
  const json provenance =
      GONOGO_TRY(CollectProvenance(collect, opened.spec, opened.sha256, models));
  const std::string hash = io::Sha256Hex(audit::CanonicalText(protocol) + provenance.dump());
  return std::filesystem::path("runs") /
         fmt::format("{}-{}-{}-{}", verb, protocol.name, collect.controller, hash.substr(0, 8));
}

std::string CollectionLine(const audit::Protocol& protocol, const CollectConfig& collect) {
  return fmt::format(
      "{}: collecting {} clusters of {} queries each, at states that {} visits, with {} actions "
      "tried from every one of them; declared as {}",
      protocol.name, collect.seeds.size(), collect.queries_per_cluster, collect.controller,
      protocol.actions.size(), audit::Fingerprint(protocol).substr(0, 12));
}

Result<CollectReport> Collect(const audit::Protocol& protocol, const CollectOptions& options,
                              const Execution& execution) {
  const CollectConfig config = GONOGO_TRY(CollectOf(protocol));
  const Surroundings surroundings = GONOGO_TRY(SurroundingsOf(config));
  const Scene everywhere = GONOGO_TRY(OpenScene(options.robot, surroundings));
  const CollectPlan plan =
      GONOGO_TRY(CollectPlan::Open(protocol, everywhere.robot, options.models));
  std::vector<std::uint64_t> declared = config.seeds;
  if (options.first && *options.first < declared.size()) declared.resize(*options.first);
  GONOGO_TRY(CheckClusters(options.clusters, declared));
  json provenance =
      GONOGO_TRY(CollectProvenance(config, everywhere.robot, everywhere.sha256, options.models));
  Collection collection = GONOGO_TRY(
      Collection::Open(options.folder, protocol, std::move(provenance), SharingOf(options)));
  if (options.on_ready) options.on_ready();
  CollectReport report;
  if (!options.merge_only) {
    const auto todo = GONOGO_TRY(OnRoot<std::vector<std::uint64_t>>(
        execution, "clusters to collect", [&] { return ToDo(collection, options, declared); }));
    const Status done = RunClusters(todo, plan, everywhere, collection, execution, report);
    if (!done.ok()) return Resumable(done.error(), options);
  }
  return OnRoot<CollectReport>(execution, "collection", [&]() -> Result<CollectReport> {
    for (const std::uint64_t seed : declared) {
      const bool has = GONOGO_TRY(collection.Has(seed));
      if (!has) report.missing.push_back(seed);
    }
    // Tasks of a job array may end together; the table has one writer.
    if ((report.missing.empty() && !options.shard) || options.merge_only) {
      MergedTable merged = GONOGO_TRY(collection.Merge(options.first));
      report.merged = std::move(merged);
    }
    report.remarks = collection.remarks();
    return report;
  });
}

nlohmann::json ToJson(const CollectReport& report) {
  json found = {{"schema", "gonogo.collect/1"},  {"complete", report.missing.empty()},
                {"collected", report.collected}, {"missing", report.missing},
                {"branches", report.branches},   {"remarks", report.remarks}};
  if (report.merged) {
    found["table"] = report.merged->file.string();
    found["clusters"] = report.merged->clusters;
    found["queries"] = report.merged->queries;
    found["replayed"] = report.merged->replayed;
    found["reconstruction_error"] = report.merged->reconstruction_error;
    found["direct_success"] = report.merged->success;
  }
  return found;
}

}  // namespace gonogo::study
