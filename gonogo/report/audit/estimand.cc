// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/estimand.h"

#include <array>

namespace gonogo::report::internal {
namespace {

struct Entry {
  const char* key;
  const char* title;
  const char* meaning;
};

constexpr std::array<Entry, 8> kEstimands{{
    {"H_global", "Global gain",
     "Cost that one action, used at every query and picked with all outcomes in view, saves."},
    {"H_avail", "Available headroom", "Cost that an oracle, which knows all outcomes, would save."},
    {"H_model", "Gain of following the models",
     "Cost that choosing the action with the lowest predicted cost would save: no more than the "
     "best choice could, which a log does not show."},
    {"H_total", "Total gain",
     "Cost that the adapter saves against always using the reference action."},
    {"H_alloc", "Allocation gain",
     "Cost saved by choosing where to act, against a random mixture of the same actions in the "
     "same shares."},
    {"H_alloc_pooled", "Allocation gain, pooled mixture",
     "As the allocation gain, with one mixture over all clusters."},
    {"H_dep", "Deployment gain", "Cost saved against the best fixed action."},
    {"q", "Violation rate",
     "Share of queries at which the chosen action breaks a constraint: it fails where the "
     "reference "
     "succeeds, or takes too long."},
}};

}  // namespace

Estimand DescribeEstimand(std::string_view key) {
  for (const Entry& entry : kEstimands) {
    if (key == entry.key) return {entry.key, entry.title, entry.meaning};
  }
  return {std::string(key), std::string(key), ""};
}

std::string FullTitle(const Estimand& estimand) {
  if (estimand.title == estimand.key) return estimand.key;
  return estimand.title + " (" + estimand.key + ")";
}

}  // namespace gonogo::report::internal
