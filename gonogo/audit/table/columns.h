// SPDX-License-Identifier: Apache-2.0
// The columns of a table of outcomes, each named once. Files, hashes, checks, cuts and
// rearrangements follow from these lists; a member that is in none of them does not compile.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/member_count.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// What a column tells.
enum class ColumnOf {
  kOutcomes,  ///< what every action did
  kQueries,   ///< what else is known of a query
  kLog,       ///< what the action did that was tried
  kScores,    ///< estimates that stand for outcomes nobody saw
  kFeatures,
  kOthers,  ///< carried along
};

/// The rule that its values keep.
enum class Holds { kCost, kTime, kSuccess, kEligible, kPropensity, kAction, kAnything };

struct ColumnInfo {
  std::string_view name;  ///< as files and messages call it
  ColumnOf of = ColumnOf::kOutcomes;
  Holds holds = Holds::kAnything;
  bool per_action = false;  ///< one value per query and action, else one per query
  bool required = false;
};

namespace internal {

/// One value per query, or per query and action.
template <typename Struct, typename T>
struct ValueMember {
  ColumnInfo info;
  std::vector<T> Struct::*member;

  template <typename Visit, typename... Tables>
  void operator()(Visit& visit, Tables&... tables) const {
    visit(info, tables.*member...);
  }
};

/// Groups of features or named outcomes: each is a column, with a name of its own.
template <typename Group>
struct GroupMember {
  ColumnInfo info;
  std::vector<Group> OutcomeTable::*member;

  template <typename Visit, typename... Tables>
  void operator()(Visit& visit, Tables&... tables) const {
    const std::size_t count = std::min({(tables.*member).size()...});
    for (std::size_t i = 0; i < count; ++i) visit(info, (tables.*member)[i]...);
  }
};

/// Names, offsets, texts, flags: no column.
template <typename T>
struct OtherMember {
  T OutcomeTable::*member;

  template <typename Visit, typename... Tables>
  void operator()(Visit& /*visit*/, Tables&... /*tables*/) const {}
};

template <typename Struct, typename... Members>
constexpr std::tuple<Members...> AllMembers(Members... members) {
  static_assert(sizeof...(Members) == MemberCount<Struct>(), "a member is not named, or twice");
  return {members...};
}

template <typename T>
constexpr OtherMember<T> NoColumn(T OutcomeTable::*member) {
  return {member};
}

template <typename Struct, typename T>
constexpr ValueMember<Struct, T> Values(const ColumnInfo& info, std::vector<T> Struct::*member) {
  return {info, member};
}

template <typename Group>
constexpr GroupMember<Group> Groups(const ColumnInfo& info,
                                    std::vector<Group> OutcomeTable::*member) {
  return {info, member};
}

inline constexpr auto kLogColumns = [] {
  using L = LoggedOutcomes;
  constexpr ColumnOf kLog = ColumnOf::kLog;
  return AllMembers<L>(Values({"action", kLog, Holds::kAction, false, true}, &L::action),
                       Values({"cost", kLog, Holds::kCost, false, true}, &L::cost),
                       Values({"time", kLog, Holds::kTime}, &L::time),
                       Values({"success", kLog, Holds::kSuccess}, &L::success),
                       Values({"eligible", kLog, Holds::kEligible}, &L::eligible),
                       Values({"propensity", kLog, Holds::kPropensity}, &L::propensity));
}();

inline constexpr auto kScoreColumns = [] {
  using S = ScoredOutcomes;
  const auto info = [](std::string_view name, bool required) {
    return ColumnInfo{name, ColumnOf::kScores, Holds::kAnything, true, required};
  };
  return AllMembers<S>(Values(info("violation scores", false), &S::violation),
                       Values(info("success scores", false), &S::success),
                       Values(info("predicted costs", true), &S::predicted),
                       Values(info("weights", true), &S::weight),
                       Values(info("costs seen", true), &S::seen));
}();

/// A log or its scores, where there are any.
template <typename Part>
struct PartMember {
  std::optional<Part> OutcomeTable::*member;

