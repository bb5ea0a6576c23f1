// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/description_writer.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

namespace gonogo::study {
namespace {

constexpr double kUsualControl = 0.02;   // s: 50 Hz
constexpr double kUsualPhysics = 0.005;  // s
constexpr double kClearance = 0.01;      // m above the ground at the start

std::string Quoted(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "\"" : ", \"") + word + "\"";
  return "[" + list + "]";
}

/// A list, or one number where all are the same.
std::string Listed(const std::vector<double>& numbers) {
  const bool same = std::all_of(numbers.begin(), numbers.end(),
                                [&](double number) { return number == numbers.front(); });
  if (!numbers.empty() && same) return fmt::format("{}", numbers.front());
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

template <typename T>
std::string SourceOf(const Fact<T>& fact) {
  return (fact.sure ? "" : "CHECK ") + fact.source;
}

std::vector<double> Resolve(const NamedValues& named, const std::vector<std::string>& joints) {
  std::vector<double> values;
  for (const std::string& joint : joints) {
    double value = named.otherwise;
    for (const auto& [name, given] : named.values) {
      const bool fits = named.by_part ? joint.find(name) != std::string::npos : joint == name;
      if (fits) value = given;
    }
    values.push_back(value);
  }
  return values;
}

std::string RelativeTo(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code code;
  const std::filesystem::path near = std::filesystem::relative(
      std::filesystem::absolute(file), std::filesystem::absolute(folder), code);
  return code || near.empty() ? std::filesystem::absolute(file).string() : near.string();
}

}  // namespace

DescriptionWriter::DescriptionWriter(const DescribeInput& input, sim::ModelOutline outline,
                                     RobotFacts facts, const nn::OnnxModel& policy,
                                     std::string policy_file)
    : input_(input),
      outline_(std::move(outline)),
      facts_(std::move(facts)),
      policy_(policy),
      policy_file_(std::move(policy_file)) {}

std::string DescriptionWriter::Write() {
  text_ =
      "# A first description, written by 'gonogo init robot'. Behind each value is where it comes\n"
      "# from; what no file says is marked CHECK. Then 'gonogo check' on this folder. All keys:\n"
      "# docs/reference/robot-toml.md.\n";
  if (!facts_.dialect.empty()) Remark("The files speak the dialect of {}.", facts_.dialect);
  FindOrder();
  FindPose();
  Robot();
  Joints();
  Actuator();
  Observation();
  Command();
  Task();
  Leftovers();
  return text_;
}

template <typename Get>
std::vector<double> DescriptionWriter::OfModel(const Get& get) const {
  std::vector<double> values;
  for (const std::string& name : order_) {
    const auto found = std::find_if(outline_.joints.begin(), outline_.joints.end(),
                                    [&](const auto& joint) { return joint.name == name; });
    values.push_back(found == outline_.joints.end() ? 0.0 : get(*found));
  }
  return values;
}

int DescriptionWriter::ActionCount() const {
  for (const nn::OnnxPort& output : policy_.outputs()) {
    if (output.size == outline_.joints.size()) return static_cast<int>(output.size);
  }
  return static_cast<int>(policy_.outputs().front().size);
}

void DescriptionWriter::FindOrder() {
  std::vector<std::string> names;
  for (const auto& joint : outline_.joints) names.push_back(joint.name);
  const auto known = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (facts_.joints &&
      std::all_of(facts_.joints->value.begin(), facts_.joints->value.end(), known)) {
    order_ = facts_.joints->value;
    order_source_ = SourceOf(*facts_.joints);
    return;
  }
  if (facts_.joints) {
    for (const std::string& name : facts_.joints->value) {
      if (!known(name)) {
        facts_.unread.push_back(fmt::format("{}: {} has no joint \"{}\"", facts_.joints->source,
                                            input_.model.filename().string(), name));
      }
    }
  }
  const std::vector<int> places = facts_.places ? facts_.places->value : std::vector<int>();
  std::vector<int> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  bool whole = sorted.size() == names.size();
  for (std::size_t i = 0; whole && i < sorted.size(); ++i) whole = sorted[i] == static_cast<int>(i);
  if (!places.empty() && whole) {
    for (const int place : places) order_.push_back(names[static_cast<std::size_t>(place)]);
    order_source_ = fmt::format("CHECK {}, which counts the joints of {}: no file names them",
                                facts_.places->source, input_.model.filename().string());
    return;
  }
  order_ = names;
  order_source_ =
      "CHECK the model's order. Policies of Isaac Lab take joint type by joint type, those of "
      "Isaac "
      "Gym leg by leg";
}

void DescriptionWriter::FindPose() {
  if (facts_.default_pose && (facts_.default_pose->value.size() == order_.size() ||
                              facts_.default_pose->value.size() == 1)) {
    pose_ = facts_.default_pose->value;
    pose_.resize(order_.size(), pose_.front());
    pose_source_ = SourceOf(*facts_.default_pose);
  } else if (facts_.named_pose) {
    pose_ = Resolve(facts_.named_pose->value, order_);
    pose_source_ = SourceOf(*facts_.named_pose);
  } else if (facts_.action_offset && facts_.action_offset->value.size() == order_.size()) {
    pose_ = facts_.action_offset->value;
    pose_source_ = SourceOf(*facts_.action_offset);
  } else {
    pose_ = OfModel([](const auto& joint) { return joint.pose; });
    pose_source_ = outline_.has_keyframe ? "CHECK the model's first keyframe" : "CHECK as modelled";
    if (facts_.default_pose) {
      facts_.unread.push_back(fmt::format("{}: {} values for {} joints",
                                          facts_.default_pose->source,
                                          facts_.default_pose->value.size(), order_.size()));
    }
  }
  if (facts_.action_offset && facts_.action_offset->value.size() == order_.size() &&
      facts_.action_offset->value != pose_) {
    facts_.unread.push_back(facts_.action_offset->source +
                            ": it differs from the default pose, and robot.toml has one pose");
  }
  const Result<double> height = sim::HeightOverGround(input_.model, order_, pose_);
  if (height.ok() && height.value() > kClearance) standing_m_ = height.value();
}

void DescriptionWriter::Robot() {
  Line("\n[robot]");
  Line("name = \"{}\"", input_.model.stem().string());
  Line("model = \"{}\"", RelativeTo(input_.folder, input_.model));
  for (const std::string& note : outline_.notes) Remark("{}", note);
  Line("policy = \"{}\"", policy_file_);
  const int wanted = ActionCount();
  if (static_cast<int>(order_.size()) != wanted) {
    Remark("CHECK The policy gives {} actions, joints.order has {} joints: list the {} it moves.",
           wanted, order_.size(), wanted);
  }
  if (outline_.root.empty()) {
    Line(
        "root = \"\"  # CHECK no body of the model has a free joint: add <freejoint/> to the root");
  } else {
    Line("root = \"{}\"  # the body with the free joint", outline_.root);
  }
  Line("feet = {}  # CHECK the lowest ends of limbs{}", Quoted(outline_.feet),
       facts_.feet
           ? fmt::format("; {} says {}", facts_.feet->source, fmt::join(facts_.feet->value, ", "))
           : "");
  const std::string said = facts_.forbidden ? fmt::format("; {} says {}", facts_.forbidden->source,
                                                          fmt::join(facts_.forbidden->value, ", "))
                                            : "";
  Line("forbidden_contacts = [{}]  # CHECK parts that end an episode when they touch the ground{}",
       outline_.root_collides ? "\"" + outline_.root + "\"" : "",
       outline_.root_collides ? said : "; the root has no geom that can" + said);
  if (facts_.spawn_height_m) {
    Line("spawn_height = {:.4g}  # {}", facts_.spawn_height_m->value,
         SourceOf(*facts_.spawn_height_m));
  } else if (standing_m_ > 0.0) {
    Line("spawn_height = {:.3f}  # from the geometry: 1 cm above the ground in the default pose",
         standing_m_ + kClearance);
  } else {
    Line("spawn_height = {:.4g}  # CHECK as the root is modelled",
         std::max(outline_.root_height_m, 0.05));
  }
  Timing();
}

void DescriptionWriter::Timing() {
  const double model = outline_.timestep_s;
  const bool usable = model >= 5e-4 && model <= kUsualControl;
  const bool known = !facts_.dialect.empty() && facts_.dialect != "unitree_rl_gym";
  const std::optional<double> step =
      facts_.control_dt_s ? std::optional(facts_.control_dt_s->value) : std::nullopt;
  double dt = known || !usable ? kUsualPhysics : model;
  std::string source =
      known || !usable ? "CHECK no file says it; 5 ms is usual" : "CHECK timestep of the model";
  if (facts_.physics_dt_s && facts_.physics_dt_s->value >= 1e-4 &&
      facts_.physics_dt_s->value <= 0.1) {
    dt = facts_.physics_dt_s->value;
    source = SourceOf(*facts_.physics_dt_s);
  } else if (step && *step > 0.0 && facts_.decimation && facts_.decimation->value >= 1.0) {
    dt = *step / facts_.decimation->value;
    source = facts_.control_dt_s->source + " over " + facts_.decimation->source;
  }
  long decimation = std::lround(kUsualControl / dt);
  std::string reason = "CHECK for 50 Hz, at which most policies act";
  if (facts_.decimation && facts_.decimation->value >= 1.0 && facts_.decimation->value <= 1000.0) {
    decimation = std::lround(facts_.decimation->value);
    reason = SourceOf(*facts_.decimation);
  } else if (step && *step >= dt && *step <= 0.2) {
    decimation = std::lround(*step / dt);
    reason = SourceOf(*facts_.control_dt_s);
    dt = *step / static_cast<double>(decimation);  // so that the product is the control step
  }
  Line("physics_dt = {:.6g}  # {}", dt, source);
  Line("decimation = {}  # {}", std::clamp(decimation, 1L, 1000L), reason);
}

void DescriptionWriter::PerJoint(const char* key, const RobotFacts::Numbers& fact,
                                 const RobotFacts::Named& named,
                                 const std::vector<double>& otherwise, const std::string& reason,
                                 const std::vector<std::size_t>& joints) {
  std::vector<double> values = otherwise;
  std::string source = reason;
  const bool fits = fact && (fact->value.size() == 1 || fact->value.size() == order_.size());
  if (fits) {
    values = fact->value;
    source = SourceOf(*fact);
  } else if (named) {
    values = Resolve(named->value, order_);
    source = SourceOf(*named);
  } else if (fact) {
    Remark("CHECK {} has {} values for {} joints", fact->source, fact->value.size(), order_.size());
  }
  if (!joints.empty() && values.size() == order_.size()) {
    std::vector<double> some;
    for (const std::size_t joint : joints) some.push_back(values[joint]);
    values = std::move(some);
  }
  Line("{} = {}  # {}", key, Listed(values), source);
}

void DescriptionWriter::Joints() {
  Line("\n[joints]");
  if (order_source_.starts_with("CHECK")) {
    Remark("{}; lists below move along with it.", order_source_);
    Line("order = {}", Quoted(order_));
  } else {
    Line("order = {}  # {}", Quoted(order_), order_source_);
  }
  Line("default = {}  # {}", Listed(pose_), pose_source_);
  PerJoint("action_scale", facts_.action_scale, {}, {0.25}, "CHECK a usual value");
  if (facts_.action_clip) {
    Line("action_clip = {}  # {}", facts_.action_clip->value, SourceOf(*facts_.action_clip));
  }
  ModelJoints();
}

/// What the model's joints bring along, beside the policy's gains.
void DescriptionWriter::ModelJoints() {
  const std::vector<double> armature = OfModel([](const auto& joint) { return joint.armature; });
  const auto any = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double value) { return value > 0.0; });
  };
  if (facts_.armature && any(facts_.armature->value)) {
    PerJoint("armature", facts_.armature, {}, {}, "");
  } else {
    Remark("armature = {}  of the model{}", Listed(armature),
           any(armature) ? "" : ": if the training had some, it belongs here");
  }
  Remark("damping = {}  of the model; it acts on top of kd",
         Listed(OfModel([](const auto& joint) { return joint.damping; })));
  Remark("friction = {}  of the model",
         Listed(OfModel([](const auto& joint) { return joint.friction; })));
}

