// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/binding.h"

#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"

namespace gonogo::sim::internal {
namespace {

std::string Names(const mjModel& model, mjtObj type, mjtSize count) {
  std::string names;
  for (int i = 0; i < count; ++i) {
    const char* name = mj_id2name(&model, type, i);
    if (name == nullptr || *name == '\0') continue;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

Status BindRoot(const robot::RobotSpec& spec, const mjModel& model, Binding& binding) {
  binding.root_body = mj_name2id(&model, mjOBJ_BODY, spec.root.c_str());
  if (binding.root_body < 0) {
    return InputError("{}: robot.root is \"{}\", but {} has only the bodies {}", spec.file.string(),
                      spec.root, spec.model.string(), Names(model, mjOBJ_BODY, model.nbody));
  }
  const int joint = model.body_jntadr[binding.root_body];
  if (joint < 0 || model.jnt_type[joint] != mjJNT_FREE) {
    return InputError("{}: robot.root \"{}\" has no free joint in {}", spec.file.string(),
                      spec.root, spec.model.string());
  }
  binding.root_qpos = model.jnt_qposadr[joint];
  binding.root_dof = model.jnt_dofadr[joint];
  binding.scan_body = binding.root_body;
  if (!spec.scan.body.empty()) {
    binding.scan_body = mj_name2id(&model, mjOBJ_BODY, spec.scan.body.c_str());
    if (binding.scan_body < 0) {
      return InputError("{}: height_scan.body is \"{}\", but {} has only the bodies {}",
                        spec.file.string(), spec.scan.body, spec.model.string(),
                        Names(model, mjOBJ_BODY, model.nbody));
    }
  }
  return {};
}

int ActuatorOf(const mjModel& model, int joint) {
  for (int i = 0; i < model.nactuator; ++i) {
    if (model.actuator_trntype[i] == mjTRN_JOINT && Row(model.actuator_trnid, 2, i)[0] == joint)
      return i;
  }
  return -1;
}

Status CheckActuator(const robot::RobotSpec& spec, const mjModel& model, int actuator,
                     std::size_t place) {
  const std::string& joint = spec.joints[place];
  const bool plain = model.actuator_biastype[actuator] == mjBIAS_NONE &&
                     model.actuator_dyntype[actuator] == mjDYN_NONE &&
                     Row(model.actuator_gainprm, mjNGAIN, actuator)[0] == 1.0 &&
                     Row(model.actuator_gear, 6, actuator)[0] == 1.0;
  const bool position = spec.actuator.kind_of(place) == robot::ActuatorKind::kPosition;
  if (position && model.actuator_biastype[actuator] != mjBIAS_AFFINE) {
    return InputError("{}: actuator.kind is position, but the actuator of {} in {} is none",
                      spec.file.string(), joint, spec.model.string());
  }
  if (!position && !plain) {
    return InputError(
        "{}: actuator.kind needs motors, but the actuator of {} in {} is not a plain motor "
        "with gear 1",
        spec.file.string(), joint, spec.model.string());
  }
  return {};
}

Status BindJoints(const robot::RobotSpec& spec, const mjModel& model, Binding& binding) {
  for (std::size_t place = 0; place < spec.joints.size(); ++place) {
    const std::string& name = spec.joints[place];
    const int joint = mj_name2id(&model, mjOBJ_JOINT, name.c_str());
    if (joint < 0) {
      return InputError("{}: joints.order names \"{}\", but {} has only the joints {}",
                        spec.file.string(), name, spec.model.string(),
                        Names(model, mjOBJ_JOINT, model.njnt));
    }
    if (model.jnt_type[joint] != mjJNT_HINGE && model.jnt_type[joint] != mjJNT_SLIDE) {
      return InputError("{}: joint \"{}\" of {} is neither hinge nor slide", spec.file.string(),
                        name, spec.model.string());
    }
    const int actuator = ActuatorOf(model, joint);
    if (actuator < 0) {
      return InputError("{}: joint \"{}\" has no actuator in {}", spec.file.string(), name,
                        spec.model.string());
    }
    GONOGO_TRY(CheckActuator(spec, model, actuator, place));
    binding.joint_qpos.push_back(model.jnt_qposadr[joint]);
    binding.joint_dof.push_back(model.jnt_dofadr[joint]);
    binding.actuator.push_back(actuator);
    const bool position = spec.actuator.kind_of(place) == robot::ActuatorKind::kPosition;
    binding.passive_damping.push_back(position ? model.dof_damping[binding.joint_dof.back()] : 0.0);
  }
  return {};
}

Status BindSites(const robot::RobotSpec& spec, const mjModel& model, Binding& binding) {
  for (const std::string& name : spec.sites) {
    binding.sites.push_back(mj_name2id(&model, mjOBJ_SITE, name.c_str()));
    if (binding.sites.back() >= 0) continue;
    const std::string known = Names(model, mjOBJ_SITE, model.nsite);
    return InputError("{}: a term of the observation has site = \"{}\", but {} has {}",
                      spec.file.string(), name, spec.model.string(),
                      known.empty() ? "no sites with a name" : "only the sites " + known);
  }
  return {};
}

/// Geoms meant by a name: the geom of that name, or all colliding geoms of the body of that name.
std::vector<int> GeomsNamed(const mjModel& model, const std::string& name) {
  const int geom = mj_name2id(&model, mjOBJ_GEOM, name.c_str());
  if (geom >= 0) return {geom};
  const int body = mj_name2id(&model, mjOBJ_BODY, name.c_str());
  std::vector<int> geoms;
  for (int i = 0; body >= 0 && i < model.body_geomnum[body]; ++i) {
    const int candidate = model.body_geomadr[body] + i;
    if (model.geom_contype[candidate] != 0 || model.geom_conaffinity[candidate] != 0) {
      geoms.push_back(candidate);
    }
  }
  return geoms;
}

Error NoSuchGeom(const robot::RobotSpec& spec, const mjModel& model, const char* key,
                 const std::string& name) {
  return InputError(
      "{}: {} names \"{}\", which is neither a colliding geom nor a body with one in {} (geoms {}; "
      "bodies {})",
      spec.file.string(), key, name, spec.model.string(), Names(model, mjOBJ_GEOM, model.ngeom),
      Names(model, mjOBJ_BODY, model.nbody));
}

Status BindContacts(const robot::RobotSpec& spec, const mjModel& model, Binding& binding) {
  binding.geom_foot.assign(static_cast<std::size_t>(model.ngeom), -1);
  binding.geom_forbidden.assign(static_cast<std::size_t>(model.ngeom), 0);
  for (std::size_t foot = 0; foot < spec.feet.size(); ++foot) {
    const std::vector<int> geoms = GeomsNamed(model, spec.feet[foot]);
    if (geoms.empty()) return NoSuchGeom(spec, model, "robot.feet", spec.feet[foot]);
    for (const int geom : geoms) {
      binding.geom_foot[static_cast<std::size_t>(geom)] = static_cast<int>(foot);
    }
    binding.foot_geom.push_back(geoms.front());
  }
  for (const std::string& name : spec.forbidden_contacts) {
    const std::vector<int> geoms = GeomsNamed(model, name);
    if (geoms.empty()) return NoSuchGeom(spec, model, "robot.forbidden_contacts", name);
    for (const int geom : geoms) binding.geom_forbidden[static_cast<std::size_t>(geom)] = 1;
  }
  return {};
}

}  // namespace

Result<Binding> Bind(const robot::RobotSpec& spec, const mjModel_& model) {
  Binding binding;
  for (const auto step : {BindRoot, BindJoints, BindSites, BindContacts}) {
    GONOGO_TRY(step(spec, model, binding));
  }
  for (int body = 1; body < model.nbody; ++body) binding.mass_kg += model.body_mass[body];
  return binding;
}

}  // namespace gonogo::sim::internal
