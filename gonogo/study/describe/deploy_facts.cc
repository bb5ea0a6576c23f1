// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/deploy_facts.h"

#include <algorithm>
#include <charconv>

#include "gonogo/io/file.h"
#include "gonogo/study/describe/flat_yaml.h"

namespace gonogo::study {
namespace {

using robot::TermKind;

struct Alias {
  std::string_view name;
  TermKind term;
};

/// What terms of the observation are called elsewhere.
constexpr Alias kTermNames[] = {
    {"lin_vel", TermKind::kBaseLinVel},
    {"base_lin_vel", TermKind::kBaseLinVel},
    {"ang_vel", TermKind::kBaseAngVel},
    {"base_ang_vel", TermKind::kBaseAngVel},
    {"gravity_vec", TermKind::kProjectedGravity},
    {"projected_gravity", TermKind::kProjectedGravity},
    {"commands", TermKind::kCommand},
    {"command", TermKind::kCommand},
    {"velocity_commands", TermKind::kCommand},
    {"generated_commands", TermKind::kCommand},
    {"dof_pos", TermKind::kJointPos},
    {"joint_pos", TermKind::kJointPos},
    {"joint_pos_rel", TermKind::kJointPos},
    {"dof_vel", TermKind::kJointVel},
    {"joint_vel", TermKind::kJointVel},
    {"joint_vel_rel", TermKind::kJointVel},
    {"actions", TermKind::kLastAction},
    {"last_action", TermKind::kLastAction},
    {"height_scan", TermKind::kHeightScan},
};

constexpr Alias kScaleNames[] = {
    {"lin_vel_scale", TermKind::kBaseLinVel}, {"ang_vel_scale", TermKind::kBaseAngVel},
    {"dof_pos_scale", TermKind::kJointPos},   {"dof_vel_scale", TermKind::kJointVel},
    {"cmd_scale", TermKind::kCommand},        {"commands_scale", TermKind::kCommand},
};

std::optional<std::vector<double>> NumbersOf(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& text : values) {
    double number = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    numbers.push_back(number);
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

std::optional<TermKind> TermOf(std::string_view name) {
  for (const Alias& alias : kTermNames) {
    if (alias.name == name) return alias.term;
  }
  return std::nullopt;
}

/// Finds facts among the entries of one file.
class FactFinder {
 public:
  FactFinder(const std::vector<YamlEntry>& entries, std::string file)
      : entries_(entries), file_(std::move(file)) {}

  DeployFacts Find() const {
    DeployFacts facts;
    for (const YamlEntry& entry : entries_) {
      if (!IsOneOf(entry, {"joint_names", "joint_controller_names"}) || facts.joints) continue;
      facts.joints = {entry.values, Source(entry)};
    }
    facts.kp = Numbers({"kps", "rl_kp", "stiffness", "joint_stiffness"});
    facts.kd = Numbers({"kds", "rl_kd", "damping", "joint_damping"});
    facts.default_pose = Numbers({"default_angles", "default_dof_pos", "default_joint_pos"});
    facts.action_scale = Numbers({"action_scale", "JointPositionAction.scale"});
    facts.effort_limit = Numbers({"torque_limits", "effort_limit"});
    facts.physics_dt_s = Number({"simulation_dt", "dt"});
    facts.control_dt_s = Number({"step_dt"});
    facts.decimation = Number({"control_decimation", "decimation"});
    facts.history = Number({"history_length"});
    FindTerms(facts);
    for (const YamlEntry& entry : entries_) {
      if (IsOneOf(entry, {"joint_ids_map", "joint_mapping", "observations_history",
                          "clip_actions_lower", "clip_actions_upper"})) {
        facts.unread.push_back(Source(entry));
      }
    }
    return facts;
  }

 private:
  [[nodiscard]] std::string Source(const YamlEntry& entry) const {
    return fmt::format("{} of {}", entry.path, file_);
  }

  static bool IsOneOf(const YamlEntry& entry, std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return name.find('.') == std::string_view::npos ? entry.key() == name
                                                      : entry.path.ends_with(name);
    });
  }

  [[nodiscard]] DeployFacts::Numbers Numbers(std::initializer_list<std::string_view> names) const {
    for (const YamlEntry& entry : entries_) {
      if (!IsOneOf(entry, names)) continue;
      if (const auto numbers = NumbersOf(entry.values)) return {{*numbers, Source(entry)}};
    }
    return std::nullopt;
  }

  [[nodiscard]] DeployFacts::Number Number(std::initializer_list<std::string_view> names) const {
    const DeployFacts::Numbers numbers = Numbers(names);
    if (!numbers || numbers->value.size() != 1) return std::nullopt;
    return {{numbers->value.front(), numbers->source}};
  }

  /// A list of names, or the keys of a map; each may have a scale.
  void FindTerms(DeployFacts& facts) const {
    for (const Alias& alias : kScaleNames) {
      if (const auto scale = Numbers({alias.name})) facts.scales.insert({alias.term, *scale});
    }
    std::vector<TermKind> terms;
    std::string source;
    for (const YamlEntry& entry : entries_) {
      std::vector<std::string> names;
      if (IsOneOf(entry, {"observations", "observation_names"})) names = entry.values;
      const std::size_t at = entry.path.find("observations.");
      if (at != std::string::npos) {
        const std::string below = entry.path.substr(at + 13);
        if (below.find('.') == std::string::npos) names = {below};
        const std::optional<TermKind> owner = TermOf(below.substr(0, below.find('.')));
        const auto scale = NumbersOf(entry.values);
        if (owner && scale && below.ends_with(".scale")) {
          facts.scales.insert({*owner, {*scale, Source(entry)}});
        }
      }
      for (const std::string& name : names) {
        const std::optional<TermKind> term = TermOf(name);
        if (!term) facts.unread.push_back(fmt::format("observation {} of {}", name, file_));
        if (term) terms.push_back(*term);
        source = "observations of " + file_;
      }
    }
    if (!terms.empty()) facts.terms = {terms, source};
  }

  const std::vector<YamlEntry>& entries_;
  std::string file_;
};

}  // namespace

void DeployFacts::Complete(const DeployFacts& other) {
  const auto take = [](auto& mine, const auto& theirs) {
    if (!mine) mine = theirs;
  };
  take(joints, other.joints);
  take(kp, other.kp);
  take(kd, other.kd);
  take(default_pose, other.default_pose);
  take(action_scale, other.action_scale);
  take(effort_limit, other.effort_limit);
  take(physics_dt_s, other.physics_dt_s);
  take(control_dt_s, other.control_dt_s);
  take(decimation, other.decimation);
  take(history, other.history);
  take(terms, other.terms);
  scales.insert(other.scales.begin(), other.scales.end());
  unread.insert(unread.end(), other.unread.begin(), other.unread.end());
}

Result<DeployFacts> ReadDeployFile(const std::filesystem::path& file) {
  const std::string text = GONOGO_TRY(io::ReadFile(file));
  const std::vector<YamlEntry> entries = ReadFlatYaml(text);
  if (entries.empty()) return InputError("{}: no YAML keys found in it", file.string());
  return FactFinder(entries, file.filename().string()).Find();
}

DeployFacts FactsOf(const std::map<std::string, std::string>& metadata, const std::string& source) {
  std::string yaml;
  for (const auto& [key, value] : metadata) {
    if (value.find('\n') != std::string::npos) continue;
    const bool list = value.find(',') != std::string::npos && !value.starts_with('[');
    yaml += key + ": " + (list ? "[" + value + "]" : value) + "\n";
  }
  return FactFinder(ReadFlatYaml(yaml), source).Find();
}

}  // namespace gonogo::study
