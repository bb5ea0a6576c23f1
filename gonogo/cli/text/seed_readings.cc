// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/seed_readings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gonogo/base/check.h"

namespace gonogo::cli {
namespace {

const std::array<std::string, 2> kRuleNames = {"paper", "calibrated"};

}  // namespace

void SeedReadings::Add(std::uint64_t seed, const audit::AuditResult& result) {
  Reading reading{.seed = seed, .paper = {}, .calibrated = {}};
  if (result.paper_reading.has_value()) {
    reading.paper = Name(result.paper_reading->verdict);
    if (result.calibrated.has_value()) reading.calibrated = Name(result.calibrated->verdict);
  }
  readings_.push_back(std::move(reading));
}

double SeedReadings::FlipRate(const std::string& rule) const {
  GONOGO_CHECK(!readings_.empty());
  const auto flips = std::count_if(readings_.begin(), readings_.end(), [&](const Reading& reading) {
    return reading.of(rule) != readings_.front().of(rule);
  });
  return static_cast<double>(flips) / static_cast<double>(readings_.size());
}

nlohmann::json SeedReadings::Json() const {
  nlohmann::json json = {{"readings", nlohmann::json::array()}};
  for (const Reading& reading : readings_) {
    nlohmann::json row = {{"seed", reading.seed}};
    for (const std::string& rule : kRuleNames) {
      row[rule] = reading.of(rule).empty() ? nlohmann::json() : nlohmann::json(reading.of(rule));
    }
    json["readings"].push_back(std::move(row));
  }
  for (const std::string& rule : kRuleNames) json["flip_rate"][rule] = FlipRate(rule);
  return json;
}

}  // namespace gonogo::cli
