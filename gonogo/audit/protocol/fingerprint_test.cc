// SPDX-License-Identifier: Apache-2.0
// Fingerprints that stand in tables and papers: a protocol that was declared must stay the same
// one. Those of the robots stand beside what reads their [collect].
#include <filesystem>

#include <gtest/gtest.h>

#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {
namespace {

const std::filesystem::path kRepository = GONOGO_SOURCE_DIR;

/// What a protocol that names no rule declared before leave-pair-out became the default.
Protocol WithFormerRule(Protocol protocol) {
  protocol.rule.kind = DecisionRule::kCalibrated;
  return protocol;
}

std::string FingerprintOf(const std::filesystem::path& file) {
  const Result<Protocol> protocol = LoadProtocol(file);
  return protocol.ok() ? Fingerprint(protocol.value()) : protocol.error().message;
}

TEST(FingerprintTest, TheDefaultsAreStillTheSame) {
  EXPECT_EQ(Fingerprint({}), "78f87af72bcf4dd286d01ba132e13668c709e19b3c10a8357d4c9c0ad77d3031");
}

TEST(FingerprintTest, TheFormerDefaultsAreThoseWithTheFormerRule) {
  EXPECT_EQ(Fingerprint(WithFormerRule({})),
            "d4faa8665ca64c8e3e94ec0597cb3c43cde13401dd69eaeed4d947e1021f2781");
}

TEST(FingerprintTest, TheArchivedStudyIsStillTheSame) {
  EXPECT_EQ(Fingerprint(Archived({})),
            "ebbedd320339e52df6d6156d61bc0237c02d96af56d3eb7a141c5eccb4600452");
}

TEST(FingerprintTest, TheSortingExampleIsStillTheSame) {
  EXPECT_EQ(FingerprintOf(kRepository / "examples/sorting/audit.toml"),
            "67373527be1a4aa4b57f5d5978af7ef7c1642466b6536436bfc39472921fe003");
}

TEST(FingerprintTest, TheAlgorithmSelectionTablesBesideTheRepositoryAreStillTheSame) {
  const std::filesystem::path scenarios = kRepository / "../shared/data/aslib";
  if (!std::filesystem::exists(scenarios)) GTEST_SKIP() << "no tables beside the repository";
  const auto former = [&](const char* file) {
    return Fingerprint(WithFormerRule(LoadProtocol(scenarios / file).value()));
  };
  EXPECT_EQ(former("ASP-POTASSCO/audit.toml"),
            "843dab955b40af8b8475179ab95cb7fb83dd5b54eed7e8634cba674f938db4ca");
  EXPECT_EQ(former("BNSL-2016/audit.toml"),
            "02e6102d79524411ce4369b24b62890d02d98766b6829dec8ce3a87f9298fec2");
  EXPECT_EQ(former("CPMP-2015/audit.toml"),
            "c3b6b38e0730036ce0b59230ec63aa1ac2c19a25309b3bf9e90baeef78766545");
  EXPECT_EQ(former("IPC2018/audit.toml"),
            "1d14af22a0310fda44e1a64e2f6b8ea4e79d92b1bdc246c74167f2e24fd7d5fd");
  EXPECT_EQ(former("QBF-2014/audit.toml"),
            "017ed84e43e58f331b4a73b0fb59644126feef8e8bc54baf3fad44b2294da08b");
}

}  // namespace
}  // namespace gonogo::audit
