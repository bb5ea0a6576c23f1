// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collection.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"

namespace gonogo::study {
namespace {

using audit::OutcomeTable;
using nlohmann::json;

constexpr const char* kReplayed = "replayed";
constexpr const char* kError = "reconstruction_error";

/// The first thing in which a part was made differently; nothing if it was not.
std::string Mismatch(const json& found, const json& expected) {
  for (const auto& [key, value] : expected.items()) {
    const json other = found.value(key, json());
    if (other != value)
      return fmt::format("{} is {}, now it is {}", key, other.dump(), value.dump());
  }
  return "";
}

Status CheckDeclaration(const std::filesystem::path& file, const std::string& found,
                        const audit::Protocol& protocol) {
  if (found == audit::CanonicalText(protocol)) return {};
  const audit::Protocol declared = GONOGO_TRY(audit::ParseProtocol(found, file.string()));
  return InputError(
      "{}: outcomes were declared otherwise ({}); choose another --out, or go on with the "
      "declared protocol",
      file.string(), fmt::join(audit::Differences(declared, protocol), "; "));
}

template <typename T>
void Append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

template <typename Group>
void AppendGroups(const std::vector<Group>& from, std::vector<Group>& to) {
  if (to.empty()) {
    to = from;
    return;
  }
  for (std::size_t g = 0; g < from.size(); ++g) {
    GONOGO_CHECK(from[g].columns == to[g].columns);
    audit::FeatureMatrix both(to[g].values.rows() + from[g].values.rows(), to[g].values.cols());
    both << to[g].values, from[g].values;
    to[g].values = std::move(both);
  }
}

void AppendCluster(const OutcomeTable& part, OutcomeTable& table) {
  if (table.clusters.empty()) table.cluster_begin = {0};
  table.actions = part.actions;
  Append(part.clusters, table.clusters);
  table.cluster_begin.push_back(table.cluster_begin.back() + part.num_queries());
  Append(part.queries, table.queries);
  Append(part.cost, table.cost);
  Append(part.time, table.time);
  Append(part.success, table.success);
  AppendGroups(part.features, table.features);
  AppendGroups(part.action_features, table.action_features);
}

double DirectSuccess(const OutcomeTable& table) {
  double sum = 0.0;
  for (std::size_t q = 0; q < table.num_queries(); ++q) {
    sum += table.success[table.cell(q, audit::kDirect)];
  }
  return sum / static_cast<double>(table.num_queries());
}

}  // namespace

Result<Collection> Collection::Open(const std::filesystem::path& folder,
                                    const audit::Protocol& protocol, json provenance) {
  Collection collection;
  collection.folder_ = folder;
  collection.protocol_ = protocol;
  collection.seeds_ = GONOGO_TRY(CollectOf(protocol)).seeds;
  collection.provenance_ = std::move(provenance);
  GONOGO_TRY(io::MakeDirectory(folder / "parts"));
  const std::filesystem::path file = folder / "declaration.toml";
  std::error_code code;
  if (std::filesystem::exists(file, code)) {
    const std::string found = GONOGO_TRY(io::ReadFile(file));
    GONOGO_TRY(CheckDeclaration(file, found, protocol));
    return collection;
  }
  GONOGO_TRY(io::WriteFile(file, audit::CanonicalText(protocol)));
  return collection;
}

std::filesystem::path Collection::PartFile(std::uint64_t seed) const {
  return folder_ / "parts" / fmt::format("cluster-{}.h5", seed);
}

Result<std::optional<OutcomeTable>> Collection::Load(std::uint64_t seed) {
  const std::filesystem::path file = PartFile(seed);
  std::error_code code;
  if (!std::filesystem::exists(file, code)) return std::optional<OutcomeTable>();
  Result<OutcomeTable> part = audit::ReadPart(file, protocol_);
  if (!part.ok()) {
    const std::filesystem::path aside = file.string() + ".damaged";
    std::filesystem::rename(file, aside, code);
    remarks_.push_back(fmt::format("{}; it is kept as {}, cluster {} will be collected again",
                                   part.error().message, aside.filename().string(), seed));
    return std::optional<OutcomeTable>();
  }
  GONOGO_TRY(CheckDeclaration(file, part.value().declaration, protocol_));
  const json found = json::parse(part.value().provenance, nullptr, false);
  const std::string mismatch =
      found.is_object() ? Mismatch(found, provenance_) : "its provenance cannot be read";
  if (!mismatch.empty()) {
    return InputError("{}: was collected differently: {}; choose another --out or remove the part",
                      file.string(), mismatch);
  }
  return std::optional<OutcomeTable>(std::move(part).value());
}

Result<bool> Collection::Has(std::uint64_t seed) {
  const std::optional<OutcomeTable> part = GONOGO_TRY(Load(seed));
  return part.has_value();
}

Status Collection::Save(std::uint64_t seed, const ClusterOutcomes& outcomes) const {
  OutcomeTable table = outcomes.table;
  table.declaration = audit::CanonicalText(protocol_);
  table.declaration_sha256 = audit::Fingerprint(protocol_);
  json provenance = provenance_;
  provenance[kReplayed] = outcomes.replayed;
  provenance[kError] = outcomes.reconstruction_error;
  table.provenance = provenance.dump();
  return audit::WriteTable(table, PartFile(seed));
}

Result<MergedTable> Collection::Merge() {
  OutcomeTable table;
  MergedTable merged{.file = table_file()};
  for (const std::uint64_t seed : seeds_) {
    const std::optional<OutcomeTable> part = GONOGO_TRY(Load(seed));
    if (!part) continue;
    const json found = json::parse(part->provenance);
    merged.replayed += found.value(kReplayed, std::size_t{0});
    merged.reconstruction_error = std::max(merged.reconstruction_error, found.value(kError, 0.0));
    AppendCluster(*part, table);
  }
  if (table.clusters.empty()) {
    return InputError("{}: holds no finished cluster", (folder_ / "parts").string());
  }
  merged.clusters = table.num_clusters();
  merged.queries = table.num_queries();
  merged.success = DirectSuccess(table);
  table.declaration = audit::CanonicalText(protocol_);
  table.declaration_sha256 = audit::Fingerprint(protocol_);
  json provenance = provenance_;
  provenance[kReplayed] = merged.replayed;
  provenance[kError] = merged.reconstruction_error;
  table.provenance = provenance.dump();
  GONOGO_TRY(audit::WriteTable(table, merged.file));
  return merged;
}

}  // namespace gonogo::study
