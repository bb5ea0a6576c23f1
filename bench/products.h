// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gonogo::bench {

/// C = A B, row-major, with A or B optionally stored transposed.
struct Product {
  std::string name;
  int rows;
  int columns;
  int depth;
  bool transpose_a = false;
  bool transpose_b = false;

  [[nodiscard]] double flop() const { return 2.0 * rows * columns * depth; }
};

/// One library's way to compute it, on one thread.
struct Backend {
  std::string name;
  void (*multiply)(const Product& product, const float* a, const float* b, float* c);
  /// Whether the library has a kernel for this product at all.
  bool (*can)(const Product& product);
};

/// Ours, Eigen, and the libraries this build found.
[[nodiscard]] const std::vector<Backend>& Backends();

/// The products of one training step of one member on 43 queries of six candidates.
[[nodiscard]] std::vector<Product> AuditProducts();

}  // namespace gonogo::bench
