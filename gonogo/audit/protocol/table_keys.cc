// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/table_keys.h"

namespace gonogo::audit {

using io::AnyText;
using io::Between;
using io::Key;
using io::KeysOfAllMembers;
using io::NamedKeys;
using io::OneOf;
using io::TomlKey;
using io::TomlKeys;
using io::UnlessDefault;
using io::Whole;
using io::YesNo;

namespace {

/// A column or text that came later than most.
TomlKey<TableColumns> LaterText(const char* name, std::string TableColumns::*member,
                                const char* meaning) {
  return UnlessDefault(Key(name, member, AnyText{}, meaning));
}

}  // namespace

TomlKeys<TableColumns> TableKeys() {
  using T = TableColumns;
  return KeysOfAllMembers<T>(
      Key("cluster", &T::cluster, AnyText{}, "column of the cluster"),
      Key("query", &T::query, AnyText{}, "column of the query"),
      Key("action", &T::action, AnyText{}, "column of the action"),
      Key("cost", &T::cost, AnyText{},
          "column of the cost; `work` is accepted when there is no `cost`"),
      LaterText("reward", &T::reward,
                "instead of `cost`: a column or formula of which more is better; gains are lifts"),
      LaterText("objective", &T::objective,
                "instead of `cost`: a formula of columns, `price_usd + 8.0 * (1 - success)`"),
      LaterText("unit", &T::unit, "what the cost, reward or objective is counted in, as `USD`"),
      Key("time", &T::time, AnyText{}, "column of the time"),
      Key("success", &T::success, AnyText{}, "column that says whether the action succeeded"),
      Key("eligible", &T::eligible, AnyText{},
          "column that says whether the action was eligible, if you judge that yourself"),
      Key("choice", &T::choice, AnyText{}, "column that says what an existing adapter chose"),
      UnlessDefault(Key("adapter_cost", &T::adapter_cost, AnyText{},
                        "column of what it costs to choose at a query, such as computing its "
                        "features: charged to the adapter besides `rule.adapter_cost`")),
      UnlessDefault(Key("propensity", &T::propensity, AnyText{},
                        "column of the probability with which the action of the row was tried, in "
                        "a table that has one action for every query")),
      NamedKeys("features", "group", &T::features, &ColumnPattern::group, &ColumnPattern::pattern,
                AnyText{},
                "columns of a group of features of the query, where `*` stands for any text; if no "
                "group is given, `obs_*`, `target_*` and `f_*`"),
      NamedKeys("action_features", "group", &T::action_features, &ColumnPattern::group,
                &ColumnPattern::pattern, AnyText{},
                "columns of a group of features that differ between actions"),
      UnlessDefault(Key("categories", &T::categories, AnyText{},
                        "features that are categories although their values look like numbers, or "
                        "although most of them occur once; `*` stands for any text. A feature of "
                        "texts that recur is one without being named")),
      UnlessDefault(Key("dates", &T::dates, AnyText{},
                        "features that are dates such as 2024-03-01 or 2024-03-01T12:30: a learner "
                        "sees days since 2000, the day of the week and, where there is a time, the "
                        "hour")),
      UnlessDefault(Key("decimal", &T::decimal, OneOf{{"found", ".", ","}},
                        "the sign before the decimals of the numbers of a CSV file, where the file "
                        "leaves it open: 1,234 may be more than a thousand (`.`) or a little more "
                        "than one (`,`)")));
}

/// Only for tables that have one action for every query.
TomlKeys<LoggingConfig> LoggingKeys() {
  using L = LoggingConfig;
  return KeysOfAllMembers<L>(
      NamedKeys("propensity", "action", &L::propensity, &ActionPropensity::action,
                &ActionPropensity::probability, Between{0.0, 1.0},
                "probability with which the action was tried, at every query alike, in a table "
                "that has one action for every query; instead of the column `table.propensity`"),
      UnlessDefault(Key("estimate", &L::estimate, YesNo{},
                        "whether probabilities that nobody recorded are estimated from how often "
                        "the actions were tried; the result is then descriptive")),
      UnlessDefault(Key("folds", &L::folds, Whole{2, 1000},
                        "into how many parts the clusters are divided for the models that predict "
                        "the outcomes of actions that were not tried")));
}

}  // namespace gonogo::audit
