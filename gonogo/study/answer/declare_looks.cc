// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/answer/declare_looks.h"

#include <algorithm>

#include "gonogo/study/collect/collect_config.h"

namespace gonogo::study {
namespace {

Status CheckHasLooks(const audit::Protocol& protocol) {
  if (protocol.rule.kind == audit::DecisionRule::kPaper) {
    return UsageError(
        "--until-decided: the paper's rule (rule.kind = \"paper\") does not spend its error over "
        "several looks; add --set rule.kind=calibrated or --set rule.kind=leave-pair-out");
  }
  if (protocol.question.deploy == audit::Deployment::kKnownClusters) {
    return UsageError(
        "--until-decided collects new clusters, and protocol.deploy = \"known clusters\" asks "
        "about "
        "further queries of known ones");
  }
  if (protocol.bootstrap.method == audit::IntervalMethod::kFolds) {
    return UsageError(
        "--until-decided needs complete refits: bootstrap.method = \"folds\" decides nothing");
  }
  return {};
}

/// `first`, then twice as many each time, and `most` last.
std::vector<std::size_t> DoublingLooks(std::size_t first, std::size_t most) {
  std::vector<std::size_t> looks{first};
  while (2 * looks.back() < most) looks.push_back(2 * looks.back());
  if (looks.back() < most) looks.push_back(most);
  return looks;
}

}  // namespace

Result<audit::Protocol> DeclareLooks(const audit::Protocol& protocol,
                                     std::optional<std::size_t> max_clusters) {
  GONOGO_TRY(CheckHasLooks(protocol));
  audit::Protocol declared = protocol;
  CollectConfig collect = GONOGO_TRY(CollectOf(protocol));
  std::vector<std::uint64_t>& seeds = collect.seeds;
  if (declared.rule.looks_at.empty()) {
    const std::size_t first = std::max(protocol.min_clusters, seeds.size());
    const std::size_t most = max_clusters.value_or(kMostTimesFirst * first);
    if (most < first) {
      return UsageError(
          "--max-clusters {}: the first look is at {} clusters, as many as the protocol declares",
          most, first);
    }
    declared.rule.looks_at = DoublingLooks(first, most);
  }
  std::uint64_t last = seeds.empty() ? 0 : *std::max_element(seeds.begin(), seeds.end());
  while (seeds.size() < declared.rule.looks_at.back()) seeds.push_back(++last);
  declared.collect = SectionOf(collect);
  return declared;
}

Result<std::vector<std::size_t>> LooksToTake(const audit::Protocol& protocol,
                                             std::optional<std::size_t> max_clusters) {
  std::vector<std::size_t> looks = protocol.rule.looks_at;
  if (!max_clusters) return looks;
  std::erase_if(looks, [&](std::size_t clusters) { return clusters > *max_clusters; });
  if (looks.empty()) {
    return UsageError("--max-clusters {}: the first declared look is at {} clusters", *max_clusters,
                      protocol.rule.looks_at.front());
  }
  return looks;
}

}  // namespace gonogo::study
