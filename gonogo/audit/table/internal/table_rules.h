// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/columns.h"
#include "gonogo/base/result.h"

namespace gonogo::audit::internal {

/// What a cell should have been, or nothing when it is fine. Reference cells must be usable as a
/// denominator and eligible by definition.
[[nodiscard]] std::optional<std::string_view> Expected(Holds holds, double value,
                                                       bool is_reference);
/// The same for a feature, which is kept in single precision; NaN is one that is missing.
[[nodiscard]] std::optional<std::string_view> ExpectedFeature(double value);

/// The same for the name of a cluster, a query, an action or a column: what ends up in messages,
/// JSON and pages.
[[nodiscard]] std::optional<std::string_view> ExpectedName(std::string_view name);

/// Refuses names that `ExpectedName` refuses; `list` says whose names they are, in which `table`.
[[nodiscard]] Status CheckNames(std::string_view table, std::string_view list,
                                std::span<const std::string> names);

/// Refuses a name that occurs twice.
[[nodiscard]] Status CheckDistinct(std::string_view table, std::string_view list,
                                   std::span<const std::string> names);

/// Refuses a single action, and so many that another column was taken for them.
[[nodiscard]] Status CheckActionCount(std::string_view place, std::span<const std::string> actions);

/// The first names of a list that may be long, and dots in place of the others.
[[nodiscard]] std::string FirstOf(std::span<const std::string> names, std::size_t most);

/// The actions in the order the table will have them: the reference first, the others as declared
/// or, when nothing was declared, as found. Refuses a reference or a declared action the table
/// lacks; `place` names the file.
[[nodiscard]] Result<std::vector<std::string>> OrderActions(const Protocol& protocol,
                                                            const std::vector<std::string>& found,
                                                            const std::string& place);

/// Positions of the queries sorted by cluster, then by query name (both in natural order), so that
/// the order of rows in a file means nothing.
[[nodiscard]] std::vector<std::size_t> CanonicalOrder(std::span<const std::string> clusters,
                                                      std::span<const std::uint32_t> cluster_of,
                                                      std::span<const std::string> queries);

/// Fills `clusters` and `cluster_begin` from the sorted queries' clusters.
void SetClusters(std::span<const std::string> names,
                 std::span<const std::uint32_t> cluster_of_sorted, OutcomeTable& table);

/// Remarks about columns of features that never vary (a learner cannot use them), that miss values
/// and that are categories.
void NoteFeatures(OutcomeTable& table);

}  // namespace gonogo::audit::internal
