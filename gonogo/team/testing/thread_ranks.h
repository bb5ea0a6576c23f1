// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gonogo/team/rank_team.h"

namespace gonogo::team::testing {

/// Ranks that are threads of one process, with mailboxes for a network.
class Mailboxes {
 public:
  explicit Mailboxes(int ranks) : boxes_(static_cast<std::size_t>(ranks)) {}

  void Put(int to, Parcel parcel) {
    const std::lock_guard lock(mutex_);
    if (cut_off_ != to && cut_off_ != parcel.from) boxes_[to].push_back(std::move(parcel));
  }
  std::optional<Parcel> Take(int rank) {
    constexpr int kLate = 50;  // times that somebody looked in vain
    const std::lock_guard lock(mutex_);
    std::deque<Parcel>& box = boxes_[rank];
    auto next = std::find_if(box.begin(), box.end(), [&](const Parcel& parcel) {
      return parcel.from != slow_from_ || rank != slow_to_;
    });
    if (next == box.end() && !box.empty() && ++waited_ > kLate) next = box.begin();
    if (next == box.end()) return std::nullopt;
    if (next->from == slow_from_ && rank == slow_to_) waited_ = 0;
    Parcel parcel = std::move(*next);
    box.erase(next);
    return parcel;
  }
  /// Parcels from one rank to another take longer than any others.
  void Slow(int from, int to) {
    const std::lock_guard lock(mutex_);
    slow_from_ = from;
    slow_to_ = to;
  }
  /// From now on nothing reaches this rank and nothing comes from it.
  void CutOff(int rank) {
    const std::lock_guard lock(mutex_);
    cut_off_ = rank;
  }
  [[nodiscard]] int size() const { return static_cast<int>(boxes_.size()); }

 private:
  std::mutex mutex_;
  std::vector<std::deque<Parcel>> boxes_;
  int cut_off_ = -1;
  int slow_from_ = -1;
  int slow_to_ = -1;
  int waited_ = 0;
};

struct Aborted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ThreadTransport : public Transport {
 public:
  ThreadTransport(Mailboxes& mail, int rank) : mail_(mail), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return mail_.size(); }
  void Send(int to, std::string bytes) override { mail_.Put(to, {rank_, std::move(bytes)}); }
  [[nodiscard]] std::optional<Parcel> Receive() override { return mail_.Take(rank_); }
  [[nodiscard]] bool idle() const override { return true; }
  void Finish() override {}
  [[noreturn]] void Abort(int) override { throw Aborted("ended by rank 0"); }

 private:
  Mailboxes& mail_;
  int rank_;
};

/// Runs `program` as so many ranks and waits for all of them.
inline void AsRanks(int ranks, const std::function<void(Transport&, Mailboxes&)>& program) {
  Mailboxes mail(ranks);
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r) {
    threads.emplace_back([&, r] {
      ThreadTransport transport(mail, r);
      program(transport, mail);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace gonogo::team::testing
