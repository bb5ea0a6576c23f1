// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/excitation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <system_error>

#include <nlohmann/json.hpp>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/parallel/run_units.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"
#include "gonogo/response/data/excitation_file.h"
#include "gonogo/sim/loop/closed_loop.h"
#include "gonogo/sim/model/engine.h"
#include "gonogo/study/ranks/number_bytes.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::study {
namespace {

using response::ExcitationLog;
using response::LoggedState;

double Tilt(const robot::RobotState& state) {
  return std::acos(std::clamp(-state.gravity_B[2], -1.0, 1.0));
}

LoggedState Describe(const robot::RobotState& state, std::int32_t episode) {
  LoggedState logged;
  logged.episode = episode;
  logged.pose = state.pose();
  logged.height_m = state.posture_height_m;
  logged.height_W_m = state.p_W[2];
  logged.tilt_rad = Tilt(state);
  logged.angular_speed = std::hypot(state.w_B[0], state.w_B[1], state.w_B[2]);
  return logged;
}

void Append(const robot::Command& command, std::int32_t episode, sim::ClosedLoop& loop,
            ExcitationLog& log) {
  LoggedState logged = Describe(loop.env().state(), episode);
  logged.command = command;
  log.states.push_back(logged);
  const std::span<const float> observation = loop.Observe(command);
  log.observations.insert(log.observations.end(), observation.begin(), observation.end());
}

/// Ends an episode in a state that no step leaves.
void AppendLast(std::int32_t episode, sim::ClosedLoop& loop, ExcitationLog& log) {
  if (loop.env().termination() != sim::Termination::kDiverged) {
    Append({}, episode, loop, log);
    return;
  }
  // What physics made of the last step is no state: the one before it is the last.
  LoggedState& last = log.states.back();
  last.command = {};
  last.effort = last.power_w = last.control_effort = last.control_power_w = 0.0;
}

/// Whether the episode is over before its time.
bool Ended(const sim::Env& env, const ExcitationOptions& options) {
  return env.termination() != sim::Termination::kNone || env.step().left_terrain ||
         Tilt(env.state()) > options.fallen_tilt_rad;
}

/// One episode of at most `steps` steps; how many it took.
Result<int> RunEpisode(const ExcitationOptions& options, int steps, std::int32_t episode, Rng& rng,
                       sim::ClosedLoop& loop, ExcitationLog& log) {
  const sim::Env& env = loop.env();
  robot::Command command;
  int taken = 0;
  while (taken < steps && !Ended(env, options)) {
    if (taken % options.hold == 0) command = DrawCommand(env.spec().command_box, options, rng);
    Append(command, episode, loop, log);
    GONOGO_TRY(loop.Advance(command));
    log.states.back().effort = env.step().effort;
    log.states.back().power_w = env.step().power_w;
    log.states.back().control_effort = env.step().control_effort;
    log.states.back().control_power_w = env.step().control_work_j / env.spec().control_dt_s();
    ++taken;
  }
  AppendLast(episode, loop, log);
  return taken;
}

std::filesystem::path PartFile(const std::filesystem::path& folder, int env) {
  return folder / fmt::format("env-{:04}.h5", env);
}

/// Whether `file` is there, finished and of this very run; an error if it is of another one.
Result<bool> IsDone(const std::filesystem::path& file, const std::string& provenance) {
  if (!std::filesystem::exists(file)) return false;
  const io::Hdf5File opened = GONOGO_TRY(io::Hdf5File::Open(file));
  const Result<std::string> found = opened.ReadText("/", "provenance");
  if (found.ok() && found.value() == provenance) return true;
  return UsageError("{}: was collected with other options ({}); remove it or write elsewhere",
                    file.string(), found.ok() ? found.value() : "unknown");
}

Status WritePart(const std::filesystem::path& file, const robot::RobotSpec& robot,
                 const std::string& provenance, const ExcitationLog& log) {
  response::ExcitationWriter writer =
      GONOGO_TRY(response::ExcitationWriter::Create(file, robot, provenance));
  Status written = writer.Append(log);
  return written.ok() ? writer.Finish() : written;
}

/// An environment's log on its way from one rank to another; the robot is the same.
std::string Encode(const ExcitationLog& log) {
  return Cbor({{"states", Binary(log.states)}, {"observations", Binary(log.observations)}});
}

ExcitationLog Decode(const std::string& bytes, const robot::RobotSpec& robot) {
  const nlohmann::json value = nlohmann::json::from_cbor(bytes);
  ExcitationLog log = response::EmptyLog(robot);
  log.states = Numbers<LoggedState>(value.at("states"));
  log.observations = Numbers<float>(value.at("observations"));
  return log;
}

/// Environments that are finished, each kept in its part.
Result<std::vector<bool>> FindParts(const std::filesystem::path& folder,
                                    const std::string& provenance, std::size_t envs) {
  std::vector<bool> found(envs);
  for (std::size_t i = 0; i < envs; ++i) {
    found[i] = GONOGO_TRY(IsDone(PartFile(folder, static_cast<int>(i)), provenance));
  }
  return found;
}

/// What every rank must do alike: the robot's files decide how it moves.
Result<Identity> IdentityOf(const robot::RobotSpec& robot, const std::string& provenance) {
  const std::string description = GONOGO_TRY(io::ReadFile(robot.file));
  const std::string model = GONOGO_TRY(io::ReadFile(robot.model));
  return Identity{{"excitation", io::Sha256Hex(provenance)},
                  {"robot", io::Sha256Hex(description + model)}};
}

/// Runs the environments that have no part yet and writes it.
Status RunEnvironments(const std::shared_ptr<const sim::World>& world,
                       const std::shared_ptr<const robot::Policy>& policy,
                       const ExcitationOptions& options, const std::filesystem::path& folder,
                       const std::string& provenance, const Execution& execution) {
  const auto envs = static_cast<std::size_t>(options.envs);
  const auto parts = GONOGO_TRY(OnRoot<std::vector<bool>>(
      execution, "excitation", [&] { return FindParts(folder, provenance, envs); }));
  const Identity identity = GONOGO_TRY(IdentityOf(world->spec(), provenance));
  TeamWork work{.what = "environments",
                .identity = identity,
                .count = envs,
                .at_once = ResolveJobs(execution.jobs),
                .everywhere = false};
  work.kept = [&](std::size_t i) { return parts[i] ? std::optional(std::string()) : std::nullopt; };
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    if (stop.stop_requested()) return Error{ErrorKind::kInterrupted, "stopped"};
    const ExcitationLog log = GONOGO_TRY(Excite(world, policy, options, static_cast<int>(i)));
    return Encode(log);
  };
  work.keep = [&](std::size_t i, const std::string& bytes) {
    return WritePart(PartFile(folder, static_cast<int>(i)), world->spec(), provenance,
                     Decode(bytes, world->spec()));
  };
  const Result<std::vector<std::string>> done = RunUnits(work, execution);
  if (done.ok()) return {};
  if (done.error().kind != ErrorKind::kInterrupted) return done.error();
  return Error{ErrorKind::kInterrupted,
               fmt::format("{}; they are kept in {}: the same command resumes",
                           done.error().message, folder.string())};
}

