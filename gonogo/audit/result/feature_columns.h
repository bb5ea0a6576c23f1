// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// One feature of a table, whose group has to outlive it.
struct TableFeature {
  std::string name;
  const FeatureGroup* group;
  Eigen::Index index;

  [[nodiscard]] double at(std::size_t query) const {
    return group->values(static_cast<Eigen::Index>(query), index);
  }
};

/// All of them; one without a name is called by its group and number.
[[nodiscard]] std::vector<TableFeature> FeatureColumns(const OutcomeTable& table);

}  // namespace gonogo::audit
