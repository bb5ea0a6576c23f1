// SPDX-License-Identifier: Apache-2.0
// The parts of the extension module `gonogo._native`. It is a thin layer: shapes, defaults and
// classes with documentation are Python (python/gonogo), everything that computes is the library.
#pragma once

#include <pybind11/pybind11.h>

namespace gonogo::python {

void BindErrors(pybind11::module_& module);
void BindProtocol(pybind11::module_& module);
void BindTable(pybind11::module_& module);
void BindAudit(pybind11::module_& module);
void BindAdapter(pybind11::module_& module);
void BindCalibrate(pybind11::module_& module);
void BindWorld(pybind11::module_& module);
void BindEpisode(pybind11::module_& module);
void BindBranches(pybind11::module_& module);
void BindStudy(pybind11::module_& module);
void BindArrow(pybind11::module_& module);

}  // namespace gonogo::python