/// Puts the parts together in the order of the environments.
Status Merge(const std::filesystem::path& folder, const std::filesystem::path& file,
             const robot::RobotSpec& robot, const std::string& provenance, int envs) {
  response::ExcitationWriter writer =
      GONOGO_TRY(response::ExcitationWriter::Create(file, robot, provenance));
  for (int env = 0; env < envs; ++env) {
    const ExcitationLog part = GONOGO_TRY(response::ReadExcitation(PartFile(folder, env), robot));
    if (!part.has_control_rate) {
      return InputError("{}: was collected by an older version; remove {} and collect again",
                        PartFile(folder, env).string(), folder.string());
    }
    GONOGO_TRY(writer.Append(part));
  }
  GONOGO_TRY(writer.Finish());
  std::error_code ignored;  // leftovers cost disk space, not results
  std::filesystem::remove_all(folder, ignored);
  return {};
}

}  // namespace

robot::Command DrawCommand(const robot::CommandBox& box, const ExcitationOptions& options,
                           Rng& rng) {
  const robot::Command drawn{rng.Uniform(box.low.vx, box.high.vx),
                             rng.Uniform(box.low.vy, box.high.vy),
                             rng.Uniform(box.low.wz, box.high.wz)};
  robot::Command command =
      rng.Uniform() < options.small_probability ? options.small_scale * drawn : drawn;
  for (std::size_t slot = 3; slot < 3 + robot::Command::kMostExtra; ++slot) {
    if (box.low[slot] < box.high[slot]) command[slot] = rng.Uniform(box.low[slot], box.high[slot]);
  }
  return command;
}

