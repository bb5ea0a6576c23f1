// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"
#include "bindings.h"
#include "episode.h"
#include "raise.h"

#include "gonogo/sim/episode/episode_json.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

using sim::EpisodeRecord;

/// Everything the record holds step by step, by name.
py::dict Arrays(const Episode& episode) {
  const EpisodeRecord& record = episode.record;
  const std::size_t steps = record.steps();
  const std::size_t joints = record.joints.size();
  const auto substeps = static_cast<std::size_t>(record.physics_steps);
  const std::size_t channels = record.channels.size();
  std::vector<double> command;
  for (const robot::Command& told : record.command) {
    for (const auto& channel : record.channels) command.push_back(channel.Of(told));
  }
  std::vector<double> time;
  for (std::size_t i = 0; i <= steps; ++i) time.push_back(record.time_s(i));
  py::dict arrays;
  arrays["times_s"] = OwnArray(std::move(time));
  arrays["poses"] = OwnArray(record.poses, {steps + 1, record.bodies.size(), 7});
  arrays["height_m"] = OwnArray(record.height_m, {steps + 1});
  arrays["height_W_m"] = OwnArray(record.height_W_m, {steps + 1});
  arrays["command"] = OwnArray(std::move(command), {steps, channels});
  arrays["action"] = OwnArray(record.action, {steps, joints});
  arrays["power_w"] = OwnArray(record.power_w, {steps});
  arrays["effort"] = OwnArray(record.effort, {steps});
  arrays["foot_force_n"] = OwnArray(record.foot_force_n, {steps, record.feet.size()});
  arrays["torque"] = OwnArray(record.torque, {steps, substeps, joints});
  arrays["joint_vel"] = OwnArray(record.joint_vel, {steps, substeps, joints});
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
      .def_prop_ro("decision", [](const Query& query) { return query.state.progress.decisions; })
      .def_prop_ro("time_s", [](const Query& query) { return query.state.loop.env.state.time_s; })
      .def_prop_ro("target", [](const Query& query) {
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
      .def_prop_ro("json", &ResultJson)
      .def_prop_ro("robot", [](const Episode& e) { return e.record.robot; })
      .def_prop_ro("controller", [](const Episode& e) { return e.record.controller; })
      .def_prop_ro("provenance", [](const Episode& e) { return e.record.provenance; })
      .def_prop_ro("joints", [](const Episode& e) { return e.record.joints; })
      .def_prop_ro("bodies", [](const Episode& e) { return e.record.bodies; })
      .def_prop_ro("feet", [](const Episode& e) { return e.record.feet; })
      .def_prop_ro("arrays", &Arrays)
      .def_ro("queries", &Episode::queries);
}

}  // namespace gonogo::python
