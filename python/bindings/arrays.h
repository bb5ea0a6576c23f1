// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

/// Numbers between NumPy and C++, and how the values of the standard library are converted: the
/// same way in every file that includes this.
namespace gonogo::python {

/// Numbers of NumPy's that lie row by row, read where they are. What is none is not converted where
/// the argument says `noconvert`.
template <typename T>
using Dense = nanobind::ndarray<const T, nanobind::c_contig, nanobind::device::cpu>;

using Shape = std::vector<std::size_t>;

/// A new array of NumPy's, which owns the numbers.
template <typename T>
[[nodiscard]] nanobind::object OwnArray(std::vector<T> numbers, const Shape& shape) {
  auto* held = new std::vector<T>(std::move(numbers));
  const nanobind::capsule owner(
      held, [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, T>(held->data(), shape.size(), shape.data(), owner));
}
template <typename T>
[[nodiscard]] nanobind::object OwnArray(std::vector<T> numbers) {
  const std::size_t size = numbers.size();
  return OwnArray(std::move(numbers), {size});
}

/// A row of numbers from anything that NumPy takes for one; nothing for what is none.
[[nodiscard]] inline std::optional<std::vector<double>> RowOf(const nanobind::object& any) {
  try {
    const nanobind::object array =
        nanobind::module_::import_("numpy").attr("asarray")(any, "float64");
    const auto row = nanobind::cast<nanobind::ndarray<const double, nanobind::ndim<1>,
                                                      nanobind::c_contig, nanobind::device::cpu>>(
        nanobind::module_::import_("numpy").attr("ascontiguousarray")(array));
    return std::vector<double>(row.data(), row.data() + row.size());
  } catch (const nanobind::python_error&) {
    return std::nullopt;
  } catch (const nanobind::cast_error&) {
    return std::nullopt;
  }
}

/// What Python shows of an object, in a message.
[[nodiscard]] inline std::string Shown(const nanobind::object& object) {
  return std::string(nanobind::repr(object).c_str()).substr(0, 80);
}

}  // namespace gonogo::python
