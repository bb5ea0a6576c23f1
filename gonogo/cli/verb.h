// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/base/result.h"
#include "gonogo/cli/arguments.h"
#include "gonogo/cli/terminal/exit_code.h"
#include "gonogo/cli/terminal/terminal.h"

namespace gonogo::cli {

/// Flags that mean the same in every verb.
struct CommonOptions {
  int jobs = 0;        ///< threads, 0 = all cores
  bool json = false;   ///< print one JSON object instead of tables
  bool quiet = false;  ///< no progress, no remarks
  ColorMode color = ColorMode::kAuto;
};

/// What a verb works with.
struct Context {
  CommonOptions options;
  Terminal terminal;
  std::stop_token stop;
  Team* team = nullptr;          ///< the other ranks, when a launcher started several
  Exchange* exchange = nullptr;  ///< the same ranks, for work in lockstep

  /// Rank 0 has the result and the last word.
  [[nodiscard]] bool helps() const { return team != nullptr && !team->is_root(); }

  /// `progress` may be empty.
  [[nodiscard]] Execution With(std::function<void(std::size_t, std::size_t)> progress) const {
    return {.jobs = options.jobs, .stop = stop, .progress = std::move(progress), .team = team};
  }
};

/// One subcommand: declares its flags, then runs with what the user gave.
class Verb {
 public:
  virtual ~Verb() = default;
  /// Adds the subcommand with its flags, examples and defaults.
  virtual Arguments Declare(CommandLine& program) = 0;
  /// The process's exit code, or what went wrong.
  virtual Result<ExitCode> Run(const Context& context) = 0;
  /// Several ranks under mpirun share its work. Other verbs would do the same on each of them.
  [[nodiscard]] virtual bool shares_work() const { return false; }
};

/// "gonogo 0.1.0 (commit …, compiler, instruction set)": what `gonogo --version` prints.
[[nodiscard]] std::string VersionLine();

/// A verb and where the help lists it.
struct ListedVerb {
  std::string heading;
  bool everyday = true;  ///< else only `--help-all` lists it
  std::unique_ptr<Verb> verb;
};

/// A verb of a component that this build was made without.
struct MissingVerb {
  std::string name;
  std::string reason;  ///< a sentence that says which build has it
};

struct VerbList {
  std::vector<ListedVerb> verbs;  ///< in the order in which the help lists them
  std::vector<MissingVerb> missing;
};

/// Every verb.
[[nodiscard]] VerbList AllVerbs();

}  // namespace gonogo::cli
