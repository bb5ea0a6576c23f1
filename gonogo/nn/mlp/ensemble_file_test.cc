// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/ensemble_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/io/hdf5_file.h"

namespace gonogo::nn {
namespace {

using testing::HasSubstr;

class EnsembleFileTest : public testing::Test {
 protected:
  EnsembleFileTest()
      : path_(std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name()) {}
  ~EnsembleFileTest() override { std::filesystem::remove(path_); }
  EnsembleFileTest(const EnsembleFileTest&) = delete;
  EnsembleFileTest& operator=(const EnsembleFileTest&) = delete;

  static Ensemble Example() {
    Ensemble ensemble{{{0.1, -2.0, 3.5}, {1.0, 0.3, 7.0}},
                      {{1e-3, 0.0}, {0.02, 1.0}},
                      {Loss::kSmoothL1, Loss::kBinaryCrossEntropy},
                      {}};
    for (int m = 0; m < 2; ++m) {
      ensemble.members.emplace_back(
          MlpShape{.sizes = {3, 5, 2}, .hidden = Activation::kElu, .output = Activation::kTanh});
      ensemble.members.back().Initialise(RngStream(m));
    }
    return ensemble;
  }

  std::filesystem::path path_;
};

TEST_F(EnsembleFileTest, RoundTripIsExact) {
  const Ensemble saved = Example();
  ASSERT_TRUE(SaveEnsemble(saved, path_).ok());
  const Result<Ensemble> loaded = LoadEnsemble(path_);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded.value().input, saved.input);
  EXPECT_EQ(loaded.value().target, saved.target);
  EXPECT_EQ(loaded.value().losses, saved.losses);
  ASSERT_EQ(loaded.value().members.size(), 2U);
  for (int m = 0; m < 2; ++m) {
    EXPECT_EQ(loaded.value().members[m].shape(), saved.members[m].shape());
    EXPECT_TRUE(
        std::ranges::equal(loaded.value().members[m].parameters(), saved.members[m].parameters()));
  }
}

TEST_F(EnsembleFileTest, RefusesATruncatedFileAtEveryLength) {
  ASSERT_TRUE(SaveEnsemble(Example(), path_).ok());
  const std::string bytes = io::ReadFile(path_).value();
  for (std::size_t length = 0; length < bytes.size(); length += bytes.size() / 13) {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<long>(length));
    EXPECT_FALSE(LoadEnsemble(path_).ok()) << length;
  }
}

TEST_F(EnsembleFileTest, RefusesAnAlteredNumber) {
  ASSERT_TRUE(SaveEnsemble(Example(), path_).ok());
  std::string bytes = io::ReadFile(path_).value();
  const float weight = Example().members[1].parameters()[4];
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&weight), 4));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  std::ofstream(path_, std::ios::binary) << bytes;
  const Result<Ensemble> loaded = LoadEnsemble(path_);
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error().message, HasSubstr("sha256"));
}

TEST_F(EnsembleFileTest, RefusesAnotherKindOfFile) {
  {
    io::Hdf5File file = io::Hdf5File::Create(path_).value();
    ASSERT_TRUE(file.WriteText("/", "schema", "gonogo-table/1").ok());
    ASSERT_TRUE(file.Close().ok());
  }
  const Result<Ensemble> loaded = LoadEnsemble(path_);
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error().message, HasSubstr("'gonogo-table/1', expected 'gonogo-ensemble/1'"));
}

TEST_F(EnsembleFileTest, SaysWhichFileIsMissing) {
  const Result<Ensemble> loaded = LoadEnsemble("/nowhere/model.h5");
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error().message, HasSubstr("/nowhere/model.h5"));
}

}  // namespace
}  // namespace gonogo::nn
