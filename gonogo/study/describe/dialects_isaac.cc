// SPDX-License-Identifier: Apache-2.0
// Files of Isaac Lab and what is built on it.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gonogo/study/describe/fact_finder.h"

namespace gonogo::study {
namespace {

using robot::TermKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Fills in scale, clip and history of a term from the keys below a path.
void ReadTerm(FactFinder& file, const std::string& path, TermFact& term) {
  const std::string prefix = path + ".";
  for (const YamlEntry& entry : file.entries()) {
    if (!entry.path.starts_with(prefix)) continue;
    const auto numbers = NumbersOf(entry.values);
    const std::string_view key = entry.key();
    if (numbers && key == "scale") {
      term.scale = *numbers;
      term.source = file.Use(entry);
    } else if (numbers && key == "clip" && numbers->size() == 2) {
      term.clip = *numbers;
      file.Use(entry);
    } else if (numbers && key == "history_length") {
      term.history = std::max(1, static_cast<int>(std::min(numbers->front(), 1000.0)));
      file.Use(entry);
    } else if (numbers && key == "period") {
      term.period_s = numbers->front();
      file.Use(entry);
    } else if (key == "joint_names" && !entry.values.empty() && entry.values.front() != ".*") {
      term.joints = entry.values;
      file.Use(entry);
    } else if (key == "command_name" || key == "params" || key == "flatten_history_dim" ||
               key == "name" || key == "shape" || key == "dtype") {
      file.Use(entry);
    }
  }
}

/// Symmetric limits of a raw action, if all are alike.
RobotFacts::Number ActionClip(const RobotFacts::Numbers& clip) {
  if (!clip || clip->value.size() < 2) return std::nullopt;
  const double high = clip->value[1];
  for (std::size_t i = 0; i < clip->value.size(); ++i) {
    if (clip->value[i] != (i % 2 == 0 ? -high : high)) return std::nullopt;
  }
  if (!(high > 0.0) || std::isinf(high)) return std::nullopt;
  return Fact<double>{high, clip->source};
}

void ReadRanges(FactFinder& file, RobotFacts& facts) {
  std::vector<double> low;
  std::vector<double> high;
  std::string source;
  for (const char* channel : {"lin_vel_x", "lin_vel_y", "ang_vel_z"}) {
    const auto range = file.Numbers({std::string("ranges.") + channel});
    if (!range || range->value.size() != 2) return;
    low.push_back(range->value[0]);
    high.push_back(range->value[1]);
    source = range->source;
  }
  facts.command_low = Fact<std::vector<double>>{low, source};
  facts.command_high = Fact<std::vector<double>>{high, source};
}

}  // namespace

RobotFacts ReadDeployYaml(FactFinder& file) {
  RobotFacts facts;
  facts.dialect = "deploy.yaml of unitree_rl_lab or unitree_rl_mjlab";
  std::vector<int> places;
  if (const auto map = file.Numbers({"joint_ids_map"})) {
    for (const double place : map->value) places.push_back(static_cast<int>(place));
    facts.places = Fact<std::vector<int>>{places, map->source};
  }
  // Gains are in the order of the robot's interface, everything else in that of the policy.
  const auto moved = [&](RobotFacts::Numbers gains) -> RobotFacts::Numbers {
    if (!gains || gains->value.size() == 1) return gains;
    std::vector<double> ordered;
    for (const int place : places) {
      if (place < 0 || static_cast<std::size_t>(place) >= gains->value.size()) {
        facts.unread.push_back(gains->source + ": joint_ids_map points beyond it");
        return std::nullopt;
      }
      ordered.push_back(gains->value[static_cast<std::size_t>(place)]);
    }
    return Fact<std::vector<double>>{ordered, gains->source + ", by joint_ids_map"};
  };
  facts.kp = moved(file.Numbers({"stiffness"}));
  facts.kd = moved(file.Numbers({"damping"}));
  facts.default_pose = file.Numbers({"default_joint_pos"});
  facts.control_dt_s = file.Number({"step_dt"});
  facts.action_scale = file.Numbers({"JointPositionAction.scale"});
  facts.action_offset = file.Numbers({"JointPositionAction.offset"});
  facts.action_clip = ActionClip(file.Numbers({"JointPositionAction.clip"}));
  facts.actuator = {{"implicit_pd", "no file says the kind; implicit_pd bears any kd", false}};
  ReadRanges(file, facts);
  file.Ignore({"heading", "joint_ids", "JointPositionAction.joint_names"});
  std::vector<TermFact> terms;
  for (const YamlEntry& entry : file.entries()) {
    const std::size_t at = entry.path.find("observations.");
    if (at == std::string::npos) continue;
    const std::string name = entry.path.substr(at + 13);
    if (name == "use_gym_history" || name == "scale_first") {
      const auto on = NumbersOf(entry.values);
      if (on && on->front() != 0.0) facts.unread.push_back(file.Use(entry));
      file.Use(entry);
      continue;
    }
    const std::size_t dot = name.rfind('.');
    const bool is_term =
        TermOfName(name.substr(dot == std::string::npos ? 0 : dot + 1)) || dot == std::string::npos;
    if (!is_term || name.find("params") != std::string::npos || name.ends_with(".scale") ||
        name.ends_with(".clip") || name.ends_with(".history_length")) {
      continue;
    }
    const auto kind = TermOfName(entry.key());
    file.Use(entry);
    if (!kind) {
      facts.unread.push_back(fmt::format("observation {} of {}", entry.key(), file.file()));
      continue;
    }
    TermFact term{.kind = *kind};
    ReadTerm(file, entry.path, term);
    terms.push_back(std::move(term));
  }
  const YamlEntry* gym = file.Find("use_gym_history");
  const auto whole = gym == nullptr ? std::nullopt : NumbersOf(gym->values);
  if (whole && whole->front() != 0.0 && !terms.empty()) {
    facts.frames = {{{.count = terms.front().history}, file.Use(*gym)}};
    for (TermFact& term : terms) term.history = 1;
    facts.unread.clear();
  }
  if (!terms.empty()) facts.terms = {{terms, "observations of " + file.file()}};
  return facts;
}

RobotFacts ReadIoDescriptors(FactFinder& file) {
  RobotFacts facts;
  facts.dialect = "IO descriptors of Isaac Lab";
  std::string action;
  for (const YamlEntry& entry : file.entries()) {
    if (entry.path.starts_with("actions.") && FactFinder::Ends(entry, "joint_names")) {
      action = entry.path.substr(0, entry.path.size() - 12);
      break;
    }
  }
  const auto of_action = [&](const char* key) { return file.Numbers({action + "." + key}); };
  if (!action.empty()) {
    facts.joints = file.Words({action + ".joint_names"});
    facts.action_scale = of_action("scale");
    facts.action_offset = of_action("offset");
    facts.action_clip = ActionClip(of_action("clip"));
    const auto type = file.Words({action + ".name", action + ".full_path"});
    if (type && type->value.front().find("osition") == std::string::npos) {
      facts.unread.push_back(type->source + ": it is no position of joints");
    }
  }
  // Values of the articulation are in its own order.
  const auto names = file.Words({"articulations.robot.joint_names"});
  const auto ordered = [&](const char* key) -> RobotFacts::Numbers {
    auto values = file.Numbers({std::string("articulations.robot.") + key});
    if (!values || !names || !facts.joints) return values;
    std::vector<double> moved;
    for (const std::string& joint : facts.joints->value) {
      const auto found = std::find(names->value.begin(), names->value.end(), joint);
      const auto place = static_cast<std::size_t>(found - names->value.begin());
      if (place >= values->value.size()) return std::nullopt;
      moved.push_back(values->value[place]);
    }
    return Fact<std::vector<double>>{moved, values->source};
  };
  if (names && !facts.joints) facts.joints = names;
  facts.default_pose = ordered("default_joint_pos");
  facts.kp = ordered("default_joint_stiffness");
  facts.kd = ordered("default_joint_damping");
  facts.armature = ordered("default_joint_armature");
  const auto none = [](const RobotFacts::Numbers& gains) {
    return gains && std::all_of(gains->value.begin(), gains->value.end(),
                                [](double gain) { return gain == 0.0; });
  };
  if (none(facts.kp) && none(facts.kd)) {
    facts.unread.push_back(facts.kp->source +
                           ": 0, so that a network or an explicit actuator "
                           "drives the joints, which no file describes");
    facts.kp.reset();
    facts.kd.reset();
  } else {
    facts.actuator = {{"implicit_pd", "no file says the kind; implicit_pd bears any kd", false}};
  }
  facts.physics_dt_s = file.Number({"scene.physics_dt"});
  facts.decimation = file.Number({"scene.decimation"});
  facts.control_dt_s = file.Number({"scene.dt"});
  std::vector<TermFact> terms;
  for (const YamlEntry& entry : file.entries()) {
    const bool policy = entry.path.starts_with("observations.policy.");
    if (!policy || !FactFinder::Ends(entry, "name") || entry.values.empty()) continue;
    if (std::count(entry.path.begin(), entry.path.end(), '.') != 3) continue;
    const auto kind = TermOfName(entry.values.front());
    file.Use(entry);
    if (!kind) {
      facts.unread.push_back(
          fmt::format("observation {} of {}", entry.values.front(), file.file()));
      continue;
    }
    TermFact term{.kind = *kind};
    ReadTerm(file, entry.path.substr(0, entry.path.size() - 5), term);
    const bool per_joint = *kind == TermKind::kJointPos || *kind == TermKind::kJointVel;
    if (!per_joint || (facts.joints && term.joints == facts.joints->value)) term.joints.clear();
    terms.push_back(std::move(term));
  }
  if (!terms.empty()) facts.terms = {{terms, "observations.policy of " + file.file()}};
  file.Ignore({"observations", "actions", "default_joint_friction", "default_joint_pos_limits",
               "default_joint_vel"});
  return facts;
}

RobotFacts ReadLeapp(FactFinder& file) {
  RobotFacts facts;
  facts.dialect = "LEAPP of Isaac Lab 3";
  if (const auto frequency = file.Number({"configs.frequency"})) {
    if (frequency->value > 0.0) {
      facts.control_dt_s = {{1.0 / frequency->value, frequency->source}};
    }
  }
  for (const YamlEntry& entry : file.entries()) {
    if (FactFinder::Ends(entry, "kind") && !entry.values.empty() &&
        entry.values.front().ends_with("joint/position")) {
      const std::string port = entry.path.substr(0, entry.path.size() - 5);
      file.Use(entry);
      if (!facts.joints) facts.joints = file.Words({port + ".element_names"});
    }
  }
  // What goes in is the raw state; scales, histories and the last action are inside the graph.
  facts.unread.push_back(file.file() +
                         ": joint positions go in and targets come out as they are, not as offsets "
                         "from a pose: a term joint_pos of robot.toml is an offset");
  return facts;
}

RobotFacts FactsOfMetadata(const std::map<std::string, std::string>& metadata,
                           const std::string& source) {
  // Lists are separated by commas, items inside an entry by semicolons.
  const auto split = [](const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && text[i] == '[') ++depth;
      if (i < text.size() && text[i] == ']') --depth;
      if (i < text.size() && (text[i] != separator || depth > 0)) continue;
      std::string part = text.substr(begin, i - begin);
      part.erase(0, part.find_first_not_of(" ["));
      part.erase(std::min(part.size(), part.find_last_not_of(" ]") + 1));
      parts.push_back(std::move(part));
      begin = i + 1;
    }
    return parts;
  };
  std::vector<YamlEntry> entries;
  for (const auto& [key, value] : metadata) {
    if (value.find('\n') == std::string::npos) entries.push_back({key, split(value, ',')});
  }
  FactFinder file(std::move(entries), source);
  RobotFacts facts;
  if (!file.Has("joint_names")) return facts;
  facts.dialect = "mjlab's metadata";
  facts.joints = file.Words({"joint_names"});
  facts.kp = file.Numbers({"joint_stiffness"});
  facts.kd = file.Numbers({"joint_damping"});
  facts.default_pose = file.Numbers({"default_joint_pos"});
  facts.action_scale = file.Numbers({"action_scale"});
  const auto all = [](const RobotFacts::Numbers& values, double wanted) {
    return values && std::all_of(values->value.begin(), values->value.end(),
                                 [wanted](double value) { return value == wanted; });
  };
  if (all(facts.kp, 1.0) && all(facts.kd, 0.0)) {
    facts.unread.push_back(facts.kp->source +
                           ": 1, and damping 0, which mjlab writes for explicit actuators: the "
                           "gains are not said");
    facts.kp.reset();
    facts.kd.reset();
  } else {
    facts.actuator = {{"implicit_pd", "mjlab's position actuators (its code)", false}};
  }
  const auto names = file.Words({"observation_names"});
  std::vector<TermFact> terms;
  const auto entry_of = [&](const char* key, std::size_t term) -> std::vector<double> {
    const YamlEntry* entry = file.Find(key);
    if (entry == nullptr || term >= entry->values.size()) return {};
    file.Use(*entry);
    std::string text = entry->values[term];
    // The early form of a clip is "[-inf, inf]".
    std::replace(text.begin(), text.end(), ',', ';');
    return NumbersOf(split(text, ';')).value_or(std::vector<double>());
  };
  for (std::size_t i = 0; names && i < names->value.size(); ++i) {
    const auto kind = TermOfName(names->value[i]);
    if (!kind) {
      facts.unread.push_back(fmt::format("observation {} of {}", names->value[i], source));
      continue;
    }
    TermFact term{.kind = *kind, .source = "observation_terms_* of " + source};
    term.scale = entry_of("observation_terms_scale", i);
    term.clip = entry_of("observation_terms_clip", i);
    if (term.clip.size() != 2 || (term.clip[0] == -kInfinity && term.clip[1] == kInfinity)) {
      term.clip.clear();
    }
    const std::vector<double> history = entry_of("observation_terms_history_length", i);
    if (!history.empty()) term.history = std::max(1, static_cast<int>(history.front()));
    entry_of("observation_terms_flatten_history_dim", i);
    terms.push_back(std::move(term));
  }
  if (!terms.empty()) facts.terms = {{terms, names->source}};
  file.Ignore({"run_path", "command_names"});
  facts.unused = file.Unused();
  return facts;
}

}  // namespace gonogo::study
