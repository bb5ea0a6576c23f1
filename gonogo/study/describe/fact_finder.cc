// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/fact_finder.h"

#include <algorithm>

#include <fmt/format.h>

namespace gonogo::study {
namespace {

using robot::TermKind;

struct Alias {
  std::string_view name;
  TermKind term;
};

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
    {"gait_phase", TermKind::kGaitPhase},
};

}  // namespace

std::optional<TermKind> TermOfName(std::string_view name) {
  for (const Alias& alias : kTermNames) {
    if (alias.name == name) return alias.term;
  }
  return std::nullopt;
}

bool FactFinder::Ends(const YamlEntry& entry, std::string_view end) {
  if (!std::string_view(entry.path).ends_with(end)) return false;
  return entry.path.size() == end.size() || entry.path[entry.path.size() - end.size() - 1] == '.';
}

const YamlEntry* FactFinder::Find(std::string_view end) const {
  for (const YamlEntry& entry : entries_) {
    if (Ends(entry, end)) return &entry;
  }
  return nullptr;
}

std::string FactFinder::Use(const YamlEntry& entry) {
  used_.insert(entry.path);
  return fmt::format("{} of {}", entry.path, file_);
}

RobotFacts::Numbers FactFinder::Numbers(std::initializer_list<std::string_view> ends) {
  for (const std::string_view end : ends) {
    for (const YamlEntry& entry : entries_) {
      if (!Ends(entry, end)) continue;
      if (auto numbers = NumbersOf(entry.values)) {
        return Fact<std::vector<double>>{*std::move(numbers), Use(entry)};
      }
    }
  }
  return std::nullopt;
}

RobotFacts::Number FactFinder::Number(std::initializer_list<std::string_view> ends) {
  const RobotFacts::Numbers numbers = Numbers(ends);
  if (!numbers || numbers->value.size() != 1) return std::nullopt;
  return Fact<double>{numbers->value.front(), numbers->source};
}

std::optional<Fact<std::vector<std::string>>> FactFinder::Words(
    std::initializer_list<std::string_view> ends) {
  for (const std::string_view end : ends) {
    for (const YamlEntry& entry : entries_) {
      if (!Ends(entry, end) || entry.values.empty() || entry.values.front() == "null") continue;
      return Fact<std::vector<std::string>>{entry.values, Use(entry)};
    }
  }
  return std::nullopt;
}

RobotFacts::Named FactFinder::Named(std::string_view end, bool by_part) {
  const YamlEntry* parent = Find(end);
  if (parent == nullptr) return std::nullopt;
  NamedValues named{.values = {}, .by_part = by_part};
  const std::string prefix = parent->path + ".";
  for (const YamlEntry& entry : entries_) {
    if (!entry.path.starts_with(prefix)) continue;
    const auto numbers = NumbersOf(entry.values);
    if (!numbers || numbers->size() != 1) continue;
    Use(entry);
    const std::string name = entry.path.substr(prefix.size());
    if (name == "default") {
      named.otherwise = numbers->front();
    } else {
      named.values.emplace_back(name, numbers->front());
    }
  }
  if (named.values.empty()) return std::nullopt;
  return Fact<NamedValues>{std::move(named), Use(*parent)};
}

void FactFinder::Ignore(std::initializer_list<std::string_view> parts) {
  for (const YamlEntry& entry : entries_) {
    for (const std::string_view part : parts) {
      const std::string path = "." + entry.path + ".";
      if (path.find("." + std::string(part) + ".") != std::string::npos) used_.insert(entry.path);
    }
  }
}

std::vector<std::string> FactFinder::Unused() const {
  std::vector<std::string> unused;
  for (const YamlEntry& entry : entries_) {
    const bool empty = entry.values.empty() || entry.values.front() == "null";
    if (!empty && !used_.contains(entry.path)) {
      unused.push_back(fmt::format("{} of {}", entry.path, file_));
    }
  }
  return unused;
}

}  // namespace gonogo::study
