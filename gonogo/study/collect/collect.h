// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/parallel/shard.h"
#include "gonogo/study/collect/collect_cluster.h"
#include "gonogo/study/collect/collection.h"

namespace gonogo::study {

/// Stems of the model files (of `gonogo identify`) that decide what a collection holds.
[[nodiscard]] std::set<std::string> ModelsOf(const CollectConfig& config);

/// What makes the outcomes of a collection, apart from its declaration: hashes of robot, policy and
/// models, and the build.
[[nodiscard]] Result<nlohmann::json> CollectProvenance(const CollectConfig& config,
                                                       const robot::RobotSpec& robot,
                                                       const RobotHashes& sha256,
                                                       const std::filesystem::path& models);

/// runs/VERB-NAME-CONTROLLER-HASH: another protocol, robot, model or build has another folder.
[[nodiscard]] Result<std::filesystem::path> DefaultFolder(const std::string& verb,
                                                          const audit::Protocol& protocol,
                                                          const std::filesystem::path& robot,
                                                          const std::filesystem::path& models);

/// What is about to be collected and under which fingerprint it was declared, in a sentence.
[[nodiscard]] std::string CollectionLine(const audit::Protocol& protocol,
                                         const CollectConfig& collect);

struct CollectOptions {
  std::filesystem::path robot;
  std::filesystem::path models;              ///< where `gonogo identify` wrote; only if needed
  std::filesystem::path folder;              ///< of the collection
  std::vector<std::uint64_t> clusters = {};  ///< empty: all that were declared
  std::optional<Shard> shard = {};           ///< only these of them, and no table
  /// Only the first so many of those declared, and the table of these: a look before the last.
  std::optional<std::size_t> first = {};
  bool merge_only = false;  ///< write the table from what is there
  /// Called when every setting and file was found sound, before the first branch; may be empty.
  std::function<void()> on_ready = {};
};

/// What a call of `Collect` did and what is still to do.
struct CollectReport {
  std::vector<std::uint64_t> collected;
  std::vector<std::uint64_t> missing;  ///< declared, not finished
  std::size_t branches = 0;            ///< run in this call
  std::vector<std::string> remarks;
  std::optional<MergedTable> merged;  ///< when nothing is missing, or when merging was asked for
};

/// What `gonogo collect --json` prints.
[[nodiscard]] nlohmann::json ToJson(const CollectReport& report);

/// Takes the parts of the other folders into the first one and writes its table. Refuses clusters
/// that are missing, there twice or not declared, and parts of another declaration, robot, policy
/// or build, by name.
[[nodiscard]] Result<MergedTable> MergeCollections(
    const std::vector<std::filesystem::path>& folders);

/// Declares the protocol, runs every branch of the clusters that are not finished, keeps each
/// cluster as soon as it is, and writes the table once all are there. Interrupted, it goes on where
/// it stopped when called again. Progress counts queries.
[[nodiscard]] Result<CollectReport> Collect(const audit::Protocol& protocol,
                                            const CollectOptions& options,
                                            const Execution& execution);

}  // namespace gonogo::study
