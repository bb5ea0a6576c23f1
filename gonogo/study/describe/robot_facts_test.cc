// SPDX-License-Identifier: Apache-2.0
// One small file for each dialect, made here: order, gains, scales, history and ranges come out
// right, and what nothing was taken from is listed.
#include "gonogo/study/describe/robot_facts.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::study {
namespace {

using robot::TermKind;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const TermFact& Term(const RobotFacts& facts, TermKind kind) {
  for (const TermFact& term : facts.terms->value) {
    if (term.kind == kind) return term;
  }
  ADD_FAILURE() << "no such term";
  return facts.terms->value.front();
}

std::vector<TermKind> Kinds(const RobotFacts& facts) {
  std::vector<TermKind> kinds;
  for (const TermFact& term : facts.terms->value) kinds.push_back(term.kind);
  return kinds;
}

TEST(RobotFactsTest, DeployYamlHasGainsInTheOrderOfTheRobotAndTheRestInThatOfThePolicy) {
  const RobotFacts facts = FactsOfText(R"(
joint_ids_map: [2, 0, 1]
step_dt: 0.02
stiffness: [10, 20, 30]
damping: [1, 2, 3]
default_joint_pos: [0.3, 0.1, 0.2]
commands:
  base_velocity:
    ranges: {lin_vel_x: [-0.5, 1.0], lin_vel_y: [-0.3, 0.3], ang_vel_z: [-0.2, 0.2], heading: null}
actions:
  JointPositionAction:
    clip: [[-5, 5], [-5, 5], [-5, 5]]
    joint_names: [.*]
    scale: [0.3, 0.1, 0.2]
    offset: [0.3, 0.1, 0.2]
    joint_ids: !!python/object/apply:builtins.slice
    - null
observations:
  base_ang_vel: {params: {}, clip: [-100, 100], scale: [0.2, 0.2, 0.2], history_length: 5}
  velocity_commands:
    params: {command_name: base_velocity}
    clip: null
    scale: [1.0, 1.0, 1.0]
    history_length: 5
  gait_phase:
    params: {period: 0.6}
    history_length: 1
  camera: {scale: 1}
spare: 7
)",
                                       "deploy.yaml");
  EXPECT_THAT(facts.kp->value, ElementsAre(30, 10, 20));
  EXPECT_THAT(facts.kd->value, ElementsAre(3, 1, 2));
  EXPECT_EQ(facts.kp->source, "stiffness of deploy.yaml, by joint_ids_map");
  EXPECT_THAT(facts.default_pose->value, ElementsAre(0.3, 0.1, 0.2));
  EXPECT_THAT(facts.action_scale->value, ElementsAre(0.3, 0.1, 0.2));
  EXPECT_THAT(facts.places->value, ElementsAre(2, 0, 1));
  EXPECT_EQ(facts.action_clip->value, 5);
  EXPECT_EQ(facts.control_dt_s->value, 0.02);
  EXPECT_THAT(facts.command_low->value, ElementsAre(-0.5, -0.3, -0.2));
  EXPECT_THAT(facts.command_high->value, ElementsAre(1.0, 0.3, 0.2));
  EXPECT_THAT(Kinds(facts),
              ElementsAre(TermKind::kBaseAngVel, TermKind::kCommand, TermKind::kGaitPhase));
  EXPECT_EQ(Term(facts, TermKind::kBaseAngVel).history, 5);
  EXPECT_THAT(Term(facts, TermKind::kBaseAngVel).clip, ElementsAre(-100, 100));
  EXPECT_THAT(Term(facts, TermKind::kBaseAngVel).scale, ElementsAre(0.2, 0.2, 0.2));
  EXPECT_EQ(Term(facts, TermKind::kGaitPhase).period_s, 0.6);
  EXPECT_EQ(facts.actuator->value, "implicit_pd");
  EXPECT_FALSE(facts.actuator->sure);
  EXPECT_THAT(facts.unread, Contains("observation camera of deploy.yaml"));
  EXPECT_THAT(facts.unused, Contains("spare of deploy.yaml"));
}

