// SPDX-License-Identifier: Apache-2.0
#include "bench/torch_refit.h"

#include <torch/torch.h>

namespace gonogo::bench {
namespace {

torch::Tensor View(const nn::Batch<float>& matrix) {
  return torch::from_blob(const_cast<float*>(matrix.data()), {matrix.rows(), matrix.cols()});
}

/// Layers with the weights of `network`; torch keeps them outputs x inputs.
std::vector<torch::nn::Linear> Layers(nn::Mlp<float>& network) {
  std::vector<torch::nn::Linear> layers;
  for (int l = 0; l < network.shape().layers(); ++l) {
    const int inputs = network.shape().sizes[l];
    const int outputs = network.shape().sizes[l + 1];
    layers.emplace_back(inputs, outputs);
    torch::NoGradGuard guard;
    layers.back()->weight.copy_(
        torch::from_blob(network.weight(l).data(), {inputs, outputs}).transpose(0, 1));
    layers.back()->bias.copy_(torch::from_blob(network.bias(l).data(), {outputs}));
  }
  return layers;
}

torch::Tensor LossOf(std::vector<torch::nn::Linear>& layers, const torch::Tensor& x,
                     const torch::Tensor& y) {
  torch::Tensor h = x;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) h = torch::relu(layers[l](h));
  h = layers.back()(h);
  return torch::mse_loss(h.select(1, 0), y.select(1, 0)) +
         torch::mse_loss(h.select(1, 1), y.select(1, 1)) +
         torch::binary_cross_entropy_with_logits(h.select(1, 2), y.select(1, 2));
}

}  // namespace

void TrainWithTorch(const nn::Samples<float>& samples, int epochs, int batch_rows,
                    nn::Mlp<float>& network) {
  torch::set_num_threads(1);
  const torch::Tensor inputs = View(samples.inputs);
  const torch::Tensor targets = View(samples.targets);
  const long rows = inputs.size(0);
  const long batch = batch_rows == 0 ? rows : batch_rows;
  std::vector<torch::nn::Linear> layers = Layers(network);
  std::vector<torch::Tensor> parameters;
  for (auto& layer : layers) {
    parameters.push_back(layer->weight);
    parameters.push_back(layer->bias);
  }
  torch::optim::AdamW optimiser(parameters, torch::optim::AdamWOptions(1e-3).weight_decay(1e-4));
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const torch::Tensor order = torch::randperm(rows);
    for (long first = 0; first < rows; first += batch) {
      const torch::Tensor part = order.slice(0, first, std::min(first + batch, rows));
      optimiser.zero_grad();
      LossOf(layers, inputs.index_select(0, part), targets.index_select(0, part)).backward();
      optimiser.step();
    }
  }
  for (int l = 0; l < network.shape().layers(); ++l) {
    const torch::Tensor weight = layers[l]->weight.detach().transpose(0, 1).contiguous();
    std::copy_n(weight.data_ptr<float>(), weight.numel(), network.weight(l).data());
    std::copy_n(layers[l]->bias.data_ptr<float>(), network.shape().sizes[l + 1],
                network.bias(l).data());
  }
}

}  // namespace gonogo::bench
