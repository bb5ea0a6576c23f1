// SPDX-License-Identifier: Apache-2.0
#include "bindings.h"
#include "raise.h"
#include "table.h"
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gonogo/audit/run/run.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/table/arrange_table.h"

namespace py = pybind11;

namespace gonogo::python {
namespace {

using audit::OutcomeTable;
using audit::Protocol;
using Names = std::vector<std::string>;

// Arrays arrive as they have to lie in memory (python/gonogo/_arrays.py sees to that), so that none
// is converted here: each is copied once, into the table.
template <typename T>
using Dense = py::array_t<T, py::array::c_style>;

template <typename T, typename Kept>
void CopyCells(const std::optional<Dense<T>>& array, std::vector<Kept>& cells) {
  if (!array.has_value()) return;
  cells.assign(array->data(), array->data() + array->size());
}

template <typename Group>
void CopyGroups(const std::vector<std::tuple<std::string, Names, Dense<float>>>& groups,
                std::vector<Group>& kept) {
  for (const auto& [name, columns, array] : groups) {
    if (array.ndim() < 2) {
      throw RaisedError(InputError("feature group '{}' has {} dimensions, expected at least 2",
                                   name, array.ndim()));
    }
    const py::ssize_t width = array.shape(array.ndim() - 1);
    const py::ssize_t rows = width == 0 ? 0 : array.size() / width;
    kept.push_back(
        {name, columns, Eigen::Map<const audit::FeatureMatrix>(array.data(), rows, width)});
  }
}

using Groups = std::vector<std::tuple<std::string, Names, Dense<float>>>;

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
py::object View(const py::object& owner, const T* data, const std::vector<py::ssize_t>& shape) {
  py::array view(py::dtype::of<T>(), shape, data, owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

/// One of the arrays with a value per query; None when the table lacks it.
template <typename T>
py::object PerQuery(const py::object& self, const std::vector<T>& values) {
  if (values.empty()) return py::none();
  return View(self, values.data(), {static_cast<py::ssize_t>(values.size())});
}

/// One of the arrays with a value per query and action, of a log per query; None when the table
/// lacks it.
template <typename T>
auto Cells(std::vector<T> OutcomeTable::*member,
           std::vector<T> audit::LoggedOutcomes::*logged_member) {
  return [member, logged_member](const py::object& self) -> py::object {
    const OutcomeTable& table = self.cast<const Table&>().outcomes();
    if (table.logged.has_value()) return PerQuery(self, (*table.logged).*logged_member);
    const std::vector<T>& cells = table.*member;
    if (cells.empty()) return py::none();
    return View(self, cells.data(),
                {static_cast<py::ssize_t>(table.num_queries()),
                 static_cast<py::ssize_t>(table.num_actions())});
  };
}

py::object Choice(const py::object& self) {
  return PerQuery(self, self.cast<const Table&>().outcomes().choice);
}

/// One of the arrays that only a log has.
template <typename T>
auto OfLog(std::vector<T> audit::LoggedOutcomes::*member) {
  return [member](const py::object& self) -> py::object {
    const OutcomeTable& table = self.cast<const Table&>().outcomes();
    return table.logged.has_value() ? PerQuery(self, (*table.logged).*member) : py::none();
  };
}

py::object ClusterOf(const Table& table) {
  py::array_t<std::int64_t> number(static_cast<py::ssize_t>(table.outcomes().num_queries()));
  for (std::size_t cluster = 0; cluster < table.outcomes().num_clusters(); ++cluster) {
    const audit::QueryRange queries = table.outcomes().queries_of(cluster);
    std::fill(number.mutable_data() + queries.begin, number.mutable_data() + queries.end,
              static_cast<std::int64_t>(cluster));
  }
  return number;
}

/// Group -> (columns, values), one row per query, or per query and action.
template <typename Group>
auto Features(std::vector<Group> OutcomeTable::*member, bool by_action) {
  return [member, by_action](const py::object& self) {
    const OutcomeTable& table = self.cast<const Table&>().outcomes();
    py::dict groups;
    for (const Group& group : table.*member) {
      std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(table.num_queries())};
      if (by_action) shape.push_back(static_cast<py::ssize_t>(table.num_actions()));
      shape.push_back(group.values.cols());
      groups[py::str(group.name)] =
          py::make_tuple(group.columns, View(self, group.values.data(), shape));
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
                  py::arg("cost").noconvert(), py::arg("time").noconvert(),
                  py::arg("success").noconvert(), py::arg("eligible").noconvert(),
                  py::arg("choice").noconvert(), py::arg("features").noconvert(),
                  py::arg("action_features").noconvert(), py::arg("declaration_sha256"),
                  py::arg("notes"), py::arg("tried").noconvert() = py::none(),
                  py::arg("propensity").noconvert() = py::none(), py::arg("is_declared") = false)
      .def_static("from_file", &TableFromFile, py::arg("path"), py::arg("protocol"),
                  py::arg("is_declared"))
      .def(
          "write",
          [](const Table& table, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            Take(audit::WriteTable(table.outcomes(), path));
          },
          py::arg("path"))
      .def_property_readonly("name", [](const Table& table) { return table.read.name; })
      .def_property_readonly("file", [](const Table& table) { return table.read.file.string(); })
      .def_readonly("made_with", &Table::made_with)
      .def_readonly("is_declared", &Table::is_declared)
      .def_property_readonly("actions", [](const Table& table) { return table.outcomes().actions; })
      .def_property_readonly("clusters",
                             [](const Table& table) { return table.outcomes().clusters; })
      .def_property_readonly("queries", [](const Table& table) { return table.outcomes().queries; })
      .def_property_readonly("notes", [](const Table& table) { return table.outcomes().notes; })
      .def_property_readonly("declaration_sha256",
                             [](const Table& table) { return table.outcomes().declaration_sha256; })
      .def_property_readonly("cluster_of", &ClusterOf)
      .def_property_readonly("cost", Cells(&OutcomeTable::cost, &audit::LoggedOutcomes::cost))
      .def_property_readonly("time", Cells(&OutcomeTable::time, &audit::LoggedOutcomes::time))
      .def_property_readonly("success",
                             Cells(&OutcomeTable::success, &audit::LoggedOutcomes::success))
      .def_property_readonly("eligible",
                             Cells(&OutcomeTable::eligible, &audit::LoggedOutcomes::eligible))
      .def_property_readonly("choice", &Choice)
      .def_property_readonly("tried", OfLog(&audit::LoggedOutcomes::action))
      .def_property_readonly("propensity", OfLog(&audit::LoggedOutcomes::propensity))
      .def_property_readonly("features", Features(&OutcomeTable::features, false))
      .def_property_readonly("action_features", Features(&OutcomeTable::action_features, true))
      .def_property_readonly("cluster_hashes", [](const Table& table) {
        return audit::ClusterHashes(table.outcomes());
      });
}

}  // namespace gonogo::python
