// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/terminal.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gonogo::cli {
namespace {

bool DumbTerminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::strcmp(term, "dumb") == 0;
}

bool WantsColor(ColorMode mode) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && !DumbTerminal() &&
         isatty(STDOUT_FILENO) == 1;
}

/// What COLUMNS says, else what the terminal says; nothing narrower than can be written on.
std::size_t WidthOfOutput() {
  constexpr std::size_t kNarrowest = 40;
  const char* columns = std::getenv("COLUMNS");
  std::size_t width = columns == nullptr ? 0 : std::strtoul(columns, nullptr, 10);
  winsize size{};
  if (width == 0 && isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    width = size.ws_col;
  }
  return width == 0 ? static_cast<std::size_t>(-1) : std::max(kNarrowest, width);
}

const char* Code(Style style) {
  switch (style) {
    case Style::kBold:
      return "1";
    case Style::kDim:
      return "2";
    case Style::kGo:
      return "1;32";
    case Style::kNoGo:
      return "1;31";
    case Style::kAbstain:
    case Style::kWarning:
      return "1;33";
    case Style::kPlain:
      return "0";
  }
  return "0";
}

}  // namespace

void Speak(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

Terminal::Terminal(ColorMode color, bool quiet)
    : width_(WidthOfOutput()),
      color_(WantsColor(color)),
      live_(!quiet && !DumbTerminal() && isatty(STDERR_FILENO) == 1),
      quiet_(quiet) {}

void Terminal::Mute() {
  mute_ = quiet_ = true;
  live_ = false;
}

std::optional<std::string> Terminal::Ask(std::string_view question,
                                         std::span<const std::string> answers) const {
  if (quiet_ || isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) return std::nullopt;
  std::string answer;
  while (true) {
    Speak(fmt::format("{} [{}] ", question, fmt::join(answers, "/")));
    if (!std::getline(std::cin, answer)) return std::nullopt;
    if (std::find(answers.begin(), answers.end(), answer) != answers.end()) return answer;
  }
}

void Terminal::Print(std::string_view text) const {
  if (mute_) return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Terminal::Say(std::string_view line) const {
  if (!quiet_) Speak(fmt::format("{}\n", line));
}

std::string Terminal::Paint(Style style, std::string_view text) const {
  if (!color_ || style == Style::kPlain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", Code(style), text);
}

}  // namespace gonogo::cli
