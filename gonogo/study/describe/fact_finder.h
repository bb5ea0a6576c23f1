// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/study/describe/robot_facts.h"

namespace gonogo::study {

/// Finds entries of one file by the ends of their paths and remembers which were of use.
class FactFinder {
 public:
  FactFinder(std::vector<YamlEntry> entries, std::string file)
      : entries_(std::move(entries)), file_(std::move(file)) {}

  [[nodiscard]] const std::vector<YamlEntry>& entries() const { return entries_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// Whether an entry's path ends with one of these, at a dot.
  [[nodiscard]] static bool Ends(const YamlEntry& entry, std::string_view end);
  [[nodiscard]] bool Has(std::string_view end) const { return Find(end) != nullptr; }
  [[nodiscard]] const YamlEntry* Find(std::string_view end) const;

  /// The first entry among these whose values are numbers (or words).
  RobotFacts::Numbers Numbers(std::initializer_list<std::string_view> ends);
  RobotFacts::Number Number(std::initializer_list<std::string_view> ends);
  std::optional<Fact<std::vector<std::string>>> Words(std::initializer_list<std::string_view> ends);
  /// The numbers right below a key, by their names.
  RobotFacts::Named Named(std::string_view end, bool by_part);

  std::string Use(const YamlEntry& entry);  ///< marks it; its source in words
  /// Marks entries that are of no use here: what starts training, draws, logs or pays.
  void Ignore(std::initializer_list<std::string_view> parts);
  /// Keys with a value from which nothing was taken.
  [[nodiscard]] std::vector<std::string> Unused() const;

 private:
  std::vector<YamlEntry> entries_;
  std::string file_;
  std::set<std::string> used_;
};

/// What a term of the observation is called elsewhere; nothing if that is not known.
[[nodiscard]] std::optional<robot::TermKind> TermOfName(std::string_view name);

/// Those who write files, one by one: fills in what theirs say. `facts.dialect` names them.
[[nodiscard]] RobotFacts ReadDeployYaml(FactFinder& file);      ///< unitree_rl_lab, _mjlab
[[nodiscard]] RobotFacts ReadIoDescriptors(FactFinder& file);   ///< Isaac Lab
[[nodiscard]] RobotFacts ReadLeapp(FactFinder& file);           ///< Isaac Lab 3
[[nodiscard]] RobotFacts ReadRlSar(FactFinder& file);           ///< one of its two files
void JoinRlSar(RobotFacts& base, const RobotFacts& config);     ///< both together, into `base`
[[nodiscard]] RobotFacts ReadTrainingConfig(FactFinder& file);  ///< legged_gym and its relatives
[[nodiscard]] RobotFacts ReadUnitreeGym(FactFinder& file);      ///< and what is not recognised

}  // namespace gonogo::study
