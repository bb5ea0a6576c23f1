// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {

enum class ColorMode { kAuto, kAlways, kNever };
using report::Style;

/// Writes to stderr, as far as that can be written: a run goes on when nobody can hear it, as with
/// a log on a full disk.
void Speak(std::string_view text);

/// Where output goes and how it may look: stdout is the result, stderr is the conversation.
class Terminal {
 public:
  /// Colours and bars only where the stream is a terminal; `NO_COLOR`, `TERM=dumb` and pipes mean
  /// no escape codes.
  Terminal(ColorMode color, bool quiet);

  /// From now on nothing is printed or said: another process speaks for this one.
  void Mute();

  /// So many processes work on what is shown here.
  void set_ranks(int ranks) { ranks_ = ranks; }
  [[nodiscard]] int ranks() const { return ranks_; }

  /// Prints to stdout.
  void Print(std::string_view text) const;
  /// Prints a line to stderr, unless quiet.
  void Say(std::string_view line) const;

  /// Asks the person at the terminal until one of the answers is given; nothing where nobody sits
  /// there, or when they end the input.
  [[nodiscard]] std::optional<std::string> Ask(std::string_view question,
                                               std::span<const std::string> answers) const;

  /// The text in that style, or unchanged where stdout takes no colours.
  [[nodiscard]] std::string Paint(Style style, std::string_view text) const;

  /// Columns of a line on stdout; more than any text has where nobody knows, as in a file.
  [[nodiscard]] std::size_t width() const { return width_; }
  /// The same for sentences, which are hard to read when they are long.
  [[nodiscard]] std::size_t prose_width() const { return std::min<std::size_t>(width_, 100); }

  /// Both, for text that a report makes. It must not outlive the terminal.
  [[nodiscard]] report::TextLook look() const {
    return {width_, [this](Style style, std::string_view text) { return Paint(style, text); }};
  }

  [[nodiscard]] bool quiet() const { return quiet_; }
  [[nodiscard]] bool live() const { return live_; }  ///< stderr can be redrawn

 private:
  std::size_t width_;
  bool color_;
  bool live_;
  bool quiet_;
  bool mute_ = false;
  int ranks_ = 1;
};

}  // namespace gonogo::cli