TEST(RobotFactsTest, IoDescriptorsNameJointsAndKeepValuesInTheOrderOfTheArticulation) {
  const RobotFacts facts = FactsOfText(R"(
actions:
- name: joint_position_action
  joint_names:
  - b
  - a
  scale: 0.5
  offset: [0.2, 0.1]
  clip: null
articulations:
  robot:
    joint_names: [a, b]
    default_joint_pos: [0.1, 0.2]
    default_joint_stiffness: [25, 26]
    default_joint_damping: [0.5, 0.6]
    default_joint_armature: [0.01, 0.02]
observations:
  policy:
  - name: base_lin_vel
    shape: [3]
    overloads: {scale: 2.0, clip: null, history_length: 0, flatten_history_dim: true}
  - name: joint_pos_rel
    joint_names: [b, a]
    overloads: {scale: null, clip: [-3.0, 3.0], history_length: 4, flatten_history_dim: true}
scene: {physics_dt: 0.005, decimation: 4, dt: 0.02}
extra: {thing: 1}
)",
                                       "IO_descriptors.yaml");
  EXPECT_THAT(facts.joints->value, ElementsAre("b", "a"));
  EXPECT_THAT(facts.kp->value, ElementsAre(26, 25));
  EXPECT_THAT(facts.kd->value, ElementsAre(0.6, 0.5));
  EXPECT_THAT(facts.default_pose->value, ElementsAre(0.2, 0.1));
  EXPECT_THAT(facts.armature->value, ElementsAre(0.02, 0.01));
  EXPECT_THAT(facts.action_scale->value, ElementsAre(0.5));
  EXPECT_EQ(facts.physics_dt_s->value, 0.005);
  EXPECT_EQ(facts.decimation->value, 4);
  EXPECT_THAT(Kinds(facts), ElementsAre(TermKind::kBaseLinVel, TermKind::kJointPos));
  EXPECT_THAT(Term(facts, TermKind::kBaseLinVel).scale, ElementsAre(2.0));
  EXPECT_EQ(Term(facts, TermKind::kBaseLinVel).history, 1);
  EXPECT_EQ(Term(facts, TermKind::kJointPos).history, 4);
  EXPECT_THAT(Term(facts, TermKind::kJointPos).joints, IsEmpty());
  EXPECT_THAT(facts.unused, ElementsAre("extra.thing of IO_descriptors.yaml"));
}

TEST(RobotFactsTest, GainsOfZeroAreSaidToBeSaidByNoFile) {
  const RobotFacts facts = FactsOfText(
      "articulations:\n  robot:\n    joint_names: [a]\n    default_joint_stiffness: [0.0]\n"
      "    default_joint_damping: [0.0]\n",
      "io.yaml");
  EXPECT_FALSE(facts.kp.has_value());
  EXPECT_THAT(facts.unread, Contains(HasSubstr("default_joint_stiffness of io.yaml: 0")));
}

TEST(RobotFactsTest, LeappNamesJointsAndAFrequencyAndSaysWhatIsNotAnOffset) {
  const RobotFacts facts = FactsOfText(
      "models:\n  net:\n    inputs:\n    - name: q\n      kind: state/joint/position\n"
      "      element_names: [a, b]\npipeline:\n  inputs: [q]\n  configs: {frequency: 50}\n",
      "walk.yaml");
  EXPECT_THAT(facts.joints->value, ElementsAre("a", "b"));
  EXPECT_NEAR(facts.control_dt_s->value, 0.02, 1e-12);
  EXPECT_THAT(facts.unread, Contains(HasSubstr("not as offsets")));
}