void DescriptionWriter::ActuatorGroup(const std::vector<std::size_t>& joints, bool wheels) {
  const bool kp_known = facts_.kp || facts_.named_kp;
  const auto servos = std::all_of(outline_.joints.begin(), outline_.joints.end(),
                                  [](const auto& joint) { return joint.servo; });
  if (wheels) {
    Line("kind = \"velocity\"  # wheel_indices: their actions are speeds");
  } else if (servos && !outline_.joints.empty()) {
    Line("kind = \"position\"  # the model's servos{}",
         kp_known ? ", with these gains"
                  : fmt::format(", kp {} and kd {}",
                                Listed(OfModel([](const auto& joint) { return joint.kp; })),
                                Listed(OfModel([](const auto& joint) { return joint.kd; }))));
    if (!kp_known) return;
  } else if (facts_.actuator) {
    Line("kind = \"{}\"  # {}", facts_.actuator->value, SourceOf(*facts_.actuator));
  } else {
    Line(
        "kind = \"pd\"  # CHECK or implicit_pd (Isaac Lab's implicit actuators), dc_motor, "
        "position, torque, velocity");
  }
  if (!wheels) PerJoint("kp", facts_.kp, facts_.named_kp, {0.0}, "CHECK nothing says it", joints);
  PerJoint("kd", facts_.kd, facts_.named_kd, {0.0}, "CHECK nothing says it", joints);
  const std::vector<double> limit = OfModel([](const auto& joint) { return joint.torque_limit; });
  const bool limited = !limit.empty() && std::all_of(limit.begin(), limit.end(), [](double torque) {
    return std::isfinite(torque) && torque > 0.0;
  });
  if (facts_.effort_limit || limited) {
    PerJoint("effort_limit", facts_.effort_limit, {}, limit, "of the model", joints);
  }
}

