// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/ranks.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/team/rank_team.h"

namespace gonogo::cli {
namespace {

/// Of the time that threads were there for units, what they spent without one.
double IdleShare(double busy, double available) {
  return available > 0.0 ? std::clamp(1.0 - busy / available, 0.0, 1.0) : 0.0;
}

}  // namespace

int SayError(const Error& error) {
  if (!error.message.empty()) Speak(fmt::format("gonogo: {}\n", error.message));
  return ExitCodeOf(error.kind);
}

Result<Ranks> Ranks::Join(const Verb& verb, Context& context) {
  const io::BuildInfo build = io::CurrentBuild();
  Ranks ranks;
  ranks.team_ = GONOGO_TRY(
      team::JoinLaunched(fmt::format("gonogo {} {} {}", build.version, build.commit, build.arch)));
  if (!ranks.team_) return ranks;
  context.team = ranks.team_.get();
  context.exchange = ranks.team_.get();
  context.terminal.set_ranks(ranks.team_->size());
  ranks.json_ = context.options.json;
  ranks.quiet_ = context.options.quiet;
  if (context.options.jobs == 0) context.options.jobs = ranks.team_->threads();
  if (!ranks.team_->is_root()) {
    io::DropWrites();
    context.terminal.Mute();
  }
  if (!verb.shares_work()) {
    const Error error = UsageError(
        "this verb does not share its work among ranks: start it without mpirun and srun");
    if (ranks.team_->is_root()) (void)SayError(error);
    (void)ranks.team_->Finish({}, kExitUsage).ok();
    return Error{error.kind, ""};
  }
  return ranks;
}

std::string Ranks::Summary(bool as_json) const {
  nlohmann::json json = {{"schema", "gonogo.team/1"}, {"ranks", nlohmann::json::array()}};
  double busy = 0.0;
  double available = 0.0;
  std::vector<std::size_t> units;
  for (std::size_t r = 0; r < team_->shares().size(); ++r) {
    const team::Share& share = team_->shares()[r];
    busy += share.busy_s;
    available += share.available_s;
    units.push_back(share.units);
    json["ranks"].push_back({{"host", team_->members()[r].host},
                             {"units", share.units},
                             {"busy_s", share.busy_s},
                             {"idle_share", IdleShare(share.busy_s, share.available_s)}});
  }
  json["idle_share"] = IdleShare(busy, available);
  json["bytes_moved"] = team_->bytes_moved();
  if (as_json) return json.dump();
  return fmt::format("units by rank: {}; idle {:.0f} % of the time; {:.2f} MB between ranks",
                     fmt::join(units, ", "), 100.0 * IdleShare(busy, available),
                     1e-6 * static_cast<double>(team_->bytes_moved()));
}

int Ranks::End(const Result<ExitCode>& outcome) {
  const int code = outcome.ok() ? outcome.value() : ExitCodeOf(outcome.error().kind);
  const bool speaks = !team_ || team_->is_root();
  if (!outcome.ok() && speaks) (void)SayError(outcome.error());
  if (!team_) return code;
  if (outcome.ok() && speaks && !quiet_) Speak(Summary(json_) + "\n");
  const Status others = team_->Finish(outcome.ok() ? Status() : outcome.error(), code);
  if (!others.ok()) return SayError(others.error());
  // One exit code is enough for a launcher to report.
  return speaks ? code : static_cast<int>(kExitDone);
}

}  // namespace gonogo::cli
