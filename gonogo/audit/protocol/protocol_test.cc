// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

constexpr std::string_view kExample = R"(
[protocol]
name = "go2-direct"
reference = "direct"
actions = ["direct", "scale-0.75", "yaw+0.2"]
cluster = "source seed"
min_clusters = 20
time_budget = 1.10
delta_dep = 0.01
delta_alloc = 0.02
kappa = 0.05
[table]
cost = "work_j"
features = { obs = "obs_*", target = "target_*" }
action_features = { phi = "phi_*" }
[learner]
kind = "ridge"
features = ["obs", "target"]
[bootstrap]
refits = 300
level = 0.9
seed = 7
[feature_sets]
"obs only" = ["obs"]
)";

Protocol Example() { return ParseProtocol(kExample, "audit.toml").value(); }

std::string RefusalOf(std::string_view toml) {
  const Result<Protocol> result = ParseProtocol(toml, "audit.toml");
  return result.ok() ? "" : result.error().message;
}

TEST(ProtocolTest, ReadsWhatWasDeclared) {
  const Protocol protocol = Example();
  EXPECT_EQ(protocol.name, "go2-direct");
  EXPECT_EQ(protocol.actions.size(), 3U);
  EXPECT_EQ(protocol.thresholds.delta_alloc, 0.02);
  EXPECT_EQ(protocol.table.cost, "work_j");
  EXPECT_EQ(protocol.table.features[1], (ColumnPattern{"target", "target_*"}));
  EXPECT_EQ(protocol.learner.kind, LearnerKind::kRidge);
  EXPECT_EQ(protocol.bootstrap.refits, 300U);
  EXPECT_EQ(protocol.feature_sets[0].name, "obs only");
}

TEST(ProtocolTest, AnEmptyFileIsThePapersProtocol) {
  const Protocol protocol = ParseProtocol("", "empty").value();
  EXPECT_EQ(protocol, Protocol{});
  EXPECT_EQ(protocol.bootstrap.refits, 200U);
  EXPECT_EQ(protocol.learner.mlp.hidden, (std::vector<int>{64, 64}));
}

TEST(ProtocolTest, CanonicalTextReadsBackToTheSameProtocol) {
  Protocol protocol = Example();
  protocol.name = "quote \" backslash \\ tab \t";
  protocol.thresholds.kappa = 1.0 / 3.0;
  const std::string text = CanonicalText(protocol);
  const Result<Protocol> again = ParseProtocol(text, "canonical");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again.value(), protocol);
  EXPECT_EQ(CanonicalText(again.value()), text);
}

TEST(ProtocolTest, FingerprintIgnoresCommentsAndFormatting) {
  const std::string commented = "# a remark\n" + std::string(kExample);
  EXPECT_EQ(Fingerprint(ParseProtocol(commented, "b").value()), Fingerprint(Example()));
  Protocol other = Example();
  other.thresholds.kappa = 0.06;
  EXPECT_NE(Fingerprint(other), Fingerprint(Example()));
  EXPECT_EQ(Fingerprint(other).size(), 64U);
}

TEST(ProtocolTest, RefusesUnknownKeysWithTheNearestOne) {
  EXPECT_EQ(RefusalOf("[protocol]\nkapa = 0.1\n"),
            "audit.toml:2: protocol.kapa: unknown key (did you mean 'kappa'?)");
  EXPECT_THAT(RefusalOf("[protocl]\n"), testing::HasSubstr("did you mean 'protocol'?"));
}

