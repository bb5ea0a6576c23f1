// SPDX-License-Identifier: Apache-2.0
// A policy in two files: whoever changes one of them has another policy.
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/adapter/testing/small_adapter.h"
#include "gonogo/audit/session/session.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/export.h"
#include "gonogo/study/collect/collect.h"
#include "gonogo/study/confirm/confirm.h"

namespace gonogo::study {
namespace {

using testing::HasSubstr;

constexpr const char* kEncodedProtocol = R"(
[protocol]
name = "encoded"
actions = ["direct", "scale-0.75"]
[collect]
seeds = [5, 3]
queries_per_cluster = 1
queries_per_episode = 1
family = "moderate"
terrain = "flat"
replayed = 0
)";

class EncoderTest : public testing::Test {
 protected:
  EncoderTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    WriteRobot();
    std::filesystem::copy(GONOGO_SOURCE_DIR "/gonogo/sim/testdata/encoder.onnx",
                          folder_ / "encoder.onnx");
  }
  ~EncoderTest() override { std::filesystem::remove_all(folder_); }

  /// A Go2 for 0.4 s, whose policy stands still and sees what an encoder makes of four numbers.
  void WriteRobot() const {
    const std::filesystem::path go2 = GONOGO_SOURCE_DIR "/robots/go2";
    std::string text = io::ReadFile(go2 / "robot.toml").value();
    text = std::regex_replace(text, std::regex(R"(\[\[observation\]\])"),
                              "[[observation]]\ninput = \"obs\"");
    text = std::regex_replace(text, std::regex("horizon = 6.0"), "horizon = 0.4");
    text = std::regex_replace(text, std::regex("\"model.xml\""),
                              "\"" + (go2 / "model.xml").string() + "\"");
    text +=
        "\n[[observation]]\nterm = \"constant\"\nvalue = [1, 2, 3, 4]\ninput = \"history\"\n"
        "[encoder]\nfile = \"encoder.onnx\"\n";
    ASSERT_TRUE(io::WriteFile(folder_ / "robot.toml", text).ok());
    const int seen = robot::LoadRobotSpec(go2).value().observation_size();
    WriteNetwork("policy.onnx", "obs", seen + 2, 12);
  }
  /// A network that is 0 everywhere.
  void WriteNetwork(const char* file, const char* input, int inputs, int outputs) const {
    const nn::Mlp<float> zero({.sizes = {inputs, outputs}});
    nn::OnnxNetwork network = nn::DescribeOnnx(zero);
    network.input_name = input;
    ASSERT_TRUE(nn::WriteOnnx(folder_ / file, network).ok());
  }
  void SwapEncoder() const { WriteNetwork("encoder.onnx", "history", 4, 2); }

  [[nodiscard]] Result<CollectReport> CollectOf(std::vector<std::uint64_t> clusters) const {
    CollectOptions options{.robot = folder_, .folder = folder_ / "collected"};
    options.clusters = std::move(clusters);
    return Collect(protocol_, options, {.jobs = 1});
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "encoder_test";
  audit::Protocol protocol_ = ParseProtocol(kEncodedProtocol, "encoded.toml").value();
};

TEST_F(EncoderTest, AnAdapterIsOfPolicyAndEncoderTogether) {
  const Result<CollectReport> collected = CollectOf({});
  ASSERT_TRUE(collected.ok()) << collected.error().message;
  const audit::OutcomeTable table =
      audit::ReadTable(collected.value().merged->file, protocol_).value().table;
  adapter::internal::SmallAdapter small({"direct", "scale-0.75"},
                                        {{"target", {"target_x", "target_y"}}}, {0.0F}, 1.0F);
  small.manifest.collection = audit::CollectionOf(table);
  small.manifest.protocol = {
      {"name", "encoded"},
      {"text", table.declaration},
      {"collect", {{"blend", 0.5}, {"anneal_distance", 0.5}, {"prefix", 4}}}};
  ASSERT_TRUE(adapter::WriteAdapter(folder_ / "adapter", small.manifest, small.onnx).ok());

  const Result<ConfirmScene> where = ConfirmScene::Open(folder_ / "adapter", folder_);
  ASSERT_TRUE(where.ok()) << where.error().message;
  SwapEncoder();
  const Result<ConfirmScene> swapped = ConfirmScene::Open(folder_ / "adapter", folder_);
  ASSERT_FALSE(swapped.ok());
  EXPECT_THAT(swapped.error().message, HasSubstr("was trained over another policy"));
}

TEST_F(EncoderTest, AnEncoderThatIsSwappedWhileOutcomesAreCollectedIsNoticed) {
  const Result<CollectReport> begun = CollectOf({3});
  ASSERT_TRUE(begun.ok()) << begun.error().message;
  SwapEncoder();
  const Result<CollectReport> gone_on = CollectOf({});
  ASSERT_FALSE(gone_on.ok());
  EXPECT_THAT(gone_on.error().message, HasSubstr("was collected differently: policy_sha256 is"));
}

}  // namespace
}  // namespace gonogo::study
