// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identified.h"

namespace gonogo::study {

Status CheckIdentified(const std::filesystem::path& file, const robot::RobotSpec& robot,
                       const std::string& user) {
  std::error_code code;
  if (std::filesystem::exists(file, code)) return {};
  return InputError(
      "{} needs a model of what each command does, and there is no {}. Run 'gonogo identify {} "
      "--out {}' first, or say with --models where it wrote",
      user, file.string(), robot.file.parent_path().string(), file.parent_path().string());
}

}  // namespace gonogo::study