TEST(ProtocolTest, RefusesValuesOutOfRange) {
  EXPECT_EQ(RefusalOf("[protocol]\nkappa = 1.5\n"),
            "audit.toml:2: protocol.kappa: found 1.5, expected a number from 0 to 1");
  EXPECT_THAT(RefusalOf("[protocol]\ntime_budget = 0.9\n"), testing::HasSubstr("time_budget"));
  EXPECT_THAT(RefusalOf("[protocol]\nmin_clusters = 1\n"), testing::HasSubstr("min_clusters"));
  EXPECT_THAT(RefusalOf("[bootstrap]\nrefits = 0\n"), testing::HasSubstr("refits"));
  EXPECT_THAT(RefusalOf("[bootstrap]\nlevel = 1.0\n"), testing::HasSubstr("level"));
  EXPECT_THAT(RefusalOf("[learner]\nkind = \"rigde\"\n"), testing::HasSubstr("'ridge'"));
  EXPECT_THAT(RefusalOf("[learner]\nhidden = [64.5]\n"), testing::HasSubstr("64.5"));
  EXPECT_THAT(RefusalOf("[learner.ridge]\npenalties = [0.0]\n"), testing::HasSubstr("penalties"));
}

TEST(ProtocolTest, RefusesInconsistentActions) {
  EXPECT_EQ(RefusalOf("[protocol]\nreference = \"c\"\nactions = [\"a\", \"b\"]\n"),
            "audit.toml:2: protocol.reference: 'c' is not one of the actions");
  EXPECT_THAT(RefusalOf("[protocol]\nactions = [\"a\", \"a\"]\n"), testing::HasSubstr("twice"));
  EXPECT_THAT(RefusalOf("[protocol]\nactions = [\"a\"]\n"), testing::HasSubstr("at least two"));
}

TEST(ProtocolTest, ThePresetArchivedCanBeAdjusted) {
  const Protocol protocol =
      ParseProtocol("[protocol]\npreset = \"archived\"\nkappa = 0.1\n[learner]\nepochs = 50\n", "a")
          .value();
  Protocol expected = Archived({});
  expected.thresholds.kappa = 0.1;
  expected.learner.mlp.epochs = 50;
  EXPECT_EQ(protocol, expected);
  EXPECT_EQ(ParseProtocol(CanonicalText(protocol), "b").value(), protocol);
  EXPECT_THAT(RefusalOf("[bootstrap]\naggregate = \"fold-means\"\n"),
              testing::HasSubstr("needs method"));
}

TEST(ProtocolTest, OverridesOneValueAndChecksIt) {
  EXPECT_EQ(Override(Example(), "bootstrap.refits", "20").value().bootstrap.refits, 20U);
  EXPECT_EQ(Override(Example(), "learner.kind", "mlp").value().learner.kind, LearnerKind::kMlp);
  const Result<Protocol> bad = Override(Example(), "bootstrap.refits", "-1");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(bad.error().message,
            "--set bootstrap.refits=-1: found -1, expected a whole number from 1 to 10000000");
  EXPECT_THAT(Override(Example(), "protocol.kappa", "two").error().message,
              testing::StartsWith("--set protocol.kappa=two: found 'two', expected a number"));
  EXPECT_THAT(Override(Example(), "kappa", "0.1").error().message,
              testing::HasSubstr("did you mean 'protocol.kappa'?"));
  const Result<Protocol> unknown = Override(Example(), "bootstrap.refit", "1");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message,
            "--set bootstrap.refit: unknown key (did you mean 'bootstrap.refits'?)");
}

TEST(ProtocolTest, ATargetIsDeclaredOnlyWhereItIsNotTheLearnersOwn) {
  const Protocol ratio = ParseProtocol("[learner]\ntarget = \"ratio\"\n", "a").value();
  EXPECT_EQ(ratio, Protocol{});
  EXPECT_EQ(Fingerprint(ratio), Fingerprint({}));
  const Protocol difference = ParseProtocol("[learner]\ntarget = \"difference\"\n", "a").value();
  EXPECT_EQ(TargetOf(difference.learner), LearnerTarget::kDifference);
  EXPECT_THAT(CanonicalText(difference), testing::HasSubstr("\nlearner.target = \"difference\"\n"));
  EXPECT_EQ(ParseProtocol(CanonicalText(difference), "b").value(), difference);
  EXPECT_THAT(Differences({}, difference),
              testing::ElementsAre("learner.target: declared nothing, used \"difference\""));
  EXPECT_THAT(RefusalOf("[learner]\ntarget = \"diference\"\n"),
              testing::HasSubstr("did you mean 'difference'?"));
  EXPECT_EQ(RefusalOf("[learner]\ntarget = \"difference\"\nstandardise_targets = false\n"),
            "audit.toml:2: learner.target: found \"difference\", which needs standardise_targets = "
            "true");
}

