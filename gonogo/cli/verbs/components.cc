// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/verbs/components.h"

#include <fmt/format.h>

namespace gonogo::cli {

std::vector<std::string> BuiltComponents() {
  std::vector<std::string> components = {"tables"};
  if (kHasRobots) components.emplace_back("robots");
  if (kHasTraining) components.emplace_back("training");
  if (kHasPaper) components.emplace_back("paper");
  return components;
}

std::string NotBuilt(std::string_view what, Component component) {
  switch (component) {
    case Component::kRobots:
      return fmt::format(
          "{} is not in this build, which audits tables: the build with robots has it (cmake "
          "-DGONOGO_SIM=ON, pip install gonogo[sim], or the Debian package gonogo-sim)",
          what);
    case Component::kTraining:
      return fmt::format(
          "{} is not in this build: the build with training has it (cmake -DGONOGO_SIM=ON "
          "-DGONOGO_TRAIN=ON)",
          what);
    case Component::kPaper:
      break;
  }
  return fmt::format(
      "{} is not in this build: the build with the paper has it (cmake -DGONOGO_SIM=ON "
      "-DGONOGO_TRAIN=ON -DGONOGO_PAPER=ON)",
      what);
}

}  // namespace gonogo::cli
