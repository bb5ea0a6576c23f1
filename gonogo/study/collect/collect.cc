// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collect.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/study/identified.h"

namespace gonogo::study {
namespace {

using nlohmann::json;

Result<std::string> FileHash(const std::filesystem::path& file) {
  const std::string bytes = GONOGO_TRY(io::ReadFile(file));
  return io::Sha256Hex(bytes);
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
  for (const std::uint64_t seed : declared) {
    const std::vector<std::uint64_t>& asked = options.clusters;
    if (!asked.empty() && std::find(asked.begin(), asked.end(), seed) == asked.end()) continue;
    const bool done = GONOGO_TRY(collection.Has(seed));
    if (!done) todo.push_back(seed);
  }
  return todo;
}

Status CollectAll(const std::vector<std::uint64_t>& todo, const CollectPlan& plan,
                  const CollectOptions& options, const Collection& collection,
                  const Execution& execution, CollectReport& report) {
  const std::size_t total = todo.size() * plan.config.queries_per_cluster;
  const Surroundings surroundings = GONOGO_TRY(SurroundingsOf(plan.config));
  const Site everywhere = GONOGO_TRY(OpenSite(options.robot, surroundings));
  for (std::size_t i = 0; i < todo.size(); ++i) {
    const Site site = GONOGO_TRY(SiteOf(everywhere, todo[i]));
    Execution run = execution;
    run.progress = [&, i](std::size_t done, std::size_t) {
      if (execution.progress) execution.progress(i * plan.config.queries_per_cluster + done, total);
    };
    const Result<ClusterOutcomes> outcomes = CollectCluster(site, plan, todo[i], run);
    if (!outcomes.ok() && outcomes.error().kind == ErrorKind::kInterrupted) {
      return Error{ErrorKind::kInterrupted,
                   fmt::format("interrupted; finished clusters are kept in {}: the same command "
                               "goes on",
                               options.folder.string())};
    }
    if (!outcomes.ok()) return outcomes.error();
    GONOGO_TRY(collection.Save(todo[i], outcomes.value()));
    report.collected.push_back(todo[i]);
    report.branches += outcomes.value().table.cost.size();
  }
  return {};
}

}  // namespace

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

Result<json> CollectProvenance(const CollectConfig& config, const std::filesystem::path& folder,
                               const std::filesystem::path& models) {
  const robot::RobotSpec spec = GONOGO_TRY(robot::LoadRobotSpec(folder));
  const robot::RobotSpec& robot = spec;
  json provenance = {{"schema", "gonogo.collection/1"},
                     {"robot", robot.name},
                     {"layout_hash", robot.LayoutHash()},
                     {"build", io::CurrentBuild()}};
  for (const auto& [key, file] : {std::pair{"robot_sha256", robot.file},
                                  {"model_sha256", robot.model},
                                  {"policy_sha256", robot.policy}}) {
    const std::string hash = GONOGO_TRY(FileHash(file));
    provenance[key] = hash;
  }
  for (const std::string& stem : ModelsOf(config)) {
    GONOGO_TRY(CheckIdentified(models / (stem + ".onnx"), robot, "the protocol"));
    const std::string hash = GONOGO_TRY(FileHash(models / (stem + ".onnx")));
    provenance["models_sha256"][stem] = hash;
  }
  return provenance;
}

Result<CollectReport> Collect(const audit::Protocol& protocol, const CollectOptions& options,
                              const Execution& execution) {
  robot::RobotSpec robot = GONOGO_TRY(robot::LoadRobotSpec(options.robot));
  const CollectConfig config = GONOGO_TRY(CollectOf(protocol));
  const Surroundings surroundings = GONOGO_TRY(SurroundingsOf(config));
  GONOGO_TRY(ApplyNominal(surroundings.conditions, robot));
  const CollectPlan plan = GONOGO_TRY(CollectPlan::Open(protocol, robot, options.models));
  const std::vector<std::uint64_t>& declared = plan.config.seeds;
  GONOGO_TRY(CheckClusters(options.clusters, declared));
  json provenance = GONOGO_TRY(CollectProvenance(plan.config, options.robot, options.models));
  Collection opened = GONOGO_TRY(Collection::Open(options.folder, protocol, std::move(provenance)));
  Collection& collection = opened;
  if (options.on_ready) options.on_ready();
  CollectReport report;
  if (!options.merge_only) {
    const std::vector<std::uint64_t> todo = GONOGO_TRY(ToDo(collection, options, declared));
    GONOGO_TRY(CollectAll(todo, plan, options, collection, execution, report));
  }
  for (const std::uint64_t seed : declared) {
    const bool has = GONOGO_TRY(collection.Has(seed));
    if (!has) report.missing.push_back(seed);
  }
  if (report.missing.empty() || options.merge_only) {
    MergedTable merged = GONOGO_TRY(collection.Merge());
    report.merged = std::move(merged);
  }
  report.remarks = collection.remarks();
  return report;
}

}  // namespace gonogo::study
