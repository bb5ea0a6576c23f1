// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "gonogo/report/text/json_access.h"

/// Pieces that several Vega-Lite specs share. Quantities are drawn in percent.
namespace gonogo::report::internal {

/// A fraction as the number drawn; null when there is none.
[[nodiscard]] Json InPercent(std::optional<double> fraction);

/// A quantitative channel whose axis is labelled in percent.
[[nodiscard]] Json PercentChannel(std::string_view field, std::string_view title = "");

/// A nominal channel without a title, in `order` or else in that of the data. (Vega drops rows that
/// lack a bound before it looks at the order: where bounds may be missing, say it.)
[[nodiscard]] Json NominalChannel(std::string_view field, const Json& order = nullptr);

/// The values of one field, row by row.
[[nodiscard]] Json FieldOf(const Json& rows, std::string_view field);

/// A tooltip that lists these fields, which hold text.
[[nodiscard]] Json Tooltip(std::initializer_list<const char*> fields);

}  // namespace gonogo::report::internal
