// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/cluster_hashes.h"

#include <span>

#include "gonogo/io/sha256.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kHashDigits = 32;  // 128 bits tell clusters apart in any ledger

/// Texts and arrays one after the other, each with its length, so that nothing runs into the next.
class HashedBytes {
 public:
  void Add(std::string_view text) {
    AddLength(text.size());
    bytes_ += text;
  }
  template <typename T>
  void Add(std::span<const T> values) {
    AddLength(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  [[nodiscard]] std::string Hash() const { return io::Sha256Hex(bytes_).substr(0, kHashDigits); }

 private:
  void AddLength(std::uint64_t length) {
    bytes_.append(reinterpret_cast<const char*>(&length), sizeof length);
  }

  std::string bytes_;
};

/// The part of a query-major array that belongs to `range`, with `width` values per query.
template <typename T>
std::span<const T> Part(const std::vector<T>& values, QueryRange range, std::size_t width) {
  if (values.empty()) return {};
  return std::span(values).subspan(range.begin * width, range.size() * width);
}

template <typename Group>
void AddFeatures(const std::vector<Group>& groups, QueryRange range, std::size_t rows_per_query,
                 HashedBytes& bytes) {
  for (const Group& group : groups) {
    bytes.Add(group.name);
    for (const std::string& column : group.columns) bytes.Add(column);
    const auto width = static_cast<std::size_t>(group.values.cols()) * rows_per_query;
    bytes.Add(
        std::span<const float>(group.values.data() + range.begin * width, range.size() * width));
  }
}

}  // namespace

std::map<std::string, std::string> ClusterHashes(const OutcomeTable& table) {
  std::map<std::string, std::string> hashes;
  const std::size_t actions = table.num_actions();
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange range = table.queries_of(k);
    HashedBytes bytes;
    for (const std::string& action : table.actions) bytes.Add(action);
    for (std::size_t q = range.begin; q < range.end; ++q) bytes.Add(table.queries[q]);
    bytes.Add(Part(table.cost, range, actions));
    bytes.Add(Part(table.time, range, actions));
    bytes.Add(Part(table.success, range, actions));
    bytes.Add(Part(table.eligible, range, actions));
    bytes.Add(Part(table.choice, range, 1));
    // Only where there is one: hashes of older looks stay what they were.
    if (!table.adapter_cost.empty()) bytes.Add(Part(table.adapter_cost, range, 1));
    if (table.logged.has_value()) {
      bytes.Add(Part(table.logged->action, range, 1));
      bytes.Add(Part(table.logged->cost, range, 1));
      bytes.Add(Part(table.logged->time, range, 1));
      bytes.Add(Part(table.logged->success, range, 1));
      bytes.Add(Part(table.logged->eligible, range, 1));
      bytes.Add(Part(table.logged->propensity, range, 1));
    }
    AddFeatures(table.features, range, 1, bytes);
    AddFeatures(table.action_features, range, actions, bytes);
    hashes[table.clusters[k]] = bytes.Hash();
  }
  return hashes;
}

}  // namespace gonogo::audit
