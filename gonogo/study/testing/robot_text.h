// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/study/check/check.h"

namespace gonogo::study::internal {

/// A description as text, to be damaged.
class RobotText {
 public:
  explicit RobotText(std::string text) : text_(std::move(text)) {}

  /// One of the repository's robots, with paths that work from anywhere.
  static RobotText Shipped(const std::string& robot) {
    const std::string folder = std::string(GONOGO_SOURCE_DIR "/robots/") + robot + "/";
    std::ifstream stream(folder + "robot.toml");
    std::stringstream text;
    text << stream.rdbuf();
    return RobotText(text.str())
        .Replace("model = \"", "model = \"" + folder)
        .Replace("policy = \"", "policy = \"" + folder);
  }

  RobotText& Replace(const std::string& pattern, const std::string& text) {
    const std::string before = text_;
    text_ = std::regex_replace(text_, std::regex(pattern), text,
                               std::regex_constants::format_first_only);
    EXPECT_NE(text_, before) << "nothing matches " << pattern;
    return *this;
  }
  /// The first number after `key = `, or all numbers of its list, times a factor.
  RobotText& Multiply(const std::string& key, double factor) {
    std::smatch found;
    EXPECT_TRUE(
        std::regex_search(text_, found, std::regex("\n" + key + " = (\\[[^\\]]*\\]|[-0-9.e]+)")));
    const std::string value = found[1];
    std::string scaled;
    const std::regex number("-?[0-9.]+");
    auto rest = value.cbegin();
    for (std::sregex_iterator it(value.begin(), value.end(), number), end; it != end; ++it) {
      scaled.append(rest, value.cbegin() + it->position());
      scaled += fmt::format("{:.6f}", factor * std::stod(it->str()));
      rest = value.cbegin() + it->position() + it->length();
    }
    scaled.append(rest, value.cend());
    text_.replace(static_cast<std::size_t>(found.position(1)), value.size(), scaled);
    return *this;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Checks it and writes out verdict and findings as one text.
  [[nodiscard]] std::string Check() const {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) /
        (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
    std::ofstream(file) << text_;
    const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(file);
    std::filesystem::remove(file);
    if (!robot.ok()) return robot.error().message;
    const auto policy = sim::OnnxPolicy::Load(robot.value());
    if (!policy.ok()) return policy.error().message;
    const Result<CheckReport> report =
        CheckRobot(robot.value(), policy.value(), {.seconds = 2.0}, {.jobs = 2});
    if (!report.ok()) return report.error().message;
    std::string text = Name(report.value().verdict());
    for (const CheckFinding& finding : report.value().findings) {
      text += fmt::format("\n{}: {} {}", finding.subject, finding.what, finding.cause);
    }
    return text;
  }

 private:
  std::string text_;
};

}  // namespace gonogo::study::internal
