// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/deploy_facts.h"

#include <algorithm>
#include <charconv>

#include "gonogo/io/file.h"

namespace gonogo::study {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string Unquoted(std::string_view text) {
  text = Trimmed(text);
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

/// A line without its comment.
std::string_view Code(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && (i == 0 || kSpace.find(line[i - 1]) != std::string_view::npos)) {
      return line.substr(0, i);
    }
  }
  return line;
}

/// Adds the items of "a, b, c"; brackets are passed over.
void AddItems(std::string_view text, std::vector<std::string>& values) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(",[]", begin), text.size());
    const std::string item = Unquoted(text.substr(begin, end - begin));
    if (!item.empty()) values.push_back(item);
    begin = end + 1;
  }
}

/// Keys around the present place and how far they are indented.
class Nesting {
 public:
  std::string Enter(std::size_t indent, std::string key) {
    while (!open_.empty() && open_.back().first >= indent) open_.pop_back();
    open_.emplace_back(indent, std::move(key));
    std::string path;
    for (const auto& [depth, name] : open_) path += (path.empty() ? "" : ".") + name;
    return path;
  }

 private:
  std::vector<std::pair<std::size_t, std::string>> open_;
};

}  // namespace

std::vector<YamlEntry> ReadFlatYaml(std::string_view text) {
  std::vector<YamlEntry> entries;
  Nesting nesting;
  int open_lists = 0;
  const auto count = [](std::string_view line) {
    return static_cast<int>(std::count(line.begin(), line.end(), '[') -
                            std::count(line.begin(), line.end(), ']'));
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Code(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view content = Trimmed(line);
    if (content.empty()) continue;
    if (open_lists > 0) {
      AddItems(content, entries.back().values);
      open_lists += count(content);
      continue;
    }
    if (content.starts_with("- ")) {
      if (!entries.empty() && content.find(": ") == std::string_view::npos) {
        AddItems(content.substr(2), entries.back().values);
      }
      continue;
    }
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos) continue;
    const std::size_t indent = line.find_first_not_of(kSpace);
    entries.push_back({nesting.Enter(indent, Unquoted(content.substr(0, colon))), {}});
    const std::string_view value = Trimmed(content.substr(colon + 1));
    if (value.starts_with('[')) {
      AddItems(value, entries.back().values);
      open_lists = count(value);
    } else if (!value.empty()) {
      entries.back().values.push_back(Unquoted(value));
    }
  }
  return entries;
}

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
