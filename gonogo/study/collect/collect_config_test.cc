// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collect_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::study {
namespace {

using testing::HasSubstr;

const std::filesystem::path kRobotFolders = GONOGO_SOURCE_DIR "/robots";

constexpr std::string_view kCollected = R"(
[protocol]
actions = ["direct", "scale-0.75"]
[collect]
controller = "vgcc"
seeds = [1301, 1302]
blend = 1
predictions = ["eta"]
)";

audit::Protocol Collected() { return ParseProtocol(kCollected, "audit.toml").value(); }

std::string DeclarationError(std::string_view toml) {
  const Result<audit::Protocol> result = ParseProtocol(toml, "audit.toml");
  return result.ok() ? "" : result.error().message;
}

TEST(CollectConfigTest, ACollectionIsDeclaredWithEveryValueSpelledOut) {
  const std::string text = audit::CanonicalText(Collected());
  EXPECT_THAT(text, HasSubstr("collect.queries_per_cluster = 48\n"));
  EXPECT_THAT(text, HasSubstr("collect.blend = 1.0\n"));
  const CollectConfig config = CollectOf(Collected()).value();
  EXPECT_EQ(
      config,
      (CollectConfig{
          .controller = "vgcc", .seeds = {1301, 1302}, .blend = 1.0, .predictions = {"eta"}}));
  EXPECT_EQ(SectionOf(config), *Collected().collect);
}

TEST(CollectConfigTest, TheRobotsFingerprintsAreStillTheSame) {
  const auto fingerprint = [](const char* file) {
    return audit::Fingerprint(LoadProtocol(kRobotFolders / file).value());
  };
  EXPECT_EQ(fingerprint("go2/audit.toml"),
            "21c41253af140c2c69818df87a970d3504948a1eca3476b945b0718540214260");
  EXPECT_EQ(fingerprint("go2/demo.toml"),
            "4676cd5a1cef6db7c1922f0a00c1d5dbcc79b8578ab2630edf3c43bc2460caf5");
  EXPECT_EQ(fingerprint("go2/audit-archived.toml"),
            "cc31ceabc208f0d1f785eab50773ccf75a5f46e99466708c09d5dbb16becfedf");
  EXPECT_EQ(fingerprint("h1/audit.toml"),
            "a163dcd9eea44e2bdede08781288164cd7220311ebc463a730d69ce2f0224d29");
}

TEST(CollectConfigTest, AnyGroundCanBeDeclaredAndOneForAllClusters) {
  const audit::Protocol tiles =
      study::Override(Collected(), "collect.terrain", "stairs+boxes:0-5").value();
  const Surroundings ground = SurroundingsOf(CollectOf(tiles).value()).value();
  EXPECT_EQ(ground.ground.text(), "stairs+boxes:0-5");
  EXPECT_EQ(ground.seed.For(1301), 1301U) << "every cluster has its own, as it always was";
  EXPECT_THAT(audit::CanonicalText(tiles), testing::Not(HasSubstr("terrain_seed")));
  const audit::Protocol common = study::Override(tiles, "collect.terrain_seed", "1").value();
  EXPECT_EQ(SurroundingsOf(CollectOf(common).value()).value().seed.For(1301), 1U);
  EXPECT_THAT(audit::CanonicalText(common), HasSubstr("collect.terrain_seed = \"1\"\n"));
  EXPECT_THAT(study::Override(tiles, "collect.terrain", "stairs:0-10").error().message,
              HasSubstr("rows are 0 to 9"));
}

TEST(CollectConfigTest, ADeclarationIsReadBackWithoutKnowingWhatItMeans) {
  for (const char* file : {"go2/audit.toml", "go2/demo.toml", "h1/audit.toml"}) {
    const audit::Protocol protocol = LoadProtocol(kRobotFolders / file).value();
    const std::string text = audit::CanonicalText(protocol);
    EXPECT_EQ(audit::ParseProtocol(text, "declaration").value(), protocol);
    EXPECT_EQ(ParseProtocol(text, "declaration").value(), protocol);
  }
}