  template <typename Visit, typename... Tables>
  void operator()(Visit& visit, Tables&... tables) const {
    if (!((tables.*member).has_value() && ...)) return;
    const auto all = [&](const auto&... columns) { (columns(visit, *(tables.*member)...), ...); };
    if constexpr (std::is_same_v<Part, LoggedOutcomes>) {
      std::apply(all, kLogColumns);
    } else {
      std::apply(all, kScoreColumns);
    }
  }
};

inline constexpr auto kTableColumns = [] {
  using T = OutcomeTable;
  constexpr ColumnOf kCells = ColumnOf::kOutcomes;
  return AllMembers<T>(
      NoColumn(&T::actions), NoColumn(&T::clusters), NoColumn(&T::cluster_begin),
      NoColumn(&T::queries), Values({"cost", kCells, Holds::kCost, true, true}, &T::cost),
      Values({"time", kCells, Holds::kTime, true}, &T::time),
      Values({"success", kCells, Holds::kSuccess, true}, &T::success),
      Values({"eligible", kCells, Holds::kEligible, true}, &T::eligible),
      Groups({"other_outcomes", ColumnOf::kOthers, Holds::kAnything, true, true},
             &T::other_outcomes),
      PartMember<LoggedOutcomes>{&T::logged}, PartMember<ScoredOutcomes>{&T::scored},
      Values({"choice", ColumnOf::kQueries, Holds::kAction}, &T::choice),
      Values({"adapter_cost", ColumnOf::kQueries, Holds::kCost}, &T::adapter_cost),
      NoColumn(&T::of_rewards), NoColumn(&T::counts_net_success), NoColumn(&T::prices_success),
      Groups({"features", ColumnOf::kFeatures, Holds::kAnything, false, true}, &T::features),
      Groups({"action_features", ColumnOf::kFeatures, Holds::kAnything, true, true},
             &T::action_features),
      NoColumn(&T::declaration), NoColumn(&T::declaration_sha256), NoColumn(&T::provenance),
      NoColumn(&T::earlier_looks), NoColumn(&T::notes));
}();

template <typename Columns, typename Visit, typename... Structs>
void VisitAll(const Columns& columns, Visit& visit, Structs&... values) {
  std::apply([&](const auto&... column) { (column(visit, values...), ...); }, columns);
}

}  // namespace internal

/// Calls `visit(info, column)` for every column that the table may have, empty ones too, in the
/// order in which files hold them. A column is a vector of values, a `FeatureGroup`, an
/// `ActionFeatureGroup` or a `NamedOutcome`.
template <typename Table, typename Visit>
void ForEachColumn(Table& table, Visit&& visit) {
  internal::VisitAll(internal::kTableColumns, visit, table);
}

/// Calls `visit(info, column, other)` for every column that both tables have a place for.
template <typename Table, typename Visit>
void ForEachColumnOfBoth(Table& table, const OutcomeTable& other, Visit&& visit) {
  internal::VisitAll(internal::kTableColumns, visit, table, other);
}

/// The same for the columns of a log alone.
template <typename Log, typename Visit>
void ForEachLogColumn(Log& log, Visit&& visit) {
  internal::VisitAll(internal::kLogColumns, visit, log);
}

/// Stops at the first column for which `visit` fails.
template <typename Table, typename Visit>
[[nodiscard]] Status TryEachColumn(Table& table, Visit&& visit) {
  Status status;
  ForEachColumn(table, [&](const ColumnInfo& info, auto& column) {
    if (status.ok()) status = visit(info, column);
  });
  return status;
}

/// Whether a column is a vector of values; else it has a name of its own.
template <typename Column>
inline constexpr bool kIsValues = requires(const Column& column) {
  column.front();
};

/// Whether a column is a group of features.
template <typename Column>
inline constexpr bool kIsFeatures = requires(const Column& column) {
  column.values.rows();
};

}  // namespace gonogo::audit
