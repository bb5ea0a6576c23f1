// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collection.h"

#include <algorithm>
#include <span>

#include <fmt/ranges.h>

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"

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

std::string ProvenanceOf(const std::filesystem::path& file) {
  return file.string() + ": provenance";
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

/// A sound table may still be none of a collection's parts: those may come from elsewhere.
Status CheckPart(const std::filesystem::path& file, const OutcomeTable& part, std::uint64_t seed) {
  if (part.clusters != std::vector{std::to_string(seed)}) {
    return InputError("{}: holds the clusters {}, expected {} alone", file.string(),
                      fmt::join(part.clusters, ", "), seed);
  }
  if (part.time.empty() || part.success.empty()) {
    return InputError("{}: has no {}, expected /time and /success", file.string(),
                      part.time.empty() ? "/time" : "/success");
  }
  return {};
}

template <typename T>
void Append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

template <typename Group>
std::string Layout(const std::vector<Group>& groups) {
  std::vector<std::string> shown;
  for (const Group& group : groups) {
    shown.push_back(fmt::format("{}({})", group.name, fmt::join(group.columns, ",")));
  }
  return fmt::format("{}", fmt::join(shown, " "));
}

template <typename Group>
void AppendGroups(const std::vector<Group>& from, std::vector<Group>& to) {
  if (to.empty()) {
    to = from;
    return;
  }
  for (std::size_t g = 0; g < from.size(); ++g) {
    audit::FeatureMatrix both(to[g].values.rows() + from[g].values.rows(), to[g].values.cols());
    both << to[g].values, from[g].values;
    to[g].values = std::move(both);
  }
}

/// What all parts of a table have in common.
std::string Layout(const OutcomeTable& table) {
  std::vector<std::string> others;
  for (const audit::NamedOutcome& outcome : table.other_outcomes) others.push_back(outcome.name);
  return fmt::format("actions {}; features {}; action features {}; other outcomes {}",
                     fmt::join(table.actions, ","), Layout(table.features),
                     Layout(table.action_features), fmt::join(others, ","));
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
  if (table.other_outcomes.empty()) {
    table.other_outcomes = part.other_outcomes;
  } else {
    for (std::size_t o = 0; o < part.other_outcomes.size(); ++o) {
      Append(part.other_outcomes[o].values, table.other_outcomes[o].values);
    }
  }
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
                                    const audit::Protocol& protocol, json provenance,
                                    io::Sharing sharing) {
  Collection collection;
  collection.folder_ = folder;
  collection.protocol_ = protocol;
  collection.seeds_ = GONOGO_TRY(CollectOf(protocol)).seeds;
  collection.provenance_ = std::move(provenance);
  collection.claim_ = GONOGO_TRY(io::FolderClaim::Take(folder, sharing));
  GONOGO_TRY(io::OpenRunFolder(folder));
  GONOGO_TRY(io::OpenRunFolder(folder / "parts"));
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

Identity Collection::identity() const {
  return {{"declaration", audit::Fingerprint(protocol_)},
          {"robot, policy, models or build", io::Sha256Hex(provenance_.dump())}};
}

std::filesystem::path Collection::PartFile(std::uint64_t seed) const {
  return folder_ / "parts" / fmt::format("cluster-{}.h5", seed);
}

Result<std::optional<ClusterOutcomes>> Collection::Load(std::uint64_t seed) {
  const std::filesystem::path file = PartFile(seed);
  std::error_code code;
  if (!std::filesystem::exists(file, code)) return std::optional<ClusterOutcomes>();
  Result<OutcomeTable> part = audit::ReadPart(file, protocol_);
  if (!part.ok()) {
    const std::filesystem::path aside = file.string() + ".damaged";
    std::filesystem::rename(file, aside, code);
    remarks_.push_back(fmt::format("{}; it is kept as {}, cluster {} will be collected again",
                                   part.error().message, aside.filename().string(), seed));
    return std::optional<ClusterOutcomes>();
  }
  GONOGO_TRY(CheckDeclaration(file, part.value().declaration, protocol_));
  GONOGO_TRY(CheckPart(file, part.value(), seed));
  const json found = GONOGO_TRY(io::ParseJson(part.value().provenance, ProvenanceOf(file)));
  const io::JsonObject provenance = GONOGO_TRY(io::JsonObject::Open(found, ProvenanceOf(file)));
  const std::string mismatch = Mismatch(found, provenance_);
  if (!mismatch.empty()) {
    return InputError("{}: was collected differently: {}; choose another --out or remove the part",
                      file.string(), mismatch);
  }
  ClusterOutcomes whole{.table = std::move(part).value()};
  whole.replayed = GONOGO_TRY(provenance.Get<std::uint64_t>(kReplayed, 0));
  whole.reconstruction_error = GONOGO_TRY(provenance.Get<double>(kError, 0.0));
  return std::optional<ClusterOutcomes>(std::move(whole));
}

Result<bool> Collection::Has(std::uint64_t seed) {
  const std::optional<ClusterOutcomes> part = GONOGO_TRY(Load(seed));
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

Result<MergedTable> Collection::Merge(std::optional<std::size_t> clusters) {
  OutcomeTable table;
  MergedTable merged{.file = table_file()};
  const std::size_t wanted = std::min(clusters.value_or(seeds_.size()), seeds_.size());
  for (const std::uint64_t seed : std::span(seeds_).first(wanted)) {
    const std::optional<ClusterOutcomes> part = GONOGO_TRY(Load(seed));
    if (!part) continue;
    if (!table.clusters.empty() && Layout(part->table) != Layout(table)) {
      return InputError("{}: holds {}, expected {} like the parts before it",
                        PartFile(seed).string(), Layout(part->table), Layout(table));
    }
    merged.replayed += part->replayed;
    merged.reconstruction_error = std::max(merged.reconstruction_error, part->reconstruction_error);
    AppendCluster(part->table, table);
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