void DescriptionWriter::Actuator() {
  std::vector<std::size_t> legs;
  std::vector<std::size_t> wheels;
  for (std::size_t j = 0; j < order_.size(); ++j) {
    const bool wheel = std::find(facts_.wheels.begin(), facts_.wheels.end(), static_cast<int>(j)) !=
                       facts_.wheels.end();
    (wheel ? wheels : legs).push_back(j);
  }
  if (wheels.empty()) {
    Line("\n[actuator]");
    return ActuatorGroup({}, false);
  }
  for (const bool rolling : {false, true}) {
    std::vector<std::string> names;
    for (const std::size_t joint : rolling ? wheels : legs) names.push_back(order_[joint]);
    Line("\n[[actuator.group]]\njoints = {}", Quoted(names));
    ActuatorGroup(rolling ? wheels : legs, rolling);
  }
}

void DescriptionWriter::Command() {
  Line("\n[command]");
  if (facts_.command_low && facts_.command_high) {
    Line("low = [{}]  # {}", fmt::join(facts_.command_low->value, ", "),
         SourceOf(*facts_.command_low));
    Line("high = [{}]  # {}", fmt::join(facts_.command_high->value, ", "),
         SourceOf(*facts_.command_high));
  } else {
    Line("low = [-1, -1, -1]  # CHECK vx, vy (m/s), wz (rad/s) of the training");
    Line("high = [1, 1, 1]  # CHECK");
  }
  Line("\n[posture]");
  const double height = standing_m_ > 0.0 ? standing_m_ : std::max(outline_.root_height_m, 0.05);
  Line("nominal_height = {:.3f}  # CHECK {}; 'gonogo check' measures it", height,
       standing_m_ > 0.0 ? "from the geometry in the default pose" : "as the root is modelled");
}

