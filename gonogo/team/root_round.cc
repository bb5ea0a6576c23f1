// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/team/round.h"
#include "gonogo/team/worker_pool.h"

namespace gonogo::team {
namespace {

/// Units of so many seconds are on their way to a helper beyond those it works on: enough to hide
/// how long a message takes (kBetweenUnits and the network), too little to leave others idle at the
/// end.
constexpr double kAhead = 0.02;
/// Units longer than this are not sent ahead: their thread waits for less than two percent of one.
constexpr double kLong = 0.5;

class RootRound {
 public:
  RootRound(const Round& round, std::vector<Share>& shares)
      : round_(round),
        shares_(shares),
        helpers_(round.members.size()),
        results_(round.work.count),
        there_(round.work.count, false) {}

  Result<std::vector<std::string>> Run() {
    const Clock::time_point begin = Clock::now();
    {
      WorkerPool workers(round_.work, round_.execution.stop);
      Begin(workers);
      Pause pause(kBetweenUnits);
      while (!failure_.has_value() && !complete()) {
        const std::vector<Finished> finished = workers.Wait(pause.Next());
        for (const Finished& unit : finished) Accept(0, unit);
        const bool news = Listen();
        if (news || !finished.empty()) pause.Reset();
        HandOut(workers);
        Watch();
      }
      workers.Close();
      // What was finished when the round failed is kept like anything else.
      for (const Finished& unit : workers.Wait({})) Accept(0, unit);
      Listen();
    }
    Count(begin);
    End();
    if (failure_.has_value()) return *failure_;
    return std::move(results_);
  }

 private:
  struct Helper {
    bool here = false;
    int at_once = 1;
    std::size_t outstanding = 0;
    std::size_t units = 0;
    double busy_s = 0.0;
    Clock::time_point heard = {};
    Clock::time_point told = {};
  };

  [[nodiscard]] bool complete() const {
    return done_ == round_.work.count && here_ + 1 == round_.members.size();
  }

  void Begin(WorkerPool& workers) {
    helpers_[0].at_once = threads_ = round_.work.at_once;
    std::vector<std::size_t> pending;
    for (std::size_t i = 0; i < round_.work.count; ++i) {
      std::optional<std::string> kept =
          round_.work.kept ? round_.work.kept(i) : std::optional<std::string>();
      if (kept.has_value()) {
        Put(i, *std::move(kept));
      } else {
        pending.push_back(i);
      }
    }
    workers.Give(pending);
  }

  void Put(std::size_t unit, std::string bytes) {
    GONOGO_CHECK(unit < results_.size() && !there_[unit]);
    if (round_.work.everywhere) results_[unit] = std::move(bytes);
    there_[unit] = true;
    ++done_;
    if (round_.execution.progress) round_.execution.progress(done_, round_.work.count);
  }

  void Fail(Error error) {
    if (!failure_.has_value()) failure_ = std::move(error);
  }

  void Interrupted() {
    Fail({ErrorKind::kInterrupted,
          fmt::format("stopped after {} of {} {}", done_, round_.work.count, round_.work.what)});
  }

  void Accept(int rank, const Finished& finished) {
    Helper& helper = helpers_[static_cast<std::size_t>(rank)];
    if (!finished.result.ok()) {
      const Error& error = finished.result.error();
      if (error.kind == ErrorKind::kInterrupted) return Interrupted();
      return Fail(rank == 0 ? error
                            : Error{error.kind, fmt::format("{}: {}", NameOf(rank, round_.members),
                                                            error.message)});
    }
    ++helper.units;
    helper.busy_s += finished.seconds;
    ++made_;
    made_s_ += finished.seconds;
    if (round_.work.keep) {
      const Status kept = round_.work.keep(finished.unit, finished.result.value());
      if (!kept.ok()) return Fail(kept.error());
    }
    Put(finished.unit, finished.result.value());
  }

  bool Listen() {
    bool news = false;
    while (const std::optional<Message> message = round_.messenger.Next(round_.number)) {
      news = true;
      Helper& helper = helpers_[static_cast<std::size_t>(message->from)];
      helper.heard = Clock::now();
      Hear(*message, helper);
    }
    if (round_.execution.stop.stop_requested()) Interrupted();
    CheckNobodyLeft();
    return news;
  }

  void Hear(const Message& message, Helper& helper) {
    const std::string who = NameOf(message.from, round_.members);
    if (message.kind == Kind::kHello) {
      if (std::string why = Disagreement(round_.work, message.body, who); !why.empty()) {
        return Fail({ErrorKind::kInput, std::move(why)});
      }
      helper.here = true;
      helper.at_once = static_cast<int>(BodyReader(message.body).Word());
      threads_ += helper.at_once;
      ++here_;
    } else if (message.kind == Kind::kResults) {
      for (BodyReader reader(message.body); !reader.at_end();) {
        const std::size_t unit = reader.Word();
        const double seconds = reader.Real();
        std::string bytes = reader.Text();
        GONOGO_CHECK(reader.intact() && helper.outstanding > 0);
        --helper.outstanding;
        Accept(message.from, {unit, std::move(bytes), seconds});
      }
    } else if (message.kind == Kind::kFailed) {
      Accept(message.from, {0, BodyReader(message.body).TakeError(), 0.0});
    }
  }

