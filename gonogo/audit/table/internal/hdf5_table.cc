// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/hdf5_table.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include <fmt/ranges.h>

#include "gonogo/audit/table/internal/names.h"
#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/base/nearest.h"
#include "gonogo/base/text.h"

namespace gonogo::audit::internal {
namespace {

using Shape = std::vector<std::size_t>;

/// A whole table while it is being read. Rows are permuted last, when everything is known.
class Reader {
 public:
  Reader(const io::Hdf5File& file, const Protocol& protocol) : file_(file), protocol_(protocol) {}

  [[nodiscard]] Result<OutcomeTable> Read() {
    for (const auto step :
         {&Reader::ReadActions, &Reader::ReadQueries, &Reader::ReadColumns, &Reader::ReadOthers,
          &Reader::ReadFeatures, &Reader::ReadDirection, &Reader::ReadDeclared}) {
      GONOGO_TRY((this->*step)());
    }
    NoteFeatures(table_);
    return std::move(table_);
  }

 private:
  [[nodiscard]] Status ReadActions();
  [[nodiscard]] Status ReadQueries();
  [[nodiscard]] Status ReadColumns();
  [[nodiscard]] Status ReadOthers();
  [[nodiscard]] Status ReadFeatures();
  [[nodiscard]] Status ReadDirection();
  [[nodiscard]] Status ReadDeclared();

  [[nodiscard]] Result<std::vector<std::string>> ReadNames(const std::string& dataset) const;
  [[nodiscard]] Status ExpectShape(const std::string& dataset, const Shape& expected) const;
  template <typename T>
  [[nodiscard]] Status ReadCells(Holds holds, const std::string& dataset,
                                 std::vector<T>& cells) const;
  template <typename T>
  [[nodiscard]] Status ReadPerQuery(Holds holds, const std::string& dataset,
                                    std::vector<T>& values) const;
  [[nodiscard]] std::string DatasetOf(const ColumnInfo& info) const;
  [[nodiscard]] Status ReadActionOfQueries(const std::string& dataset,
                                           std::vector<ActionIndex>& chosen) const;
  [[nodiscard]] Result<FeatureMatrix> ReadGroup(const std::string& dataset,
                                                std::size_t actions) const;
  [[nodiscard]] Result<std::vector<std::string>> GroupColumns(const std::string& dataset,
                                                              const std::string& group,
                                                              std::size_t width) const;
  [[nodiscard]] Result<ColumnLevels> ReadLevels(const std::string& dataset,
                                                const std::vector<std::string>& columns) const;
  template <typename Group>
  [[nodiscard]] Status ReadGroups(const std::string& parent, std::size_t actions,
                                  std::vector<Group>& groups) const;

