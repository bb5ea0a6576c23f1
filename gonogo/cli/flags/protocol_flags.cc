// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/flags/protocol_flags.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/study/collect/collect_config.h"

namespace gonogo::cli {

void ProtocolFlags::Add(Arguments verb) {
  const std::string group = "Protocol";
  verb.Option("--protocol", file_,
              "The file that says what was declared before the data, such as audit.toml")
      .Value("FILE")
      .Group(group);
  verb.Option("--learner", learner_,
              "Who learns to choose: mlp, ridge, trees, forest, policy, or all side by side [as "
              "declared]")
      .OneOf({"mlp", "ridge", "trees", "forest", "policy", "all"})
      .Group(group);
  verb.Option("--target", target_,
              "How costs are compared before they are learned: ratio, difference or log [as "
              "declared; difference for forest and policy, else ratio]; all, with --learner all: "
              "each of them")
      .OneOf({"ratio", "difference", "log", "all"})
      .Group(group)
      .Rare();
  verb.Option("--rule", rule_,
              "Which rule decides: paper, calibrated or leave-pair-out [as declared]")
      .OneOf({"paper", "calibrated", "leave-pair-out"})
      .Group(group);
  verb.Option("--refits", refits_,
              "How often clusters are resampled and the learner refitted [as declared, 200]")
      .Value("NUMBER")
      .Group(group);
  verb.Option("--seed", seed_, "Seed of the resampling [as declared, 20260717]")
      .Value("NUMBER")
      .Group(group)
      .Rare();
  verb.Option("--set", set_,
              "KEY=VALUE: use another value than the declared one; an audit is then descriptive")
      .Group(group);
}

Result<audit::Protocol> ProtocolFlags::Read(const std::filesystem::path& table) const {
  Result<audit::Protocol> declared = ReadDeclared(table);
  return declared.ok() ? Apply(std::move(declared).value()) : declared;
}

Result<audit::Protocol> ProtocolFlags::ReadDeclared(const std::filesystem::path& table) const {
  const std::optional<audit::Protocol> declared = GONOGO_TRY(FindDeclared(table));
  return declared.value_or(audit::Protocol{});
}

bool ProtocolFlags::names_learner() const {
  return !learner_.empty() ||
         std::any_of(set_.begin(), set_.end(), [](const std::string& assignment) {
           return assignment.starts_with("learner.");
         });
}

Result<std::optional<audit::Protocol>> ProtocolFlags::FindDeclared(
    const std::filesystem::path& table) const {
  return study::FindProtocol(table, file_);
}

Result<audit::Protocol> ProtocolFlags::Apply(audit::Protocol protocol) const {
  std::vector<std::string> overrides = set_;
  for (const auto& [flag, key, value] : {std::tuple{"--refits", "bootstrap.refits", refits_},
                                         std::tuple{"--seed", "bootstrap.seed", seed_}}) {
    if (value.empty()) continue;
    Result<audit::Protocol> changed = study::Override(protocol, key, value);
    if (!changed.ok()) {  // "--set key=value: what is wrong"
      const std::string& message = changed.error().message;
      return UsageError("{}: {}", flag, message.substr(message.find(": ") + 2));
    }
    protocol = std::move(changed).value();
  }
  if (!rule_.empty()) overrides.push_back("rule.kind=\"" + rule_ + "\"");
  if (!learner_.empty() && learner_ != "all")
    overrides.push_back("learner.kind=\"" + learner_ + "\"");
  if (!target_.empty() && target_ != "all")
    overrides.push_back("learner.target=\"" + target_ + "\"");
  return OverrideAll(std::move(protocol), overrides);
}

Result<audit::Protocol> OverrideAll(audit::Protocol protocol,
                                    const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) return UsageError("--set {}: expected KEY=VALUE", assignment);
    protocol = GONOGO_TRY(
        study::Override(protocol, assignment.substr(0, equals), assignment.substr(equals + 1)));
  }
  return protocol;
}

void ShardFlag::Add(Arguments& verb, const std::string& units) {
  verb.Option("--shard", text_,
              fmt::format("Only this part of the {}, as 3/16: for job arrays; gonogo merge puts "
                          "the parts together",
                          units))
      .Group("Several machines")
      .Rare();
}

Result<std::optional<Shard>> ShardFlag::Read() const {
  if (text_.empty()) return std::optional<Shard>();
  const Shard shard = GONOGO_TRY(Shard::Parse(text_));
  return std::optional<Shard>(shard);
}

}  // namespace gonogo::cli