  /// Programs that went different ways would wait for each other for ever.
  void CheckNobodyLeft() {
    if (failure_.has_value() || round_.messenger.finished().empty()) return;
    const int rank = round_.messenger.finished().begin()->first;
    Fail({ErrorKind::kInput,
          fmt::format("{} ended while rank 0 shares {}: all ranks must be started with the same "
                      "command",
                      NameOf(rank, round_.members), round_.work.what)});
  }

  /// How many units a helper may have at a time.
  [[nodiscard]] std::size_t Room(const Helper& helper, std::size_t waiting) const {
    const auto at_once = static_cast<std::size_t>(helper.at_once);
    if (made_ == 0) return at_once;
    const double each = std::max(made_s_ / static_cast<double>(made_), 1e-7);
    if (each > kLong) return at_once;
    const auto ahead = static_cast<std::size_t>(std::ceil(helper.at_once * kAhead / each));
    return at_once + std::min(ahead, waiting / (2 * static_cast<std::size_t>(threads_)));
  }

  void HandOut(WorkerPool& workers) {
    if (failure_.has_value()) return;
    for (std::size_t r = 1; r < helpers_.size(); ++r) {
      Helper& helper = helpers_[r];
      if (!helper.here) continue;
      const std::size_t waiting = workers.waiting();
      const std::size_t room = Room(helper, waiting);
      // Small units travel many at a time: half of what is sent ahead is used up first.
      const auto at_once = static_cast<std::size_t>(helper.at_once);
      const std::size_t low = at_once + (room - at_once) / 2;
      if (waiting == 0 || helper.outstanding > low || helper.outstanding >= room) continue;
      const std::vector<std::size_t> units = workers.TakeBack(room - helper.outstanding);
      BodyWriter body;
      for (const std::size_t unit : units) body.Word(unit);
      helper.outstanding += units.size();
      Tell(static_cast<int>(r), Kind::kWork, body.Take());
    }
  }

  void Tell(int rank, Kind kind, const std::string& body) {
    round_.messenger.Send(rank, kind, round_.number, body);
    helpers_[static_cast<std::size_t>(rank)].told = Clock::now();
  }

  /// Ranks that joined the round must be heard of, and hear of us.
  void Watch() {
    const Clock::time_point now = Clock::now();
    for (std::size_t r = 1; r < helpers_.size(); ++r) {
      if (!helpers_[r].here) continue;
      if (now - helpers_[r].told > round_.silence / 6) Tell(static_cast<int>(r), Kind::kAlive, {});
      if (now - helpers_[r].heard < round_.silence) continue;
      Fail({ErrorKind::kIo,
            fmt::format("{} has not been heard of for {:.0f} s: its host is down or cut off. "
                        "{} of {} {} are finished",
                        NameOf(static_cast<int>(r), round_.members), round_.silence.count(), done_,
                        round_.work.count, round_.work.what)});
    }
  }

  void Count(Clock::time_point begin) {
    const double wall = std::chrono::duration<double>(Clock::now() - begin).count();
    for (std::size_t r = 0; r < helpers_.size(); ++r) {
      shares_[r].units += helpers_[r].units;
      shares_[r].busy_s += helpers_[r].busy_s;
      shares_[r].available_s += helpers_[r].at_once * wall;
    }
  }

  void End() {
    std::string all;
    if (!failure_.has_value() && round_.work.everywhere) {
      BodyWriter body;
      for (const std::string& result : results_) body.Text(result);
      all = body.Take();
    }
    BodyWriter end;
    end.Word(failure_.has_value() ? 1 : 0).Word(all.size());
    if (failure_.has_value()) end.Put(*failure_);
    const std::string body = end.Take();
    for (int r = 1; r < round_.messenger.size(); ++r) Tell(r, Kind::kEnd, body);
    if (failure_.has_value()) return;
    round_.messenger.SendDown(round_.number, all);
    round_.messenger.Flush(round_.silence);
  }

  const Round& round_;
  std::vector<Share>& shares_;
  std::vector<Helper> helpers_;
  std::vector<std::string> results_;
  std::vector<bool> there_;
  std::size_t done_ = 0;
  std::size_t here_ = 0;  // helpers that joined
  int threads_ = 0;       // of all ranks that joined
  std::size_t made_ = 0;
  double made_s_ = 0.0;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::vector<std::string>> RunAsRoot(const Round& round, std::vector<Share>& shares) {
  return RootRound(round, shares).Run();
}

}  // namespace gonogo::team
