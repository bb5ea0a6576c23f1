// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/reproduction.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/nearest.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/paper/setting/other_robots.h"

namespace gonogo::paper {
namespace {

/// Figures that show no measurement.
constexpr std::array kDrawings{"fig:audit", "fig:method", "fig:setup"};

bool Answers(const ReproductionItem& item, const std::string& name) {
  return item.name == name ||
         std::find(item.labels.begin(), item.labels.end(), name) != item.labels.end();
}

Error Unknown(const std::string& name) {
  if (std::find(kDrawings.begin(), kDrawings.end(), name) != kDrawings.end()) {
    return UsageError("{}: a drawing or photograph in the paper, there is nothing to measure",
                      name);
  }
  std::vector<std::string> known;
  for (const ReproductionItem& item : ReproductionItems()) known.push_back(item.name);
  return UsageError("nothing is called \"{}\"{}; there are {} and the paper's labels of them", name,
                    DidYouMean(name, known), fmt::join(known, ", "));
}

}  // namespace

Result<std::string> InputsOf(const ReproductionItem& item, const ReproductionSetting& setting) {
  std::vector<ReproductionSetting> robots{setting};
  for (const std::string& name : item.other_robots) {
    robots.push_back(OnOtherRobot(setting, name));
  }
  std::string inputs =
      fmt::format("{} {}", setting.surroundings.text(), sim::WorkRateName(setting.work_rate));
  for (const ReproductionSetting& robot : robots) {
    for (const char* name :
         {"robot.toml", "model.xml", "policy.onnx", "audit.toml", "audit-archived.toml"}) {
      const std::filesystem::path file = robot.robot / name;
      std::error_code code;
      inputs += name;
      if (!std::filesystem::is_regular_file(file, code)) continue;
      const std::string bytes = GONOGO_TRY(io::ReadFile(file));
      inputs += io::Sha256Hex(bytes);
    }
  }
  return io::Sha256Hex(inputs);
}

Result<std::vector<ReproductionItem>> ChooseItems(const std::vector<std::string>& names) {
  const std::vector<ReproductionItem>& all = ReproductionItems();
  if (names.empty()) return all;
  std::set<std::string> wanted;
  for (const std::string& name : names) {
    bool found = false;
    for (const ReproductionItem& item : all) {
      if (!Answers(item, name)) continue;
      found = true;
      wanted.insert(item.name);
      wanted.insert(item.needs.begin(), item.needs.end());
    }
    if (!found) return Unknown(name);
  }
  std::vector<ReproductionItem> chosen;
  for (const ReproductionItem& item : all) {
    if (wanted.contains(item.name)) chosen.push_back(item);
  }
  return chosen;
}

}  // namespace gonogo::paper
