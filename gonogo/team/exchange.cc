// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <fmt/format.h>

#include "gonogo/team/rank_team.h"
#include "gonogo/team/round.h"

namespace gonogo::team {
namespace {

/// Between two exchanges ranks compute and say nothing, so patience must outlast a step.
constexpr double kPatience = 10.0;  // times the silence after which a rank counts as lost
constexpr std::size_t kPieceBytes = std::size_t{16} << 20U;

/// What came from one rank so far.
struct Incoming {
  bool begun = false;
  std::uint64_t size = 0;
  std::string bytes;
  [[nodiscard]] bool complete() const { return begun && bytes.size() == size; }
};

}  // namespace

void RankTeam::FailExchange(std::uint64_t round, Error error) {
  // The others wait in the same round; those who fail tell rank 0, which tells all.
  for (int r = 1; is_root() && r < size(); ++r) {
    channel_.Send(r, Kind::kEnd, round, BodyWriter().Word(1).Word(0).Put(error).Take());
  }
  exchange_status_ = std::move(error);
}

std::vector<std::string> RankTeam::All(const std::string& what, const std::string& mine) {
  std::vector<std::string> all(members_.size());
  if (!exchange_status_.ok()) return all;
  const std::uint64_t round = round_++;
  for (int step = 1; step < size(); ++step) {
    const int to = (rank() + step) % size();  // so that not all send to rank 0 first
    channel_.Send(to, Kind::kHello, round, BodyWriter().Word(mine.size()).Text(what).Take());
    for (std::size_t begin = 0; begin < mine.size(); begin += kPieceBytes) {
      channel_.Send(to, Kind::kPart, round, std::string_view(mine).substr(begin, kPieceBytes));
    }
  }
  std::vector<Incoming> incoming(members_.size());
  std::size_t missing = members_.size() - 1;
  Clock::time_point heard = Clock::now();
  Pause pause;
  while (missing > 0) {
    const std::optional<Message> message = channel_.Next(round);
    if (!message.has_value()) {
      if (Clock::now() - heard > kPatience * setting_.silence) {
        FailExchange(round, IoError("other ranks have not been heard of for {:.0f} s",
                                    kPatience * setting_.silence.count()));
        return std::vector<std::string>(members_.size());
      }
      std::this_thread::sleep_for(pause.Next());
      continue;
    }
    heard = Clock::now();
    pause.Reset();
    const std::string who = NameOf(message->from, members_);
    BodyReader reader(message->body);
    Incoming& from = incoming[static_cast<std::size_t>(message->from)];
    if (message->kind == Kind::kHello) {
      from.size = reader.Word();
      from.begun = true;
      if (const std::string theirs = reader.Text(); theirs != what) {
        FailExchange(round, InputError("{} is at {}, this rank at {}", who, theirs, what));
      }
    } else if (message->kind == Kind::kPart) {
      from.bytes += message->body;
    } else if (message->kind == Kind::kFailed) {
      const Error error = reader.TakeError();
      FailExchange(round, {error.kind, fmt::format("{}: {}", who, error.message)});
    } else if (message->kind == Kind::kEnd) {
      (void)reader.Word();
      (void)reader.Word();
      FailExchange(round, reader.TakeError());
    }
    if (!exchange_status_.ok()) return std::vector<std::string>(members_.size());
    if (message->kind != Kind::kAlive && from.complete()) --missing;
  }
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = std::move(incoming[r].bytes);
  all[static_cast<std::size_t>(rank())] = mine;
  channel_.Flush(setting_.silence);
  return all;
}

}  // namespace gonogo::team
