// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/robot_facts.h"

#include <fmt/format.h>

#include "gonogo/io/file.h"
#include "gonogo/study/describe/fact_finder.h"

namespace gonogo::study {

void RobotFacts::Complete(const RobotFacts& other) {
  const auto take = [this](auto& mine, const auto& theirs) {
    if (!mine) {
      mine = theirs;
      return;
    }
    if constexpr (requires { mine->value == theirs->value; }) {
      const bool differs = theirs && theirs->sure && mine->sure && !(mine->value == theirs->value);
      if (differs) unread.push_back(theirs->source + ": differs from " + mine->source);
    }
  };
  if (dialect.empty()) dialect = other.dialect;
  take(joints, other.joints);
  take(places, other.places);
  for (auto member :
       {&RobotFacts::kp, &RobotFacts::kd, &RobotFacts::default_pose, &RobotFacts::action_scale,
        &RobotFacts::action_offset, &RobotFacts::effort_limit, &RobotFacts::armature,
        &RobotFacts::command_low, &RobotFacts::command_high}) {
    take(this->*member, other.*member);
  }
  for (auto member : {&RobotFacts::physics_dt_s, &RobotFacts::control_dt_s, &RobotFacts::decimation,
                      &RobotFacts::action_clip, &RobotFacts::spawn_height_m}) {
    take(this->*member, other.*member);
  }
  take(named_kp, other.named_kp);
  take(named_kd, other.named_kd);
  take(named_pose, other.named_pose);
  if (!actuator || (!actuator->sure && other.actuator && other.actuator->sure)) {
    actuator = other.actuator;
  }
  if (wheels.empty()) wheels = other.wheels;
  // Terms that a file lists win over those that only code does.
  if (!terms || (!terms->sure && other.terms && other.terms->sure)) {
    terms = other.terms;
    if (!frames) frames = other.frames;
  } else if (!frames && !other.terms) {
    frames = other.frames;
  }
  scales.insert(other.scales.begin(), other.scales.end());
  take(feet, other.feet);
  take(forbidden, other.forbidden);
  unread.insert(unread.end(), other.unread.begin(), other.unread.end());
  unused.insert(unused.end(), other.unused.begin(), other.unused.end());
}

RobotFacts FactsOfText(const std::string& text, const std::string& file) {
  FactFinder finder(file.ends_with(".py") ? ReadFlatPython(text) : ReadFlatYaml(text), file);
  RobotFacts facts;
  if (finder.Has("joint_ids_map")) {
    facts = ReadDeployYaml(finder);
  } else if (finder.Has("articulations.robot.joint_names")) {
    facts = ReadIoDescriptors(finder);
  } else if (finder.Has("configs.frequency") || finder.Has("pipeline.inputs")) {
    facts = ReadLeapp(finder);
  } else if (finder.Has("rl_kp") || finder.Has("fixed_kp") || finder.Has("joint_mapping")) {
    facts = ReadRlSar(finder);
  } else if (finder.Has("init_state.default_joint_angles") || finder.Has("control.stiffness")) {
    facts = ReadTrainingConfig(finder);
  } else {
    facts = ReadUnitreeGym(finder);
  }
  facts.unused = finder.Unused();
  return facts;
}

Result<RobotFacts> ReadFacts(const std::vector<std::filesystem::path>& files) {
  RobotFacts all;
  std::vector<RobotFacts> rl_sar;
  for (const std::filesystem::path& file : files) {
    const std::string text = GONOGO_TRY(io::ReadFile(file));
    constexpr std::size_t kMost = 8 << 20;  // bytes; what people write by hand has some thousands
    if (text.size() > kMost) {
      return InputError("{}: {} bytes are no configuration; at most {} are read", file.string(),
                        text.size(), kMost);
    }
    const std::string name = file.filename().string();
    RobotFacts facts = FactsOfText(text, name);
    const bool nothing = facts.unused.empty() && facts.dialect.empty() && !facts.kp;
    if (nothing && ReadFlatYaml(text).empty()) {
      return InputError("{}: no YAML keys found in it", file.string());
    }
    if (facts.dialect == "rl_sar") {
      rl_sar.push_back(std::move(facts));
    } else {
      all.Complete(facts);
    }
  }
  // The file with the terms is the policy's, the other one the robot's.
  if (rl_sar.size() == 2 && rl_sar[0].terms.has_value() != rl_sar[1].terms.has_value()) {
    RobotFacts& base = rl_sar[rl_sar[0].terms ? 1 : 0];
    JoinRlSar(base, rl_sar[rl_sar[0].terms ? 0 : 1]);
    all.Complete(base);
  } else {
    for (RobotFacts& one : rl_sar) {
      if (!one.terms) JoinRlSar(one, {});
      all.Complete(one);
    }
  }
  return all;
}

}  // namespace gonogo::study
