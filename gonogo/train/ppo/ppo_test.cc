// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/ppo.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/train/ppo/checkpoint.h"
#include "gonogo/train/testing/point_mass.h"

namespace gonogo::train {
namespace {

constexpr std::size_t kEnvironments = 32;
constexpr std::size_t kSteps = 25;

// The plane reflected at its first axis.
Symmetry Reflection() {
  return {.observation = {{0, 1, 2, 3}, {1, -1, 1, -1}}, .action = {{0, 1}, {1, -1}}};
}

ActorCritic Networks() {
  return MakeActorCritic({.actor_hidden = {16}, .critic_hidden = {16}, .initial_std = 0.1},
                         {1.0F, 1.0F, 1.0F, 1.0F}, 2, RngStream(3));
}

// One pass over everything at once, so that the loss is that of the policy that drew the samples.
PpoConfig OnePass() {
  PpoConfig config;
  config.epochs = 1;
  config.mini_batches = 1;
  config.learning_rate = 1e-3;
  return config;
}

Rollout Explore(const ActorCritic& networks) {
  Environments environments;
  for (std::size_t e = 0; e < kEnvironments; ++e) {
    environments.push_back(std::make_unique<PointMass>(RngStream(4).Child(e)));
  }
  Rollout rollout(kEnvironments, kSteps, 4, 2);
  Collect(networks, Behaviour::kExplore, RngStream(5), 1, environments, rollout);
  return rollout;
}

double FirstSurrogate(const PpoConfig& config, const std::optional<Symmetry>& symmetry) {
  PpoLearner learner(config, Networks(), symmetry);
  return learner.Update(Explore(learner.networks()), false, RngStream(6), 1).surrogate;
}

// Before the first step every ratio is one and advantages have mean zero, so that the surrogate is
// zero: also for reflections, if they count as drawn by the policy itself.
TEST(PpoTest, RatiosOfReflectionsBeginAtOneOnlyIfTheyCountAsThePolicysOwn) {
  PpoConfig config = OnePass();
  EXPECT_NEAR(FirstSurrogate(config, std::nullopt), 0.0, 1e-6);
  EXPECT_GT(std::abs(FirstSurrogate(config, Reflection())), 1e-2);  // a fresh network is lopsided
  config.reflections_on_policy = true;
  EXPECT_NEAR(FirstSurrogate(config, Reflection()), 0.0, 1e-6);
  config.alternate_reflections = true;
  EXPECT_NEAR(FirstSurrogate(config, Reflection()), 0.0, 1e-6);
}

TEST(PpoTest, ReflectionsOfTheirOwnPolicyDoNotDependOnTheNumberOfThreads) {
  PpoConfig config = OnePass();
  config.reflections_on_policy = true;
  std::vector<std::vector<float>> actors;
  for (const int jobs : {1, 3}) {
    PpoLearner learner(config, Networks(), Reflection());
    learner.Update(Explore(learner.networks()), false, RngStream(6), jobs);
    actors.push_back(learner.Save().actor);
  }
  EXPECT_EQ(actors[0], actors[1]);
}

TEST(PpoTest, ShipsTheLastActorOrAnAverage) {
  PpoConfig config = OnePass();
  PpoLearner last(config, Networks(), std::nullopt);
  config.average = 4.0;
  PpoLearner averaged(config, Networks(), std::nullopt);
  std::vector<float> expected;
  for (int i = 0; i < 3; ++i) {
    const Rollout rollout = Explore(last.networks());
    last.Update(rollout, false, RngStream(i), 1);
    averaged.Update(rollout, false, RngStream(i), 1);
    const std::vector<float> now = last.Save().actor;
    EXPECT_EQ(averaged.Save().actor, now);  // the average is not used in training
    if (expected.empty()) expected = now;
    for (std::size_t k = 0; k < now.size(); ++k) expected[k] += 0.25F * (now[k] - expected[k]);
  }
  const ActorCritic shipped = averaged.Shipped();
  const std::span<const float> got = shipped.actor.parameters();
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], expected[k], 1e-7);
  const ActorCritic plain = last.Shipped();
  const std::vector<float> end = last.Save().actor;
  EXPECT_TRUE(std::equal(end.begin(), end.end(), plain.actor.parameters().begin()));
  EXPECT_FALSE(std::equal(end.begin(), end.end(), got.begin()));
}

// Everything the state holds becomes the same function of observations; the optimisers begin anew.
TEST(PpoTest, NetworksThatReadOtherInputsBecomeTheSameFunctions) {
  PpoConfig config = OnePass();
  config.average = 4.0;
  PpoLearner old(config, Networks(), std::nullopt);
  for (int i = 0; i < 2; ++i) old.Update(Explore(old.networks()), false, RngStream(i), 1);
  PpoLearner fresh(
      config,
      MakeActorCritic({.actor_hidden = {16}, .critic_hidden = {16}}, {0.2F, 1.0F, 3.0F, 1.0F}, 2,
                      RngStream(8), {-0.14F, 0.0F, 0.5F, 0.0F}),
      std::nullopt);
  ASSERT_TRUE(fresh.Restore(old.Save()));
  Batch raw(1, 4);
  raw << 0.3F, -0.7F, 0.9F, 0.1F;
  Batch read(1, 4);
  read << 0.2F * (0.3F + 0.14F), -0.7F, 3.0F * (0.9F - 0.5F), 0.1F;
  nn::Mlp<float>::Scratch a;
  nn::Mlp<float>::Scratch b;
  const auto same = [&](const nn::Mlp<float>& was, const nn::Mlp<float>& is) {
    return Batch(is.Forward(read, a)).isApprox(Batch(was.Forward(raw, b)), 1e-5F);
  };
  EXPECT_TRUE(same(old.networks().actor, fresh.networks().actor));
  EXPECT_TRUE(same(old.networks().critic, fresh.networks().critic));
  EXPECT_TRUE(same(old.Shipped().actor, fresh.Shipped().actor));
  EXPECT_FALSE(same(old.networks().actor, fresh.Shipped().actor));
  EXPECT_EQ(fresh.Save().actor_optimiser.beta1_power, 1.0);
  EXPECT_EQ(fresh.Save().std_optimiser.beta1_power, old.Save().std_optimiser.beta1_power);
}

TEST(PpoTest, ACheckpointKeepsTheAverageAndOlderOnesHaveNone) {
  PpoConfig config = OnePass();
  config.average = 4.0;
  PpoLearner learner(config, Networks(), std::nullopt);
  for (int i = 0; i < 2; ++i) {
    learner.Update(Explore(learner.networks()), false, RngStream(i), 1);
  }
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "ppo_test.bin";
  ASSERT_TRUE(SaveCheckpoint(file, {.fingerprint = "f", .learner = learner.Save()}).ok());
  EXPECT_EQ(LoadCheckpoint(file).value().learner.average, learner.Save().average);

  std::string old = io::ReadFile(file).value();
  old.replace(old.find(" 2\n"), 3, " 1\n");
  const std::size_t floats = learner.Save().average.size() + 4 + 4;  // scale and centre of inputs
  old.resize(old.size() - 3 * sizeof(std::uint64_t) - sizeof(float) * floats);
  const Checkpoint read = ParseCheckpoint(old, file).value();
  EXPECT_TRUE(read.learner.average.empty());
  EXPECT_TRUE(read.learner.input_scale.empty());
  EXPECT_EQ(read.learner.actor, learner.Save().actor);
}

}  // namespace
}  // namespace gonogo::train
