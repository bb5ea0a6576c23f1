// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/look_reading.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/audit/result/readings.h"
#include "gonogo/audit/rules/looks.h"

namespace gonogo::audit {
namespace {

using Json = nlohmann::json;

constexpr std::array kAfterLookNames{
    std::pair{AfterLook::kGoOn, std::string_view("go on")},
    std::pair{AfterLook::kDecided, std::string_view("decided")},
    std::pair{AfterLook::kFutile, std::string_view("futile")},
    std::pair{AfterLook::kLast, std::string_view("last look")},
    std::pair{AfterLook::kNoDecision, std::string_view("no decision")}};

AfterLook AfterLookNamed(const std::string& name) {
  const auto found = std::find_if(kAfterLookNames.begin(), kAfterLookNames.end(),
                                  [&](const auto& entry) { return entry.second == name; });
  return found == kAfterLookNames.end() ? AfterLook::kGoOn : found->first;
}

RuleBounds DecidingBounds(const AuditResult& result) {
  return result.pairs.has_value() ? BoundsOf(*result.pairs) : BoundsOf(*result.calibrated);
}

AfterLook WhatFollows(const LookReading& look, const AuditResult& result) {
  if (result.obstacle.has_value()) return AfterLook::kNoDecision;
  if (look.reading == Name(Verdict::kGo) || look.reading == Name(Verdict::kNoGo)) {
    return AfterLook::kDecided;
  }
  if (look.later.empty()) return look.reading.empty() ? AfterLook::kNoDecision : AfterLook::kLast;
  if (!look.reading.empty() && IsFutile(look.later, result.protocol.rule)) {
    return AfterLook::kFutile;
  }
  return AfterLook::kGoOn;
}

/// What earlier looks read; entries that cannot be understood are left out.
std::vector<LookReading> EarlierReadings(const EarlierLooks& earlier) {
  std::vector<LookReading> readings;
  for (const std::string& text : earlier.readings) {
    const Json parsed = Json::parse(text, nullptr, false);
    try {
      readings.push_back(parsed.get<LookReading>());
    } catch (const Json::exception&) {
      continue;
    }
  }
  return readings;
}

LookReading ReadThisLook(const AuditResult& result) {
  const Protocol& protocol = result.protocol;
  const std::size_t clusters = result.clusters.size();
  const double level = protocol.bootstrap.level;
  const LookShare share = ShareOfLook((1.0 - level) / 2.0, protocol.rule, result.look, clusters);
  LookReading look{.look = share.look,
                   .looks = share.looks,
                   .clusters = clusters,
                   .alpha = share.alpha,
                   .later = LookAhead(DecidingBounds(result), protocol.thresholds, protocol.rule,
                                      level, clusters)};
  if (result.reading.has_value()) look.reading = Name(result.reading->verdict);
  const std::vector<RuleReading> rules = ReadRules(result);
  for (const ChannelReading& channel : rules.front().channels) {
    LookChannel read{.name = std::string(channel.key),
                     .point = channel.point,
                     .threshold = channel.threshold,
                     .above = channel.above};
    if (channel.interval.has_value()) {
      read.lower = channel.interval->lower;
      read.upper = channel.interval->upper;
    }
    look.channels.push_back(std::move(read));
  }
  look.then = WhatFollows(look, result);
  return look;
}

Json NumberOrNull(const std::optional<double>& value) {
  return value.has_value() ? Json(*value) : Json();
}

std::optional<double> NumberOrNothing(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

}  // namespace

void AddLook(const OutcomeTable& table, AuditResult& result) {
  const RuleConfig& rule = result.protocol.rule;
  if (rule.looks_at.empty() || rule.kind == DecisionRule::kPaper) return;
  result.path = EarlierReadings(table.earlier_looks);
  const bool has_bounds = result.pairs.has_value() || result.calibrated.has_value();
  if (!has_bounds || !IsDeclaredLook(rule, result.clusters.size())) return;
  result.path.push_back(ReadThisLook(result));
}

std::string_view Name(AfterLook then) {
  const auto found = std::find_if(kAfterLookNames.begin(), kAfterLookNames.end(),
                                  [&](const auto& entry) { return entry.first == then; });
  return found->second;
}

void to_json(Json& value, const LookReading& reading) {
  value = {{"look", reading.look},
           {"looks", reading.looks},
           {"clusters", reading.clusters},
           {"alpha", reading.alpha},
           {"reading", reading.reading.empty() ? Json() : Json(reading.reading)},
           {"channels", Json::array()},
           {"later", Json::array()},
           {"then", Name(reading.then)}};
  for (const LookChannel& channel : reading.channels) {
    value["channels"].push_back({{"name", channel.name},
                                 {"point", channel.point},
                                 {"lower", NumberOrNull(channel.lower)},
                                 {"upper", NumberOrNull(channel.upper)},
                                 {"threshold", channel.threshold},
                                 {"direction", channel.above ? "above" : "below"}});
  }
  for (const LookChance& chance : reading.later) {
    value["later"].push_back(
        {{"clusters", chance.clusters}, {"GO", chance.go}, {"NO-GO", chance.no_go}});
  }
}

void from_json(const Json& value, LookReading& reading) {
  reading.look = value.at("look").get<std::size_t>();
  reading.looks = value.at("looks").get<std::size_t>();
  reading.clusters = value.at("clusters").get<std::size_t>();
  reading.alpha = value.at("alpha").get<double>();
  const Json& read = value.at("reading");
  reading.reading = read.is_null() ? "" : read.get<std::string>();
  reading.then = AfterLookNamed(value.at("then").get<std::string>());
  reading.channels.clear();
  for (const Json& channel : value.at("channels")) {
    reading.channels.push_back({.name = channel.at("name").get<std::string>(),
                                .point = channel.at("point").get<double>(),
                                .lower = NumberOrNothing(channel.at("lower")),
                                .upper = NumberOrNothing(channel.at("upper")),
                                .threshold = channel.at("threshold").get<double>(),
                                .above = channel.at("direction") == "above"});
  }
  reading.later.clear();
  for (const Json& chance : value.at("later")) {
    reading.later.push_back({chance.at("clusters").get<std::size_t>(),
                             chance.at("GO").get<double>(), chance.at("NO-GO").get<double>()});
  }
}

}  // namespace gonogo::audit
