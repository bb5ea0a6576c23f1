// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "gonogo/team/message.h"
#include "gonogo/team/transport.h"

namespace gonogo::team {

/// Messages over a transport, round by round: what belongs to a later round waits until this rank
/// is there, what is left of an earlier one is dropped. News of failures do not wait.
class Channel {
 public:
  explicit Channel(Transport& transport) : transport_(transport) {}

  [[nodiscard]] int rank() const { return transport_.rank(); }
  [[nodiscard]] int size() const { return transport_.size(); }

  void Send(int to, Kind kind, std::uint64_t round, std::string_view body = {});
  /// The next message of this round; never waits.
  [[nodiscard]] std::optional<Message> Next(std::uint64_t round);

  /// Sends `bytes` to the ranks below this one in a binomial tree rooted at rank 0, in parts. Each
  /// of them passes them on, so that no rank sends more than log2(size) copies.
  void SendDown(std::uint64_t round, std::string_view bytes);
  /// Passes a part on that came from above.
  void PassDown(const Message& part);
  /// Waits until everything sent has left, but no longer than that.
  void Flush(std::chrono::duration<double> longest);

  /// Ranks that are through, with what they said on leaving.
  [[nodiscard]] const std::map<int, std::string>& finished() const { return finished_; }
  [[nodiscard]] std::uint64_t bytes_moved() const { return bytes_moved_; }  ///< here, both ways

 private:
  void Fetch();

  Transport& transport_;
  std::deque<Message> waiting_;
  std::map<int, std::string> finished_;
  std::uint64_t bytes_moved_ = 0;
};

}  // namespace gonogo::team
