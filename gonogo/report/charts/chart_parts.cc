// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/charts/chart_parts.h"

namespace gonogo::report::internal {

Json InPercent(std::optional<double> fraction) {
  return fraction ? Json(100.0 * *fraction) : Json();
}

Json PercentChannel(std::string_view field, std::string_view title) {
  Json channel = R"json({
    "type": "quantitative",
    "axis": {"title": null, "labelExpr": "format(datum.value, '~g') + ' %'"}})json"_json;
  channel["field"] = field;
  if (!title.empty()) channel["axis"]["title"] = title;
  return channel;
}

Json NominalChannel(std::string_view field, const Json& order) {
  Json channel = R"({"type": "nominal", "axis": {"title": null}})"_json;
  channel["field"] = field;
  channel["sort"] = order;
  return channel;
}

Json FieldOf(const Json& rows, std::string_view field) {
  Json values = Json::array();
  for (const Json& row : rows) values.push_back(At(row, field));
  return values;
}

Json Tooltip(std::initializer_list<const char*> fields) {
  Json tooltip = Json::array();
  for (const char* field : fields) tooltip.push_back({{"field", field}, {"type", "nominal"}});
  return tooltip;
}

}  // namespace gonogo::report::internal
