// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::study {
namespace {

using nlohmann::json;

Result<std::string> FileHash(const std::filesystem::path& file) {
  const Result<std::string> bytes = io::ReadFile(file);
  if (!bytes.ok()) return bytes.error();
  return io::Sha256Hex(bytes.value());
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
    const Result<bool> done = collection.Has(seed);
    if (!done.ok()) return done.error();
    if (!done.value()) todo.push_back(seed);
  }
  return todo;
}

Status CollectAll(const std::vector<std::uint64_t>& todo, const CollectPlan& plan,
                  const CollectOptions& options, const Collection& collection,
                  const RunControl& control, CollectReport& report) {
  const std::size_t total = todo.size() * plan.config.queries_per_cluster;
  for (std::size_t i = 0; i < todo.size(); ++i) {
    const Result<Site> site = OpenSite(options.robot, plan.config.terrain, todo[i]);
    if (!site.ok()) return site.error();
    RunControl run = control;
    run.progress = [&, i](std::size_t done, std::size_t) {
      if (control.progress) control.progress(i * plan.config.queries_per_cluster + done, total);
    };
    const Result<ClusterOutcomes> outcomes = CollectCluster(site.value(), plan, todo[i], run);
    if (!outcomes.ok() && outcomes.error().kind == ErrorKind::kInterrupted) {
      return Error{ErrorKind::kInterrupted,
                   fmt::format("interrupted; finished clusters are kept in {}: the same command "
                               "goes on",
                               options.folder.string())};
    }
    if (!outcomes.ok()) return outcomes.error();
    Status saved = collection.Save(todo[i], outcomes.value());
    if (!saved.ok()) return saved;
    report.collected.push_back(todo[i]);
    report.branches += outcomes.value().table.cost.size();
  }
  return {};
}

}  // namespace

std::set<std::string> ModelsOf(const audit::CollectConfig& config) {
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

Result<json> CollectProvenance(const audit::CollectConfig& config,
                               const std::filesystem::path& folder,
                               const std::filesystem::path& models) {
  const Result<robot::RobotSpec> spec = robot::LoadRobotSpec(folder);
  if (!spec.ok()) return spec.error();
  const robot::RobotSpec& robot = spec.value();
  json provenance = {{"schema", "gonogo.collection/1"},
                     {"robot", robot.name},
                     {"layout_hash", robot.LayoutHash()},
                     {"build", io::CurrentBuild()}};
  for (const auto& [key, file] : {std::pair{"robot_sha256", robot.file},
                                  {"model_sha256", robot.model},
                                  {"policy_sha256", robot.policy}}) {
    const Result<std::string> hash = FileHash(file);
    if (!hash.ok()) return hash.error();
    provenance[key] = hash.value();
  }
  for (const std::string& stem : ModelsOf(config)) {
    const Result<std::string> hash = FileHash(models / (stem + ".onnx"));
    if (!hash.ok()) return hash.error();
    provenance["models_sha256"][stem] = hash.value();
  }
  return provenance;
}

Result<CollectReport> Collect(const audit::Protocol& protocol, const CollectOptions& options,
                              const RunControl& control) {
  const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(options.robot);
  if (!robot.ok()) return robot.error();
  const Result<CollectPlan> plan = CollectPlan::Open(protocol, robot.value(), options.models);
  if (!plan.ok()) return plan.error();
  const std::vector<std::uint64_t>& declared = plan.value().config.seeds;
  if (Status known = CheckClusters(options.clusters, declared); !known.ok()) return known.error();
  Result<json> provenance = CollectProvenance(plan.value().config, options.robot, options.models);
  if (!provenance.ok()) return provenance.error();
  Result<Collection> opened =
      Collection::Open(options.folder, protocol, std::move(provenance).value());
  if (!opened.ok()) return opened.error();
  Collection& collection = opened.value();
  CollectReport report;
  if (!options.merge_only) {
    const Result<std::vector<std::uint64_t>> todo = ToDo(collection, options, declared);
    if (!todo.ok()) return todo.error();
    const Status done =
        CollectAll(todo.value(), plan.value(), options, collection, control, report);
    if (!done.ok()) return done.error();
  }
  for (const std::uint64_t seed : declared) {
    const Result<bool> has = collection.Has(seed);
    if (!has.ok()) return has.error();
    if (!has.value()) report.missing.push_back(seed);
  }
  if (report.missing.empty() || options.merge_only) {
    Result<MergedTable> merged = collection.Merge();
    if (!merged.ok()) return merged.error();
    report.merged = std::move(merged).value();
  }
  report.remarks = collection.remarks();
  return report;
}

}  // namespace gonogo::study