std::string ExcitationProvenance(const sim::World& world, const ExcitationOptions& options) {
  nlohmann::json run{{"robot", world.spec().name},
                     {"engine", sim::EngineVersion()},
                     {"terrain", world.terrain().name},
                     {"policy_sha256", options.policy_sha256},
                     {"envs", options.envs},
                     {"steps", options.steps},
                     {"hold", options.hold},
                     {"small_probability", options.small_probability},
                     {"small_scale", options.small_scale},
                     {"episode_s", options.episode_s},
                     {"fallen_tilt_rad", options.fallen_tilt_rad},
                     {"seed", options.seed}};
  if (world.spec().channels != robot::VelocityChannels()) {
    run["channels"] = robot::ChannelNames(world.spec().channels);
  }
  const std::uint64_t ground = options.terrain_seed.value_or(options.seed);
  if (ground != options.seed) run["terrain_seed"] = ground;
  if (const std::string under = options.conditions.text(); !under.empty()) {
    run["conditions"] = under;
  }
  return run.dump();
}

Result<ExcitationLog> Excite(const std::shared_ptr<const sim::World>& world,
                             const std::shared_ptr<const robot::Policy>& policy,
                             const ExcitationOptions& options, int env) {
  sim::ClosedLoop loop = GONOGO_TRY(sim::ClosedLoop::Create(world, policy));
  const RngStream stream =
      RngStream(options.seed).Child("excitation").Child(static_cast<std::uint64_t>(env));
  Rng commands = stream.Child("commands").Generator();
  const int longest =
      static_cast<int>(std::lround(options.episode_s / world->spec().control_dt_s()));
  ExcitationLog log = response::EmptyLog(world->spec());
  int left = options.steps;
  for (std::int32_t episode = 0; left > 0; ++episode) {
    const RngStream start = stream.Child("episode").Child(static_cast<std::uint64_t>(episode));
    Rng origin = start.Child("origin").Generator();
    sim::Start drawn = sim::DrawStart(*world, start, origin.Below(world->terrain().origins.size()));
    sim::Expose(options.conditions, world->spec(), start, drawn);
    loop.Reset(drawn);
    const int taken =
        GONOGO_TRY(RunEpisode(options, std::min(left, longest), episode, commands, loop, log));
    left -= std::max(taken, 1);
  }
  return log;
}

Status CollectExcitation(const std::shared_ptr<const sim::World>& world,
                         const std::shared_ptr<const robot::Policy>& policy,
                         const ExcitationOptions& options, const std::filesystem::path& file,
                         const Execution& execution) {
  if (options.envs < 1 || options.steps < 1 || options.hold < 1) {
    return UsageError("excitation needs at least 1 environment, step and hold; got {}, {}, {}",
                      options.envs, options.steps, options.hold);
  }
  const std::string provenance = ExcitationProvenance(*world, options);
  const bool complete =
      GONOGO_TRY(OnRoot<bool>(execution, "excitation", [&] { return IsDone(file, provenance); }));
  if (complete) return AwaitRootFiles(execution, {file});
  const std::filesystem::path folder = file.string() + ".parts";
  GONOGO_TRY(io::OpenRunFolder(folder));
  GONOGO_TRY(RunEnvironments(world, policy, options, folder, provenance, execution));
  if (execution.team == nullptr || execution.team->is_root()) {
    GONOGO_TRY(Merge(folder, file, world->spec(), provenance, options.envs));
  }
  return AwaitRootFiles(execution, {file});
}

}  // namespace gonogo::study
