// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/trainer.h"

#include <array>
#include <filesystem>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/model.h"
#include "gonogo/train/ppo/checkpoint.h"
#include "gonogo/train/ppo/symmetry.h"
#include "gonogo/train/testing/point_mass.h"

namespace gonogo::train {
namespace {

using ::testing::HasSubstr;

Recipe SmallRecipe() {
  Recipe recipe;
  recipe.environments = 40;  // a full group and a part of one
  recipe.steps = 25;
  recipe.critic_warm_up = 2;
  recipe.checkpoint_every = 4;
  recipe.network = {.actor_hidden = {16}, .critic_hidden = {16}, .initial_std = 0.5};
  recipe.clone = {.rounds = 2, .steps = 20, .epochs = 2, .batch = 200};
  recipe.ppo.loss.entropy_weight = 0.0;
  recipe.stages = {{.iterations = 6}, {.iterations = 6}};
  return recipe;
}

Problem PointMassProblem(const Recipe& recipe) {
  Problem problem;
  problem.input_scale = {1.0F, 1.0F, 1.0F, 1.0F};
  problem.action_dim = 2;
  problem.fingerprint = "point mass";
  // The plane reflected at its first axis.
  problem.symmetry =
      Symmetry{.observation = {{0, 1, 2, 3}, {1, -1, 1, -1}}, .action = {{0, 1}, {1, -1}}};
  const int count = recipe.environments;
  problem.environments = [count](const Stage&, const RngStream& stream) -> Result<Environments> {
    Environments environments;
    for (int e = 0; e < count; ++e) {
      environments.push_back(std::make_unique<PointMass>(stream.Child(e)));
    }
    return environments;
  };
  return problem;
}

std::filesystem::path EmptyDirectory(const std::string& name) {
  std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / name;
  std::filesystem::remove_all(path);
  return path;
}

std::string Bytes(const std::filesystem::path& run) {
  return io::ReadFile(run / "checkpoint.bin").value();
}

TEST(TrainerTest, GivesTheSameBytesOnOneThreadAndOnThree) {
  const Recipe recipe = SmallRecipe();
  const Problem problem = PointMassProblem(recipe);
  const auto one = EmptyDirectory("trainer_one");
  const auto three = EmptyDirectory("trainer_three");
  ASSERT_TRUE(Train(problem, recipe, {.out = one, .jobs = 1}).ok());
  ASSERT_TRUE(Train(problem, recipe, {.out = three, .jobs = 3}).ok());
  EXPECT_TRUE(Bytes(one) == Bytes(three));
}

// Stopping between two checkpoints leaves the file a kill would leave.
TEST(TrainerTest, AnInterruptedRunEndsInTheBytesOfAnUninterruptedOne) {
  const Recipe recipe = SmallRecipe();
  const Problem problem = PointMassProblem(recipe);
  const auto whole = EmptyDirectory("trainer_whole");
  ASSERT_TRUE(Train(problem, recipe, {.out = whole}).value().complete);
  const auto parts = EmptyDirectory("trainer_parts");
  for (const int stop : {3, 5, 7}) {  // begins at 0, 0 and 4
    EXPECT_FALSE(Train(problem, recipe, {.out = parts, .max_iterations = stop}).value().complete);
  }
  EXPECT_TRUE(Train(problem, recipe, {.out = parts}).value().complete);
  EXPECT_TRUE(Bytes(parts) == Bytes(whole));
}

TEST(TrainerTest, StopsBetweenTwoRoundsOfImitationAndBeginsAnewLater) {
  const Recipe recipe = SmallRecipe();
  const Problem problem = PointMassProblem(recipe);
  const auto whole = EmptyDirectory("trainer_imitation_whole");
  ASSERT_TRUE(Train(problem, recipe, {.out = whole}).ok());
  const auto stopped = EmptyDirectory("trainer_imitation_stopped");
  std::stop_source stop;
  int lines = 0;
  const auto stop_at_once = [&](const TrainProgress&) {
    ++lines;
    stop.request_stop();
  };
  const TrainResult result =
      Train(problem, recipe,
            {.out = stopped, .stop = stop.get_token(), .on_progress = stop_at_once})
          .value();
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(lines, 1);
  EXPECT_FALSE(std::filesystem::exists(stopped / "checkpoint.bin"));
  ASSERT_TRUE(Train(problem, recipe, {.out = stopped}).value().complete);
  EXPECT_TRUE(Bytes(stopped) == Bytes(whole));
}

TEST(TrainerTest, RefusesToContinueTheRunOfAnotherRecipe) {
  const Recipe recipe = SmallRecipe();
  Problem problem = PointMassProblem(recipe);
  const auto out = EmptyDirectory("trainer_other");
  ASSERT_TRUE(Train(problem, recipe, {.out = out, .max_iterations = 0}).ok());
  problem.fingerprint = "another";
  const Result<TrainResult> again = Train(problem, recipe, {.out = out});
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message, HasSubstr("another robot"));
}

TEST(TrainerTest, RefusesADamagedCheckpoint) {
  const Recipe recipe = SmallRecipe();
  const auto out = EmptyDirectory("trainer_damaged");
  ASSERT_TRUE(Train(PointMassProblem(recipe), recipe, {.out = out, .max_iterations = 0}).ok());
  const std::string bytes = Bytes(out);
  ASSERT_TRUE(io::WriteFile(out / "cut.bin", bytes.substr(0, bytes.size() - 7)).ok());
  EXPECT_THAT(LoadCheckpoint(out / "cut.bin").error().message, HasSubstr("damaged"));
  ASSERT_TRUE(io::WriteFile(out / "text.bin", "hello").ok());
  EXPECT_THAT(LoadCheckpoint(out / "text.bin").error().message, HasSubstr("not a training"));
}

TEST(TrainerTest, AStageKeepsTheExplorationWithinItsBounds) {
  Recipe recipe = SmallRecipe();
  recipe.stages[1].ppo = recipe.ppo;
  recipe.stages[1].ppo->max_std = 0.2;
  std::vector<double> spread;
  const auto out = EmptyDirectory("trainer_spread");
  for (const int stop : {5, -1}) {  // within the first stage; then to the end
    const Result<TrainResult> run =
        Train(PointMassProblem(recipe), recipe, {.out = out, .max_iterations = stop});
    spread.push_back(std::exp(run.value().networks.log_std[0]));
  }
  EXPECT_GT(spread[0], 0.3);
  EXPECT_LE(spread[1], 0.2 * (1.0 + 1e-6));
}

// Two passes that reflect every other sample in turn see what one pass over all samples and all
// reflections sees.
TEST(TrainerTest, LearnsWithAlternatingReflections) {
  Recipe recipe = SmallRecipe();
  recipe.clone.rounds = 0;
  recipe.ppo.alternate_reflections = true;
  recipe.ppo.learning_rate = 1e-3;
  recipe.ppo.max_learning_rate = 1e-2;
  recipe.stages = {{.iterations = 60}};
  std::vector<double> errors;
  TrainOptions options{.out = EmptyDirectory("trainer_alternates")};
  options.on_progress = [&errors](const TrainProgress& line) {
    errors.push_back(line.tracking_error);
  };
  const TrainResult result = Train(PointMassProblem(recipe), recipe, options).value();
  EXPECT_GT(errors.front(), 0.7);
  EXPECT_LT(errors.back(), 0.35);
  // The problem is symmetric, so what was learned nearly is: the mirrored action of a mirrored
  // observation.
  nn::Mlp<float>::Scratch scratch;
  Batch observations(2, 4);
  observations << 0.1F, 0.3F, 0.5F, -0.6F, 0.1F, -0.3F, 0.5F, 0.6F;
  const Batch actions = result.networks.actor.Forward(observations, scratch);
  EXPECT_NEAR(actions(0, 0), actions(1, 0), 0.5);
  EXPECT_NEAR(actions(0, 1), -actions(1, 1), 0.5);
  EXPECT_LT(actions(0, 1), -0.5);
}

// Without an expert: from scratch, reinforcement alone brings the mass to its command.
TEST(TrainerTest, LearnsToFollowCommandsFromScratch) {
  Recipe recipe = SmallRecipe();
  recipe.clone.rounds = 0;
  recipe.stages = {{.iterations = 60}};
  recipe.ppo.learning_rate = 1e-3;
  recipe.ppo.max_learning_rate = 1e-2;
  std::vector<double> errors;
  TrainOptions options{.out = EmptyDirectory("trainer_learns")};
  options.on_progress = [&errors](const TrainProgress& line) {
    errors.push_back(line.tracking_error);
  };
  ASSERT_TRUE(Train(PointMassProblem(recipe), recipe, options).ok());
  EXPECT_GT(errors.front(), 0.7);  // two random velocities are 1.04 apart on average
  EXPECT_LT(errors.back(), 0.35);
}

TEST(TrainerTest, ImitationAloneFollowsTheExpert) {
  Recipe recipe = SmallRecipe();
  recipe.clone.rounds = 8;
  recipe.clone.epochs = 20;
  recipe.clone.learning_rate = 5e-3;
  std::vector<TrainProgress> lines;
  TrainOptions options{.out = EmptyDirectory("trainer_clone"), .max_iterations = 0};
  options.on_progress = [&lines](const TrainProgress& line) { lines.push_back(line); };
  ASSERT_TRUE(Train(PointMassProblem(recipe), recipe, options).ok());
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_LT(lines.back().clone_loss, 0.02);
  EXPECT_LT(lines.back().tracking_error, 0.5);
}

TEST(ExportTest, TheFileComputesTheMeanActionOfTheRawObservation) {
  const robot::RobotSpec spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  const NetworkConfig config{.actor_hidden = {32, 16}, .critic_hidden = {8}};
  const ActorCritic networks = MakeActorCritic(config, InputScale(spec), 12, RngStream(1));
  const auto file = std::filesystem::path(::testing::TempDir()) / "export_test.onnx";
  ASSERT_TRUE(ExportPolicy(file, networks, spec, {.recipe = "abc", .samples = 7}).ok());

  const Result<nn::OnnxModel> model = nn::OnnxModel::Load(file);
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model.value().metadata().at("samples"), "7");
  Rng rng = RngStream(2).Generator();
  Batch raw(1, spec.observation_size());
  Batch scaled(1, spec.observation_size());
  for (Eigen::Index i = 0; i < raw.cols(); ++i) {
    raw(0, i) = static_cast<float>(rng.Normal());
    scaled(0, i) = raw(0, i) * networks.input_scale[i];
  }
  std::array<float, 12> got{};
  const std::array<std::span<const float>, 1> inputs{
      std::span<const float>(raw.data(), static_cast<std::size_t>(raw.cols()))};
  const std::array<std::span<float>, 1> outputs{std::span<float>(got)};
  nn::OnnxModel::Scratch scratch;
  model.value().Run(inputs, outputs, scratch);
  nn::Mlp<float>::Scratch expected_scratch;
  const auto expected = networks.actor.Forward(scaled, expected_scratch);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(got[i], expected(0, i), 2e-5);
}

}  // namespace

}  // namespace gonogo::train
