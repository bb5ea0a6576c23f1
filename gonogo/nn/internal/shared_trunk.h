// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/nn/adamw.h"
#include "gonogo/nn/internal/panel.h"
#include "gonogo/nn/loss.h"
#include "gonogo/nn/mlp.h"

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
/// product, which saves most of the arithmetic; rounding apart, the result is that of `Trainer` on
/// the same rows.
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
  /// One layer of the network. The bias is the weight of one more input that is always 1.
  struct Layer {
    PackedShape<Scalar> weights;  // inputs, rounded up to whole vectors, and the bias
    std::ptrdiff_t offset;        // in parameters_
    Batch<Scalar> output;         // one row per (query, candidate): units, padding, a 1, padding
    Batch<Scalar> delta;          // gradient of the output; zero in the padding

    [[nodiscard]] int width() const { return weights.columns; }
    [[nodiscard]] int bias_row() const { return weights.rows - 1; }
  };

  template <typename Visit>
  void ForEachParameter(const MlpShape& shape, Visit&& visit) const;
  void Reserve(int queries);
  void Gather(std::span<const int> queries);
  void ForwardFirst();
  void Forward(std::size_t index);
  void SetOutputDelta(std::span<const int> queries);
  void Backward(std::size_t index);
  void BackwardFirst();
  void SumDeltas();
  void SetGradient(const Layer& layer, int first_row, int rows, int depth, Rows<Scalar> in,
                   Rows<Scalar> delta);
  Panels<Scalar> Transpose(const Layer& layer);

  /// The weights from `first_row` on.
  [[nodiscard]] Panels<Scalar> Weights(const Layer& layer, int first_row = 0) const {
    return layer.weights.view(parameters_.data() + layer.offset, first_row);
  }

  const GroupedSamples<Scalar>& samples_;
  std::vector<Loss> losses_;
  std::vector<Layer> layers_;
  std::vector<Scalar> parameters_;  // packed, layer after layer
  std::vector<Scalar> gradient_;
  AdamW<Scalar> optimiser_;

  int queries_ = 0;                 // of the current batch
  int rows_ = 0;                    // queries_ * candidates
  Batch<Scalar> features_;          // of the batch, padded
  Batch<Scalar> row_features_;      // of the batch
  Batch<Scalar> codes_;             // the samples' codes, then a 1
  Batch<Scalar> trunk_;             // features times their weights, one row per query
  Batch<Scalar> code_offsets_;      // codes times their weights, one row per candidate
  Batch<Scalar> query_delta_;       // first layer's delta summed over candidates
  Batch<Scalar> candidate_delta_;   // the same summed over queries
  std::vector<Scalar> transposed_;  // weights of one layer
  std::vector<Scalar> column_;      // one output of all rows
  std::vector<Scalar> target_column_;
};

extern template class SharedTrunkTrainer<float>;
extern template class SharedTrunkTrainer<double>;

}  // namespace gonogo::nn::internal
