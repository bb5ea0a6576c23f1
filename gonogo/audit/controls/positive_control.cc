// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/controls/positive_control.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

constexpr Eigen::Index kObservationWidth = 12;
constexpr Eigen::Index kTargetY = 1;

void AddQuery(const PositiveControlOptions& options, double cluster_effect, Rng& rng,
              OutcomeTable& table) {
  const auto query = static_cast<Eigen::Index>(table.queries.size());
  FeatureMatrix& obs = table.features[0].values;
  FeatureMatrix& target = table.features[1].values;
  for (Eigen::Index j = 0; j < obs.cols(); ++j) obs(query, j) = static_cast<float>(rng.Normal());
  for (Eigen::Index j = 0; j < target.cols(); ++j) {
    target(query, j) = static_cast<float>(rng.Uniform(-1.0, 1.0));
  }
  const ActionIndex favoured = target(query, kTargetY) >= 0.0F ? 1 : 2;
  const double work = 100.0 * std::exp(0.2 * cluster_effect + 0.3 * rng.Normal());
  const double time = rng.Uniform(4.0, 8.0);
  for (ActionIndex action = 0; action < table.num_actions(); ++action) {
    const double saved = action == favoured ? options.benefit : 0.0;
    const double spread = action == kDirect ? 0.0 : options.time_spread;
    table.cost.push_back(work * (1.0 - saved) * (1.0 + options.work_noise * rng.Normal()));
    table.time.push_back(time * (1.0 + rng.Uniform(-spread, spread)));
    table.success.push_back(1);
  }
  table.queries.push_back(fmt::format("{}", query));
}

}  // namespace

OutcomeTable MakePositiveControl(const PositiveControlOptions& options, const RngStream& stream) {
  GONOGO_CHECK(options.work_noise < 0.1);  // costs must stay positive
  const std::size_t queries = options.clusters * options.queries_per_cluster;
  OutcomeTable table{.actions = {"direct", "left", "right"}};
  FeatureGroup obs{.name = "obs",
                   .values = FeatureMatrix(static_cast<Eigen::Index>(queries), kObservationWidth)};
  for (Eigen::Index j = 0; j < kObservationWidth; ++j)
    obs.columns.push_back(fmt::format("obs_{}", j));
  table.features.push_back(std::move(obs));
  table.features.push_back({.name = "target",
                            .columns = {"target_x", "target_y"},
                            .values = FeatureMatrix(static_cast<Eigen::Index>(queries), 2)});
  table.cluster_begin.push_back(0);
  for (std::size_t k = 0; k < options.clusters; ++k) {
    Rng rng = stream.Child("cluster").Child(k).Generator();
    const double cluster_effect = rng.Normal();
    for (std::size_t i = 0; i < options.queries_per_cluster; ++i) {
      AddQuery(options, cluster_effect, rng, table);
    }
    table.clusters.push_back(fmt::format("cluster-{:02}", k));
    table.cluster_begin.push_back(table.queries.size());
  }
  return table;
}

Protocol PositiveControlProtocol() {
  Protocol protocol;
  protocol.name = "positive-control";
  protocol.cluster = "synthetic source";
  return protocol;
}

OutcomeTable DeclaredPositiveControl(const Protocol& protocol) {
  OutcomeTable table =
      MakePositiveControl({}, RngStream(protocol.bootstrap.seed).Child("positive control"));
  table.declaration = CanonicalText(protocol);
  table.declaration_sha256 = Fingerprint(protocol);
  return table;
}

}  // namespace gonogo::audit
