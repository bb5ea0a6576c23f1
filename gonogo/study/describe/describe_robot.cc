// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/describe_robot.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "gonogo/nn/onnx/model.h"
#include "gonogo/sim/model/model_outline.h"
#include "gonogo/study/describe/deploy_facts.h"

namespace gonogo::study {
namespace {

using robot::TermKind;

constexpr int kScanPoints = 17 * 11;
constexpr int kMostHistory = 20;

int SizeOf(const std::vector<TermKind>& terms, int joints) {
  int size = 0;
  for (const TermKind term : terms) {
    const bool per_joint =
        term == TermKind::kJointPos || term == TermKind::kJointVel || term == TermKind::kLastAction;
    size += per_joint                       ? joints
            : term == TermKind::kGaitPhase  ? 2
            : term == TermKind::kHeightScan ? kScanPoints
                                            : 3;
  }
  return size;
}

}  // namespace

ObservationGuess FitObservation(const std::vector<TermKind>& terms, int size, int joints) {
  ObservationGuess guess{.terms = terms};
  const int once = SizeOf(terms, joints);
  guess.has_scan = std::find(terms.begin(), terms.end(), TermKind::kHeightScan) != terms.end();
  // Nobody keeps a history of scans.
  const int most = guess.has_scan ? 1 : kMostHistory;
  if (once > 0 && size % once == 0 && size / once <= most) guess.history = size / once;
  guess.missing = size - guess.history * once;
  return guess;
}

ObservationGuess GuessObservation(int size, int joints) {
  ObservationGuess best;
  best.missing = size;
  for (const bool scan : {false, true}) {
    for (const bool phase : {false, true}) {
      for (const bool velocity : {false, true}) {
        std::vector<TermKind> terms;
        if (velocity) terms.push_back(TermKind::kBaseLinVel);
        terms.insert(terms.end(),
                     {TermKind::kBaseAngVel, TermKind::kProjectedGravity, TermKind::kCommand,
                      TermKind::kJointPos, TermKind::kJointVel, TermKind::kLastAction});
        if (phase) terms.push_back(TermKind::kGaitPhase);
        if (scan) terms.push_back(TermKind::kHeightScan);
        const ObservationGuess guess = FitObservation(terms, size, joints);
        const bool fits = guess.missing == 0 && (best.missing != 0 || guess.history < best.history);
        const bool nearer = best.missing != 0 && guess.missing >= 0 && guess.missing < best.missing;
        if (fits || nearer) best = guess;
      }
    }
  }
  return best;
}

namespace {

using robot::TermKind;

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

/// Writes one description, section by section.
class DescriptionWriter {
 public:
  DescriptionWriter(const DescribeInput& input, sim::ModelOutline outline, DeployFacts facts,
                    const nn::OnnxModel& policy)
      : input_(input), outline_(std::move(outline)), facts_(std::move(facts)), policy_(policy) {}

