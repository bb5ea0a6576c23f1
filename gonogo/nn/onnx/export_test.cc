// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/export.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::nn {
namespace {

using testing::ElementsAre;

constexpr int kInputs = 7;
constexpr int kOutputs = 3;

Mlp<float> MakeNetwork(std::uint64_t seed, Activation hidden = Activation::kElu,
                       Activation output = Activation::kIdentity) {
  Mlp<float> network({.sizes = {kInputs, 40, 9, kOutputs}, .hidden = hidden, .output = output});
  network.Initialise(RngStream(seed));
  return network;
}

Ensemble MakeEnsemble() {
  Ensemble ensemble{.input = Standardiser::Identity(kInputs),
                    .target = Standardiser::Identity(kOutputs),
                    .losses = {Loss::kSquaredError, Loss::kBinaryCrossEntropy, Loss::kSmoothL1}};
  for (int j = 0; j < kInputs; ++j) {
    ensemble.input.mean[j] = 0.3 * j - 1.0;
    ensemble.input.scale[j] = 0.5 + 0.1 * j;
  }
  ensemble.target.mean = {10.0, 0.0, -4.0};
  ensemble.target.scale = {3.0, 1.0, 0.25};
  for (const std::uint64_t seed : {1, 2, 3}) {
    ensemble.members.push_back(MakeNetwork(seed, Activation::kRelu));
  }
  return ensemble;
}

Batch<float> RandomRows(int rows) {
  Rng rng = RngStream(9).Generator();
  Batch<float> x(rows, kInputs);
  for (float& value : std::span(x.data(), x.size())) value = static_cast<float>(rng.Normal());
  return x;
}

/// Loads the exported bytes with our own executor and evaluates all rows.
std::vector<float> RoundTrip(const OnnxNetwork& network, const Batch<float>& x) {
  const Result<OnnxModel> model = OnnxModel::Parse(SerialiseOnnx(network), "exported");
  if (!model.ok()) {
    ADD_FAILURE() << model.error().message;
    return {};
  }
  std::vector<float> y(x.rows() * model.value().outputs()[0].size);
  const std::span<const float> in(x.data(), x.size());
  const std::span<float> out(y);
  OnnxModel::Scratch scratch;
  model.value().Run({&in, 1}, {&out, 1}, scratch);
  return y;
}

class OnnxExportActivationTest : public testing::TestWithParam<Activation> {};

TEST_P(OnnxExportActivationTest, GivesTheBitsOfTheNetworkThatWasExported) {
  const Mlp<float> network = MakeNetwork(5, GetParam(), GetParam());
  const Batch<float> x = RandomRows(11);
  Mlp<float>::Scratch scratch;
  const auto expected = network.Forward(x, scratch);
  const std::vector<float> y = RoundTrip(DescribeOnnx(network), x);
  EXPECT_THAT(y, testing::ElementsAreArray(expected.data(), expected.size()));
}

INSTANTIATE_TEST_SUITE_P(All, OnnxExportActivationTest,
                         testing::Values(Activation::kIdentity, Activation::kRelu, Activation::kElu,
                                         Activation::kTanh));

TEST(OnnxExportTest, AnEnsembleKeepsItsUnitsAndProbabilities) {
  const Ensemble ensemble = MakeEnsemble();
  const Batch<float> x = RandomRows(5);
  const std::vector<float> y = RoundTrip(DescribeOnnx(ensemble), x);
  ASSERT_EQ(y.size(), 5U * 3 * kOutputs);
  Ensemble::Scratch scratch;
  std::vector<float> expected(5UL * kOutputs);
  for (int member = 0; member < 3; ++member) {
    ensemble.Predict(member, x, expected, scratch);
    for (int row = 0; row < 5; ++row) {
      for (int j = 0; j < kOutputs; ++j) {
        EXPECT_NEAR(y[(row * 3 + member) * kOutputs + j], expected[row * kOutputs + j], 5e-6F);
      }
    }
  }
}

TEST(OnnxExportTest, NamesItsPortsAndCarriesItsMetadata) {
  const Ensemble ensemble = MakeEnsemble();
  OnnxNetwork network = DescribeOnnx(ensemble);
  network.input_name = "situation";
  network.output_name = "value";
  network.metadata = {{"layout_sha256", "abc"}, {"robot", "go2"}};
  const Result<OnnxModel> model = OnnxModel::Parse(SerialiseOnnx(network), "exported");
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model.value().inputs()[0].name, "situation");
  EXPECT_THAT(model.value().inputs()[0].shape, ElementsAre(1, kInputs));
  EXPECT_EQ(model.value().outputs()[0].name, "value");
  EXPECT_THAT(model.value().outputs()[0].shape, ElementsAre(1, 3, kOutputs));
  EXPECT_EQ(model.value().metadata(), network.metadata);
}

TEST(OnnxExportTest, PythonReadsTheFileAndComputesTheSame) {
  if (std::system("/usr/bin/python3 -c 'import onnx, numpy' 2> /dev/null") != 0) {  // NOLINT
    GTEST_SKIP() << "no python3-onnx";
  }
  const Ensemble ensemble = MakeEnsemble();
  OnnxNetwork network = DescribeOnnx(ensemble);
  network.metadata = {{"robot", "go2"}};
  const Batch<float> x = RandomRows(4);
  const std::string base = testing::TempDir() + "onnx_export_test";
  ASSERT_TRUE(WriteOnnx(base + ".onnx", network).ok());
  std::ofstream inputs(base + ".in");
  for (const float value : std::span(x.data(), x.size())) inputs << fmt::format("{} ", value);
  inputs.close();
  const std::string command = fmt::format(
      "/usr/bin/python3 {}/gonogo/nn/testdata/onnx/evaluate.py {}.onnx 4 < {}.in > "
      "{}.out 2> {}.err",
      GONOGO_SOURCE_DIR, base, base, base, base);
  ASSERT_EQ(std::system(command.c_str()), 0) << io::ReadFile(base + ".err").value();  // NOLINT
  EXPECT_EQ(io::ReadFile(base + ".err").value(), "robot=go2\n");
  std::ifstream outputs(base + ".out");
  const std::vector<float> expected{std::istream_iterator<float>(outputs), {}};
  EXPECT_THAT(RoundTrip(network, x), testing::Pointwise(testing::FloatNear(5e-6F), expected));
}

TEST(OnnxExportTest, SaysWhyAFileCouldNotBeWritten) {
  const Mlp<float> mlp = MakeNetwork(1);
  const Status written = WriteOnnx("/no/such/folder/policy.onnx", DescribeOnnx(mlp));
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace gonogo::nn
