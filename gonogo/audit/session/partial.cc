// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/partial.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "gonogo/audit/refit/refit_log.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kFewest = 5;
constexpr std::size_t kFirst = 25;

/// The finished refits of a run.
Result<RefitStore> CopyOfLog(const std::filesystem::path& folder, const std::string& manifest) {
  const std::string bytes = GONOGO_TRY(io::ReadFile(folder / "refits.log"));
  const std::filesystem::path copy = std::filesystem::temp_directory_path() /
                                     ("gonogo-watch-" + std::to_string(::getpid()) + ".log");
  GONOGO_TRY(io::WriteFile(copy, bytes));
  Result<RefitStore> store = OpenRefitLog(copy, io::Sha256Hex(manifest));
  std::error_code code;
  std::filesystem::remove(copy, code);  // the store holds what it found
  return store;
}

std::size_t FinishedInARow(const RefitStore& store, std::size_t first, std::size_t most) {
  std::size_t count = 0;
  while (count < most && store.load(first + count).has_value()) ++count;
  return count;
}

}  // namespace

Result<std::vector<PartialAudit>> PathOfBounds(const std::filesystem::path& folder,
                                               const std::filesystem::path& table_file) {
  const std::string manifest = GONOGO_TRY(io::ReadFile(folder / "manifest.json"));
  const std::string name = (folder / "manifest.json").string();
  const nlohmann::json written = GONOGO_TRY(io::ParseJson(manifest, name));
  const io::JsonObject object = GONOGO_TRY(io::JsonObject::Open(written, name));
  const auto text = GONOGO_TRY(object.Get<std::string>("protocol"));
  Protocol protocol = GONOGO_TRY(ParseProtocol(text, name));
  const OutcomeTable table = GONOGO_TRY(ReadTable(table_file, protocol)).table;
  RefitStore store = GONOGO_TRY(CopyOfLog(folder, manifest));
  store.save = {};
  std::vector<PartialAudit> path;
  const std::size_t clusters = table.num_clusters();
  if (FinishedInARow(store, 0, clusters) < clusters) return path;
  const std::size_t finished = FinishedInARow(store, clusters, protocol.bootstrap.refits);
  if (finished < kFewest) return path;
  // Fits without pairs of clusters come last; until they are there the calibrated rule is watched.
  if (protocol.rule.kind == DecisionRule::kLeavePairOut) {
    protocol.rule.kind = DecisionRule::kCalibrated;
  }
  std::vector<std::size_t> counts;
  for (std::size_t count = kFirst; count < finished; count *= 2) counts.push_back(count);
  counts.push_back(finished);
  for (const std::size_t count : counts) {
    protocol.bootstrap.refits = count;
    AuditResult result = GONOGO_TRY(RunAudit(table, protocol, store, {.jobs = 1}));
    path.push_back({count, std::move(result)});
  }
  return path;
}

}  // namespace gonogo::audit
