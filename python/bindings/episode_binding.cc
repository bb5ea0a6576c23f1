// SPDX-License-Identifier: Apache-2.0
#include "bindings.h"
#include "episode.h"
#include "raise.h"
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gonogo/sim/episode/episode_json.h"

namespace py = pybind11;

namespace gonogo::python {
namespace {

using sim::EpisodeRecord;
using Shape = std::vector<std::size_t>;

template <typename T>
py::array_t<T> Shaped(const std::vector<T>& values, const Shape& shape) {
  py::array_t<T> array(shape);
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

/// Everything the record holds step by step, by name.
py::dict Arrays(const Episode& episode) {
  const EpisodeRecord& record = episode.record;
  const std::size_t steps = record.steps();
  const std::size_t joints = record.joints.size();
  const auto substeps = static_cast<std::size_t>(record.physics_steps);
  const std::size_t channels = record.channels.size();
  py::array_t<double> command(Shape{steps, channels});
  for (std::size_t i = 0; i < steps; ++i) {
    double* row = command.mutable_data(static_cast<py::ssize_t>(i), 0);
    for (std::size_t k = 0; k < channels; ++k) {
      row[k] = record.channels[k].Of(record.command[i]);
    }
  }
  py::array_t<double> time(static_cast<py::ssize_t>(steps + 1));
  for (std::size_t i = 0; i <= steps; ++i) {
    time.mutable_at(static_cast<py::ssize_t>(i)) = record.time_s(i);
  }
  py::dict arrays;
  arrays["times_s"] = time;
  arrays["poses"] = Shaped(record.poses, {steps + 1, record.bodies.size(), 7});
  arrays["height_m"] = Shaped(record.height_m, {steps + 1});
  arrays["height_W_m"] = Shaped(record.height_W_m, {steps + 1});
  arrays["command"] = command;
  arrays["action"] = Shaped(record.action, {steps, joints});
  arrays["power_w"] = Shaped(record.power_w, {steps});
  arrays["effort"] = Shaped(record.effort, {steps});
  arrays["foot_force_n"] = Shaped(record.foot_force_n, {steps, record.feet.size()});
  arrays["torque"] = Shaped(record.torque, {steps, substeps, joints});
  arrays["joint_vel"] = Shaped(record.joint_vel, {steps, substeps, joints});
  return arrays;
}

std::string ResultJson(const Episode& episode) {
  return nlohmann::json(episode.record.result).dump();
}

}  // namespace

void BindEpisode(py::module_& module) {
  py::class_<Query>(
      module, "Query",
      "A state of an episode before a decision: its number, its time and the target in the world.")
      .def_property_readonly("decision",
                             [](const Query& query) { return query.state.progress.decisions; })
      .def_property_readonly("time_s",
                             [](const Query& query) { return query.state.loop.env.state.time_s; })
      .def_property_readonly("target", [](const Query& query) {
        const robot::Point2 target = query.state.progress.target_W;
        return py::make_tuple(target.x, target.y);
      });
  py::class_<Episode>(module, "Episode")
      .def_static(
          "read",
          [](const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            return Episode{.record = Take(sim::ReadEpisode(path)), .queries = {}};
          },
          py::arg("path"))
      .def(
          "write",
          [](const Episode& episode, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            Take(sim::WriteEpisode(path, episode.record));
          },
          py::arg("path"))
      .def_property_readonly("json", &ResultJson)
      .def_property_readonly("robot", [](const Episode& e) { return e.record.robot; })
      .def_property_readonly("controller", [](const Episode& e) { return e.record.controller; })
      .def_property_readonly("provenance", [](const Episode& e) { return e.record.provenance; })
      .def_property_readonly("joints", [](const Episode& e) { return e.record.joints; })
      .def_property_readonly("bodies", [](const Episode& e) { return e.record.bodies; })
      .def_property_readonly("feet", [](const Episode& e) { return e.record.feet; })
      .def_property_readonly("arrays", &Arrays)
      .def_readonly("queries", &Episode::queries);
}

}  // namespace gonogo::python
