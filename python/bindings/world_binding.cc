// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "arrays.h"
#include "bindings.h"
#include "episode.h"
#include "policy.h"
#include "raise.h"
#include <fmt/format.h>

#include "gonogo/io/build_info.h"
#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/loop/snapshot_bytes.h"
#include "gonogo/study/branch/branch.h"
#include "gonogo/study/episode.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

std::string TerminationName(sim::Termination termination) {
  switch (termination) {
    case sim::Termination::kNone:
      return "";
    case sim::Termination::kForbiddenContact:
      return "forbidden contact";
    case sim::Termination::kDiverged:
      break;
  }
  return "diverged";
}

/// The world in words, a line break, the state.
py::bytes BytesOf(const Snapshot& snapshot) {
  const std::string bytes = snapshot.world + "\n" + sim::ToBytes(snapshot.state);
  return py::bytes(bytes.data(), bytes.size());
}

Snapshot SnapshotOf(const py::bytes& bytes) {
  const std::string text(bytes.c_str(), bytes.size());
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) {
    throw RaisedError(InputError("bytes hold {} bytes that are no snapshot", text.size()));
  }
  return {Take(sim::SnapshotFromBytes(std::string_view(text).substr(end + 1))),
          text.substr(0, end)};
}

template <typename Vector>
py::object Numbers(const Vector& values) {
  return OwnArray(std::vector<double>(values.data(), values.data() + values.size()));
}

/// A robot on a ground, moved by one policy; one thread at a time.
class World {
 public:
  World(const std::filesystem::path& robot, std::string terrain, std::uint64_t seed,
        const py::object& policy)
      : terrain_(std::move(terrain)), seed_(seed), scene_(Open(robot, policy)) {
    steered_ = std::make_shared<SteerablePolicy>(scene_.policy);
    loop_.emplace(Take(sim::ClosedLoop::Create(scene_.world, steered_)));
    Reset(0);
  }

  void Reset(std::uint64_t trial) { loop_->Reset(Start(trial)); }

  /// One control step under a command.
  void Step(const py::object& command) {
    const robot::Command wanted = CommandFrom(command, "command");
    RefuseEnded();
    const py::gil_scoped_release release;
    Take(loop_->Advance(wanted));
  }

  /// One control step with a raw action in the policy's place.
  void Act(std::vector<float> action, const py::object& command) {
    const robot::Command seen = CommandFrom(command, "command");
    RefuseEnded();
    const auto joints = static_cast<std::size_t>(scene_.robot.joint_count());
    if (action.size() != joints) {
      throw RaisedError(
          InputError("action has {} values, expected {}, one per joint", action.size(), joints));
    }
    steered_->Steer(std::move(action));
    const py::gil_scoped_release release;
    Take(loop_->Advance(seen));
  }

  py::object Observe(const py::object& command) {
    const std::span<const float> seen = loop_->Observe(CommandFrom(command, "command"));
    return OwnArray(std::vector<float>(seen.begin(), seen.end()));
  }

  [[nodiscard]] Snapshot Save() const { return {loop_->Save(), Identity()}; }
  void Restore(const Snapshot& snapshot) {
    RefuseStranger(snapshot.world, snapshot.state);
    loop_->Restore(snapshot.state);
  }

  Episode Rollout(const std::vector<double>& target, const py::object& controller,
                  std::uint64_t trial, const std::filesystem::path& models,
                  const std::vector<std::string>& settings) {
    const study::Method method = MethodOf(controller, models, settings);
    Episode episode;
    std::vector<sim::Bookmark> states;
    {
      const py::gil_scoped_release release;
      episode.record = Take(study::RecordEpisode(scene_, method, Start(trial),
                                                 {target.at(0), target.at(1)}, &states));
    }
    for (sim::Bookmark& state : states) {
      episode.queries.push_back({std::move(state), Identity()});
    }
    episode.record.provenance = nlohmann::json{{"seed", seed_},
                                               {"trial", trial},
                                               {"terrain", terrain_},
                                               {"terrain_seed", seed_},
                                               {"conditions", ""},
                                               {"settings", settings},
                                               {"build", io::CurrentBuild()}}
                                    .dump();
    return episode;
  }

