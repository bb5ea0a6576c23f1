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
  pace_.Finished(done, total, now);
  const std::optional<std::chrono::duration<double>> time = pace_.Left();
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
