// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include "gonogo/team/rank_team.h"
#include "gonogo/team/transport.h"

namespace gonogo::team {
namespace {

/// A number in the environment; 0 if it is not there.
double Number(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtod(text, nullptr) : 0.0;
}

/// Open MPI, MPICH and srun with --mpi tell their processes so.
bool HasMpiLauncher() {
  if (Number("OMPI_COMM_WORLD_SIZE") == 1 || Number("PMI_SIZE") == 1) return false;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

std::filesystem::path PluginFile() {
  if (const char* given = std::getenv("GONOGO_MPI_PLUGIN")) return given;
  std::error_code code;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  return program.parent_path().parent_path() / "lib" / "gonogo" / "gonogo_mpi.so";
}

Result<Transport*> Connect() {
  const std::filesystem::path file = PluginFile();
  std::error_code code;
  if (!std::filesystem::exists(file, code)) {
    return UsageError(
        "an MPI launcher started this, but gonogo was built without MPI (no {}): install "
        "libopenmpi-dev and build again, or use --shard",
        file.string());
  }
  // Open MPI's own plugins look for its symbols among the global ones.
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return IoError("cannot load MPI: {}", ::dlerror());
  const auto* plugin = static_cast<const MpiPlugin*>(::dlsym(library, kMpiEntry));
  if (plugin == nullptr || std::strcmp(plugin->interface_version, kMpiInterface) != 0) {
    return InputError("{}: is of another version of gonogo ({}, expected {})", file.string(),
                      plugin != nullptr ? plugin->interface_version : "unknown", kMpiInterface);
  }
  return plugin->connect();
}

Member Self() {
  std::array<char, HOST_NAME_MAX + 1> host{};
  ::gethostname(host.data(), host.size() - 1);
  Member self{.host = host.data()};
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof(cores), &cores) != 0) return self;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &cores)) self.cores.push_back(core);
  }
  return self;
}

}  // namespace

Result<std::unique_ptr<RankTeam>> JoinLaunched(const std::string& build) {
  if (!HasMpiLauncher()) {
    if (const double tasks = Number("SLURM_STEP_NUM_TASKS"); tasks > 1) {
      return UsageError(
          "srun started {} tasks without MPI: use mpirun or srun --mpi=pmix, or a job array with "
          "--shard",
          tasks);
    }
    return std::unique_ptr<RankTeam>();
  }
  // Affinity first: MPI may bind threads of its own.
  Setting setting{.build = build, .self = Self()};
  if (const double silence = Number("GONOGO_TEAM_SILENCE_S"); silence > 0.0) {
    setting.silence = std::chrono::duration<double>(silence);
  }
  Transport* transport = GONOGO_TRY(Connect());
  return RankTeam::Join(*transport, std::move(setting));
}

}  // namespace gonogo::team
