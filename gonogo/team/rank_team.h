// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gonogo/base/parallel/team.h"
#include "gonogo/team/messenger.h"
#include "gonogo/team/round.h"

namespace gonogo::team {

/// A team over a transport: what `gonogo` is when a launcher started several of it.
class RankTeam : public Team, public Exchange {
 public:
  /// Meets the other ranks. Fails on all of them when one runs another build, naming both.
  [[nodiscard]] static Result<std::unique_ptr<RankTeam>> Join(Transport& transport,
                                                              Setting setting);

  [[nodiscard]] int rank() const override { return messenger_.rank(); }
  [[nodiscard]] int size() const override { return messenger_.size(); }
  [[nodiscard]] Result<std::vector<std::string>> Run(const TeamWork& work,
                                                     const Execution& execution) override;
  [[nodiscard]] Result<std::string> FromRoot(
      const std::string& what, const std::function<Result<std::string>()>& find_out) override;

  [[nodiscard]] std::vector<std::string> All(const std::string& what,
                                             const std::string& mine) override;
  [[nodiscard]] const Status& status() const override { return exchange_status_; }

  /// Threads for this rank when the user asked for no number.
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// Per rank, on rank 0.
  [[nodiscard]] const std::vector<Share>& shares() const { return shares_; }
  /// Between all ranks, counted on rank 0.
  [[nodiscard]] std::uint64_t bytes_moved() const;

  /// The last call: tells the others how this rank ended and waits for them. On rank 0 the error of
  /// another rank, if it is news; ranks that no longer answer after a failure are ended.
  [[nodiscard]] Status Finish(const Status& outcome, int exit_code);

 private:
  RankTeam(Transport& transport, Setting setting);
  void FailExchange(std::uint64_t round, Error error);
  Status MeetAsRoot();
  Status MeetAsHelper();

  Transport& transport_;
  Messenger messenger_;
  Setting setting_;
  std::vector<Member> members_;
  std::vector<Share> shares_;
  int threads_ = 1;
  bool lost_root_ = false;
  std::uint64_t round_ = 0;
  Status exchange_status_;
  std::uint64_t passed_on_ = 0;  // bytes that helpers passed on to helpers
};

/// The team this process was started into by mpirun or srun; null when it was started alone, and
/// then no MPI library is loaded. `build` names version and commit. Call it from the main thread.
///
/// Environment: GONOGO_MPI_PLUGIN, another place of gonogo_mpi.so; GONOGO_TEAM_SILENCE_S, seconds
/// after which a rank that says nothing counts as lost [60].
[[nodiscard]] Result<std::unique_ptr<RankTeam>> JoinLaunched(const std::string& build);

}  // namespace gonogo::team
