// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/actor_critic.h"

#include <gtest/gtest.h>

namespace gonogo::train {
namespace {

TEST(ActorCriticTest, TheFoldedActorReadsRawObservations) {
  const NetworkConfig config{.actor_hidden = {8, 8}, .critic_hidden = {4}, .initial_std = 0.3};
  const ActorCritic networks = MakeActorCritic(config, {2.0F, 0.5F, 10.0F}, 2, RngStream(1));
  Batch raw(1, 3);
  raw << 0.3F, -1.0F, 0.02F;
  Batch scaled(1, 3);
  scaled << 0.6F, -0.5F, 0.2F;
  nn::Mlp<float>::Scratch a;
  nn::Mlp<float>::Scratch b;
  const nn::Mlp<float> folded = FoldedActor(networks);
  const Batch got = folded.Forward(raw, a);
  const Batch expected = networks.actor.Forward(scaled, b);
  EXPECT_TRUE(got.isApprox(expected, 1e-5F)) << got << " vs " << expected;
  EXPECT_FALSE(networks.actor.Forward(raw, a).isApprox(expected, 1e-3F));
}

TEST(ActorCriticTest, TheFoldedActorTakesTheCentreOff) {
  const NetworkConfig config{.actor_hidden = {8, 8}, .critic_hidden = {4}};
  const ActorCritic networks =
      MakeActorCritic(config, {2.0F, 0.5F}, 2, RngStream(1), {0.25F, -3.0F});
  Batch raw(1, 2);
  raw << 0.3F, -1.0F;
  Batch read(1, 2);
  read << 0.1F, 1.0F;
  nn::Mlp<float>::Scratch a;
  nn::Mlp<float>::Scratch b;
  const Batch got = FoldedActor(networks).Forward(raw, a);
  const Batch expected = networks.actor.Forward(read, b);
  EXPECT_TRUE(got.isApprox(expected, 1e-5F)) << got << " vs " << expected;
}

TEST(ActorCriticTest, StartsWithTheDeclaredSpread) {
  const ActorCritic networks = MakeActorCritic({.initial_std = 0.3}, {1.0F}, 5, RngStream(1));
  ASSERT_EQ(networks.log_std.size(), 5U);
  for (const float value : networks.log_std) EXPECT_NEAR(std::exp(value), 0.3, 1e-6);
}

}  // namespace
}  // namespace gonogo::train
