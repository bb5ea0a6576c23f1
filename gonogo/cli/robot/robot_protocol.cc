// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/robot/robot_protocol.h"

#include <fmt/format.h>

#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/io/sha256.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::cli {

void SurroundingsFlags::Add(Arguments verb) {
  const std::string group = "Surroundings";
  Argument terrain =
      verb.Option("--terrain", terrain_, fmt::format("The ground: {}", sim::GroundSyntax()));
  terrain.Group(group).Value("GROUND");
  if (!terrain_.empty()) terrain.ShowDefault();
  Argument seed =
      verb.Option("--terrain-seed", seed_,
                  seed_.empty() ? "Seed of one ground for everything; each: every run or "
                                  "cluster has the ground of its own seed [each]"
                                : "Seed of one ground for all runs; each: every seed "
                                  "has a ground of its own")
          .Rare();
  seed.Group(group).Value("SEED");
  if (!seed_.empty()) seed.ShowDefault();
  verb.Option("--conditions", conditions_,
              fmt::format("Under what the robot is run: {} [undisturbed]", sim::ConditionsSyntax()))
      .Group(group)
      .Value("TEXT")
      .Rare();
}

Result<study::Surroundings> SurroundingsFlags::Read() const {
  study::Surroundings surroundings;
  surroundings.ground = GONOGO_TRY(sim::Ground::Parse(terrain_));
  surroundings.seed = GONOGO_TRY(sim::GroundSeed::Parse(seed_.empty() ? "each" : seed_));
  surroundings.conditions = GONOGO_TRY(sim::Conditions::Parse(conditions_));
  return surroundings;
}

Result<study::Surroundings> SurroundingsFlags::Read(std::uint64_t seed) const {
  study::Surroundings surroundings = GONOGO_TRY(Read());
  surroundings.seed.common = surroundings.seed.For(seed);
  return surroundings;
}

void RobotProtocolFlags::Add(Arguments verb) {
  verb.Positional("robot", robot_, "The folder of the robot, which holds robot.toml").Required();
  const std::string group = "Protocol";
  verb.Option("--protocol", file_, "The file that says what is declared [ROBOT/audit.toml]")
      .Group(group);
  verb.Option("--queries", queries_,
              "The controller whose episodes are interrupted to try actions: direct, vgcc or mpc "
              "[as declared]")
      .Group(group)
      .Rare();
  surroundings_.Add(verb);
  verb.Option("--set", set_, "KEY=VALUE: declare another value than the file does").Group(group);
  verb.Option("--models", models_, "The folder that 'gonogo identify' wrote [runs/identify-ROBOT]")
      .Rare();
}

Result<audit::Protocol> RobotProtocolFlags::Read() const {
  std::filesystem::path file = file_;
  if (file.empty()) {
    const bool is_file = robot_.extension() == ".toml";
    file = (is_file ? robot_.parent_path() : robot_) / "audit.toml";
  }
  Result<audit::Protocol> protocol = study::LoadProtocol(file);
  if (!protocol.ok()) return protocol;
  if (!protocol.value().collect) {
    return InputError("{}: has no [collect] section: nothing says how outcomes are made",
                      file.string());
  }
  study::CollectConfig collect = GONOGO_TRY(study::CollectOf(protocol.value()));
  if (!queries_.empty()) collect.controller = queries_;
  if (!surroundings_.terrain().empty()) collect.terrain = surroundings_.terrain();
  if (!surroundings_.seed().empty()) collect.terrain_seed = surroundings_.seed();
  if (!surroundings_.conditions().empty()) collect.conditions = surroundings_.conditions();
  const study::Surroundings declared = GONOGO_TRY(study::SurroundingsOf(collect));
  collect.terrain = declared.ground.text();
  collect.terrain_seed = declared.seed.text();
  collect.conditions = declared.conditions.text();
  protocol.value().collect = study::SectionOf(collect);
  return OverrideAll(std::move(protocol).value(), set_);
}

std::filesystem::path RobotProtocolFlags::models() const {
  if (!models_.empty()) return models_;
  const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(robot_);
  return study::ModelsFolder(robot.ok() ? robot.value().name : "robot");
}

}  // namespace gonogo::cli