class RlSarTest : public testing::Test {
 protected:
  static std::filesystem::path Put(const std::string& name, const std::string& text) {
    std::ofstream(std::filesystem::path(testing::TempDir()) / name) << text;
    return std::filesystem::path(testing::TempDir()) / name;
  }
  const std::filesystem::path base_ = Put("base.yaml", R"(
dog:
  dt: 0.005
  decimation: 4
  fixed_kp: [1, 1, 1]
  joint_names: ["a", "b", "c"]
  joint_mapping: [1, 2, 0]
  default_dof_pos: [0.1, 0.2, 0.3]
  torque_limits: [10, 20, 30]
  colour: 3
)");
  static std::string Config(const std::string& priority) {
    return R"(
dog/walk:
  model_name: "policy.pt"
  observations: ["ang_vel", "commands", "dof_vel"]
  observations_history: [5, 4, 3, 2, 1, 0]
  observations_history_priority: ")" +
           priority + R"("
  clip_obs: 100.0
  clip_actions_lower: [-8, -8, -8]
  clip_actions_upper: [8, 8, 8]
  rl_kp: [31, 32, 33]
  action_scale: [0.5, 0.25, 0.25]
  ang_vel_scale: 0.25
  dof_vel_scale: 0.05
  commands_scale: [2.0, 2.0, 0.25]
  joint_mapping: [1, 2, 0]
)";
  }
};

TEST_F(RlSarTest, TheSecondFileIsInThePolicysOrderAndTheFirstInTheRobots) {
  const std::filesystem::path config = Put("config.yaml", Config("time"));
  for (const auto& files : {std::vector{base_, config}, std::vector{config, base_}}) {
    const RobotFacts facts = ReadFacts(files).value();
    EXPECT_THAT(facts.joints->value, ElementsAre("b", "c", "a"));
    EXPECT_THAT(facts.default_pose->value, ElementsAre(0.2, 0.3, 0.1));
    EXPECT_THAT(facts.effort_limit->value, ElementsAre(20, 30, 10));
    EXPECT_THAT(facts.kp->value, ElementsAre(31, 32, 33));
    EXPECT_THAT(facts.action_scale->value, ElementsAre(0.5, 0.25, 0.25));
    EXPECT_EQ(facts.action_clip->value, 8);
    EXPECT_EQ(facts.physics_dt_s->value, 0.005);
    EXPECT_EQ(facts.frames->value.count, 6);
    EXPECT_FALSE(facts.frames->value.newest_first);
    EXPECT_EQ(Term(facts, TermKind::kBaseAngVel).history, 1);
    EXPECT_THAT(Term(facts, TermKind::kCommand).scale, ElementsAre(2.0, 2.0, 0.25));
    EXPECT_THAT(Term(facts, TermKind::kCommand).clip, IsEmpty());  // it has no single scale
    EXPECT_THAT(Term(facts, TermKind::kBaseAngVel).clip, ElementsAre(-400, 400));
    EXPECT_THAT(facts.unused, ElementsAre("dog.colour of base.yaml"));
    EXPECT_EQ(facts.actuator->value, "pd");
  }
}

TEST_F(RlSarTest, AHistoryTermByTermIsOneOfEachTerm) {
  const RobotFacts facts = ReadFacts({base_, Put("config.yaml", Config("term"))}).value();
  EXPECT_FALSE(facts.frames.has_value());
  EXPECT_EQ(Term(facts, TermKind::kBaseAngVel).history, 6);
}

