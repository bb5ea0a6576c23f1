// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <map>

#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn::graph {
namespace {

using Integers = std::vector<std::int64_t>;

/// The lists of a TreeEnsembleRegressor, all of equal length where the standard says so.
struct TreeLists {
  Integers tree, node, feature, below, other;
  std::vector<float> threshold;
  std::vector<std::string> mode;
  Integers weight_tree, weight_node, weight_output;
  std::vector<float> weight;
};

using NodeName = std::pair<std::int64_t, std::int64_t>;  // tree, node

Result<TreeLists> ReadLists(const Site& site) {
  const auto integers = [&](const char* name) { return site.attribute(name, Integers()); };
  TreeLists lists{.tree = integers("nodes_treeids"),
                  .node = integers("nodes_nodeids"),
                  .feature = integers("nodes_featureids"),
                  .below = integers("nodes_truenodeids"),
                  .other = integers("nodes_falsenodeids"),
                  .threshold = site.attribute("nodes_values", std::vector<float>()),
                  .mode = site.attribute("nodes_modes", std::vector<std::string>()),
                  .weight_tree = integers("target_treeids"),
                  .weight_node = integers("target_nodeids"),
                  .weight_output = integers("target_ids"),
                  .weight = site.attribute("target_weights", std::vector<float>())};
  const std::size_t nodes = lists.tree.size();
  if (nodes == 0) return InputError("the ensemble has no node");
  for (const std::size_t length : {lists.node.size(), lists.feature.size(), lists.below.size(),
                                   lists.other.size(), lists.threshold.size(), lists.mode.size()}) {
    if (length != nodes) {
      return InputError("a list of nodes has {} entries, nodes_treeids has {}", length, nodes);
    }
  }
  for (const std::size_t length :
       {lists.weight_node.size(), lists.weight_output.size(), lists.weight.size()}) {
    if (length != lists.weight_tree.size()) {
      return InputError("a list of targets has {} entries, target_treeids has {}", length,
                        lists.weight_tree.size());
    }
  }
  for (const std::int64_t missing : integers("nodes_missing_value_tracks_true")) {
    if (missing != 0) return InputError("nodes_missing_value_tracks_true is not supported");
  }
  return lists;
}

/// Lays trees out so that children follow their parents: a walk then ends, whatever the file says.
class TreePacker {
 public:
  TreePacker(const TreeLists& lists, std::int64_t features, std::int64_t outputs)
      : lists_(lists), features_(features), outputs_(outputs) {}

  Result<PackedTrees> Pack(std::vector<float> base) {
    for (std::size_t i = 0; i < lists_.tree.size(); ++i) {
      if (!entry_.emplace(NodeName(lists_.tree[i], lists_.node[i]), i).second) {
        return InputError("tree {} has two nodes {}", lists_.tree[i], lists_.node[i]);
      }
    }
    for (std::size_t i = 0; i < lists_.weight.size(); ++i) {
      weights_of_[{lists_.weight_tree[i], lists_.weight_node[i]}].push_back(i);
    }
    for (std::size_t i = 0; i < lists_.tree.size(); ++i) {
      if (i > 0 && lists_.tree[i] == lists_.tree[i - 1]) continue;
      roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
      GONOGO_TRY(PackTree(i));
    }
    if (nodes_.size() != lists_.tree.size()) {
      return InputError("{} of {} nodes cannot be reached from the first node of their tree",
                        lists_.tree.size() - nodes_.size(), lists_.tree.size());
    }
    return PackedTrees(static_cast<int>(features_), std::move(base), std::move(roots_),
                       std::move(nodes_), std::move(weights_));
  }

 private:
  /// Breadth first; `slots` holds which entry of the lists each packed node comes from.
  Status PackTree(std::size_t root) {
    const std::size_t first = nodes_.size();
    std::vector<std::size_t> slots = {root};
    nodes_.emplace_back();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (nodes_.size() > lists_.tree.size()) {
        return InputError("tree {} reaches a node twice", lists_.tree[root]);
      }
      PackedTrees::Node node = GONOGO_TRY(Divide(slots[i], slots));
      nodes_[first + i] = node;
    }
    return {};
  }

