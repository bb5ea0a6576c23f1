// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "gonogo/base/check.h"
#include "gonogo/team/round.h"
#include "gonogo/team/worker_pool.h"

namespace gonogo::team {
namespace {

class HelperRound {
 public:
  explicit HelperRound(const Round& round) : round_(round) {}

  Result<std::vector<std::string>> Run() {
    Tell(Kind::kHello, HelloOf(round_.work));
    {
      WorkerPool workers(round_.work, round_.execution.stop);
      Pause pause(kBetweenUnits);
      while (!over_) {
        const std::vector<Finished> finished = workers.Wait(pause.Next());
        Report(finished);
        const bool news = Listen(workers);
        if (news || !finished.empty()) pause.Reset();
        Watch();
      }
    }
    if (failure_.has_value()) return *failure_;
    return Results();
  }

 private:
  void Tell(Kind kind, const std::string& body) {
    round_.messenger.Send(0, kind, round_.number, body);
    told_ = Clock::now();
  }

  void Report(const std::vector<Finished>& finished) {
    BodyWriter results;
    for (const Finished& unit : finished) {
      if (unit.result.ok()) {
        results.Word(unit.unit).Real(unit.seconds).Text(unit.result.value());
      } else if (!told_failure_) {
        // Rank 0 answers with the end of the round.
        Tell(Kind::kFailed, BodyWriter().Put(unit.result.error()).Take());
        told_failure_ = true;
      }
    }
    if (results.size() > 0) Tell(Kind::kResults, results.Take());
    if (round_.execution.stop.stop_requested() && !told_failure_) {
      Tell(Kind::kFailed, BodyWriter().Put({ErrorKind::kInterrupted, "stopped"}).Take());
      told_failure_ = true;
    }
  }

  bool Listen(WorkerPool& workers) {
    bool news = false;
    while (!over_) {
      const std::optional<Message> message = round_.messenger.Next(round_.number);
      if (!message.has_value()) break;
      news = true;
      heard_ = Clock::now();
      if (message->kind == Kind::kWork) {
        std::vector<std::size_t> units;
        for (BodyReader reader(message->body); !reader.at_end();) units.push_back(reader.Word());
        workers.Give(units);
      } else if (message->kind == Kind::kEnd) {
        over_ = true;
        BodyReader end(message->body);
        const bool failed = end.Word() != 0;
        size_ = end.Word();
        if (failed) failure_ = end.TakeError();
      } else if (message->kind == Kind::kPart) {
        Take(*message);  // the rank above may be faster than rank 0's word that this is the end
      }
    }
    return news;
  }

  /// From the first word of rank 0 in this round on: before, it may be busy with something else.
  void Watch() {
    const Clock::time_point now = Clock::now();
    if (now - told_ > round_.silence / 6) Tell(Kind::kAlive, {});
    if (!heard_.has_value() || now - *heard_ < round_.silence) return;
    over_ = true;
    *round_.lost_root = true;
    failure_ = IoError("rank 0 has not been heard of for {:.0f} s: its host is down or cut off",
                       round_.silence.count());
  }

  void Take(const Message& part) {
    round_.messenger.PassDown(part);
    all_ += part.body;
  }

  Result<std::vector<std::string>> Results() {
    Pause pause;
    Clock::time_point heard = Clock::now();
    while (all_.size() < size_) {
      const std::optional<Message> message = round_.messenger.Next(round_.number);
      if (message.has_value()) {
        heard = Clock::now();
        if (message->kind != Kind::kPart) continue;
        Take(*message);
        pause.Reset();
      } else if (Clock::now() - heard > round_.silence) {
        return IoError("the results of all ranks did not arrive within {:.0f} s",
                       round_.silence.count());
      } else {
        std::this_thread::sleep_for(pause.Next());
      }
    }
    round_.messenger.Flush(round_.silence);
    std::vector<std::string> results(round_.work.count);
    if (size_ == 0) return results;
    BodyReader reader(all_);
    for (std::string& result : results) result = reader.Text();
    GONOGO_CHECK(reader.intact() && reader.at_end());
    return results;
  }

  const Round& round_;
  Clock::time_point told_ = {};
  std::optional<Clock::time_point> heard_;
  bool told_failure_ = false;
  bool over_ = false;
  std::uint64_t size_ = 0;  // of what follows the end …
  std::string all_;         // … as far as it is there
  std::optional<Error> failure_;
};

}  // namespace

Result<std::vector<std::string>> RunAsHelper(const Round& round) {
  return HelperRound(round).Run();
}

}  // namespace gonogo::team
