// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <fstream>
#include <sstream>

#include "gonogo/robot/internal/toml_section.h"
#include "gonogo/robot/spec.h"

namespace gonogo::robot {
namespace {

using internal::Complaint;
using internal::TomlSection;

constexpr std::array kTerms = {
    TermKind::kBaseLinVel, TermKind::kBaseAngVel, TermKind::kProjectedGravity,
    TermKind::kCommand,    TermKind::kJointPos,   TermKind::kJointVel,
    TermKind::kLastAction, TermKind::kHeightScan, TermKind::kGaitPhase};

void RequirePositive(TomlSection& section, std::string_view key, double value) {
  if (!(value > 0.0))
    section.Complain(key, fmt::format("is {}, expected a positive number", value));
}

std::filesystem::path ReadModelFile(TomlSection& section, const RobotSpec& spec) {
  std::filesystem::path path = spec.file.parent_path() / section.Text("model");
  if (!std::filesystem::is_regular_file(path)) {
    section.Complain("model", fmt::format("names {}, and there is no such file", path.string()));
  }
  return path;
}

void ReadRobot(TomlSection section, RobotSpec& spec) {
  spec.name = section.Text("name");
  spec.model = ReadModelFile(section, spec);
  // A policy that is still to be trained is not an error here; running without one is.
  spec.policy = section.Text("policy", "");
  if (!spec.policy.empty()) spec.policy = spec.file.parent_path() / spec.policy;
  spec.root = section.Text("root");
  spec.feet = section.Texts("feet");
  spec.forbidden_contacts = section.Texts("forbidden_contacts");
  spec.spawn_height_m = section.Number("spawn_height");
  RequirePositive(section, "spawn_height", spec.spawn_height_m);
  spec.physics_dt_s = section.Number("physics_dt", spec.physics_dt_s);
  RequirePositive(section, "physics_dt", spec.physics_dt_s);
  spec.decimation = section.Integer("decimation", spec.decimation);
  RequirePositive(section, "decimation", spec.decimation);
  section.RefuseUnknownKeys();
}

void ReadJoints(TomlSection section, RobotSpec& spec) {
  spec.joints = section.Texts("order");
  const std::size_t n = spec.joints.size();
  if (n == 0) section.Complain("order", "names no joint");
  spec.default_pose = section.Numbers("default", n);
  spec.action_scale = section.Numbers("action_scale", n);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  spec.target_low = section.Numbers("target_low", n, std::vector<double>(n, -kInfinity));
  spec.target_high = section.Numbers("target_high", n, std::vector<double>(n, kInfinity));
  section.RefuseUnknownKeys();
}

void ReadActuator(TomlSection section, RobotSpec& spec) {
  ActuatorSpec& actuator = spec.actuator;
  const std::size_t n = spec.joints.size();
  const std::string kind = section.Text("kind");
  if (kind == "pd") {
    actuator.kind = ActuatorKind::kPd;
  } else if (kind == "dc_motor") {
    actuator.kind = ActuatorKind::kDcMotor;
  } else if (kind == "position") {
    actuator.kind = ActuatorKind::kPosition;
  } else {
    section.Complain("kind", fmt::format("is \"{}\", expected pd, dc_motor or position", kind));
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (actuator.kind == ActuatorKind::kPosition) {
    actuator.kp = section.Numbers("kp", n, std::vector<double>{});
    actuator.kd = section.Numbers("kd", n, std::vector<double>{});
  } else {
    actuator.kp = section.Numbers("kp", n);
    actuator.kd = section.Numbers("kd", n);
    actuator.lag_s = section.Number("lag", 0.0);
    if (actuator.lag_s < 0.0) section.Complain("lag", "is negative, expected seconds");
  }
  actuator.effort_limit = section.Numbers("effort_limit", n, std::vector<double>(n, kInfinity));
  if (actuator.kind == ActuatorKind::kDcMotor) {
    actuator.saturation = section.Numbers("saturation", n);
    actuator.no_load_speed = section.Numbers("no_load_speed", n);
    for (const double value : actuator.saturation) RequirePositive(section, "saturation", value);
    for (const double value : actuator.no_load_speed) {
      RequirePositive(section, "no_load_speed", value);
    }
  }
  section.RefuseUnknownKeys();
}

std::size_t TermWidth(TermKind kind, const RobotSpec& spec) {
  switch (kind) {
    case TermKind::kJointPos:
    case TermKind::kJointVel:
    case TermKind::kLastAction:
      return spec.joints.size();
    case TermKind::kHeightScan:
      return static_cast<std::size_t>(spec.scan.size());
    case TermKind::kGaitPhase:
      return 2;
    default:
      return 3;
  }
}

void ReadLinVelPoint(TomlSection& section, ObservationTerm& term) {
  if (term.kind != TermKind::kBaseLinVel) return;
  term.at_com = !section.Has("at");
  if (term.at_com) return;
  const std::vector<double> point = section.Numbers("at", 3);
  std::copy(point.begin(), point.end(), term.point_B.begin());
}

ObservationTerm ReadTerm(TomlSection section, const RobotSpec& spec) {
  ObservationTerm term;
  const std::string name = section.Text("term");
  bool known = false;
  std::string names;
  for (const TermKind kind : kTerms) {
    if (name == TermName(kind)) {
      term.kind = kind;
      known = true;
    }
    names += (names.empty() ? "" : ", ") + std::string(TermName(kind));
  }
  if (!known) section.Complain("term", fmt::format("is \"{}\", expected one of {}", name, names));
  const std::size_t width = TermWidth(term.kind, spec);
  if (width == 0) section.Complain("term", "needs a [height_scan] section");
  term.scale = section.Numbers("scale", width, std::vector<double>(width, 1.0));
  if (section.Has("clip")) {
    const std::vector<double> clip = section.Numbers("clip", 2);
    term.clip_low = clip[0];
    term.clip_high = clip[1];
    if (!(clip[0] < clip[1])) section.Complain("clip", "expected [low, high] with low < high");
  }
  term.noise = section.Number("noise", 0.0);
  term.history = section.Integer("history", 1);
  RequirePositive(section, "history", term.history);
  if (term.kind == TermKind::kGaitPhase) {
    term.period_s = section.Number("period");
    RequirePositive(section, "period", term.period_s);
  }
  ReadLinVelPoint(section, term);
  section.RefuseUnknownKeys();
  return term;
}

void ReadScan(TomlSection section, RobotSpec& spec) {
  if (!section.present()) return;
  HeightScanSpec& scan = spec.scan;
  scan.body = section.Text("body", "");
  scan.spacing_m = section.Number("spacing", scan.spacing_m);
  scan.offset_m = section.Number("offset", scan.offset_m);
  RequirePositive(section, "spacing", scan.spacing_m);
  const std::vector<double> points = section.Numbers("points", 2);
  scan.nx = static_cast<int>(points[0]);
  scan.ny = static_cast<int>(points[1]);
  if (scan.nx < 1 || scan.ny < 1)
    section.Complain("points", "expected [along x, along y], both >= 1");
  section.RefuseUnknownKeys();
}

void ReadCommand(TomlSection section, RobotSpec& spec) {
  const std::vector<double> low = section.Numbers("low", 3, std::vector<double>{-1, -1, -1});
  const std::vector<double> high = section.Numbers("high", 3, std::vector<double>{1, 1, 1});
  spec.command_box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  for (std::size_t i = 0; i < 3; ++i) {
    if (low[i] > high[i]) section.Complain("low", "exceeds command.high");
  }
  spec.direct.k_v = section.Number("k_v", spec.direct.k_v);
  spec.direct.k_psi = section.Number("k_psi", spec.direct.k_psi);
  section.RefuseUnknownKeys();
}

void ReadPosture(TomlSection section, RobotSpec& spec) {
  PostureSpec& posture = spec.posture;
  posture.nominal_height_m = section.Number("nominal_height");
  posture.eligible = section.Number("eligible", posture.eligible);
  posture.rescue = section.Number("rescue", posture.rescue);
  posture.restore = section.Number("restore", posture.restore);
  posture.decline_m = section.Number("decline", posture.decline_m);
  RequirePositive(section, "nominal_height", posture.nominal_height_m);
  section.RefuseUnknownKeys();
}

void ReadTask(TomlSection section, RobotSpec& spec, const toml::table* families) {
  TaskSpec& task = spec.task;
  task.tolerance_m = section.Number("tolerance", task.tolerance_m);
  task.height_fraction = section.Number("height_fraction", task.height_fraction);
  task.horizon_s = section.Number("horizon", task.horizon_s);
  task.decision_every = section.Integer("decision_every", task.decision_every);
  task.contact_limit_n = section.Number("contact_limit", task.contact_limit_n);
  RequirePositive(section, "tolerance", task.tolerance_m);
  RequirePositive(section, "horizon", task.horizon_s);
  RequirePositive(section, "decision_every", task.decision_every);
  TomlSection targets = section.Section("targets");
  for (std::size_t i = 0; families != nullptr && i < families->size(); ++i) {
    const std::string name(
        std::next(families->begin(), static_cast<std::ptrdiff_t>(i))->first.str());
    for (const std::vector<double>& pair : targets.Pairs(name)) {
      task.targets[name].push_back({pair[0], pair[1]});
    }
  }
  section.RefuseUnknownKeys();
}

void ReadTerrain(TomlSection section, RobotSpec& spec) {
  TerrainSpec& terrain = spec.terrain;
  const std::vector<double> rough = section.Numbers(
      "rough", 3,
      std::vector<double>{terrain.rough_low_m, terrain.rough_high_m, terrain.rough_step_m});
  terrain.rough_low_m = rough[0];
  terrain.rough_high_m = rough[1];
  terrain.rough_step_m = rough[2];
  if (!(rough[2] > 0.0) || rough[0] > rough[1]) {
    section.Complain("rough", "expected [low, high, step] with low <= high and step > 0");
  }
  const std::vector<double> boxes =
      section.Numbers("boxes", 2, std::vector<double>{terrain.boxes_low_m, terrain.boxes_high_m});
  terrain.boxes_low_m = boxes[0];
  terrain.boxes_high_m = boxes[1];
  terrain.friction = section.Number("friction", terrain.friction);
  section.RefuseUnknownKeys();
}

void ReadObservation(const toml::table& file, RobotSpec& spec, Complaint& complaint) {
  const toml::array* terms = file["observation"].as_array();
  if (terms == nullptr || terms->empty()) {
    complaint.Add(nullptr, "no [[observation]] terms: the policy would see nothing");
    return;
  }
  for (std::size_t i = 0; i < terms->size(); ++i) {
    spec.observation.push_back(
        ReadTerm({(*terms)[i].as_table(), fmt::format("observation[{}]", i), complaint}, spec));
  }
}

void ReadAll(const toml::table& file, RobotSpec& spec, Complaint& complaint) {
  TomlSection top(&file, "", complaint);
  for (const char* section : {"robot", "joints", "actuator"}) {
    if (!file[section].is_table()) {
      complaint.Add(nullptr, fmt::format("section [{}] is missing", section));
    }
  }
  ReadRobot(top.Section("robot"), spec);
  ReadJoints(top.Section("joints"), spec);
  ReadActuator(top.Section("actuator"), spec);
  ReadScan(top.Section("height_scan"), spec);
  ReadObservation(file, spec, complaint);
  ReadCommand(top.Section("command"), spec);
  ReadPosture(top.Section("posture"), spec);
  ReadTask(top.Section("task"), spec, file["task"]["targets"].as_table());
  ReadTerrain(top.Section("terrain"), spec);
  static_cast<void>(top.Has("observation"));
}

}  // namespace

Result<RobotSpec> LoadRobotSpec(const std::filesystem::path& path) {
  RobotSpec spec;
  spec.file = std::filesystem::is_directory(path) ? path / "robot.toml" : path;
  std::ifstream stream(spec.file);
  if (!stream) return IoError("{}: cannot read this robot description", spec.file.string());
  std::stringstream text;
  text << stream.rdbuf();
  Complaint complaint{.file = spec.file.string()};
  try {
    const toml::table file = toml::parse(text.str(), spec.file.string());
    ReadAll(file, spec, complaint);
  } catch (const toml::parse_error& error) {
    return InputError("{}:{}: not TOML: {}", spec.file.string(), error.source().begin.line,
                      error.description());
  }
  if (complaint.first.has_value()) return *complaint.first;
  return spec;
}

}  // namespace gonogo::robot
