// SPDX-License-Identifier: Apache-2.0
// The parts of the extension module `gonogo._native`. It is a thin layer: shapes, defaults and
// classes with documentation are Python (python/gonogo), everything that computes is the library.
#pragma once

#include <nanobind/nanobind.h>

namespace gonogo::python {

void BindErrors(nanobind::module_& module);
void BindProtocol(nanobind::module_& module);
void BindTable(nanobind::module_& module);
void BindAudit(nanobind::module_& module);
void BindAdapter(nanobind::module_& module);
void BindCalibrate(nanobind::module_& module);
void BindWorld(nanobind::module_& module);
void BindEpisode(nanobind::module_& module);
void BindBranches(nanobind::module_& module);
void BindStudy(nanobind::module_& module);
void BindArrow(nanobind::module_& module);

}  // namespace gonogo::python
