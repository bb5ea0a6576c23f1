// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/paper/setting/reproduction_setting.h"
#include "gonogo/report/page/page.h"

namespace gonogo::paper {

/// A table or figure of the paper, or a few that come from one study.
struct ReproductionItem {
  std::string name;
  std::string title;
  std::vector<std::string> labels = {};  ///< the paper's names: "tab:coverage"
  double minutes = 0.0;                  ///< on two idle cores, roughly
  std::vector<std::string> needs = {};   ///< items that must come before
  /// Folders beside the robot's that are used as well, each as soon as it holds a policy.
  std::vector<std::string> other_robots = {};
  std::function<Result<std::vector<report::Section>>(const ReproductionSetting&, const Execution&)>
      run;
};

/// Everything that can be regenerated, in an order in which nothing needs what comes later.
[[nodiscard]] const std::vector<ReproductionItem>& ReproductionItems();

/// A fingerprint of every file of the robots that decides what an item shows: descriptions, models,
/// policies and declared audits. What was made under another one is not shown again.
[[nodiscard]] Result<std::string> InputsOf(const ReproductionItem& item,
                                           const ReproductionSetting& setting);

/// The items of those names, or behind those labels of the paper, and what they need, in order,
/// each once; all of them without a name.
[[nodiscard]] Result<std::vector<ReproductionItem>> ChooseItems(
    const std::vector<std::string>& names);

}  // namespace gonogo::paper
