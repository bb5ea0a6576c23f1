// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <system_error>

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/robot/spec/spec_sections.h"

namespace gonogo::robot {
namespace {

using io::TomlNode;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTiny = 1e-9;   // stands for "positive" where zero makes no sense
constexpr int kMostRays = 1000;  // of a height scan in one direction; an observation holds them all

void ReadRobot(const TomlNode& node, RobotSpec& spec) {
  for (const char* key : {"name", "model", "root", "feet", "forbidden_contacts", "spawn_height"}) {
    node.Require(key);
  }
  spec.name = node.String("name", "");
  spec.stands_for = node.String("stands_for", spec.name);
  const std::filesystem::path folder = spec.file.parent_path();
  spec.model = folder / node.String("model", "");
  std::error_code failure;  // such as a name that no file can have
  if (!std::filesystem::is_regular_file(spec.model, failure)) {
    node.Fail("model", fmt::format("there is no file {}", spec.model.string()));
  }
  // A policy that is still to be trained is not an error here; running without one is.
  if (node.Has("policy")) spec.policy = folder / node.String("policy", "");
  spec.root = node.String("root", "");
  spec.feet = node.Strings("feet", {});
  spec.forbidden_contacts = node.Strings("forbidden_contacts", {});
  spec.spawn_height_m = node.NumberIn("spawn_height", 0.0, kTiny, 10.0);
  spec.physics_dt_s = node.NumberIn("physics_dt", spec.physics_dt_s, 1e-4, 0.1);
  spec.decimation = static_cast<int>(node.IntegerIn("decimation", spec.decimation, 1, 1000));
}

void ReadJoints(const TomlNode& node, RobotSpec& spec) {
  node.Require("order").Require("default").Require("action_scale");
  spec.joints = node.Strings("order", {});
  const std::size_t n = spec.joints.size();
  if (n == 0) node.Fail("order", "names no joint");
  for (std::size_t i = 0; i < n; ++i) {
    if (std::find(spec.joints.begin(), spec.joints.begin() + static_cast<std::ptrdiff_t>(i),
                  spec.joints[i]) != spec.joints.begin() + static_cast<std::ptrdiff_t>(i)) {
      node.Fail("order", fmt::format("names {} twice", spec.joints[i]));
    }
  }
  const std::vector<double> zeros(n, 0.0);
  spec.default_pose = node.NumbersFor("default", n, zeros);
  spec.action_scale = node.NumbersFor("action_scale", n, zeros);
  spec.target_low = node.NumbersFor("target_low", n, std::vector<double>(n, -kInfinity));
  spec.target_high = node.NumbersFor("target_high", n, std::vector<double>(n, kInfinity));
  spec.action_clip = node.NumberIn("action_clip", spec.action_clip, kTiny, kInfinity);
  spec.action_smoothing = node.NumberIn("action_smoothing", 0.0, 0.0, 0.999);
  spec.action_delay = static_cast<int>(node.IntegerIn("action_delay", 0, 0, 1000));
  for (const auto& [key, values] :
       {std::pair{"armature", &spec.armature}, {"friction", &spec.friction}}) {
    if (!node.Has(key)) continue;
    *values = node.NumbersFor(key, n, zeros);
    for (const double value : *values) {
      if (!(value >= 0.0)) node.Fail(key, fmt::format("found {}, expected at least 0", value));
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (spec.target_low[j] > spec.target_high[j]) {
      node.Fail("target_low", fmt::format("exceeds target_high at {}", spec.joints[j]));
    }
  }
}

void ReadScan(const TomlNode& node, RobotSpec& spec) {
  HeightScanSpec& scan = spec.scan;
  scan.body = node.String("body", "");
  scan.spacing_m = node.NumberIn("spacing", scan.spacing_m, 1e-3, 1.0);
  scan.offset_m = node.Number("offset", scan.offset_m);
  if (!node.Has("points")) return;
  const std::vector<double> points = node.NumbersFor("points", 2, {1.0, 1.0});
  const auto sound = [](double count) { return count >= 1.0 && count <= kMostRays; };
  if (!sound(points[0]) || !sound(points[1])) {
    node.Fail("points", fmt::format("expected [along x, along y], both from 1 to {}", kMostRays));
    return;
  }
  scan.nx = static_cast<int>(points[0]);
  scan.ny = static_cast<int>(points[1]);
}

void ReadPosture(const TomlNode& node, RobotSpec& spec) {
  PostureSpec& posture = spec.posture;
  posture.nominal_height_m =
      node.Require("nominal_height").NumberIn("nominal_height", 0.0, kTiny, 10.0);
  posture.eligible = node.NumberIn("eligible", posture.eligible, 0.0, 1.0);
  posture.rescue = node.NumberIn("rescue", posture.rescue, 0.0, 1.0);
  posture.restore = node.NumberIn("restore", posture.restore, 0.0, 1.0);
  posture.decline_m = node.NumberIn("decline", posture.decline_m, 0.0, 1.0);
}

void ReadTask(const TomlNode& node, RobotSpec& spec) {
  TaskSpec& task = spec.task;
  task.tolerance_m = node.NumberIn("tolerance", task.tolerance_m, kTiny, 10.0);
  task.height_fraction = node.NumberIn("height_fraction", task.height_fraction, 0.0, 1.0);
  task.horizon_s = node.NumberIn("horizon", task.horizon_s, kTiny, 3600.0);
  task.decision_every =
      static_cast<int>(node.IntegerIn("decision_every", task.decision_every, 1, 1000));
  task.contact_limit_n = node.NumberIn("contact_limit", task.contact_limit_n, 0.0, 1e6);
  const TomlNode targets = node.Table("targets");
  for (const std::string& family : targets.Keys()) {
    for (const std::vector<double>& pair : targets.NumberRows(family, 2)) {
      task.targets[family].push_back({pair[0], pair[1]});
    }
  }
}

void ReadTerrain(const TomlNode& node, RobotSpec& spec) {
  TerrainSpec& terrain = spec.terrain;
  const std::vector<double> rough = node.NumbersFor(
      "rough", 3, {terrain.rough_low_m, terrain.rough_high_m, terrain.rough_step_m});
  terrain.rough_low_m = rough[0];
  terrain.rough_high_m = rough[1];
  terrain.rough_step_m = rough[2];
  if (!(rough[2] > 0.0) || rough[0] > rough[1]) {
    node.Fail("rough", "expected [low, high, step] with low <= high and step > 0");
  }
  const std::vector<double> boxes =
      node.NumbersFor("boxes", 2, {terrain.boxes_low_m, terrain.boxes_high_m});
  terrain.boxes_low_m = boxes[0];
  terrain.boxes_high_m = boxes[1];
  terrain.friction = node.NumberIn("friction", terrain.friction, 0.0, 10.0);
}

void CheckObservationSize(const TomlNode& root, const RobotSpec& spec) {
  constexpr std::size_t kMostNumbers = 1'000'000;
  std::size_t size = 0;
  for (const ObservationBlock& block : spec.ObservationBlocks()) size += block.size();
  if (size <= kMostNumbers) return;
  root.Fail("observation", fmt::format("holds {} numbers with its histories, expected at most {}",
                                       size, kMostNumbers));
}

}  // namespace

Result<RobotSpec> LoadRobotSpec(const std::filesystem::path& path) {
  RobotSpec spec;
  std::error_code failure;
  spec.file = std::filesystem::is_directory(path, failure) ? path / "robot.toml" : path;
  const io::TomlDocument document = GONOGO_TRY(io::TomlDocument::Load(spec.file));
  const TomlNode root = document.Root();
  ReadRobot(root.Table("robot"), spec);
  ReadJoints(root.Table("joints"), spec);
  ReadActuator(root.Table("actuator"), spec);
  ReadScan(root.Table("height_scan"), spec);
  ReadCommand(root.Table("command"), spec);
  ReadObservation(root, spec);
  ReadEncoder(root.Table("encoder"), spec);
  ReadPosture(root.Table("posture"), spec);
  ReadTask(root.Table("task"), spec);
  ReadTerrain(root.Table("terrain"), spec);
  GONOGO_TRY(document.Finish());
  CheckObservationSize(root, spec);  // of what is sound so far
  GONOGO_TRY(document.Finish());
  return spec;
}

}  // namespace gonogo::robot