TEST(RobotFactsTest, LeggedGymGivesGainsByPartsOfNames) {
  const RobotFacts facts = FactsOfText(R"(
class DogCfg( LeggedRobotCfg ):
    class init_state( LeggedRobotCfg.init_state ):
        pos = [0.0, 0.0, 0.42] # x,y,z [m]
        default_joint_angles = { # when the action is 0
            'left_hip': 0.1,
            'left_calf': -1.5,
        }
    class control( LeggedRobotCfg.control ):
        control_type = 'P'
        stiffness = {'hip': 20., 'calf': 30.}  # [N*m/rad]
        damping = {'left': 0.5}
        action_scale = 0.25
        decimation = 4
    class asset( LeggedRobotCfg.asset ):
        foot_name = "foot"
        terminate_after_contacts_on = ["base"]
        self_collisions = 1
    class commands:
        class ranges:
            lin_vel_x = [-1.0, 2.0]
            lin_vel_y = [-0.5, 0.5]
            ang_vel_yaw = [-1, 1]
    class normalization:
        class obs_scales:
            lin_vel = 2.0
            ang_vel = 0.25
            dof_pos = 1.0
            dof_vel = 0.05
        clip_observations = 100.
        clip_actions = 12.
    class rewards:
        soft_dof_pos_limit = 0.9
    class sim:
        dt = 0.005
)",
                                       "dog_config.py");
  EXPECT_EQ(facts.dialect, "legged_gym");
  EXPECT_TRUE(facts.named_kp->value.by_part);
  EXPECT_EQ(facts.named_kp->value.values.size(), 2U);
  EXPECT_FALSE(facts.named_pose->value.by_part);
  EXPECT_EQ(facts.spawn_height_m->value, 0.42);
  EXPECT_EQ(facts.decimation->value, 4);
  EXPECT_EQ(facts.physics_dt_s->value, 0.005);
  EXPECT_EQ(facts.action_clip->value, 12);
  EXPECT_THAT(facts.command_high->value, ElementsAre(2.0, 0.5, 1.0));
  EXPECT_THAT(Term(facts, TermKind::kCommand).scale, ElementsAre(2.0, 2.0, 0.25));
  EXPECT_THAT(Term(facts, TermKind::kJointVel).clip, ElementsAre(-2000, 2000));
  EXPECT_THAT(facts.feet->value, ElementsAre("foot"));
  EXPECT_FALSE(facts.terms->sure);  // only code says it
  EXPECT_THAT(facts.unused, Contains(HasSubstr("self_collisions")));
  EXPECT_FALSE(facts.effort_limit.has_value());
}

TEST(RobotFactsTest, BoosterHasADefaultAndRewardsThatAreNoLimits) {
  const RobotFacts facts = FactsOfText(R"(
env: {num_actions: 12}
init_state:
  pos: [0.0, 0.0, 0.72]
  default_joint_angles: {default: 0.05, Hip_Pitch: -0.2, Knee: 0.4}
control:
  stiffness: {Hip: 200., Knee: 210.}
  damping: {Hip: 5., Knee: 6.}
  action_scale: 1.0
  decimation: 10
commands: {lin_vel_x: [-1.0, 1.0], lin_vel_y: [-1.0, 1.0], ang_vel_yaw: [-1.0, 1.0], gait_frequency: [1.0, 2.0]}
normalization: {gravity: 1.0, lin_vel: 1.0, ang_vel: 1.0, dof_pos: 1.0, dof_vel: 0.1, clip_actions: 1.0}
rewards: {scales: {torque_limits: -0.01}}
sim: {dt: 0.002}
)",
                                       "T1.yaml");
  EXPECT_EQ(facts.dialect, "booster_gym");
  EXPECT_EQ(facts.named_pose->value.otherwise, 0.05);
  EXPECT_TRUE(facts.named_pose->value.by_part);
  EXPECT_FALSE(facts.effort_limit.has_value());
  EXPECT_THAT(facts.command_low->value, ElementsAre(-1, -1, -1));
  EXPECT_TRUE(Term(facts, TermKind::kGaitPhase).cos_first);
  EXPECT_NEAR(*Term(facts, TermKind::kGaitPhase).period_s, 2.0 / 3.0, 1e-12);
}

TEST(RobotFactsTest, HumanoidGymStacksWholeFramesOfEulerAngles) {
  const RobotFacts facts = FactsOfText(R"(
class Cfg(LeggedRobotCfg):
    class env(LeggedRobotCfg.env):
        frame_stack = 15
        num_actions = 12
    class init_state:
        default_joint_angles = {'a': 0.}
    class control:
        stiffness = {'leg': 200.0}
        damping = {'leg': 10}
        action_scale = 0.25
        decimation = 10
    class rewards:
        cycle_time = 0.64
    class normalization:
        class obs_scales:
            lin_vel = 2.
            ang_vel = 1.
            dof_vel = 0.05
            quat = 1.
)",
                                       "humanoid.py");
  EXPECT_EQ(facts.dialect, "humanoid-gym");
  EXPECT_EQ(facts.frames->value.count, 15);
  EXPECT_TRUE(facts.frames->value.zero_filled);
  EXPECT_EQ(Kinds(facts).back(), TermKind::kEuler);
  EXPECT_EQ(Term(facts, TermKind::kGaitPhase).period_s, 0.64);
}

