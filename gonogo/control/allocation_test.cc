// SPDX-License-Identifier: Apache-2.0
#include "tests/support/allocation_count.h"
#include <gtest/gtest.h>

#include "gonogo/control/baselines.h"
#include "gonogo/control/retrieval.h"
#include "gonogo/control/sampling_mpc.h"
#include "gonogo/control/testing/fake_predictor.h"
#include "gonogo/control/vgcc.h"
#include "gonogo/nn/testing/random_ensemble.h"
#include "gonogo/response/models/macro_model.h"
#include "gonogo/response/models/response_model.h"

namespace gonogo::control {
namespace {

constexpr int kWidth = 20;

robot::RobotSpec WideRobot() {
  robot::RobotSpec robot = internal::TestRobot();
  robot::ObservationTerm command;
  command.kind = robot::TermKind::kCommand;
  command.scale = {1.0, 1.0, 1.0};
  robot::ObservationTerm joints;
  joints.kind = robot::TermKind::kJointPos;
  joints.scale = std::vector<double>(kWidth - 3, 1.0);
  robot.observation = {command, joints};
  return robot;
}

nn::Ensemble Networks(int inputs, int outputs, int members) {
  return nn::internal::RandomEnsemble(inputs, {32, 32}, outputs, members);
}

/// Allocations of the first twenty decisions.
std::size_t Allocations(Controller& controller) {
  const std::vector<float> observation(kWidth, 0.1F);
  const auto decide = [&](int i) {
    return controller.Decide({.observation = observation,
                              .goal_B = {1.0 - 0.1 * i, 0.3 + 0.05 * i},
                              .height_m = 0.3,
                              .tilt_rad = 0.1});
  };
  const std::size_t before = testing_support::AllocationCount();
  for (int i = 0; i < 20; ++i) decide(i);
  return testing_support::AllocationCount() - before;
}

TEST(AllocationTest, NoControllerAllocatesWhenItDecides) {
  const robot::RobotSpec robot = WideRobot();
  const response::CommandSlot slot = response::CommandSlot::Find(robot).value();
  const auto model = std::make_shared<response::ResponseModel>(
      response::ModelIdentity{}, response::CostChannel::kPower, slot,
      Networks(kWidth, response::ResponseModel::kOutputs, 5));
  const auto macro = std::make_shared<response::MacroModel>(
      response::ModelIdentity{}, slot,
      Networks(kWidth, kWidth + response::MacroModel::kExtraOutputs, 5));
  const auto value =
      std::make_shared<response::ValueModel>(response::ModelIdentity{}, Networks(kWidth + 2, 3, 1));
  Direct direct(robot);
  FixedScale fixed = FixedScale::Create(0.75, robot).value();
  Governor governor = Governor::Create({}, robot).value();
  Vgcc vgcc = Vgcc::Create({}, robot, model).value();
  Vgcc aligned = Vgcc::Create({.score_executed = true}, robot, model).value();
  SamplingMpc mpc = SamplingMpc::Create({}, robot, macro, value).value();
  const auto archive = std::make_shared<const BehaviourArchive>(BehaviourArchive{
      .behaviours = {{.dx = 0.2, .velocity = {0.6, 0.0, 0.0}, .start_height_m = 0.3}},
      .cluster_begin = {0, 1},
      .cluster_step = {{0.2, 0.0}},
      .chunk_s = 0.32});
  Retrieval retrieval = Retrieval::Create({}, robot, archive).value();
  EXPECT_EQ(Allocations(retrieval), 0U);
  EXPECT_EQ(Allocations(direct), 0U);
  EXPECT_EQ(Allocations(fixed), 0U);
  EXPECT_EQ(Allocations(governor), 0U);
  EXPECT_EQ(Allocations(vgcc), 0U);
  EXPECT_EQ(Allocations(aligned), 0U);
  EXPECT_EQ(Allocations(mpc), 0U);
}

}  // namespace
}  // namespace gonogo::control
