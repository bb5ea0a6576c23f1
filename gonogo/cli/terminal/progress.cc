// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/progress.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gonogo::cli {

void EtaEstimator::Finished(std::size_t done, std::size_t total, Clock::time_point now) {
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

std::optional<std::chrono::duration<double>> EtaEstimator::Left() const {
  const std::size_t units = last_.units - std::min(last_.units, marks_.front().units);
  if (units == 0) return std::nullopt;
  const std::chrono::duration<double> spent = last_.time - marks_.front().time;
  return spent * (static_cast<double>(left_) / static_cast<double>(units));
}

std::string HumanDuration(std::chrono::duration<double> duration) {
  const long seconds = std::lround(duration.count());
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

std::string Rate(double per_second) {
  return per_second < 10.0 ? fmt::format("{:.2g}/s", per_second)
                           : fmt::format("{:.0f}/s", per_second);
}

Progress::Progress(const Terminal& terminal, std::string label, std::filesystem::path watched,
                   const std::filesystem::path& table)
    : terminal_(terminal), label_(std::move(label)), status_(std::move(watched)) {
  std::error_code code;
  if (!table.empty()) table_ = std::filesystem::absolute(table, code).string();
  if (terminal.ranks() > 1) label_ += fmt::format(" on {} ranks", terminal.ranks());
}

Progress::~Progress() {
  if (line_open_) Speak("\n");
}

void Progress::Update(std::size_t done, std::size_t total) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (total == 0) return;
  const Clock::time_point now = Clock::now();
  eta_.Finished(done, total, now);
  const std::optional<std::chrono::duration<double>> time = eta_.Left();
  if (now - written_ >= std::chrono::seconds(1)) {
    written_ = now;
    status_.Write({.phase = label_,
                   .done = done,
                   .total = total,
                   .seconds_left = time ? std::optional(time->count()) : std::nullopt,
                   .table = table_});
  }
  if (terminal_.quiet()) return;
  const bool last = done >= total;
  const auto pause = terminal_.live() ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
  if (!last && now - drawn_ < pause) return;
  drawn_ = now;
  std::string left = "";
  if (!last && time.has_value()) {
    const double rate = static_cast<double>(total - done) / std::max(time->count(), 1e-9);
    left = fmt::format(", {}, about {} left", Rate(rate), HumanDuration(*time));
  }
  if (!terminal_.live()) {
    Speak(fmt::format("{}: {} of {}{}\n", label_, done, total, left));
    return;
  }
  constexpr std::size_t kWidth = 30;
  const std::size_t filled = kWidth * done / total;
  Speak(fmt::format("\r\x1b[K{} [{:=<{}}{: <{}}] {}/{}{}", label_, "", filled, "", kWidth - filled,
                    done, total, left));
  line_open_ = true;
}

std::function<void(std::size_t, std::size_t)> Progress::Callback() {
  return [this](std::size_t done, std::size_t total) { Update(done, total); };
}

}  // namespace gonogo::cli
