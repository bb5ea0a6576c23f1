// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/rank_team.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel/execution.h"

namespace gonogo::team {
namespace {

constexpr std::chrono::seconds kFarewell{5};  // after a failure; whoever hangs then is ended

void Put(BodyWriter& body, const Member& member) {
  body.Text(member.host).Word(member.cores.size());
  for (const int core : member.cores) body.Word(static_cast<std::uint64_t>(core));
}

Member TakeMember(BodyReader& reader) {
  Member member{.host = reader.Text()};
  const std::uint64_t cores = reader.Word();
  for (std::uint64_t i = 0; i < cores && reader.intact(); ++i) {
    member.cores.push_back(static_cast<int>(reader.Word()));
  }
  return member;
}

std::string EndWith(const Error& error) { return BodyWriter().Word(1).Word(0).Put(error).Take(); }

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

RankTeam::RankTeam(Transport& transport, Setting setting)
    : transport_(transport),
      messenger_(transport),
      setting_(std::move(setting)),
      members_(static_cast<std::size_t>(transport.size())),
      shares_(static_cast<std::size_t>(transport.size())) {}

Result<std::unique_ptr<RankTeam>> RankTeam::Join(Transport& transport, Setting setting) {
  std::unique_ptr<RankTeam> team(new RankTeam(transport, std::move(setting)));
  const Status met = team->is_root() ? team->MeetAsRoot() : team->MeetAsHelper();
  if (!met.ok()) {
    transport.Finish();
    // Rank 0 says it for all.
    return Error{met.error().kind, team->is_root() ? met.error().message : ""};
  }
  team->threads_ = ShareCores(team->members_)[static_cast<std::size_t>(team->rank())];
  team->round_ = 1;
  return team;
}

Status RankTeam::MeetAsRoot() {
  members_[0] = setting_.self;
  std::string disagreement;
  Pause pause;
  for (int met = 1; met < size();) {
    const std::optional<Message> message = messenger_.Next(0);
    if (!message.has_value()) {
      std::this_thread::sleep_for(pause.Next());
      continue;
    }
    pause.Reset();
    ++met;
    BodyReader reader(message->body);
    const std::string build = reader.Text();
    members_[static_cast<std::size_t>(message->from)] = TakeMember(reader);
    if (build != setting_.build && disagreement.empty()) {
      disagreement = fmt::format("{} runs {}, rank 0 runs {}: install the same build everywhere",
                                 NameOf(message->from, members_), build, setting_.build);
    }
  }
  BodyWriter body;
  if (disagreement.empty()) {
    body.Word(0).Word(0);
    for (const Member& member : members_) Put(body, member);
  } else {
    body.Word(1).Word(0).Put({ErrorKind::kInput, disagreement});
  }
  const std::string answer = body.Take();
  for (int r = 1; r < size(); ++r) messenger_.Send(r, Kind::kEnd, 0, answer);
  messenger_.Flush(setting_.silence);
  if (!disagreement.empty()) return Error{ErrorKind::kInput, disagreement};
  return {};
}

Status RankTeam::MeetAsHelper() {
  BodyWriter hello;
  hello.Text(setting_.build);
  Put(hello, setting_.self);
  messenger_.Send(0, Kind::kHello, 0, hello.Take());
  Pause pause;
  while (true) {
    const std::optional<Message> message = messenger_.Next(0);
    if (!message.has_value()) {
      std::this_thread::sleep_for(pause.Next());
      continue;
    }
    BodyReader reader(message->body);
    const bool failed = reader.Word() != 0;
    (void)reader.Word();
    if (failed) return reader.TakeError();
    for (Member& member : members_) member = TakeMember(reader);
    GONOGO_CHECK(reader.intact());
    return {};
  }
}

Result<std::vector<std::string>> RankTeam::Run(const TeamWork& work, const Execution& execution) {
  const Round round{.messenger = messenger_,
                    .members = members_,
                    .work = work,
                    .execution = execution,
                    .number = round_++,
                    .silence = setting_.silence,
                    .lost_root = &lost_root_};
  if (!is_root()) return RunAsHelper(round);
  Result<std::vector<std::string>> results = RunAsRoot(round, shares_);
  if (results.ok() && work.everywhere && size() > 1) {
    std::uint64_t bytes = 0;
    for (const std::string& result : results.value()) bytes += result.size();
    std::uint64_t own = 0;  // copies that rank 0 sent itself
    for (int step = 1; step < size(); step *= 2) ++own;
    passed_on_ += bytes * (static_cast<std::uint64_t>(size()) - 1 - own);
  }
  return results;
}

Result<std::string> RankTeam::FromRoot(const std::string& what,
                                       const std::function<Result<std::string>()>& find_out) {
  TeamWork work{.what = what, .identity = {}, .count = 1, .at_once = 0};
  if (is_root()) {
    // A failure ends the round of the others when this rank finishes.
    std::string found = GONOGO_TRY(find_out());
    work.kept = [found = std::move(found)](std::size_t) { return found; };
  }
  std::vector<std::string> found = GONOGO_TRY(Run(work, {}));
  return std::move(found.front());
}

std::uint64_t RankTeam::bytes_moved() const { return messenger_.bytes_moved() + passed_on_; }

Status RankTeam::Finish(const Status& outcome, int exit_code) {
  if (!is_root()) {
    if (lost_root_) transport_.Abort(exit_code);  // nobody is left to part from
    BodyWriter body;
    body.Word(outcome.ok() ? 0 : 1);
    if (!outcome.ok()) {
      body.Put(outcome.error());
      messenger_.Send(0, Kind::kFailed, round_, BodyWriter().Put(outcome.error()).Take());
    }
    messenger_.Send(0, Kind::kFinished, round_, body.Take());
    transport_.Finish();
    return {};
  }
  if (!outcome.ok()) {
    for (int r = 1; r < size(); ++r) {
      messenger_.Send(r, Kind::kEnd, round_, EndWith(outcome.error()));
    }
  }
  const Clock::time_point begin = Clock::now();
  const std::chrono::duration<double> patience =
      outcome.ok() ? setting_.silence
                   : std::min<std::chrono::duration<double>>(kFarewell, setting_.silence);
  Pause pause;
  while (messenger_.finished().size() + 1 < members_.size()) {
    if (messenger_.Next(round_).has_value()) continue;
    if (Clock::now() - begin > patience) transport_.Abort(exit_code);
    std::this_thread::sleep_for(pause.Next());
  }
  Status theirs;
  for (const auto& [rank, body] : messenger_.finished()) {
    BodyReader reader(body);
    if (reader.Word() == 0 || !outcome.ok() || !theirs.ok()) continue;
    const Error error = reader.TakeError();
    theirs = Error{error.kind, fmt::format("{}: {}", NameOf(rank, members_), error.message)};
  }
  transport_.Finish();
  return theirs;
}

void RankTeam::FailExchange(std::uint64_t round, Error error) {
  // The others wait in the same round; those who fail tell rank 0, which tells all.
  for (int r = 1; is_root() && r < size(); ++r) {
    messenger_.Send(r, Kind::kEnd, round, BodyWriter().Word(1).Word(0).Put(error).Take());
  }
  exchange_status_ = std::move(error);
}

std::vector<std::string> RankTeam::All(const std::string& what, const std::string& mine) {
  std::vector<std::string> all(members_.size());
  if (!exchange_status_.ok()) return all;
  const std::uint64_t round = round_++;
  for (int step = 1; step < size(); ++step) {
    const int to = (rank() + step) % size();  // so that not all send to rank 0 first
    messenger_.Send(to, Kind::kHello, round, BodyWriter().Word(mine.size()).Text(what).Take());
    for (std::size_t begin = 0; begin < mine.size(); begin += kPieceBytes) {
      messenger_.Send(to, Kind::kPart, round, std::string_view(mine).substr(begin, kPieceBytes));
    }
  }
  std::vector<Incoming> incoming(members_.size());
  std::size_t missing = members_.size() - 1;
  Clock::time_point heard = Clock::now();
  Pause pause;
  while (missing > 0) {
    const std::optional<Message> message = messenger_.Next(round);
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
  messenger_.Flush(setting_.silence);
  return all;
}

}  // namespace gonogo::team
