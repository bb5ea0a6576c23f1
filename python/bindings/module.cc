// SPDX-License-Identifier: Apache-2.0
#include "bindings.h"
#include <nlohmann/json.hpp>

#include "gonogo/io/build_info.h"

NB_MODULE(_native, module) {
  module.attr("__doc__") = "What the gonogo package is made of; use the package.";
  module.attr("__version__") = gonogo::io::CurrentBuild().version.c_str();
  module.attr("BUILD") = nlohmann::json(gonogo::io::CurrentBuild()).dump().c_str();
  // What somebody still holds when the interpreter ends is freed with the process.
  nanobind::set_leak_warnings(false);
  gonogo::python::BindErrors(module);
  gonogo::python::BindProtocol(module);
  gonogo::python::BindTable(module);
  gonogo::python::BindArrow(module);
  gonogo::python::BindAudit(module);
  gonogo::python::BindAdapter(module);
  gonogo::python::BindCalibrate(module);
  // Without robots the package raises an error where one is asked for (python/gonogo/__init__.py).
  module.attr("HAS_ROBOTS") = GONOGO_SIM != 0;
#if GONOGO_SIM
  gonogo::python::BindEpisode(module);
  gonogo::python::BindWorld(module);
  gonogo::python::BindBranches(module);
  gonogo::python::BindStudy(module);
#endif
}
