// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"
#include "bindings.h"
#include "raise.h"
#include "table.h"

#include "gonogo/audit/run/run.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/table/arrange_table.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

using audit::OutcomeTable;
using audit::Protocol;
using Names = std::vector<std::string>;

// Arrays arrive as they have to lie in memory (python/gonogo/_arrays.py sees to that), so that none
// is converted here: each is copied once, into the table.
template <typename T, typename Kept>
void CopyCells(const std::optional<Dense<T>>& array, std::vector<Kept>& cells) {
  if (!array.has_value()) return;
  cells.assign(array->data(), array->data() + array->size());
}

/// Name, columns, values and levels of every group.
using Groups = std::vector<std::tuple<std::string, Names, Dense<float>, audit::ColumnLevels>>;

template <typename Group>
void CopyGroups(const Groups& groups, std::vector<Group>& kept) {
  for (const auto& [name, columns, array, levels] : groups) {
    if (array.ndim() < 2) {
      throw RaisedError(InputError("feature group '{}' has {} dimensions, expected at least 2",
                                   name, array.ndim()));
    }
    const auto width = static_cast<Eigen::Index>(array.shape(array.ndim() - 1));
    const Eigen::Index rows = width == 0 ? 0 : static_cast<Eigen::Index>(array.size()) / width;
    kept.push_back(
        {name, columns, Eigen::Map<const audit::FeatureMatrix>(array.data(), rows, width), levels});
  }
}

Table TableFromArrays(const std::string& name, const Protocol& protocol, const Names& actions,
                      const Names& cluster, const Names& query, const Dense<double>& cost,
                      const std::optional<Dense<double>>& time,
                      const std::optional<Dense<std::uint8_t>>& success,
                      const std::optional<Dense<std::uint8_t>>& eligible,
                      const std::optional<Dense<std::uint32_t>>& choice, const Groups& features,
                      const Groups& action_features, const std::string& declaration_sha256,
                      const Names& notes, const std::optional<Dense<std::uint32_t>>& tried,
                      const std::optional<Dense<double>>& propensity, bool is_declared) {
  OutcomeTable loose;
  loose.actions = actions;
  loose.queries = query;
  const auto copy_outcomes = [&](auto& kept) {
    CopyCells(std::optional(cost), kept.cost);
    CopyCells(time, kept.time);
    CopyCells(success, kept.success);
    CopyCells(eligible, kept.eligible);
  };
  if (tried.has_value()) {
    loose.logged.emplace();
    copy_outcomes(*loose.logged);
    CopyCells(tried, loose.logged->action);
    CopyCells(propensity, loose.logged->propensity);
  } else {
    copy_outcomes(loose);
  }
  CopyCells(choice, loose.choice);
  CopyGroups(features, loose.features);
  CopyGroups(action_features, loose.action_features);
  loose.declaration_sha256 = declaration_sha256;
  loose.notes = notes;
  const py::gil_scoped_release release;
  return {.read = {.table = Take(audit::ArrangeTable(std::move(loose), cluster, protocol, name)),
                   .name = name},
          .made_with = protocol,
          .is_declared = is_declared};
}

Table TableFromFile(const std::filesystem::path& path, const Protocol& protocol, bool is_declared) {
  const py::gil_scoped_release release;
  return {.read = Take(audit::ReadTable(path, protocol)),
          .made_with = protocol,
          .is_declared = is_declared};
}

/// A read-only view of the table's own memory, which keeps the table alive.
template <typename T>
py::object View(const py::object& owner, const T* data, const Shape& shape) {
  return py::cast(py::ndarray<py::numpy, const T>(data, shape.size(), shape.data(), owner));
}

/// One of the arrays with a value per query; None when the table lacks it.
template <typename T>
py::object PerQuery(const py::object& self, const std::vector<T>& values) {
  if (values.empty()) return py::none();
  return View(self, values.data(), {values.size()});
}

/// One of the arrays with a value per query and action, of a log per query; None when the table
/// lacks it.
template <typename T>
auto Cells(std::vector<T> OutcomeTable::*member,
           std::vector<T> audit::LoggedOutcomes::*logged_member) {
  return [member, logged_member](const py::object& self) -> py::object {
    const OutcomeTable& table = py::cast<const Table&>(self).outcomes();
    if (table.logged.has_value()) return PerQuery(self, (*table.logged).*logged_member);
    const std::vector<T>& cells = table.*member;
    if (cells.empty()) return py::none();
    return View(self, cells.data(), {table.num_queries(), table.num_actions()});
  };
}

py::object Choice(const py::object& self) {
  return PerQuery(self, py::cast<const Table&>(self).outcomes().choice);
}

/// One of the arrays that only a log has.
template <typename T>
auto OfLog(std::vector<T> audit::LoggedOutcomes::*member) {
  return [member](const py::object& self) -> py::object {
    const OutcomeTable& table = py::cast<const Table&>(self).outcomes();
    return table.logged.has_value() ? PerQuery(self, (*table.logged).*member) : py::none();
  };
}