  const io::Hdf5File& file_;
  const Protocol& protocol_;
  OutcomeTable table_;
  bool is_log_ = false;  // one action was tried at every query
  std::vector<std::string> file_actions_;
  std::vector<std::size_t> column_;  // position in the file of each action of the table
  std::vector<std::size_t> order_;   // position in the file of each query of the table
};

std::string Show(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

Status Reader::ExpectShape(const std::string& dataset, const Shape& expected) const {
  const Shape shape = GONOGO_TRY(file_.Shape(dataset));
  if (shape == expected) return {};
  return InputError("{}: {} has shape {}, expected {}", file_.name(), dataset, Show(shape),
                    Show(expected));
}

Result<std::vector<std::string>> Reader::ReadNames(const std::string& dataset) const {
  const io::Hdf5Type type = GONOGO_TRY(file_.Type(dataset));
  if (type == io::Hdf5Type::kString) {
    std::vector<std::string> texts = GONOGO_TRY(file_.ReadStrings(dataset));
    GONOGO_TRY(CheckNames(file_.name(), dataset, texts));
    return texts;
  }
  if (type != io::Hdf5Type::kInteger) {
    return InputError("{}: {} holds neither whole numbers nor strings", file_.name(), dataset);
  }
  const io::Array<std::int64_t> numbers = GONOGO_TRY(file_.Read<std::int64_t>(dataset));
  std::vector<std::string> names;
  names.reserve(numbers.values.size());
  for (const std::int64_t number : numbers.values) names.push_back(std::to_string(number));
  return names;
}

Status Reader::ReadActions() {
  if (file_.HasAttribute("/", "schema")) {
    const std::string schema = GONOGO_TRY(file_.ReadText("/", "schema"));
    if (schema != kTableSchema) {
      return InputError("{}: the attribute schema is '{}', expected '{}'", file_.name(),
                        Excerpt(schema), kTableSchema);
    }
  }
  std::vector<std::string> names = GONOGO_TRY(file_.ReadTexts("/", "actions"));
  file_actions_ = std::move(names);
  GONOGO_TRY(CheckNames(file_.name(), "attribute actions", file_actions_));
  GONOGO_TRY(CheckDistinct(file_.name(), "attribute actions", file_actions_));
  Protocol wanted = protocol_;
  if (wanted.reference.empty() && file_.HasAttribute("/", "reference")) {
    std::string reference = GONOGO_TRY(file_.ReadText("/", "reference"));
    wanted.reference = std::move(reference);
  }
  std::vector<std::string> actions =
      GONOGO_TRY(OrderActions(wanted, file_actions_, file_.name() + ": attribute actions"));
  table_.actions = std::move(actions);
  for (const std::string& action : table_.actions) {
    const auto position = std::find(file_actions_.begin(), file_actions_.end(), action);
    column_.push_back(static_cast<std::size_t>(position - file_actions_.begin()));
  }
  return {};
}

Status Reader::ReadQueries() {
  const Shape shape = GONOGO_TRY(file_.Shape("/cost"));
  is_log_ = shape.size() == 1 && file_.Has("/action");
  if (shape.size() != 2 && !is_log_) {
    return InputError(
        "{}: /cost has shape {}, expected [queries,{}]; a log, with one action tried at every "
        "query, has /cost [queries] and /action [queries]",
        file_.name(), Show(shape), file_actions_.size());
  }
  const std::size_t queries = shape.front();
  if (queries == 0) return InputError("{}: /cost has no rows", file_.name());
  GONOGO_TRY(ExpectShape("/cluster", {queries}));
  const std::vector<std::string> cluster = GONOGO_TRY(ReadNames("/cluster"));
  NameIndex clusters;
  std::vector<std::uint32_t> cluster_of;
  for (const std::string& name : cluster) cluster_of.push_back(clusters.Number(name));

  std::vector<std::string> names;
  if (file_.Has("/query")) {
    GONOGO_TRY(ExpectShape("/query", {queries}));
    std::vector<std::string> read = GONOGO_TRY(ReadNames("/query"));
    names = std::move(read);
    GONOGO_TRY(CheckDistinct(file_.name(), "/query", names));
  }
  const std::vector<std::string> cluster_names(clusters.names().begin(), clusters.names().end());
  order_ = CanonicalOrder(cluster_names, cluster_of, names);
  std::vector<std::uint32_t> sorted;
  for (const std::size_t query : order_) {
    sorted.push_back(cluster_of[query]);
    table_.queries.push_back(names.empty() ? std::to_string(query) : names[query]);
  }
  SetClusters(cluster_names, sorted, table_);
  return {};
}

template <typename T>
Status Reader::ReadCells(Holds holds, const std::string& dataset, std::vector<T>& cells) const {
  const std::size_t actions = file_actions_.size();
  GONOGO_TRY(ExpectShape(dataset, {order_.size(), actions}));
  const io::Array<double> read = GONOGO_TRY(file_.Read<double>(dataset));
  cells.resize(order_.size() * actions);
  for (std::size_t query = 0; query < order_.size(); ++query) {
    for (ActionIndex action = 0; action < actions; ++action) {
      const double value = read.values[order_[query] * actions + column_[action]];
      if (const auto expected = Expected(holds, value, action == kDirect)) {
        return InputError("{}: {}[{},{}] (action '{}') is {}, expected {}", file_.name(), dataset,
                          order_[query], column_[action], table_.actions[action], value, *expected);
      }
      cells[table_.cell(query, action)] = static_cast<T>(value);
    }
  }
  return {};
}

/// One number per query.
template <typename T>
Status Reader::ReadPerQuery(Holds holds, const std::string& dataset, std::vector<T>& values) const {
  GONOGO_TRY(ExpectShape(dataset, {order_.size()}));
  const io::Array<double> read = GONOGO_TRY(file_.Read<double>(dataset));
  for (const std::size_t query : order_) {
    const double value = read.values[query];
    if (const auto expected = Expected(holds, value, false)) {
      return InputError("{}: {}[{}] is {}, expected {}", file_.name(), dataset, query, value,
                        *expected);
    }
    values.push_back(static_cast<T>(value));
  }
  return {};
}

/// Some columns have the name that the protocol gives them.
std::string Reader::DatasetOf(const ColumnInfo& info) const {
  const TableColumns& names = protocol_.table;
  for (const auto& [ours, theirs] :
       {std::pair<std::string_view, const std::string&>{"choice", names.choice},
        {"adapter_cost", names.adapter_cost},
        {"propensity", names.propensity}}) {
    if (info.name == ours) return "/" + theirs;
  }
  return fmt::format("/{}", info.name);
}

Status Reader::ReadColumns() {
  if (is_log_) table_.logged.emplace();
  return TryEachColumn(table_, [&](const ColumnInfo& info, auto& column) -> Status {
    using Column = std::remove_reference_t<decltype(column)>;
    if constexpr (kIsValues<Column>) {
      if (info.of == ColumnOf::kOutcomes && is_log_) return {};
      const std::string dataset = DatasetOf(info);
      if (!info.required && !file_.Has(dataset)) return {};
      if constexpr (std::is_same_v<typename Column::value_type, ActionIndex>) {
        return ReadActionOfQueries(dataset, column);
      } else {
        return info.per_action ? ReadCells(info.holds, dataset, column)
                               : ReadPerQuery(info.holds, dataset, column);
      }
    } else {
      return {};  // groups: the file says which there are
    }
  });
}

Status Reader::ReadOthers() {
  const std::string parent = "/other_outcomes";
  if (is_log_) return {};
  const std::vector<std::string> names = GONOGO_TRY(file_.Children(parent));
  GONOGO_TRY(CheckNames(file_.name(), parent, names));
  for (const std::string& name : names) {
    NamedOutcome outcome{name, {}};
    GONOGO_TRY(ReadCells(Holds::kAnything, fmt::format("{}/{}", parent, name), outcome.values));
    table_.other_outcomes.push_back(std::move(outcome));
  }
  return {};
}

/// One action per query, by name or by its position in the attribute `actions`.
Status Reader::ReadActionOfQueries(const std::string& dataset,
                                   std::vector<ActionIndex>& chosen) const {
  GONOGO_TRY(ExpectShape(dataset, {order_.size()}));
  const io::Hdf5Type type = GONOGO_TRY(file_.Type(dataset));
  const std::vector<std::string> read = GONOGO_TRY(ReadNames(dataset));
  const bool by_name = type == io::Hdf5Type::kString;
  for (const std::size_t query : order_) {
    std::string name = read[query];
    if (!by_name) {
      const std::int64_t index = std::stoll(name);
      const bool known = index >= 0 && static_cast<std::size_t>(index) < file_actions_.size();
      name = known ? file_actions_[static_cast<std::size_t>(index)] : name;
    }
    const auto position = std::find(table_.actions.begin(), table_.actions.end(), name);
    if (position == table_.actions.end()) {
      return InputError("{}: {}[{}] is '{}', expected an action{}", file_.name(), dataset, query,
                        name, DidYouMean(name, table_.actions));
    }
    chosen.push_back(static_cast<ActionIndex>(position - table_.actions.begin()));
  }
  return {};
}

/// Rows in table order; `actions` is 1 for features of queries, K for those of queries and actions.
Result<FeatureMatrix> Reader::ReadGroup(const std::string& dataset, std::size_t actions) const {
  const Shape shape = GONOGO_TRY(file_.Shape(dataset));
  Shape expected = actions == 1 ? Shape{order_.size()} : Shape{order_.size(), actions};
  if (shape.size() != expected.size() + 1) {
    return InputError("{}: {} has shape {}, expected [{},features]", file_.name(), dataset,
                      Show(shape), fmt::join(expected, ","));
  }
  expected.push_back(shape.back());
  GONOGO_TRY(ExpectShape(dataset, expected));
  const std::size_t width = expected.back();
  const io::Array<float> read = GONOGO_TRY(file_.Read<float>(dataset));
  FeatureMatrix values(static_cast<Eigen::Index>(order_.size() * actions),
                       static_cast<Eigen::Index>(width));
  for (std::size_t row = 0; row < order_.size() * actions; ++row) {
    const std::size_t in_file =
        order_[row / actions] * actions + (actions == 1 ? 0 : column_[row % actions]);
    for (std::size_t j = 0; j < width; ++j) {
      const float value = read.values[in_file * width + j];
      if (ExpectedFeature(value)) {
        return InputError(
            "{}: {} row {}, column {} is {}, expected a number below 3.4e38, or NaN "
            "where it is missing",
            file_.name(), dataset, in_file, j, value);
      }
      values.data()[row * width + j] = value;
    }
  }
  return values;
}

Result<std::vector<std::string>> Reader::GroupColumns(const std::string& dataset,
                                                      const std::string& group,
                                                      std::size_t width) const {
  std::vector<std::string> names;
  if (!file_.HasAttribute(dataset, "columns")) {
    for (std::size_t j = 0; j < width; ++j) names.push_back(fmt::format("{}_{}", group, j));
    return names;
  }
  std::vector<std::string> read = GONOGO_TRY(file_.ReadTexts(dataset, "columns"));
  if (read.size() != width) {
    return InputError("{}: attribute columns of {} names {} columns, expected {}", file_.name(),
                      dataset, read.size(), width);
  }
  const std::string list = "attribute columns of " + dataset;
  GONOGO_TRY(CheckNames(file_.name(), list, read));
  GONOGO_TRY(CheckDistinct(file_.name(), list, read));
  return read;
}

Result<ColumnLevels> Reader::ReadLevels(const std::string& dataset,
                                        const std::vector<std::string>& columns) const {
  ColumnLevels levels;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const std::string attribute = LevelsAttribute(columns[j]);
    if (!file_.HasAttribute(dataset, attribute)) continue;
    levels.resize(columns.size());
    levels[j] = GONOGO_TRY(file_.ReadTexts(dataset, attribute));
  }
  return levels;
}

template <typename Group>
Status Reader::ReadGroups(const std::string& parent, std::size_t actions,
                          std::vector<Group>& groups) const {
  const std::vector<std::string> names = GONOGO_TRY(file_.Children(parent));
  GONOGO_TRY(CheckNames(file_.name(), parent, names));
  for (const std::string& group : names) {
    const std::string dataset = fmt::format("{}/{}", parent, group);
    FeatureMatrix values = GONOGO_TRY(ReadGroup(dataset, actions));
    std::vector<std::string> columns =
        GONOGO_TRY(GroupColumns(dataset, group, static_cast<std::size_t>(values.cols())));
    ColumnLevels levels = GONOGO_TRY(ReadLevels(dataset, columns));
    groups.push_back({group, std::move(columns), std::move(values), std::move(levels)});
  }
  return {};
}

Status Reader::ReadFeatures() {
  Status status = ReadGroups("/features", 1, table_.features);
  if (status.ok() && is_log_ && file_.Has("/action_features")) {
    return InputError(
        "{}: this is a log, with one action for every query, and /action_features has features "
        "that differ between actions, expected features of the query only",
        file_.name());
  }
  if (status.ok()) {
    status = ReadGroups("/action_features", table_.num_actions(), table_.action_features);
  }
  return status;
}

/// Rewards stand in /cost below zero.
Status Reader::ReadDirection() {
  std::string direction = "cost";
  if (file_.HasAttribute("/", "direction")) {
    direction = GONOGO_TRY(file_.ReadText("/", "direction"));
  }
  table_.of_rewards = direction == "reward";
  if (!table_.of_rewards && direction != "cost") {
    return InputError("{}: the attribute direction is '{}', expected 'cost' or 'reward'",
                      file_.name(), Excerpt(direction));
  }
  const TableColumns& declared = protocol_.table;
  if (declared.objective.empty() && declared.reward.empty() != table_.of_rewards) return {};
  return InputError(
      "{}: an HDF5 table has its costs ready in /cost (rewards below zero, with the attribute "
      "direction = 'reward'), which does not go with table.{} of the protocol; a formula and a "
      "reward are read from CSV",
      file_.name(), declared.objective.empty() ? "reward" : "objective");
}

Status Reader::ReadDeclared() {
  for (auto [attribute, text] : {std::pair{"declaration", &table_.declaration},
                                 std::pair{"declaration_sha256", &table_.declaration_sha256},
                                 std::pair{"provenance", &table_.provenance}}) {
    if (!file_.HasAttribute("/", attribute)) continue;
    *text = GONOGO_TRY(file_.ReadText("/", attribute));
  }
  return {};
}

}  // namespace

Result<OutcomeTable> ReadHdf5Table(const io::Hdf5File& file, const Protocol& protocol) {
  return Reader(file, protocol).Read();
}

}  // namespace gonogo::audit::internal