  /// (work, time, success) of every action from the same state to the end of its episode.
  std::vector<std::tuple<double, double, bool>> Branch(
      const Query& query, const std::vector<std::string>& actions, std::size_t prefix, double share,
      double anneal_distance_m, const py::object& continuation, const std::filesystem::path& models,
      const std::vector<std::string>& settings) {
    RefuseStranger(query.world, query.state.loop);
    const study::BranchRule rule{.prefix = prefix,
                                 .blend = {.share = share, .anneal_distance_m = anneal_distance_m}};
    const study::Method method = MethodOf(continuation, models, settings);
    std::vector<std::tuple<double, double, bool>> outcomes;
    const py::gil_scoped_release release;
    sim::ClosedLoop loop = Take(sim::ClosedLoop::Create(scene_.world, scene_.policy));
    sim::TargetRun run(loop, Start(0), {1.0, 0.0});
    for (const std::string& action : actions) {
      const study::Intervention intervention =
          Take(study::ParseIntervention(action, scene_.robot.channels));
      const std::unique_ptr<control::Controller> controller = method.make();
      run.Restore(query.state);
      const study::BranchOutcome outcome =
          Take(study::RunBranch(run, intervention, rule, *controller));
      outcomes.emplace_back(outcome.work_j, outcome.time_s, outcome.success);
    }
    return outcomes;
  }

  /// What the robot's sensors know, by name.
  [[nodiscard]] py::dict State() const {
    const robot::RobotState& state = loop_->env().state();
    py::dict named;
    named["time_s"] = state.time_s;
    named["p_W"] = Numbers(state.p_W);
    named["quat_WB"] = Numbers(state.quat_WB);
    named["v_B"] = Numbers(state.v_B);
    named["w_B"] = Numbers(state.w_B);
    named["gravity_B"] = Numbers(state.gravity_B);
    named["yaw"] = state.yaw;
    named["q"] = Numbers(state.q);
    named["qd"] = Numbers(state.qd);
    named["action"] =
        OwnArray(std::vector<float>(state.last_action.begin(), state.last_action.end()));
    named["height_m"] = state.posture_height_m;
    named["tilt_rad"] = state.tilt_rad();
    return named;
  }

  /// What happened in the last control step.
  [[nodiscard]] py::dict LastStep() const {
    const sim::StepLog& step = loop_->env().step();
    py::dict named;
    named["work_j"] = step.work_j;
    named["power_w"] = step.power_w;
    named["effort"] = step.effort;
    named["path_m"] = step.path_m;
    named["termination"] = TerminationName(loop_->env().termination());
    return named;
  }

  [[nodiscard]] const robot::RobotSpec& spec() const { return scene_.robot; }
  [[nodiscard]] const std::string& terrain() const { return terrain_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  study::Scene Open(const std::filesystem::path& folder, const py::object& policy) const {
    if (policy.is_none()) return Take(study::OpenScene(folder, terrain_, seed_));
    study::Scene scene{.robot = Take(robot::LoadRobotSpec(folder))};
    scene.world = Take(study::OpenWorld(scene.robot, terrain_, seed_));
    if (PyCallable_Check(policy.ptr()) != 0) {
      scene.policy = CallablePolicy(policy, scene.robot);
    } else {
      scene.robot.policy = py::str(policy).c_str();
      scene.policy = Take(sim::OnnxPolicy::Load(scene.robot));
    }
    return scene;
  }

  [[nodiscard]] sim::Start Start(std::uint64_t trial) const {
    return sim::PairedStart(*scene_.world, RngStream(seed_), trial, 0);
  }

  [[nodiscard]] study::Method MethodOf(const py::object& controller,
                                       const std::filesystem::path& models,
                                       const std::vector<std::string>& settings) const {
    if (!py::isinstance<py::str>(controller)) {
      return CallableMethod(controller, scene_.robot);
    }
    const std::filesystem::path folder =
        models.empty() ? study::ModelsFolder(scene_.robot.name) : models;
    return Take(
        study::OpenMethod(py::cast<std::string>(controller), scene_.robot, folder, settings));
  }

  void RefuseEnded() const {
    const sim::Termination termination = loop_->env().termination();
    if (termination != sim::Termination::kDiverged) return;
    throw RaisedError(UsageError("the physics diverged ({}): reset the world or restore a snapshot",
                                 loop_->env().termination_detail()));
  }

  [[nodiscard]] std::string Identity() const {
    return fmt::format("{}, layout {}, {} ground, seed {}", scene_.robot.name,
                       robot::HashText(scene_.robot.LayoutHash()), terrain_, seed_);
  }

  void RefuseStranger(const std::string& world, const sim::LoopSnapshot& state) const {
    if (world != Identity()) {
      throw RaisedError(
          UsageError("the state is of another world ({}), expected one of {}", world, Identity()));
    }
    if (state.hidden.size() != loop_->Save().hidden.size()) {
      throw RaisedError(
          UsageError("the state has {} numbers of recurrent memory, but this policy has {}",
                     state.hidden.size(), loop_->Save().hidden.size()));
    }
  }

  std::string terrain_;
  std::uint64_t seed_;
  study::Scene scene_;
  std::shared_ptr<SteerablePolicy> steered_;
  std::optional<sim::ClosedLoop> loop_;
};

}  // namespace