py::object ClusterOf(const Table& table) {
  std::vector<std::int64_t> number(table.outcomes().num_queries());
  for (std::size_t cluster = 0; cluster < table.outcomes().num_clusters(); ++cluster) {
    const audit::QueryRange queries = table.outcomes().queries_of(cluster);
    std::fill(number.data() + queries.begin, number.data() + queries.end,
              static_cast<std::int64_t>(cluster));
  }
  return OwnArray(std::move(number));
}

/// Group -> (columns, values, levels), one row per query, or per query and action.
template <typename Group>
auto Features(std::vector<Group> OutcomeTable::*member, bool by_action) {
  return [member, by_action](const py::object& self) {
    const OutcomeTable& table = py::cast<const Table&>(self).outcomes();
    py::dict groups;
    for (const Group& group : table.*member) {
      Shape shape = {table.num_queries()};
      if (by_action) shape.push_back(table.num_actions());
      shape.push_back(static_cast<std::size_t>(group.values.cols()));
      groups[group.name.c_str()] =
          py::make_tuple(group.columns, View(self, group.values.data(), shape), group.levels);
    }
    return groups;
  };
}

}  // namespace

audit::TableFile TableUnder(const Protocol& protocol, const Table& table) {
  const Protocol& made = table.made_with;
  const bool as_made = made.table == protocol.table && made.actions == protocol.actions &&
                       made.reference == protocol.reference;
  const bool is_file = !table.read.file.empty();
  if (is_file) return as_made ? table.read : Take(audit::ReadTable(table.read.file, protocol));
  audit::TableFile file = audit::MadeInMemory(table.outcomes(), table.read.name);
  if (as_made) return file;
  // Where nobody declares a reference, the table's own stays, as with that of an HDF5 file.
  Protocol wanted = protocol;
  if (wanted.reference.empty()) wanted.reference = file.table.actions.front();
  file.table = Take(audit::ArrangeTable(std::move(file.table), wanted, file.name));
  return file;
}

void BindTable(py::module_& module) {
  py::class_<Table>(module, "Table")
      .def_static("from_arrays", &TableFromArrays, py::arg("name"), py::arg("protocol"),
                  py::arg("actions"), py::arg("cluster"), py::arg("query"),
                  py::arg("cost").noconvert(), py::arg("time").noconvert().none(),
                  py::arg("success").noconvert().none(), py::arg("eligible").noconvert().none(),
                  py::arg("choice").noconvert().none(), py::arg("features").noconvert(),
                  py::arg("action_features").noconvert(), py::arg("declaration_sha256"),
                  py::arg("notes"), py::arg("tried").noconvert().none() = py::none(),
                  py::arg("propensity").noconvert().none() = py::none(),
                  py::arg("is_declared") = false)
      .def_static("from_file", &TableFromFile, py::arg("path"), py::arg("protocol"),
                  py::arg("is_declared"))
      .def(
          "write",
          [](const Table& table, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            Take(audit::WriteTable(table.outcomes(), path));
          },
          py::arg("path"))
      .def_prop_ro("name", [](const Table& table) { return table.read.name; })
      .def_prop_ro("file", [](const Table& table) { return table.read.file.string(); })
      .def_ro("made_with", &Table::made_with)
      .def_ro("is_declared", &Table::is_declared)
      .def_prop_ro("actions", [](const Table& table) { return table.outcomes().actions; })
      .def_prop_ro("clusters", [](const Table& table) { return table.outcomes().clusters; })
      .def_prop_ro("queries", [](const Table& table) { return table.outcomes().queries; })
      .def_prop_ro("notes", [](const Table& table) { return table.outcomes().notes; })
      .def_prop_ro("declaration_sha256",
                   [](const Table& table) { return table.outcomes().declaration_sha256; })
      .def_prop_ro("cluster_of", &ClusterOf)
      .def_prop_ro("cost", Cells(&OutcomeTable::cost, &audit::LoggedOutcomes::cost))
      .def_prop_ro("time", Cells(&OutcomeTable::time, &audit::LoggedOutcomes::time))
      .def_prop_ro("success", Cells(&OutcomeTable::success, &audit::LoggedOutcomes::success))
      .def_prop_ro("eligible", Cells(&OutcomeTable::eligible, &audit::LoggedOutcomes::eligible))
      .def_prop_ro("choice", &Choice)
      .def_prop_ro("tried", OfLog(&audit::LoggedOutcomes::action))
      .def_prop_ro("propensity", OfLog(&audit::LoggedOutcomes::propensity))
      .def_prop_ro("features", Features(&OutcomeTable::features, false))
      .def_prop_ro("action_features", Features(&OutcomeTable::action_features, true))
      .def_prop_ro("cluster_hashes",
                   [](const Table& table) { return audit::ClusterHashes(table.outcomes()); });
}

}  // namespace gonogo::python