TEST(ProtocolTest, OverridesWhatTheCanonicalTextLeavesOut) {
  const Protocol log = Override(Example(), "learner.target", "log").value();
  EXPECT_EQ(log.learner.target, LearnerTarget::kLog);
  EXPECT_EQ(Override(log, "learner.target", "ratio").value(), Example());
  EXPECT_THAT(Override(Example(), "protocol.preset", "archived").error().message,
              testing::HasSubstr("write it in the file"));
}

TEST(ProtocolTest, AKeyThatCameLaterIsOnlyWrittenWhereItDiffers) {
  EXPECT_THAT(CanonicalText({}), testing::Not(testing::HasSubstr("min_reference_success")));
  const Protocol strict = Override(Protocol{}, "rule.min_reference_success", "0.8").value();
  EXPECT_EQ(strict.rule.min_reference_success, 0.8);
  EXPECT_THAT(CanonicalText(strict), testing::HasSubstr("rule.min_reference_success = 0.8\n"));
  EXPECT_EQ(ParseProtocol(CanonicalText(strict), "strict").value(), strict);
  EXPECT_THAT(Differences(Protocol{}, strict),
              testing::ElementsAre("rule.min_reference_success: declared 0.5, used 0.8"));
  EXPECT_EQ(Override(strict, "rule.min_reference_success", "0.5").value(), Protocol{});
}

TEST(ProtocolTest, AnotherQuestionIsDeclaredAndTheUsualOneLeavesNoTrace) {
  const std::string text = R"(
    [protocol]
    deploy = "known clusters"
    constraint = "net success"
    failure_price = 10
    [selector]
    violation_share = 0.5
    [rule]
    looks_at = [20, 40]
    [learner]
    kind = "policy"
    policy.depth = 3
  )";
  const Protocol protocol = ParseProtocol(text, "audit.toml").value();
  EXPECT_EQ(protocol.question.deploy, Deployment::kKnownClusters);
  EXPECT_EQ(protocol.question.constraint, Constraint::kNetSuccess);
  EXPECT_EQ(protocol.question.failure_price, 10.0);
  EXPECT_THAT(protocol.rule.looks_at, testing::ElementsAre(20, 40));
  EXPECT_EQ(protocol.learner.policy.depth, 3U);
  EXPECT_EQ(TargetOf(protocol.learner), LearnerTarget::kDifference);
  EXPECT_EQ(ParseProtocol(CanonicalText(protocol), "again").value(), protocol);
  for (const char* key : {"deploy", "blocks", "constraint", "failure_price", "violation_share",
                          "looks_at", "spending", "policy", "adapter_cost = \""}) {
    EXPECT_THAT(CanonicalText(Protocol{}), testing::Not(testing::HasSubstr(key))) << key;
  }
}

TEST(ProtocolTest, LooksRise) {
  EXPECT_THAT(ParseProtocol("[rule]\nlooks_at = [40, 20]\n", "a").error().message,
              testing::HasSubstr("expected numbers of clusters that rise"));
}

TEST(ProtocolTest, NamesEveryDifference) {
  Protocol used = Example();
  used.bootstrap.refits = 20;
  used.learner.kind = LearnerKind::kMlp;
  EXPECT_THAT(Differences(Example(), used),
              testing::ElementsAre("learner.kind: declared \"ridge\", used \"mlp\"",
                                   "bootstrap.refits: declared 300, used 20"));
  EXPECT_TRUE(Differences(used, used).empty());
}

TEST(ProtocolTest, ProtocolsWithoutACollectionKeepTheirFingerprint) {
  EXPECT_THAT(CanonicalText(Example()), testing::Not(testing::HasSubstr("collect")));
}

}  // namespace
}  // namespace gonogo::audit
