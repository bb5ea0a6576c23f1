// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"
#include "bindings.h"
#include "raise.h"
#include <nanobind/operators.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/protocol/protocol_keys.h"
#include "gonogo/study/collect/collect_config.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

using audit::Protocol;

std::vector<std::vector<std::string>> DescribeKeys() {
  std::vector<std::vector<std::string>> rows;
  for (const io::TomlKeyRow& row : audit::DescribeProtocolKeys()) {
    rows.push_back({row.key, row.fallback, row.allowed, row.meaning});
  }
  return rows;
}

}  // namespace

void BindProtocol(py::module_& module) {
  py::class_<Protocol>(module, "Protocol")
      .def_static(
          "parse",
          [](const std::string& toml, const std::string& name) {
            return Take(study::ParseProtocol(toml, name));
          },
          py::arg("toml"), py::arg("name"))
      .def_static(
          "load", [](const std::filesystem::path& path) { return Take(study::LoadProtocol(path)); },
          py::arg("path"))
      .def_static(
          "find",
          [](const std::filesystem::path& table) { return Take(study::FindProtocol(table)); },
          py::arg("table"))
      .def(
          "override",
          [](const Protocol& protocol, const std::string& key, const std::string& value) {
            return Take(study::Override(protocol, key, value));
          },
          py::arg("key"), py::arg("value"))
      .def(
          "with_choice",
          [](Protocol protocol, const std::string& column) {
            protocol.table.choice = column;
            return protocol;
          },
          py::arg("column"))
      .def_prop_ro("fingerprint", &audit::Fingerprint)
      .def_prop_ro("text", &audit::CanonicalText)
      .def_prop_ro(
          "learner",
          [](const Protocol& protocol) { return std::string(audit::Name(protocol.learner.kind)); })
      .def("differences", &audit::Differences, py::arg("used"))
      .def(py::self == py::self);
  module.def("protocol_keys", &DescribeKeys);
  module.def("positive_control_protocol", &audit::PositiveControlProtocol);
}

}  // namespace gonogo::python
