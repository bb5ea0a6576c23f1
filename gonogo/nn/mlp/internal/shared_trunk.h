// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/nn/kernels/non_zeros.h"
#include "gonogo/nn/kernels/tile.h"
#include "gonogo/nn/mlp/mlp.h"
#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::nn::internal {

/// Standardised training data in which every query has the same candidates. The network's inputs
/// for row (query, candidate) are the query's features, the row's own features and the candidate's
/// code, in this order.
template <typename Scalar>
struct GroupedSamples {
  Batch<Scalar> features;      // queries x d
  Batch<Scalar> row_features;  // (queries * candidates) x p, p may be 0
  Batch<Scalar> codes;         // candidates x candidates: row c encodes candidate c
  Batch<Scalar> targets;       // (queries * candidates) x outputs

  [[nodiscard]] int candidates() const { return static_cast<int>(codes.rows()); }
  [[nodiscard]] int inputs() const {
    return static_cast<int>(features.cols() + row_features.cols() + codes.cols());
  }
};

/// Trains a ReLU network on batches of whole queries. The features' part of the first layer is
/// computed once per query, and its gradient is summed over the candidates before the outer
/// product, which saves most of the arithmetic; later layers leave out what the rectifier set to
/// zero, about half. Rounding apart, the result is that of `Trainer` on the same rows.
template <typename Scalar>
class SharedTrunkTrainer {
 public:
  /// Starts from the weights of `initial`. `samples` must outlive the trainer.
  SharedTrunkTrainer(const GroupedSamples<Scalar>& samples, std::span<const Loss> losses,
                     const AdamWConfig& optimiser, const Mlp<Scalar>& initial);

  /// One optimiser step on all rows of the named queries (repetitions count).
  void Step(std::span<const int> queries);

  /// Writes the trained weights into `network`, which has the shape of the initial one.
  void Export(Mlp<Scalar>& network) const;

 private:
  using Aligned = std::vector<Scalar, Eigen::aligned_allocator<Scalar>>;

  /// One layer of the network. The bias is the weight of one more input that is always 1.
  struct Layer {
    int rows;               // of the weights: inputs, rounded up to whole vectors, and the bias
    int width;              // units
    std::ptrdiff_t stride;  // of the weights' rows
    std::ptrdiff_t offset;  // in parameters_
    Batch<Scalar> output;   // one row per (query, candidate): units, padding, a 1, padding
    Batch<Scalar> delta;    // gradient of the output; zero in the padding
    NonZeros active;        // units of `output` that are not zero

    [[nodiscard]] int bias_row() const { return rows - 1; }
    [[nodiscard]] std::ptrdiff_t index(int row, int column) const { return row * stride + column; }
  };

  template <typename Visit>
  void ForEachParameter(const MlpShape& shape, Visit&& visit) const;
  void Reserve(int queries);
  void Gather(std::span<const int> queries);
  void ForwardFirst();
  void Forward(std::size_t index);
  void ForwardLast();
  void SetOutputDelta(std::span<const int> queries);
  void BackwardLast();
  void Backward(std::size_t index);
  void BackwardFirst();
  void SumDeltas();
  void SetGradient(const Layer& layer, const NonZeros& active, Rows<Scalar> in, Rows<Scalar> delta);
  void SetFirstGradient(int first_row, int rows, int depth, Rows<Scalar> in, Rows<Scalar> delta);
  Rows<Scalar> Transpose(const Layer& layer);

  /// Layout of the first layer's weights, the only ones deep enough to be worth packing.
  [[nodiscard]] PackedShape<Scalar> first_shape() const {
    return {layers_.front().rows, layers_.front().width};
  }
  /// The weights of any other layer.
  [[nodiscard]] Rows<Scalar> Weights(const Layer& layer) {
    return {parameters_.data() + layer.offset, layer.stride};
  }

  const GroupedSamples<Scalar>& samples_;
  std::vector<Loss> losses_;
  std::vector<Layer> layers_;
  Aligned parameters_;  // layer after layer
  Aligned gradient_;
  AdamW<Scalar> optimiser_;

  int queries_ = 0;                // of the current batch
  int rows_ = 0;                   // queries_ * candidates
  Batch<Scalar> features_;         // of the batch, padded
  Batch<Scalar> row_features_;     // of the batch
  Batch<Scalar> codes_;            // the samples' codes, then a 1
  Batch<Scalar> trunk_;            // features times their weights, one row per query
  Batch<Scalar> code_offsets_;     // codes times their weights, one row per candidate
  Batch<Scalar> query_delta_;      // first layer's delta summed over candidates
  Batch<Scalar> candidate_delta_;  // the same summed over queries
  NonZeros active_rows_;           // of some rows of the batch, one row per unit
  Aligned transposed_;             // weights of one layer
  std::vector<Scalar> column_;     // one output of all rows
  std::vector<Scalar> target_column_;
};

extern template class SharedTrunkTrainer<float>;
extern template class SharedTrunkTrainer<double>;

}  // namespace gonogo::nn::internal