TEST(RobotFactsTest, UnitreeGymGivesListsWithoutNames) {
  const RobotFacts facts = FactsOfText(
      "simulation_dt: 0.002\ncontrol_decimation: 10\nkps: [100, 90]\nkds: [2, 3]\n"
      "default_angles: [0.1, -0.1]\naction_scale: 0.25\nang_vel_scale: 0.25\n"
      "cmd_scale: [2.0, 2.0, 0.25]\nmax_cmd: [0.8, 0.5, 1.57]\nnum_obs: 47\nodd: 1\n",
      "g1.yaml");
  EXPECT_THAT(facts.kp->value, ElementsAre(100, 90));
  EXPECT_EQ(facts.kp->source, "kps of g1.yaml");
  EXPECT_THAT(facts.command_low->value, ElementsAre(-0.8, -0.5, -1.57));
  EXPECT_THAT(facts.scales.at(TermKind::kCommand).value, ElementsAre(2, 2, 0.25));
  EXPECT_THAT(facts.unused, ElementsAre("odd of g1.yaml"));
}

TEST(RobotFactsTest, MjlabsMetadataSaysTermsByEntryAndSemicolon) {
  const RobotFacts facts = FactsOfMetadata({{"joint_names", "a,b"},
                                            {"joint_stiffness", "40.200,28.500"},
                                            {"joint_damping", "2.600,1.800"},
                                            {"default_joint_pos", "0.100,-0.200"},
                                            {"action_scale", "0.500"},
                                            {"observation_names", "base_ang_vel,command"},
                                            {"observation_terms_scale", "0.250;0.250;0.250,1.000"},
                                            {"observation_terms_clip", "-10.000;10.000,-inf;inf"},
                                            {"observation_terms_history_length", "3.000,0.000"},
                                            {"run_path", "x"},
                                            {"spare", "1"}},
                                           "policy.onnx");
  EXPECT_THAT(facts.joints->value, ElementsAre("a", "b"));
  EXPECT_THAT(facts.kp->value, ElementsAre(40.2, 28.5));
  EXPECT_THAT(facts.default_pose->value, ElementsAre(0.1, -0.2));
  EXPECT_THAT(Term(facts, TermKind::kBaseAngVel).scale, ElementsAre(0.25, 0.25, 0.25));
  EXPECT_THAT(Term(facts, TermKind::kBaseAngVel).clip, ElementsAre(-10, 10));
  EXPECT_EQ(Term(facts, TermKind::kBaseAngVel).history, 3);
  EXPECT_THAT(Term(facts, TermKind::kCommand).clip, IsEmpty());
  EXPECT_EQ(Term(facts, TermKind::kCommand).history, 1);
  EXPECT_THAT(facts.unused, ElementsAre("spare of policy.onnx"));
}

TEST(RobotFactsTest, GainsThatMjlabWritesForExplicitActuatorsAreNone) {
  const RobotFacts facts = FactsOfMetadata({{"joint_names", "a,b"},
                                            {"joint_stiffness", "1.000,1.000"},
                                            {"joint_damping", "-0.000,-0.000"}},
                                           "policy.onnx");
  EXPECT_FALSE(facts.kp.has_value());
  EXPECT_THAT(facts.unread, Contains(HasSubstr("the gains are not said")));
}

TEST(RobotFactsTest, FilesThatDisagreeAreToldApart) {
  RobotFacts facts = FactsOfText("control_decimation: 10\nkps: [1, 2]\n", "one.yaml");
  facts.Complete(FactsOfText("control_decimation: 10\nkps: [1, 3]\n", "two.yaml"));
  EXPECT_THAT(facts.kp->value, ElementsAre(1, 2));
  EXPECT_THAT(facts.unread, ElementsAre("kps of two.yaml: differs from kps of one.yaml"));
}

}  // namespace
}  // namespace gonogo::study
