// SPDX-License-Identifier: Apache-2.0
#include "bench/products.h"

#include <Eigen/Core>

#include "gonogo/base/check.h"
#include "gonogo/nn/kernels/gemm.h"
#include "gonogo/nn/mlp/mlp.h"

#ifdef GONOGO_HAS_OPENBLAS
#include <cblas.h>
#endif
#ifdef GONOGO_HAS_DNNL
#include <dnnl.h>
#include <omp.h>
#endif
#ifdef GONOGO_HAS_XSMM
#include <libxsmm.h>
#endif

namespace gonogo::bench {
namespace {

bool Always(const Product&) { return true; }

int StrideA(const Product& p) { return p.transpose_a ? p.rows : p.depth; }
int StrideB(const Product& p) { return p.transpose_b ? p.depth : p.columns; }

void Ours(const Product& p, const float* a, const float* b, float* c) {
  using Strided = nn::internal::Strided<float>;
  const Strided left = {a, StrideA(p), 1};
  const Strided right = {b, StrideB(p), 1};
  nn::internal::Multiply<float>(p.rows, p.columns, p.depth, p.transpose_a ? left.transpose() : left,
                                p.transpose_b ? right.transpose() : right, nullptr, c);
}

void WithEigen(const Product& p, const float* a, const float* b, float* c) {
  using Matrix = Eigen::Map<const nn::Batch<float>>;
  Eigen::Map<nn::Batch<float>> out(c, p.rows, p.columns);
  if (p.transpose_a) {
    out.noalias() = Matrix(a, p.depth, p.rows).transpose() * Matrix(b, p.depth, p.columns);
  } else if (p.transpose_b) {
    out.noalias() = Matrix(a, p.rows, p.depth) * Matrix(b, p.columns, p.depth).transpose();
  } else {
    out.noalias() = Matrix(a, p.rows, p.depth) * Matrix(b, p.depth, p.columns);
  }
}

#ifdef GONOGO_HAS_OPENBLAS
void WithOpenBlas(const Product& p, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, p.transpose_a ? CblasTrans : CblasNoTrans,
              p.transpose_b ? CblasTrans : CblasNoTrans, p.rows, p.columns, p.depth, 1.0F, a,
              StrideA(p), b, StrideB(p), 0.0F, c, p.columns);
}
#endif

#ifdef GONOGO_HAS_DNNL
void WithOneDnn(const Product& p, const float* a, const float* b, float* c) {
  GONOGO_CHECK(dnnl_sgemm(p.transpose_a ? 'T' : 'N', p.transpose_b ? 'T' : 'N', p.rows, p.columns,
                          p.depth, 1.0F, a, StrideA(p), b, StrideB(p), 0.0F, c,
                          p.columns) == dnnl_success);
}
#endif

#ifdef GONOGO_HAS_XSMM
// libxsmm is column-major: its C' = B' A' is our C = A B. Kernels are found in its registry by
// shape.
libxsmm_smmfunction XsmmKernel(const Product& p) {
  const int lda = StrideB(p);
  const int ldb = StrideA(p);
  const int ldc = p.columns;
  const float alpha = 1.0F;
  const float beta = 0.0F;
  const int flags = (p.transpose_b ? LIBXSMM_GEMM_FLAG_TRANS_A : 0) |
                    (p.transpose_a ? LIBXSMM_GEMM_FLAG_TRANS_B : 0);
  return libxsmm_smmdispatch(p.columns, p.rows, p.depth, &lda, &ldb, &ldc, &alpha, &beta, &flags,
                             nullptr);
}
bool CanXsmm(const Product& p) { return XsmmKernel(p) != nullptr; }
void WithXsmm(const Product& p, const float* a, const float* b, float* c) {
  XsmmKernel(p)(b, a, c);
}
#endif

}  // namespace

const std::vector<Backend>& Backends() {
  static const std::vector<Backend> kBackends = [] {
    std::vector<Backend> backends = {{"ours", Ours, Always}, {"eigen", WithEigen, Always}};
#ifdef GONOGO_HAS_OPENBLAS
    openblas_set_num_threads(1);
    backends.push_back({"openblas", WithOpenBlas, Always});
#endif
#ifdef GONOGO_HAS_DNNL
    omp_set_num_threads(1);
    backends.push_back({"onednn", WithOneDnn, Always});
#endif
#ifdef GONOGO_HAS_XSMM
    backends.push_back({"libxsmm", WithXsmm, CanXsmm});
#endif
    return backends;
  }();
  return kBackends;
}

std::vector<Product> AuditProducts() {
  return {{"layer1", 43, 64, 237},
          {"layer2", 258, 64, 64},
          {"output", 258, 3, 64},
          {"grad_output", 64, 3, 258, true},
          {"delta2", 258, 64, 3, false, true},
          {"grad_layer2", 64, 64, 258, true},
          {"delta1", 258, 64, 64, false, true},
          {"grad_layer1", 237, 64, 43, true}};
}

}  // namespace gonogo::bench