TEST(CollectConfigTest, EveryKeyIsReadAndWrittenOnItsOwn) {
  // Keys that only appear when they are not at their default are given here.
  const io::TomlEntries before = CollectKeys().Write(
      {.seeds = {1}, .terrain_seed = "5", .conditions = "noise", .work_rate = "control"});
  const std::vector<std::string>
      others = {"\"vgcc\"", "[2, 3]",        "7",          "8",       "\"easy\"", "\"flat\"",
                "9",        "0.25",          "0.125",      "\"mpc\"", "0",        "[\"phi\"]",
                "\"6\"",    "\"speed=0.5\"", "\"control\""};  // of two values one is the default
  ASSERT_EQ(others.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    io::TomlEntries changed = before;
    changed[i].second = others[i];
    audit::Protocol protocol;
    protocol.collect = audit::ForeignSection{changed};
    const Result<CollectConfig> config = CollectOf(protocol);
    ASSERT_TRUE(config.ok()) << config.error().message;
    EXPECT_EQ(CollectKeys().Write(config.value()), changed) << before[i].first;
  }
}

TEST(CollectConfigTest, ACollectionWithoutSeedsOrWithDoubledOnesIsRefused) {
  EXPECT_EQ(DeclarationError("[collect]\nblend = 0.5\n"),
            "audit.toml:1: collect.seeds: this key is required");
  EXPECT_THAT(DeclarationError("[collect]\nseeds = [1, 1]\n"), HasSubstr("listed twice"));
  EXPECT_EQ(DeclarationError("[collect]\nseeds = [1.5]\n"),
            "audit.toml:2: collect.seeds: found 1.5, expected whole numbers of 0 or more");
}

TEST(CollectConfigTest, WrongKeysAndValuesAreNamedWithTheirLine) {
  EXPECT_EQ(DeclarationError("[collect]\nseeds = [1]\nblnd = 0.5\n"),
            "audit.toml:3: collect.blnd: unknown key (did you mean 'blend'?)");
  EXPECT_EQ(DeclarationError("[collect]\nseeds = [1]\nblend = 1.5\n"),
            "audit.toml:3: collect.blend: found 1.5, expected a number from 0 to 1");
  EXPECT_EQ(DeclarationError("[collect]\nseeds = [1]\npredictions = [\"psi\"]\n"),
            "audit.toml:3: collect.predictions: found \"psi\", expected one of phi, eta "
            "(did you mean 'phi'?)");
  EXPECT_THAT(DeclarationError("[collect]\nseeds = [1]\nterrain = \"ruogh\"\n"),
              HasSubstr("did you mean 'rough'?"));
}

TEST(CollectConfigTest, OverridesAreCheckedLikeAFile) {
  const audit::Protocol changed = study::Override(Collected(), "collect.terrain", "flat").value();
  EXPECT_EQ(CollectOf(changed).value().terrain, "flat");
  EXPECT_EQ(study::Override(Collected(), "collect.blend", "2").error().message,
            "--set collect.blend=2: found 2, expected a number from 0 to 1");
  EXPECT_EQ(study::Override(Collected(), "collect.blnd", "1").error().message,
            "--set collect.blnd: unknown key (did you mean 'collect.blend'?)");
}

TEST(CollectConfigTest, WithoutASectionNothingSaysHowToMakeOutcomes) {
  const Result<CollectConfig> config = CollectOf({.name = "table-only"});
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(config.error().message, HasSubstr("protocol \"table-only\" has no [collect]"));
}

TEST(CollectConfigTest, ASectionThatWasOnlyKeptAsWrittenIsCheckedWhenItIsNeeded) {
  const audit::Protocol kept =
      audit::ParseProtocol("[collect]\nseeds = [1]\nblend = 3\n", "a").value();
  EXPECT_THAT(CollectOf(kept).error().message, HasSubstr("collect.blend: found 3, expected"));
}

}  // namespace
}  // namespace gonogo::study
