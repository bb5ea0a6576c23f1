// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/outcomes_bytes.h"

#include "gonogo/study/ranks/number_bytes.h"

namespace gonogo::study {
namespace {

using audit::FeatureMatrix;
using nlohmann::json;

template <typename Group>
json Groups(const std::vector<Group>& groups) {
  json all = json::array();
  for (const Group& group : groups) {
    all.push_back(
        {{"name", group.name},
         {"columns", group.columns},
         {"rows", group.values.rows()},
         {"values", Binary(group.values.data(), static_cast<std::size_t>(group.values.size()))}});
  }
  return all;
}

template <typename Group>
std::vector<Group> GroupsOf(const json& all) {
  using Scalar = FeatureMatrix::Scalar;
  std::vector<Group> groups;
  for (const json& value : all) {
    Group group{.name = value.at("name"), .columns = value.at("columns")};
    const auto numbers = Numbers<Scalar>(value.at("values"));
    group.values = Eigen::Map<const FeatureMatrix>(numbers.data(), value.at("rows").get<long>(),
                                                   static_cast<long>(group.columns.size()));
    groups.push_back(std::move(group));
  }
  return groups;
}

json Others(const std::vector<audit::NamedOutcome>& outcomes) {
  json all = json::array();
  for (const audit::NamedOutcome& outcome : outcomes) {
    all.push_back({{"name", outcome.name}, {"values", Binary(outcome.values)}});
  }
  return all;
}

std::vector<audit::NamedOutcome> OthersOf(const json& all) {
  std::vector<audit::NamedOutcome> outcomes;
  for (const json& value : all) {
    outcomes.push_back({value.at("name"), Numbers<double>(value.at("values"))});
  }
  return outcomes;
}

}  // namespace

std::string EncodeOutcomes(const ClusterOutcomes& outcomes) {
  const audit::OutcomeTable& table = outcomes.table;
  return Cbor({{"actions", table.actions},
               {"clusters", table.clusters},
               {"begin", table.cluster_begin},
               {"queries", table.queries},
               {"cost", Binary(table.cost)},
               {"time", Binary(table.time)},
               {"success", Binary(table.success)},
               {"other_outcomes", Others(table.other_outcomes)},
               {"features", Groups(table.features)},
               {"action_features", Groups(table.action_features)},
               {"replayed", outcomes.replayed},
               {"error", outcomes.reconstruction_error}});
}

ClusterOutcomes DecodeOutcomes(std::string_view bytes) {
  const json value = json::from_cbor(bytes);
  ClusterOutcomes outcomes;
  audit::OutcomeTable& table = outcomes.table;
  value.at("actions").get_to(table.actions);
  value.at("clusters").get_to(table.clusters);
  value.at("begin").get_to(table.cluster_begin);
  value.at("queries").get_to(table.queries);
  table.cost = Numbers<double>(value.at("cost"));
  table.time = Numbers<double>(value.at("time"));
  table.success = Numbers<std::uint8_t>(value.at("success"));
  table.other_outcomes = OthersOf(value.at("other_outcomes"));
  table.features = GroupsOf<audit::FeatureGroup>(value.at("features"));
  table.action_features = GroupsOf<audit::ActionFeatureGroup>(value.at("action_features"));
  value.at("replayed").get_to(outcomes.replayed);
  value.at("error").get_to(outcomes.reconstruction_error);
  return outcomes;
}

}  // namespace gonogo::study
