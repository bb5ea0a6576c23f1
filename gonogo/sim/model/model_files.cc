// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/model_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "gonogo/io/file.h"

namespace gonogo::sim {
namespace {

constexpr std::size_t kMostIncludes = 100;  // files may include themselves, or each other

/// Attributes whose values are names of files or folders.
constexpr std::array<std::string_view, 11> kNaming = {
    "file",     "fileright", "fileleft", "fileup",     "filedown", "filefront",
    "fileback", "meshdir",   "assetdir", "texturedir", "modeldir"};

bool IsWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// The quoted value behind an attribute whose name ends at `at`; nothing if that is no attribute.
std::optional<std::string_view> ValueAt(std::string_view text, std::size_t at) {
  at = SkipSpace(text, at);
  if (at >= text.size() || text[at] != '=') return std::nullopt;
  at = SkipSpace(text, at + 1);
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return std::nullopt;
  const std::size_t end = text.find(text[at], at + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(at + 1, end - at - 1);
}

/// Values of an attribute wherever it stands. Comments are not left out: what looks like one to us
/// might look otherwise to the engine.
std::vector<std::string_view> ValuesOf(std::string_view text, std::string_view attribute) {
  std::vector<std::string_view> values;
  for (std::size_t at = text.find(attribute); at != std::string_view::npos;
       at = text.find(attribute, at + 1)) {
    if (at > 0 && IsWordPart(text[at - 1])) continue;
    if (const auto value = ValueAt(text, at + attribute.size())) values.push_back(*value);
  }
  return values;
}

/// An entity could stand for any letter, a dot or a slash among them.
bool StaysInside(std::string_view name) {
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  return name.find('&') == std::string_view::npos && !path.is_absolute() &&
         (path.empty() || *path.begin() != "..");
}

/// A tag with a file="…".
struct FileTag {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< one past its '>'
  std::string_view file;
};

std::vector<FileTag> TagsWithFile(std::string_view text, std::string_view kind) {
  std::vector<FileTag> tags;
  for (std::size_t at = text.find(kind); at != std::string_view::npos;
       at = text.find(kind, at + 1)) {
    const std::size_t end = std::min(text.find('>', at), text.size() - 1) + 1;
    for (const std::string_view file : ValuesOf(text.substr(at, end - at), "file")) {
      tags.push_back({at, end, file});
    }
  }
  return tags;
}

/// The largest of the values that are numbers.
double Largest(const std::vector<std::string_view>& values) {
  double largest = 0.0;
  for (const std::string_view value : values) {
    double number = 0.0;
    const std::size_t begin = SkipSpace(value, 0);
    std::from_chars(value.data() + begin, value.data() + value.size(), number);
    largest = std::max(largest, number);
  }
  return largest;
}

bool AnywhereAllowed() {
  const char* said = std::getenv("GONOGO_MODEL_FILES");
  return said != nullptr && std::string_view(said) == "anywhere";
}

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

Status CheckModelFiles(const std::string& model, const std::filesystem::path& beside) {
  constexpr double kMostHeights = 1e8;  // the engine ends the program when it has too little memory
  const bool anywhere = AnywhereAllowed();
  const std::filesystem::path folder = beside.parent_path();
  std::vector<std::filesystem::path> seen;
  std::filesystem::path current;  // of what is looked at, below the folder
  std::string text = model;
  for (std::size_t next = 0; true; ++next) {
    // Those of a URDF count without their folders, unless it says otherwise.
    const bool whole_paths = text.find("strippath") != std::string::npos;
    std::vector<std::string_view> names =
        whole_paths ? ValuesOf(text, "filename") : std::vector<std::string_view>();
    for (const std::string_view attribute : kNaming) {
      const std::vector<std::string_view> more = ValuesOf(text, attribute);
      names.insert(names.end(), more.begin(), more.end());
    }
    const auto outside = std::find_if_not(names.begin(), names.end(), StaysInside);
    if (outside != names.end() && !anywhere) {
      return InputError(
          "{}: the model names '{}', expected files in its own folder; to let it read files "
          "anywhere, set the environment variable GONOGO_MODEL_FILES=anywhere",
          beside.string(), *outside);
    }
    const double rows = Largest(ValuesOf(text, "nrow"));
    const double columns = Largest(ValuesOf(text, "ncol"));
    if (rows * columns > kMostHeights) {
      return InputError("{}: the model has a height field of {} x {}, expected at most {} heights",
                        beside.string(), rows, columns, kMostHeights);
    }
    for (const char* kind : {"<include", "<model"}) {
      for (const FileTag& tag : TagsWithFile(text, kind)) {
        // Beside the model or beside the file that names it: the engine knows, we look at both.
        for (const std::filesystem::path& file :
             {std::filesystem::path(tag.file), current.parent_path() / tag.file}) {
          if (std::find(seen.begin(), seen.end(), file) == seen.end()) seen.push_back(file);
        }
      }
    }
    if (next >= seen.size() || next >= kMostIncludes) return {};
    // One that cannot be read is the engine's to complain about.
    current = seen[next];
    Result<std::string> included = io::ReadFile(folder / current);
    text = included.ok() ? std::move(included).value() : "";
  }
}

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
  for (const FileTag& tag : TagsWithFile(text, "<include")) {
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
