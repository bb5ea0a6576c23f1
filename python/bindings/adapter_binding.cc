// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"
#include "bindings.h"
#include "raise.h"

#include "gonogo/adapter/folder/adapter.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

using adapter::Adapter;
using Rows = Dense<float>;

std::span<const float> RowAt(const Rows& rows, std::size_t row) {
  return {rows.data() + row * rows.shape(1), rows.shape(1)};
}

void CheckRows(const Adapter& adapter, const Rows& rows) {
  if (rows.ndim() == 2 && rows.shape(1) == adapter.layout().inputs()) return;
  throw RaisedError(InputError("features have the wrong shape, expected rows of {} numbers",
                               adapter.layout().inputs()));
}

/// The action of every row; -1 where a feature is not a finite number.
py::object ChooseRows(const Adapter& adapter, const Rows& rows) {
  CheckRows(adapter, rows);
  std::vector<std::int64_t> chosen(rows.shape(0));
  Adapter::Scratch scratch(adapter);
  for (std::size_t row = 0; row < rows.shape(0); ++row) {
    const std::optional<std::size_t> action = adapter.Choose(RowAt(rows, row), scratch);
    chosen[row] = action.has_value() ? static_cast<std::int64_t>(*action) : -1;
  }
  return OwnArray(std::move(chosen));
}

/// What every member predicts of every action but the reference: rows x members x actions.
py::dict PredictRows(const Adapter& adapter, const Rows& rows) {
  CheckRows(adapter, rows);
  const Shape shape = {rows.shape(0), adapter.manifest().members, adapter.layout().candidates()};
  const std::size_t each = shape[1] * shape[2];
  Adapter::Scratch scratch(adapter);
  std::map<std::string, std::vector<float>> kept;
  for (const std::string& name : adapter.manifest().outputs) kept[name].resize(shape[0] * each);
  for (std::size_t row = 0; row < rows.shape(0); ++row) {
    const adapter::EffectView<float> view = adapter.Predict(RowAt(rows, row), scratch);
    for (const auto& [name, values] :
         {std::pair{"work", view.work}, {"time", view.time}, {"eligible", view.eligible}}) {
      if (values == nullptr) continue;
      std::copy_n(values, each, kept[name].data() + row * each);
    }
  }
  py::dict out;
  for (auto& [name, numbers] : kept) out[name.c_str()] = OwnArray(std::move(numbers), shape);
  return out;
}

}  // namespace

void BindAdapter(py::module_& module) {
  py::class_<Adapter>(module, "Adapter")
      .def_static(
          "load", [](const std::filesystem::path& folder) { return Take(Adapter::Load(folder)); },
          py::arg("folder"))
      .def_prop_ro("actions", [](const Adapter& it) { return it.layout().actions; })
      .def_prop_ro("inputs", [](const Adapter& it) { return it.layout().InputNames(); })
      .def_prop_ro("input_levels",
                   [](const Adapter& it) {
                     std::vector<std::vector<std::string>> levels;
                     for (adapter::FeatureKind& kind : it.layout().InputKinds()) {
                       levels.push_back(std::move(kind.levels));
                     }
                     return levels;
                   })
      .def_prop_ro("verdict", [](const Adapter& it) { return it.manifest().VerdictText(); })
      .def_prop_ro("is_advised", [](const Adapter& it) { return it.manifest().is_advised(); })
      .def("choose", &ChooseRows, py::arg("rows"))
      .def("predict", &PredictRows, py::arg("rows"));
}

}  // namespace gonogo::python
