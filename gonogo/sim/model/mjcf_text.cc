// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/mjcf_text.h"

#include <algorithm>
#include <cctype>

#include "gonogo/io/file.h"

namespace gonogo::sim {
namespace {

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

bool IsNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ':';
}

}  // namespace

MjcfText::MjcfText(std::string text, std::filesystem::path file)
    : text_(std::move(text)), file_(std::move(file)) {
  for (std::size_t at = text_.find("<!--"); at != std::string::npos; at = text_.find("<!--", at)) {
    const std::size_t end = text_.find("-->", at);
    Blank(at, end == std::string::npos ? text_.size() : end + 3);
  }
  const auto lines = 1 + std::count(text_.begin(), text_.end(), '\n');
  const std::string name = file_.filename().string();
  for (std::size_t line = 1; line <= static_cast<std::size_t>(lines); ++line) {
    origins_.push_back({name, line});
  }
}

std::vector<MjcfText::Element> MjcfText::Elements(std::string_view name) const {
  std::vector<Element> found;
  struct Open {
    std::string name;
    std::optional<std::size_t> found;
  };
  std::vector<Open> open;
  for (std::size_t at = text_.find('<'); at != std::string::npos; at = text_.find('<', at)) {
    const std::size_t end = TagEnd(at);
    const char first = at + 1 < text_.size() ? text_[at + 1] : '\0';
    if (first == '/') {
      if (!open.empty() && open.back().found) found[*open.back().found].after = end;
      if (!open.empty()) open.pop_back();
    } else if (first != '?' && first != '!') {
      std::size_t stop = at + 1;
      while (stop < text_.size() && IsNamePart(text_[stop])) ++stop;
      Open next{text_.substr(at + 1, stop - at - 1), std::nullopt};
      if (next.name == name) {
        next.found = found.size();
        found.push_back({next.name, open.empty() ? "" : open.back().name,
                         open.size() < 2 ? "" : open[1].name, at, end, end});
      }
      if (end < 2 || text_[end - 2] != '/') open.push_back(std::move(next));
    }
    at = end;
  }
  return found;
}

std::optional<MjcfText::Range> MjcfText::FindAttribute(const Element& element,
                                                       std::string_view name) const {
  std::size_t at = element.begin + 1 + element.name.size();
  while (at < element.end) {
    while (at < element.end && IsSpace(text_[at])) ++at;
    const std::size_t begin = at;
    while (at < element.end && IsNamePart(text_[at])) ++at;
    const bool wanted = std::string_view(text_).substr(begin, at - begin) == name;
    const std::size_t quote = text_.find_first_of("\"'", at);
    if (quote == std::string::npos || quote >= element.end) return std::nullopt;
    const std::size_t close = text_.find(text_[quote], quote + 1);
    if (close == std::string::npos || close >= element.end) return std::nullopt;
    at = close + 1;
    if (wanted) return Range{begin, at - begin};
  }
  return std::nullopt;
}

std::optional<std::string> MjcfText::Attribute(const Element& element,
                                               std::string_view name) const {
  const std::optional<Range> range = FindAttribute(element, name);
  if (!range) return std::nullopt;
  const std::size_t quote = text_.find_first_of("\"'", range->begin);
  return text_.substr(quote + 1, range->begin + range->size - quote - 2);
}

void MjcfText::ReplaceAttribute(const Element& element, std::string_view name,
                                std::string_view by) {
  const std::optional<Range> range = FindAttribute(element, name);
  if (!range) return;
  Blank(range->begin, range->begin + range->size);
  text_.insert(range->begin, by);
}

void MjcfText::RemoveElement(const Element& element) { Blank(element.begin, element.after); }

void MjcfText::InsertFirst(std::string_view text) {
  const std::vector<Element> roots = Elements("mujoco");
  if (!roots.empty()) text_.insert(roots.front().end, text);
}

std::size_t MjcfText::LineOf(std::size_t place) const {
  return 1 + static_cast<std::size_t>(std::count(
                 text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

std::string MjcfText::Origin(std::size_t place) const {
  const LineOrigin& origin = origins_[LineOf(place) - 1];
  return fmt::format("{}:{}", origin.file, origin.line);
}

Result<bool> MjcfText::ExpandIncludes() {
  bool any = false;
  constexpr int kMostIncludes = 100;  // a file that includes itself never ends
  for (int count = 0; count < kMostIncludes; ++count) {
    const std::vector<Element> includes = Elements("include");
    if (includes.empty()) return any;
    any = true;
    const Element& include = includes.front();
    const std::optional<std::string> name = Attribute(include, "file");
    if (!name) {
      return InputError("{}: include has no file", Origin(include.begin));
    }
    // The engine looks beside the main file, whatever file includes.
    const std::filesystem::path file = file_.parent_path() / *name;
    std::string content = GONOGO_TRY(io::ReadFile(file));
    Splice(include, MjcfText(std::move(content), file));
  }
  return InputError("{}: more than {} included files", file_.string(), kMostIncludes);
}

void MjcfText::Splice(const Element& include, const MjcfText& file) {
  // Only what stands in the root element of the file is taken.
  std::vector<Element> roots = file.Elements("mujoco");
  if (roots.empty()) roots = file.Elements("mujocoinclude");
  std::size_t begin = 0;
  std::size_t end = file.text_.size();
  if (!roots.empty()) {
    begin = roots.front().end;
    end = std::max(begin, file.text_.rfind("</", roots.front().after));
    if (roots.front().after == roots.front().end) end = begin;  // <mujoco/>
  }
  const std::string content = file.text_.substr(begin, end - begin);
  const std::size_t first = file.LineOf(begin) - 1;
  const std::size_t last = file.LineOf(end);
  const std::size_t line = LineOf(include.begin);
  std::vector<LineOrigin> origins(origins_.begin(),
                                  origins_.begin() + static_cast<std::ptrdiff_t>(line));
  origins.insert(origins.end(), file.origins_.begin() + static_cast<std::ptrdiff_t>(first),
                 file.origins_.begin() + static_cast<std::ptrdiff_t>(last));
  origins.insert(origins.end(),
                 origins_.begin() + static_cast<std::ptrdiff_t>(LineOf(include.after) - 1),
                 origins_.end());
  origins_ = std::move(origins);
  text_ = text_.substr(0, include.begin) + "\n" + content + "\n" + text_.substr(include.after);
}

std::size_t MjcfText::TagEnd(std::size_t begin) const {
  char quote = '\0';
  for (std::size_t i = begin; i < text_.size(); ++i) {
    const char c = text_[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return text_.size();
}

void MjcfText::Blank(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text_[i] != '\n') text_[i] = ' ';
  }
}

}  // namespace gonogo::sim
