// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/policy_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gonogo::audit::internal {
namespace {

class RuleWriter {
 public:
  RuleWriter(const PolicyTree& tree, const BinnedFeatures& features, const FeatureColumns& columns,
             const std::vector<std::string>& actions)
      : tree_(tree), features_(features), columns_(columns), actions_(actions) {}

  std::vector<std::string> Write() {
    Visit(0);
    return std::move(rules_);
  }

 private:
  void Visit(std::uint32_t at) {
    const PolicyTree::Node& node = tree_.nodes[at];
    if (node.leaf) {
      const std::string& action = actions_[node.action];
      rules_.push_back(conditions_.empty()
                           ? fmt::format("always {}", action)
                           : fmt::format("{}: {}", fmt::join(conditions_, " and "), action));
      return;
    }
    const std::string& name = columns_.name(node.feature);
    const double cut = features_.cut(node.feature, node.bin);
    conditions_.push_back(fmt::format("{} < {:.4g}", name, cut));
    Visit(node.left);
    conditions_.back() = fmt::format("{} >= {:.4g}", name, cut);
    Visit(node.right);
    conditions_.pop_back();
  }

  const PolicyTree& tree_;
  const BinnedFeatures& features_;
  const FeatureColumns& columns_;
  const std::vector<std::string>& actions_;
  std::vector<std::string> conditions_;
  std::vector<std::string> rules_;
};

}  // namespace

void Prune(PolicyTree& tree, std::uint32_t node) {
  if (tree.nodes[node].leaf) return;
  Prune(tree, tree.nodes[node].left);
  Prune(tree, tree.nodes[node].right);
  const PolicyTree::Node& left = tree.nodes[tree.nodes[node].left];
  const PolicyTree::Node& right = tree.nodes[tree.nodes[node].right];
  if (!left.leaf || !right.leaf || left.action != right.action) return;
  tree.nodes[node] = {.leaf = true, .action = left.action};
}

std::vector<std::string> RulesOf(const PolicyTree& tree, const BinnedFeatures& features,
                                 const FeatureColumns& columns,
                                 const std::vector<std::string>& actions) {
  return RuleWriter(tree, features, columns, actions).Write();
}

}  // namespace gonogo::audit::internal