void BindWorld(py::module_& module) {
  py::class_<Snapshot>(module, "Snapshot",
                       "The state of a world as a value; made by World.snapshot, can be pickled.")
      .def_prop_ro("bytes", &BytesOf)
      .def_static("from_bytes", &SnapshotOf, py::arg("state"))
      .def("__getstate__", &BytesOf)
      .def("__setstate__", [](Snapshot& blank, const py::bytes& bytes) {
        new (&blank) Snapshot(SnapshotOf(bytes));
      });
  py::class_<Sight>(
      module, "Sight",
      "What a controller is shown when it decides: observation, goal (x, y) in the body frame, "
      "height_m, tilt_rad, and direct, the command that direct control would give.")
      .def_prop_ro("observation", [](const Sight& sight) { return OwnArray(sight.observation); })
      .def_prop_ro(
          "goal", [](const Sight& sight) { return py::make_tuple(sight.goal_B.x, sight.goal_B.y); })
      .def_ro("height_m", &Sight::height_m)
      .def_ro("tilt_rad", &Sight::tilt_rad)
      .def_prop_ro("direct", [](const Sight& sight) {
        return py::make_tuple(sight.direct.vx, sight.direct.vy, sight.direct.wz);
      });
  py::class_<World>(module, "World")
      .def(py::init<const std::filesystem::path&, std::string, std::uint64_t, const py::object&>(),
           py::arg("robot"), py::arg("terrain"), py::arg("seed"), py::arg("policy").none())
      .def("reset", &World::Reset, py::arg("trial"))
      .def("step", &World::Step, py::arg("command").none())
      .def("act", &World::Act, py::arg("action"), py::arg("command").none())
      .def("observe", &World::Observe, py::arg("command").none())
      .def("snapshot", &World::Save)
      .def("restore", &World::Restore, py::arg("snapshot"))
      .def("rollout", &World::Rollout, py::arg("target"), py::arg("controller"), py::arg("trial"),
           py::arg("models"), py::arg("settings"))
      .def("branch", &World::Branch, py::arg("query"), py::arg("actions"), py::arg("prefix"),
           py::arg("share"), py::arg("anneal_distance_m"), py::arg("continuation"),
           py::arg("models"), py::arg("settings"))
      .def_prop_ro("state", &World::State)
      .def_prop_ro("last_step", &World::LastStep)
      .def_prop_ro("terrain", &World::terrain)
      .def_prop_ro("seed", &World::seed)
      .def_prop_ro("robot", [](const World& world) { return world.spec().name; })
      .def_prop_ro("joints", [](const World& world) { return world.spec().joints; })
      .def_prop_ro("control_dt_s", [](const World& world) { return world.spec().control_dt_s(); })
      .def_prop_ro("observation_size",
                   [](const World& world) { return world.spec().observation_size(); })
      .def_prop_ro("targets", [](const World& world) {
        py::dict families;
        for (const auto& [family, points] : world.spec().task.targets) {
          py::list list;
          for (const robot::Point2& point : points) list.append(py::make_tuple(point.x, point.y));
          families[family.c_str()] = list;
        }
        return families;
      });
  module.def("controllers", &study::MethodNames);
}

}  // namespace gonogo::python
