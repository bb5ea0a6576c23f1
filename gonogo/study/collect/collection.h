// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/base/result.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/study/collect/collect_cluster.h"

namespace gonogo::study {

/// The clusters of a collection put together.
struct MergedTable {
  std::filesystem::path file;
  std::size_t clusters = 0;
  std::size_t queries = 0;
  std::size_t replayed = 0;
  double reconstruction_error = 0.0;  ///< largest of all clusters
  double success = 0.0;               ///< of the direct branches
};

/// A folder that holds a declaration and one audit table per finished cluster
/// (`parts/cluster-1301.h5`). The declaration is there before the first branch runs and inside
/// every part. Parts made elsewhere under the same declaration may be copied in.
class Collection {
 public:
  /// Starts a collection or goes on with one. Refuses a folder whose declaration is another one.
  /// `provenance` says what makes the outcomes: robot, policy, models, build.
  [[nodiscard]] static Result<Collection> Open(const std::filesystem::path& folder,
                                               const audit::Protocol& protocol,
                                               nlohmann::json provenance,
                                               io::Sharing sharing = io::Sharing::kNobody);

  /// Whether this cluster is finished. A part that cannot be read is put aside as `.damaged`, so
  /// that it is collected again; one of another declaration or robot is an error.
  [[nodiscard]] Result<bool> Has(std::uint64_t seed);
  /// Keeps a finished cluster, whole or not at all.
  [[nodiscard]] Status Save(std::uint64_t seed, const ClusterOutcomes& outcomes) const;

  /// Writes `table.h5` from the parts that are there, in the declared order: the same bytes
  /// whoever collected them, in whatever order. Only of the first `clusters` declared ones, if that
  /// is given.
  [[nodiscard]] Result<MergedTable> Merge(std::optional<std::size_t> clusters = {});

  /// Hashes of the declaration and of what makes the outcomes.
  [[nodiscard]] Identity identity() const;

  /// Parts that could not be read.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
  [[nodiscard]] std::filesystem::path PartFile(std::uint64_t seed) const;
  [[nodiscard]] std::filesystem::path table_file() const { return folder_ / "table.h5"; }

 private:
  Collection() = default;
  [[nodiscard]] Result<std::optional<ClusterOutcomes>> Load(std::uint64_t seed);

  std::filesystem::path folder_;
  io::FolderClaim claim_;
  audit::Protocol protocol_;
  std::vector<std::uint64_t> seeds_;  // as declared
  nlohmann::json provenance_;
  std::vector<std::string> remarks_;
};

}  // namespace gonogo::study
