// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/study/methods.h"

namespace gonogo::study {

/// An exported adapter that may command this robot: refuses one that was trained over another
/// policy. (`control::LearnedSelector` refuses another layout.)
[[nodiscard]] Result<std::shared_ptr<const adapter::Adapter>> LoadAdapterFor(
    const std::filesystem::path& folder, const robot::RobotSpec& robot);

/// The method "adapter:FOLDER"; `hold` decisions under every chosen action.
[[nodiscard]] Result<Method> OpenAdapterMethod(const std::string& name,
                                               const robot::RobotSpec& robot, double hold);

/// The method "action:ACTION": one action of an audit, such as step_height=0.03, at every decision,
/// all of the way from the direct command and up to the target.
[[nodiscard]] Result<Method> OpenActionMethod(const std::string& name,
                                              const robot::RobotSpec& robot);

}  // namespace gonogo::study
