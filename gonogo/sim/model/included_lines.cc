// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/included_lines.h"

#include <algorithm>
#include <charconv>

#include "gonogo/base/result.h"
#include "gonogo/io/file.h"
#include "gonogo/sim/model/model_files.h"

namespace gonogo::sim {
namespace {

constexpr int kMostIncludes = 100;  // a file that includes itself never ends

std::size_t LinesOf(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool IsComment(std::string_view text, std::size_t place) {
  const std::size_t begin = text.rfind("<!--", place);
  return begin != std::string_view::npos && text.find("-->", begin) > place;
}

/// What stands inside the root element of an included file.
std::string_view InsideRoot(std::string_view text) {
  const std::size_t root = text.find("<mujoco");
  const std::size_t end = text.rfind("</");
  if (root == std::string_view::npos || end == std::string_view::npos) return "";
  const std::size_t begin = text.find('>', root);
  return end > begin ? text.substr(begin + 1, end - begin - 1) : "";
}

}  // namespace

IncludedLines::IncludedLines(std::string_view text, const std::filesystem::path& file)
    : folder_(file.parent_path()) {
  Add(text, file.filename().string(), 1);
}

void IncludedLines::Take(std::string_view text, const std::string& file, std::size_t& line) {
  text_ += text;
  for (std::size_t i = LinesOf(text); i > 0; --i) {
    origins_.push_back(fmt::format("{}:{}", file, line++));
  }
}

void IncludedLines::Add(std::string_view text, const std::string& file, std::size_t line) {
  std::size_t at = 0;
  for (const IncludeTag& tag : FindIncludes(text)) {
    const Result<std::string> other = io::ReadFile(folder_ / tag.file);
    const std::string_view inside = other.ok() ? InsideRoot(other.value()) : "";
    if (inside.empty() || IsComment(text, tag.begin) || ++included_ > kMostIncludes) continue;
    // On lines of its own, so that every line has one origin.
    Take(text.substr(at, tag.begin - at), file, line);
    text_ += '\n';
    origins_.push_back(fmt::format("{}:{}", file, line));
    const auto before = static_cast<std::size_t>(inside.data() - other.value().data());
    Add(inside, std::string(tag.file), 1 + LinesOf(other.value().substr(0, before)));
    text_ += '\n';
    at = tag.end;
  }
  Take(text.substr(at), file, line);
  origins_.push_back(fmt::format("{}:{}", file, line));
}

std::string IncludedLines::WithOrigins(const std::string& message) const {
  constexpr std::string_view kLine = "line ";
  const std::size_t place = message.rfind(kLine);
  if (place == std::string::npos) return message;
  std::size_t line = 0;
  const char* const number = message.data() + place + kLine.size();
  const auto [rest, code] = std::from_chars(number, message.data() + message.size(), line);
  if (code != std::errc() || line == 0 || line > origins_.size()) return message;
  return message.substr(0, place) + origins_[line - 1] + rest;
}

}  // namespace gonogo::sim
