// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/cluster_hashes.h"

#include <cmath>
#include <span>

#include "gonogo/audit/table/columns.h"
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

/// Categories by their texts: the position of a level moves when another cluster brings a new one.
template <typename Group>
void AddTexts(const Group& group, std::size_t begin, std::size_t end, HashedBytes& bytes) {
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t j = 0; j < group.columns.size(); ++j) {
      const float value =
          group.values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(j));
      const bool is_text = !group.levels[j].empty() && !std::isnan(value);
      if (is_text) bytes.Add(group.levels[j][static_cast<std::size_t>(value)]);
      if (!is_text) bytes.Add(std::span(&value, 1));
    }
  }
}

/// Adds what the queries in `range` have in a column.
template <typename Column>
void AddColumn(const ColumnInfo& info, const Column& column, QueryRange range, std::size_t actions,
               HashedBytes& bytes) {
  const std::size_t rows = info.per_action ? actions : 1;
  if constexpr (kIsValues<Column>) {
    using T = typename Column::value_type;
    const std::span<const T> values(column);
    bytes.Add(values.empty() ? values : values.subspan(range.begin * rows, range.size() * rows));
  } else if constexpr (kIsFeatures<Column>) {
    bytes.Add(column.name);
    for (const std::string& name : column.columns) bytes.Add(name);
    if (!column.levels.empty())
      return AddTexts(column, range.begin * rows, range.end * rows, bytes);
    const auto width = static_cast<std::size_t>(column.values.cols()) * rows;
    bytes.Add(
        std::span<const float>(column.values.data() + range.begin * width, range.size() * width));
  }
}

/// Hashes of older looks stay what they were: columns in the order in which they came into being,
/// later ones only where there are any, and not what is only carried along.
bool IsHashed(const ColumnInfo& info, std::size_t size) {
  return info.of != ColumnOf::kOthers && info.of != ColumnOf::kScores &&
         (info.name != "adapter_cost" || size > 0);
}

}  // namespace

std::map<std::string, std::string> ClusterHashes(const OutcomeTable& table) {
  std::map<std::string, std::string> hashes;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange range = table.queries_of(k);
    HashedBytes bytes;
    for (const std::string& action : table.actions) bytes.Add(action);
    for (std::size_t q = range.begin; q < range.end; ++q) bytes.Add(table.queries[q]);
    for (const ColumnOf part :
         {ColumnOf::kOutcomes, ColumnOf::kQueries, ColumnOf::kLog, ColumnOf::kFeatures}) {
      ForEachColumn(table, [&](const ColumnInfo& info, const auto& column) {
        std::size_t size = 0;
        if constexpr (kIsValues<std::remove_cvref_t<decltype(column)>>) size = column.size();
        if (info.of != part || !IsHashed(info, size)) return;
        AddColumn(info, column, range, table.num_actions(), bytes);
      });
    }
    hashes[table.clusters[k]] = bytes.Hash();
  }
  return hashes;
}

}  // namespace gonogo::audit
