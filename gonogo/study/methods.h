// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/control/controller.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::study {

/// A controller by name, made anew for every thread; its models are shared.
struct Method {
  std::string name;
  std::function<std::unique_ptr<control::Controller>()> make;
  /// Name, settings and hashes of the models: two methods of one robot with the same identity
  /// decide alike.
  std::string identity = {};
};

/// Names that `OpenMethod` knows, for messages and help.
[[nodiscard]] std::vector<std::string> MethodNames();

/// The method called `name`: "direct", "scale-0.75" (any factor), "governor", "vgcc" (effort),
/// "vgcc-power", the ablations "vgcc-no-anneal", "vgcc-no-gate", "vgcc-no-floor",
/// "vgcc-substitute", "vgcc-quarter-data", "vgcc-cost-per-progress", "vgcc-absolute-margin", "mpc",
/// "vgsr", "vgsr-no-gate", "vgsr-2000", "vgsr-500", "action:step_height=0.03" (any action of an
/// audit, at every decision), and "adapter:FOLDER", an adapter that `gonogo audit --export` wrote.
/// Models are read from `models`, where `gonogo
/// identify` wrote them. `settings` ("vgcc.gain=0.3") change the defaults of all methods of that
/// kind.
[[nodiscard]] Result<Method> OpenMethod(const std::string& name, const robot::RobotSpec& robot,
                                        const std::filesystem::path& models,
                                        const std::vector<std::string>& settings);

}  // namespace gonogo::study
