// SPDX-License-Identifier: Apache-2.0
#include "bindings.h"
#include "raise.h"
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gonogo/adapter/folder/adapter.h"

namespace py = pybind11;

namespace gonogo::python {
namespace {

using adapter::Adapter;
using Rows = py::array_t<float, py::array::c_style>;

std::span<const float> RowAt(const Rows& rows, py::ssize_t row) {
  return {rows.data(row, 0), static_cast<std::size_t>(rows.shape(1))};
}

void CheckRows(const Adapter& adapter, const Rows& rows) {
  if (rows.ndim() == 2 && static_cast<std::size_t>(rows.shape(1)) == adapter.layout().inputs()) {
    return;
  }
  throw RaisedError(InputError("features have the wrong shape, expected rows of {} numbers",
                               adapter.layout().inputs()));
}

/// The action of every row; -1 where a feature is not a finite number.
py::array_t<std::int64_t> ChooseRows(const Adapter& adapter, const Rows& rows) {
  CheckRows(adapter, rows);
  py::array_t<std::int64_t> chosen(rows.shape(0));
  Adapter::Scratch scratch(adapter);
  for (py::ssize_t row = 0; row < rows.shape(0); ++row) {
    const std::optional<std::size_t> action = adapter.Choose(RowAt(rows, row), scratch);
    chosen.mutable_at(row) = action.has_value() ? static_cast<std::int64_t>(*action) : -1;
  }
  return chosen;
}

/// What every member predicts of every action but the reference: rows x members x actions.
py::dict PredictRows(const Adapter& adapter, const Rows& rows) {
  CheckRows(adapter, rows);
  const auto members = static_cast<py::ssize_t>(adapter.manifest().members);
  const auto candidates = static_cast<py::ssize_t>(adapter.layout().candidates());
  Adapter::Scratch scratch(adapter);
  py::dict out;
  for (const std::string& name : adapter.manifest().outputs) {
    out[py::str(name)] = py::array_t<float>({rows.shape(0), members, candidates});
  }
  for (py::ssize_t row = 0; row < rows.shape(0); ++row) {
    const adapter::EffectView<float> view = adapter.Predict(RowAt(rows, row), scratch);
    for (const auto& [name, values] :
         {std::pair{"work", view.work}, {"time", view.time}, {"eligible", view.eligible}}) {
      if (values == nullptr) continue;
      auto array = out[name].cast<py::array_t<float>>();
      std::copy_n(values, members * candidates, array.mutable_data(row, 0, 0));
    }
  }
  return out;
}

}  // namespace

void BindAdapter(py::module_& module) {
  py::class_<Adapter>(module, "Adapter")
      .def_static(
          "load", [](const std::filesystem::path& folder) { return Take(Adapter::Load(folder)); },
          py::arg("folder"))
      .def_property_readonly("actions", [](const Adapter& it) { return it.layout().actions; })
      .def_property_readonly("inputs", [](const Adapter& it) { return it.layout().InputNames(); })
      .def_property_readonly("verdict",
                             [](const Adapter& it) { return it.manifest().VerdictText(); })
      .def_property_readonly("is_advised",
                             [](const Adapter& it) { return it.manifest().is_advised(); })
      .def("choose", &ChooseRows, py::arg("rows"))
      .def("predict", &PredictRows, py::arg("rows"));
}

}  // namespace gonogo::python
