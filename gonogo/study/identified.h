// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::study {

/// Refuses a file of `gonogo identify` that is not there, in words that say how it is made; `user`
/// is what needs it, such as "controller vgcc".
[[nodiscard]] Status CheckIdentified(const std::filesystem::path& file,
                                     const robot::RobotSpec& robot, const std::string& user);

}  // namespace gonogo::study
