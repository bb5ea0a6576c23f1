// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/pace.h"

#include <algorithm>

namespace gonogo::cli {

void Pace::Finished(std::size_t done, std::size_t total, Clock::time_point now) {
  const bool is_new_phase = total_ != 0 && total != total_;
  if (is_new_phase || done == 0) {
    // The unit that tells of a new phase was worked on since the last one of the old.
    begin_ = done == 0 || last_.units == 0 ? now : last_.time;
    marks_.assign(1, {begin_, 0});
    last_ = {begin_, 0};
  }
  total_ = total;
  left_ = total - std::min(done, total);
  if (done == 0) return;
  last_ = {now, last_.units + 1};
  constexpr auto kApart = std::chrono::milliseconds(250);
  if (now - marks_.back().time >= kApart) marks_.push_back(last_);
  const Clock::duration window =
      std::max<Clock::duration>(std::chrono::seconds(30), (now - begin_) / 3);
  while (marks_.size() > 2 && marks_[1].time <= now - window) marks_.pop_front();
}

std::optional<std::chrono::duration<double>> Pace::Left() const {
  const std::size_t units = last_.units - std::min(last_.units, marks_.front().units);
  if (units == 0) return std::nullopt;
  const std::chrono::duration<double> spent = last_.time - marks_.front().time;
  return spent * (static_cast<double>(left_) / static_cast<double>(units));
}

}  // namespace gonogo::cli
