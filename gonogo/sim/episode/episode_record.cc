// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/episode/episode_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gonogo/sim/episode/target_run.h"
#include "gonogo/sim/world/figure.h"

namespace gonogo::sim {
namespace {

constexpr double kMargin = 3.0;  // m of ground kept around the path

struct Rectangle {
  double x0 = std::numeric_limits<double>::infinity();
  double y0 = x0;
  double x1 = -x0;
  double y1 = -x0;

  void Include(double x, double y) {
    x0 = std::min(x0, x);
    y0 = std::min(y0, y);
    x1 = std::max(x1, x);
    y1 = std::max(y1, y);
  }
};

/// The vertices within the margin of a rectangle.
Terrain Crop(const Terrain& terrain, const Rectangle& area) {
  Terrain part;
  part.name = terrain.name;
  if (terrain.is_plane()) return part;
  const auto index = [&](double value, double origin, int count) {
    return std::clamp(static_cast<int>(std::lround((value - origin) / terrain.spacing_m)), 0,
                      count - 1);
  };
  const int ix0 = index(area.x0 - kMargin, terrain.x0, terrain.nx);
  const int ix1 = index(area.x1 + kMargin, terrain.x0, terrain.nx);
  const int iy0 = index(area.y0 - kMargin, terrain.y0, terrain.ny);
  const int iy1 = index(area.y1 + kMargin, terrain.y0, terrain.ny);
  part.spacing_m = terrain.spacing_m;
  part.nx = ix1 - ix0 + 1;
  part.ny = iy1 - iy0 + 1;
  part.x0 = terrain.x0 + ix0 * terrain.spacing_m;
  part.y0 = terrain.y0 + iy0 * terrain.spacing_m;
  for (int iy = iy0; iy <= iy1; ++iy) {
    const auto row = terrain.heights.begin() + static_cast<std::ptrdiff_t>(iy) * terrain.nx;
    part.heights.insert(part.heights.end(), row + ix0, row + ix1 + 1);
  }
  return part;
}

template <typename From, typename To>
void Append(const From& from, std::vector<To>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void EpisodeRecorder::Begin() {
  const robot::RobotSpec& spec = env_.spec();
  record_ = EpisodeRecord{};
  record_.robot = spec.name;
  record_.layout_hash = spec.LayoutHash();
  record_.control_dt_s = spec.control_dt_s();
  record_.first_time_s = env_.state().time_s;
  record_.physics_steps = spec.decimation;
  record_.bodies = figure_.bodies();
  record_.geoms = figure_.geoms();
  record_.joints = spec.joints;
  record_.feet = spec.feet;
  record_.channels = spec.channels;
  record_.tolerance_m = spec.task.tolerance_m;
  AddFrame();
}

void EpisodeRecorder::AddFrame() {
  const std::size_t size = 7 * figure_.bodies().size();
  record_.poses.resize(record_.poses.size() + size);
  const std::span<float> frame = std::span(record_.poses).last(size);
  if (env_.termination() == Termination::kDiverged) {
    std::copy_n(frame.data() - size, size, frame.data());  // the last pose that was one
  } else {
    figure_.Poses(env_.qpos(), frame);
  }
  record_.height_m.push_back(env_.state().posture_height_m);
  record_.height_W_m.push_back(env_.state().p_W[2]);
}

void EpisodeRecorder::operator()(const Env& env, const robot::Command& command) {
  record_.command.push_back(command);
  Append(env.state().last_action, record_.action);
  record_.power_w.push_back(env.step().power_w);
  record_.effort.push_back(env.step().effort);
  for (const Foot& foot : env.feet()) {
    record_.foot_force_n.push_back(static_cast<float>(foot.force_n));
  }
  Append(env.step().torque, record_.torque);
  Append(env.step().joint_vel, record_.joint_vel);
  AddFrame();
}

EpisodeRecord EpisodeRecorder::Finish(const TargetRun& run) {
  return Finish(run.target_W(), run.result());
}

EpisodeRecord EpisodeRecorder::Finish(robot::Point2 target_W, const EpisodeResult& result) {
  record_.target_W = target_W;
  record_.result = result;
  Rectangle area;
  area.Include(record_.target_W.x, record_.target_W.y);
  const std::size_t stride = 7 * record_.bodies.size();
  for (std::size_t i = 0; i < record_.poses.size(); i += stride) {
    area.Include(record_.poses[i], record_.poses[i + 1]);
  }
  record_.terrain = Crop(env_.world().terrain(), area);
  return std::move(record_);
}

}  // namespace gonogo::sim