  Result<std::string> Write() {
    const int wanted = ActionCount();
    if (static_cast<int>(outline_.joints.size()) != wanted) {
      Remark(
          "CHECK The policy gives {} actions, the model has {} joints with actuators: list the "
          "{} joints it moves, and remove the others' values.",
          wanted, outline_.joints.size(), wanted);
    }
    Robot();
    Joints();
    Actuator();
    Observation();
    Rest();
    return text_;
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  template <typename... Args>
  void Remark(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "# " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  [[nodiscard]] std::string Relative(const std::filesystem::path& file) const {
    std::error_code code;
    const std::filesystem::path near = std::filesystem::relative(
        std::filesystem::absolute(file), std::filesystem::absolute(input_.folder), code);
    return code || near.empty() ? std::filesystem::absolute(file).string() : near.string();
  }

  void Robot() {
    Line("[robot]");
    Line("name = \"{}\"", input_.model.stem().string());
    Line("model = \"{}\"", Relative(input_.model));
    for (const std::string& note : outline_.notes) Remark("{}", note);
    Line("policy = \"{}\"", Relative(input_.policy));
    if (outline_.root.empty()) {
      Line(
          "root = \"\"  # CHECK no body of the model has a free joint: add <freejoint/> to the "
          "root");
    } else {
      Line("root = \"{}\"  # the body with the free joint", outline_.root);
    }
    Line("feet = {}  # CHECK the lowest ends of limbs", Quoted(outline_.feet));
    if (outline_.root_collides) {
      Line(
          "forbidden_contacts = [\"{}\"]  # CHECK parts that end an episode when they touch the "
          "ground",
          outline_.root);
    } else {
      Line(
          "forbidden_contacts = []  # CHECK parts that end an episode when they touch the ground; "
          "the root has no geom that can");
    }
    Line("spawn_height = {:.4g}  # {}", std::max(outline_.root_height_m, 1e-3),
         outline_.has_keyframe ? "of the model's first keyframe" : "CHECK as the root is modelled");
    Timing();
  }

  void Timing() {
    const double dt = facts_.physics_dt_s ? facts_.physics_dt_s->value : outline_.timestep_s;
    Line("physics_dt = {}  # {}", dt,
         facts_.physics_dt_s ? facts_.physics_dt_s->source : "CHECK timestep of the model");
    if (facts_.decimation) {
      Line("decimation = {}  # {}", std::lround(facts_.decimation->value),
           facts_.decimation->source);
      return;
    }
    constexpr double kUsual = 0.02;  // s
    const double step = facts_.control_dt_s ? facts_.control_dt_s->value : kUsual;
    Line("decimation = {}  # {}", std::max(1L, std::lround(step / dt)),
         facts_.control_dt_s ? facts_.control_dt_s->source
                             : "CHECK for 50 Hz, at which most policies act");
  }

  /// `key = value`, from the deployment if it says so.
  void PerJoint(const char* key, const DeployFacts::Numbers& fact,
                const std::vector<double>& otherwise, const char* reason) {
    const std::size_t joints = outline_.joints.size();
    if (fact && fact->value.size() != 1 && fact->value.size() != joints) {
      Remark("CHECK {} has {} values for {} joints", fact->source, fact->value.size(), joints);
    }
    Line("{} = {}  # {}", key, Listed(fact ? fact->value : otherwise),
         fact ? fact->source : reason);
  }

  void Joints() {
    Line("\n[joints]");
    std::vector<std::string> names;
    std::vector<double> pose;
    for (const auto& joint : outline_.joints) {
      names.push_back(joint.name);
      pose.push_back(joint.pose);
    }
    if (facts_.joints) {
      Line("order = {}  # {}", Quoted(facts_.joints->value), facts_.joints->source);
    } else {
      Remark("CHECK The model's order. Policies of Isaac Lab take joint type by joint type, those");
      Remark("of Isaac Gym leg by leg; lists below move along with it.");
      Line("order = {}", Quoted(names));
    }
    PerJoint("default", facts_.default_pose, pose,
             outline_.has_keyframe ? "CHECK the model's first keyframe" : "CHECK as modelled");
    PerJoint("action_scale", facts_.action_scale, {0.25}, "CHECK a usual value");
  }

  void Actuator() {
    Line("\n[actuator]");
    const bool servos =
        !outline_.joints.empty() && std::all_of(outline_.joints.begin(), outline_.joints.end(),
                                                [](const auto& joint) { return joint.servo; });
    std::vector<double> kp;
    std::vector<double> kd;
    std::vector<double> limit;
    for (const auto& joint : outline_.joints) {
      kp.push_back(joint.kp);
      kd.push_back(joint.kd);
      limit.push_back(joint.torque_limit);
    }
    if (servos && !facts_.kp) {
      Line("kind = \"position\"  # the model's servos, kp {} and kd {}", Listed(kp), Listed(kd));
    } else {
      Line(
          "kind = \"{}\"  # CHECK pd, implicit_pd (Isaac Lab's implicit actuators), dc_motor, "
          "position, torque or velocity",
          servos ? "position" : "pd");
      PerJoint("kp", facts_.kp, {0.0}, "CHECK nothing says it");
      PerJoint("kd", facts_.kd, {0.0}, "CHECK nothing says it");
    }
    const bool limited = std::all_of(limit.begin(), limit.end(),
                                     [](double torque) { return std::isfinite(torque); });
    if (facts_.effort_limit || (limited && !limit.empty())) {
      PerJoint("effort_limit", facts_.effort_limit, limit, "of the model");
    }
  }

  void Observation() {
    const int size = static_cast<int>(policy_.inputs().front().size);
    const int joints = ActionCount();
    ObservationGuess guess = facts_.terms ? FitObservation(facts_.terms->value, size, joints)
                                          : GuessObservation(size, joints);
    Line("");
    Remark("The policy takes {} numbers. {}", size,
           facts_.terms ? "Terms are " + facts_.terms->source
                        : "CHECK The order and scales of the terms are a guess from that; MuJoCo "
                          "Playground has the command last.");
    if (guess.missing != 0) {
      Remark("CHECK These terms give {}: {} numbers are not explained.", size - guess.missing,
             guess.missing);
    }
    if (guess.has_scan) Line("[height_scan]\npoints = [17, 11]  # CHECK");
    for (const TermKind term : guess.terms) Term(term, guess.history);
    OtherInputs();
    if (guess.history > 1) {
      Remark("CHECK Some policies keep whole frames instead: [history] with frames = {}.",
             guess.history);
    }
  }

  /// As many as joints have actuators, or else what the first output gives.
  [[nodiscard]] int ActionCount() const {
    for (const nn::OnnxPort& output : policy_.outputs()) {
      if (output.size == outline_.joints.size()) return static_cast<int>(output.size);
    }
    return static_cast<int>(policy_.outputs().front().size);
  }

  /// Whether the policy takes several observations; otherwise further inputs are recurrent state.
  [[nodiscard]] bool HasSeveralInputs() const {
    const auto& in = policy_.inputs();
    const auto& out = policy_.outputs();
    if (in.size() != out.size()) return in.size() > 1;
    for (std::size_t i = 1; i < in.size(); ++i) {
      if (in[i].size != out[i].size) return true;
    }
    return false;
  }

  void OtherInputs() {
    if (!HasSeveralInputs()) return;
    const nn::OnnxPort& first = policy_.inputs().front();
    for (std::size_t i = 1; i < policy_.inputs().size(); ++i) {
      const nn::OnnxPort& other = policy_.inputs()[i];
      if (other.size % first.size != 0) {
        Remark(
            "CHECK The policy also takes \"{}\" of {} numbers: give its [[observation]] terms, "
            "each with",
            other.name, other.size);
        Remark("input = \"{}\".", other.name);
        continue;
      }
      Remark("CHECK The policy also takes \"{}\" of {} numbers, {} times as many as \"{}\":",
             other.name, other.size, other.size / first.size, first.name);
      Remark("probably its frames, now and before.");
      Line("[[input]]\nname = \"{}\"\nlike = \"{}\"\nframes = {}", other.name, first.name,
           other.size / first.size);
      Line("order = \"oldest_first\"  # CHECK or newest_first");
      Line("fill = \"first\"  # CHECK or zero");
    }
  }

  void Term(TermKind kind, int history) {
    Line("[[observation]]\nterm = \"{}\"", robot::TermName(kind));
    if (HasSeveralInputs()) Line("input = \"{}\"", policy_.inputs().front().name);
    const auto scale = facts_.scales.find(kind);
    if (scale != facts_.scales.end()) {
      Line("scale = {}  # {}", Listed(scale->second.value), scale->second.source);
    }
    if (kind == TermKind::kGaitPhase) Line("period = 0.8  # CHECK s of one stride");
    if (kind == TermKind::kHeightScan) Line("clip = [-1, 1]  # CHECK");
    if (history > 1) Line("history = {}", history);
  }

  void Rest() {
    Line("\n[command]");
    Line("low = [-1, -1, -1]  # CHECK vx, vy (m/s), wz (rad/s) of the training");
    Line("high = [1, 1, 1]  # CHECK");
    Line("\n[posture]");
    Line("nominal_height = {:.4g}  # CHECK 'gonogo check' measures it",
         std::max(outline_.root_height_m, 1e-3));
    for (const std::string& key : facts_.unread) Remark("CHECK not used: {}", key);
  }

  const DescribeInput& input_;
  sim::ModelOutline outline_;
  DeployFacts facts_;
  const nn::OnnxModel& policy_;
  std::string text_ =
      "# A first description, written by 'gonogo init robot'. Read every line marked CHECK, then\n"
      "# run 'gonogo check' on this folder. All keys: docs/reference/robot-toml.md.\n";
};

}  // namespace

Result<std::string> DescribeRobot(const DescribeInput& input) {
  sim::ModelOutline outline = GONOGO_TRY(sim::OutlineModel(input.model));
  const nn::OnnxModel policy = GONOGO_TRY(nn::OnnxModel::Load(input.policy));
  DeployFacts facts;
  if (!input.deploy.empty()) {
    DeployFacts read = GONOGO_TRY(ReadDeployFile(input.deploy));
    facts = std::move(read);
  }
  facts.Complete(FactsOf(policy.metadata(), input.policy.filename().string()));
  return DescriptionWriter(input, std::move(outline), std::move(facts), policy).Write();
}

}  // namespace gonogo::study