void DescriptionWriter::Task() {
  const auto bound = [](const RobotFacts::Numbers& fact, std::size_t i, double otherwise) {
    return fact && fact->value.size() == 3 ? fact->value[i] : otherwise;
  };
  std::vector<std::string> targets{"[1.5, 0.0]", "[1.0, 1.0]", "[1.0, -1.0]"};
  if (bound(facts_.command_high, 1, 1.0) > 0.0) {
    targets.insert(targets.end(), {"[0.0, 1.0]", "[0.0, -1.0]"});
  }
  if (bound(facts_.command_low, 0, -1.0) < 0.0) targets.emplace_back("[-0.75, 0.0]");
  Line("\n[task.targets]");
  Line("near = [{}]  # a choice: m from the start pose", fmt::join(targets, ", "));
  Line("\n[terrain]");
  const bool biped = outline_.feet.size() <= 2;
  Line("rough = {}  # a choice: lowest, highest and step of heights, m",
       biped ? "[0.005, 0.02, 0.005]" : "[0.01, 0.06, 0.01]");
}

void DescriptionWriter::Leftovers() {
  if (facts_.unread.empty() && facts_.unused.empty()) return;
  Line("");
  for (const std::string& key : facts_.unread) Remark("CHECK not used: {}", key);
  for (const std::string& key : facts_.unused) Remark("not used: {}", key);
}

}  // namespace gonogo::study
