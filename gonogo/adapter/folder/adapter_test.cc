// SPDX-License-Identifier: Apache-2.0
#include "gonogo/adapter/folder/adapter.h"

#include "tests/support/allocation_count.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/adapter/testing/small_adapter.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::adapter {
namespace {

using internal::SmallAdapter;
using testing::HasSubstr;
using testing::Not;

SmallAdapter TwoActions() { return SmallAdapter({"stay", "go"}, {{"f", {"f_x", "f_y"}}}, {-1.0F}); }

class AdapterFolder : public testing::Test {
 protected:
  AdapterFolder() : folder_(testing::TempDir() + "/adapter") {
    const SmallAdapter small = TwoActions();
    EXPECT_TRUE(WriteAdapter(folder_, small.manifest, small.onnx).ok());
  }
  /// The message with which the folder is refused after a text in one of its files was replaced.
  std::string RefusalAfter(const std::string& file, const std::string& from,
                           const std::string& to) {
    std::string bytes = io::ReadFile(folder_ / file).value();
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos);
    bytes.replace(at, from.size(), to);
    EXPECT_TRUE(io::WriteFile(folder_ / file, bytes).ok());
    const Result<Adapter> adapter = Adapter::Load(folder_);
    return adapter.ok() ? "accepted" : adapter.error().message;
  }
  std::filesystem::path folder_;
};

TEST_F(AdapterFolder, ChoosesWhereTheUpperBoundFallsBelowZero) {
  const Adapter adapter = Adapter::Load(folder_).value();
  Adapter::Scratch scratch(adapter);
  // Upper bound: -x + 0.05 + sqrt(2 * 0.05^2 / 1) = -x + 0.1207.
  EXPECT_EQ(adapter.Choose(std::array{0.120F, 9.0F}, scratch), 0U);
  EXPECT_EQ(adapter.Choose(std::array{0.121F, 9.0F}, scratch), 1U);
}

TEST_F(AdapterFolder, DoesNotChooseFromWhatIsNotANumber) {
  const Adapter adapter = Adapter::Load(folder_).value();
  Adapter::Scratch scratch(adapter);
  EXPECT_EQ(adapter.Choose(std::array{5.0F, std::nanf("")}, scratch), std::nullopt);
}

TEST_F(AdapterFolder, AllocatesNothingWhenItChooses) {
  const Adapter adapter = Adapter::Load(folder_).value();
  Adapter::Scratch scratch(adapter);
  const std::size_t before = testing_support::AllocationCount();
  for (int i = 0; i < 10; ++i) {
    (void)adapter.Choose(std::array{static_cast<float>(i), 0.0F}, scratch);
  }
  EXPECT_EQ(testing_support::AllocationCount() - before, 0U);
}

TEST_F(AdapterFolder, IsRefusedWhenAConstantOfItsGateWasChanged) {
  EXPECT_THAT(RefusalAfter("adapter.json", "\"z\": 1.0", "\"z\": 0.0"),
              HasSubstr("adapter.json: the file was changed after it was exported"));
}

TEST_F(AdapterFolder, IsRefusedWhenItsNetworkIsAnotherOne) {
  EXPECT_THAT(RefusalAfter("adapter.onnx", "gonogo", "gonogi"),
              HasSubstr("adapter.onnx is not the network this adapter was exported with"));
}

TEST_F(AdapterFolder, IsRefusedWhenItIsSomethingElse) {
  EXPECT_THAT(RefusalAfter("adapter.json", "gonogo.adapter/1", "gonogo.audit/1"),
              HasSubstr("not an exported adapter: schema is \"gonogo.audit/1\""));
}

TEST_F(AdapterFolder, IsRefusedWhenFeaturesAndNetworkDoNotFit) {
  SmallAdapter small = TwoActions();
  small.manifest.layout.features[0].columns.emplace_back("f_z");
  small.manifest.inputs.resize(3, {.deciles = std::vector(11, 0.0)});
  ASSERT_TRUE(WriteAdapter(folder_, small.manifest, small.onnx).ok());
  EXPECT_THAT(Adapter::Load(folder_).error().message,
              HasSubstr("adapter.onnx takes 2 numbers, adapter.json names 3 features"));
}

TEST_F(AdapterFolder, IsRefusedWhenItClaimsSoManyMembersThatTheirProductWraps) {
  SmallAdapter small({"stay", "go", "run"}, {{"f", {"f_x", "f_y"}}}, {-1.0F, -1.0F});
  small.manifest.model_sha256 = io::Sha256Hex(small.onnx);
  ASSERT_TRUE(Adapter::Create(small.manifest, small.onnx, "adapter").ok());
  small.manifest.members += std::size_t{1} << 63U;  // twice that is as many numbers as before
  EXPECT_THAT(Adapter::Create(small.manifest, small.onnx, "adapter").error().message,
              HasSubstr("of adapter.onnx has"));
}

TEST_F(AdapterFolder, SaysWhatIsMissing) {
  std::filesystem::remove(folder_ / "adapter.onnx");
  EXPECT_THAT(Adapter::Load(folder_).error().message, HasSubstr("adapter.onnx"));
}

TEST(AdapterReadmeTest, WarnsFirstUnlessTheAuditSaysGo) {
  SmallAdapter small = TwoActions();
  EXPECT_THAT(ReadmeText(small.manifest), Not(HasSubstr("Do not deploy")));
  small.manifest.verdict = "NO-GO";
  EXPECT_THAT(ReadmeText(small.manifest),
              HasSubstr("**Do not deploy this adapter on the strength of this export.** NO-GO"));
  small.manifest.verdict = "GO";
  small.manifest.confirmatory = false;
  EXPECT_THAT(ReadmeText(small.manifest), HasSubstr("Do not deploy"));
}

TEST(AdapterLayoutTest, HashFollowsEveryNameAndTheOrder) {
  const Layout layout{.actions = {"a", "b"}, .features = {{"f", {"x", "y"}}}};
  Layout swapped = layout;
  swapped.features[0].columns = {"y", "x"};
  Layout renamed = layout;
  renamed.actions[1] = "c";
  EXPECT_NE(layout.Hash(), swapped.Hash());
  EXPECT_NE(layout.Hash(), renamed.Hash());
  EXPECT_EQ(layout.Hash(), Layout(layout).Hash());
}

}  // namespace
}  // namespace gonogo::adapter
