// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace gonogo::cli {

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

Progress::Progress(const Terminal& terminal, std::string label)
    : terminal_(terminal), label_(std::move(label)) {
  if (terminal.ranks() > 1) label_ += fmt::format(" on {} ranks", terminal.ranks());
}

Progress::~Progress() {
  if (line_open_) fmt::print(stderr, "\n");
}

void Progress::Update(std::size_t done, std::size_t total) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (terminal_.quiet() || total == 0) return;
  const Clock::time_point now = Clock::now();
  if (!started_) {
    started_ = true;
    begin_ = now;
    first_done_ = done;  // what a resumed run found finished tells nothing about speed
  }
  const bool last = done >= total;
  const auto pause = terminal_.live() ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
  if (!last && now - drawn_ < pause) return;
  drawn_ = now;
  std::string left = "";
  if (!last && done > first_done_) {
    const std::chrono::duration<double> spent = now - begin_;
    const auto made = static_cast<double>(done - first_done_);
    left = fmt::format(", {}, about {} left", Rate(made / std::max(spent.count(), 1e-9)),
                       HumanDuration(spent * (static_cast<double>(total - done) / made)));
  }
  if (!terminal_.live()) {
    fmt::print(stderr, "{}: {} of {}{}\n", label_, done, total, left);
    return;
  }
  constexpr std::size_t kWidth = 30;
  const std::size_t filled = kWidth * done / total;
  fmt::print(stderr, "\r\x1b[K{} [{:=<{}}{: <{}}] {}/{}{}", label_, "", filled, "", kWidth - filled,
             done, total, left);
  std::fflush(stderr);
  line_open_ = true;
}

std::function<void(std::size_t, std::size_t)> Progress::Callback() {
  return [this](std::size_t done, std::size_t total) { Update(done, total); };
}

}  // namespace gonogo::cli