  Result<PackedTrees::Node> Divide(std::size_t i, std::vector<std::size_t>& slots) {
    if (lists_.mode[i] == "LEAF") return Leaf(i);
    PackedTrees::Node node{.threshold = lists_.threshold[i],
                           .feature = static_cast<std::int32_t>(lists_.feature[i])};
    if (lists_.mode[i] == "BRANCH_LEQ") {
      node.threshold = std::nextafter(node.threshold, std::numeric_limits<float>::infinity());
    } else if (lists_.mode[i] != "BRANCH_LT") {
      return InputError("node mode '{}' is not supported; these are: BRANCH_LT BRANCH_LEQ LEAF",
                        lists_.mode[i]);
    }
    if (lists_.feature[i] < 0 || lists_.feature[i] >= features_) {
      return InputError("a node asks for feature {} of {}", lists_.feature[i], features_);
    }
    for (const auto& [child, place] :
         {std::pair{lists_.below[i], &node.below}, {lists_.other[i], &node.other}}) {
      const auto found = entry_.find({lists_.tree[i], child});
      if (found == entry_.end()) {
        return InputError("tree {} has no node {}", lists_.tree[i], child);
      }
      *place = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
      slots.push_back(found->second);
    }
    return node;
  }

  Result<PackedTrees::Node> Leaf(std::size_t i) {
    PackedTrees::Node leaf{.below = static_cast<std::uint32_t>(weights_.size())};
    for (const std::size_t w : weights_of_[{lists_.tree[i], lists_.node[i]}]) {
      if (lists_.weight_output[w] < 0 || lists_.weight_output[w] >= outputs_) {
        return InputError("a leaf adds to target {} of {}", lists_.weight_output[w], outputs_);
      }
      weights_.push_back({static_cast<std::uint32_t>(lists_.weight_output[w]), lists_.weight[w]});
    }
    leaf.other = static_cast<std::uint32_t>(weights_.size());
    return leaf;
  }

  const TreeLists& lists_;
  std::int64_t features_;
  std::int64_t outputs_;
  std::map<NodeName, std::size_t> entry_;
  std::map<NodeName, std::vector<std::size_t>> weights_of_;
  std::vector<std::uint32_t> roots_;
  std::vector<PackedTrees::Node> nodes_;
  std::vector<PackedTrees::Weight> weights_;
};

}  // namespace

Outputs LowerTrees(const Site& site) {
  const Tensor& x = site.input(0);
  GONOGO_TRY(RequireFloats(x));
  if (x.rank() != 2) return InputError("the input has shape {}, expected two", ToString(x.shape));
  const auto outputs = site.attribute<std::int64_t>("n_targets", 1);
  if (outputs < 1 || outputs > kMaxElements) return InputError("n_targets is {}", outputs);
  if (const auto sum = site.attribute<std::string>("aggregate_function", "SUM"); sum != "SUM") {
    return InputError("aggregate_function is '{}', expected 'SUM'", sum);
  }
  if (const auto after = site.attribute<std::string>("post_transform", "NONE"); after != "NONE") {
    return InputError("post_transform is '{}', expected 'NONE'", after);
  }
  std::vector<float> base = site.attribute("base_values", std::vector<float>());
  base.resize(base.empty() ? static_cast<std::size_t>(outputs) : base.size(), 0.0F);
  if (std::ssize(base) != outputs) {
    return InputError("base_values has {} entries, n_targets is {}", base.size(), outputs);
  }
  const TreeLists lists = GONOGO_TRY(ReadLists(site));
  PackedTrees trees = GONOGO_TRY(TreePacker(lists, x.shape[1], outputs).Pack(std::move(base)));
  return Single(site.builder.Trees(x, std::move(trees)));
}

}  // namespace gonogo::nn::graph
