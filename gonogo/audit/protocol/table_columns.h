// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gonogo::audit {

/// A named set of columns, given by a pattern in which * stands for anything.
struct ColumnPattern {
  std::string group;
  std::string pattern;
  bool operator==(const ColumnPattern&) const = default;
};

/// Names of the columns of a CSV table.
struct TableColumns {
  std::string cluster = "cluster";
  std::string query = "query";
  std::string action = "action";
  std::string cost = "cost";   ///< "work" is accepted when there is no "cost"
  std::string reward = {};     ///< instead of the cost: a column or formula of which more is better
  std::string objective = {};  ///< instead of the cost: a formula of columns, less is better
  std::string unit = {};       ///< of the cost, reward or objective of a query, in words
  std::string time = "time";
  std::string success = "success";
  std::string eligible = "eligible";
  std::string choice = "choice";
  std::string adapter_cost = "adapter_cost";
  std::string propensity = "propensity";
  std::vector<ColumnPattern> features = {};  ///< empty: obs_*, target_* and f_*
  std::vector<ColumnPattern> action_features = {};
  std::vector<std::string> categories = {};  ///< features that are categories although numbers
  std::vector<std::string> dates = {};       ///< features that are dates
  std::string decimal = "found";             ///< how numbers of a CSV file are written: . or ,

  bool operator==(const TableColumns&) const = default;
};

}  // namespace gonogo::audit
