// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/cli/verb.h"
#include "gonogo/team/rank_team.h"

namespace gonogo::cli {

/// This process among those that mpirun or srun started; alone if none did.
class Ranks {
 public:
  /// Joins the others for this verb and fits the context to it: the team, the threads of this rank,
  /// silence and no files on all ranks but the first. An error without words was said elsewhere.
  [[nodiscard]] static Result<Ranks> Join(const Verb& verb, Context& context);

  /// Says what went wrong, once for all ranks, and parts. The exit code of this process.
  [[nodiscard]] int End(const Result<ExitCode>& outcome);

  /// Who did how much, for the last line on stderr: words, or JSON where JSON is asked for.
  [[nodiscard]] std::string Summary(bool as_json) const;

 private:
  std::unique_ptr<team::RankTeam> team_;
  bool json_ = false;
  bool quiet_ = false;
};

/// Prints an error the way `gonogo` does; its exit code.
[[nodiscard]] int SayError(const Error& error);

}  // namespace gonogo::cli
