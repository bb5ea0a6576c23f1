// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/forgiving.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <string_view>

namespace gonogo::sim {
namespace {

/// What the engine did not understand: one attribute, element or keyword of the text.
struct Complaint {
  enum class Kind { kAttribute, kElement, kKeyword } kind = Kind::kAttribute;
  std::string word;     ///< the attribute or keyword
  std::string element;  ///< that it stands in
  std::size_t line = 0;
};

std::optional<Complaint> ReadComplaint(const std::string& message) {
  std::smatch where;
  if (!std::regex_search(message, where, std::regex("Element '([^']*)', line ([0-9]+)"))) {
    return std::nullopt;
  }
  Complaint complaint;
  complaint.element = where[1];
  complaint.line = std::stoul(where[2]);
  std::smatch what;
  if (std::regex_search(message, what, std::regex("unrecognized attribute: '([^']*)'"))) {
    complaint.word = what[1];
    return complaint;
  }
  if (std::regex_search(message, what, std::regex("invalid keyword: '([^']*)'"))) {
    complaint.kind = Complaint::Kind::kKeyword;
    complaint.word = what[1];
    return complaint;
  }
  if (message.find("unrecognized element") == std::string::npos) return std::nullopt;
  complaint.kind = Complaint::Kind::kElement;
  return complaint;
}

/// Attributes of newer versions that may go, and why; an empty element means any.
struct Removable {
  std::string_view element;
  std::string_view attribute;
  std::string_view reason;
};

constexpr std::string_view kSolver = "a setting of newer solvers";
constexpr std::string_view kLooks = "it concerns looks or files only";
constexpr std::string_view kEffort = "give it as actuator.effort_limit in robot.toml";

constexpr auto kRemovable = std::to_array<Removable>({
    {"option", "ls_iterations", kSolver},
    {"option", "ls_tolerance", kSolver},
    {"option", "sdf_iterations", kSolver},
    {"option", "sdf_initpoints", kSolver},
    {"option", "ccd_iterations", kSolver},
    {"option", "ccd_tolerance", kSolver},
    {"option", "actuatorgroupdisable", "all actuators are in use"},
    {"flag", "island", kSolver},
    {"flag", "nativeccd", kSolver},
    {"flag", "midphase", kSolver},
    {"flag", "autoreset", "a robot that diverges ends its episode"},
    {"flag", "eulerdamp", "damping of joints is always integrated implicitly here"},
    {"joint", "actuatorfrcrange", kEffort},
    {"joint", "actuatorfrclimited", kEffort},
    {"position", "inheritrange",
     "give the range as joints.target_low and target_high in robot.toml"},
    {"position", "kv", "give it as actuator.kd in robot.toml"},
    {"mesh", "maxhullvert", kLooks},
    {"mesh", "inertia", "the default is used"},
    {"", "content_type", kLooks},
    {"texture", "colorspace", kLooks},
    {"camera", "resolution", kLooks},
    {"camera", "focal", kLooks},
    {"camera", "focalpixel", kLooks},
    {"camera", "sensorsize", kLooks},
    {"camera", "principal", kLooks},
    {"camera", "orthographic", kLooks},
    {"light", "type", kLooks},
    {"key", "mpos", kLooks},
    {"key", "mquat", kLooks},
});

/// The text of a model, with places found by line and element.
class MjcfText {
 public:
  explicit MjcfText(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }

  /// The tags `<element …>` that begin on a line, each as [begin, end) of the text.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> TagsOn(
      std::size_t line, const std::string& element) const {
    std::vector<std::pair<std::size_t, std::size_t>> tags;
    std::size_t begin = 0;
    for (std::size_t i = 1; i < line && begin != std::string::npos; ++i) {
      begin = text_.find('\n', begin);
      if (begin != std::string::npos) ++begin;
    }
    if (begin == std::string::npos) return tags;
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::string opening = "<" + element;
    for (std::size_t at = text_.find(opening, begin); at < end; at = text_.find(opening, at + 1)) {
      const std::size_t after = at + opening.size();
      if (after < text_.size() && IsNamePart(text_[after])) continue;
      tags.emplace_back(at, TagEnd(at));
    }
    return tags;
  }

  /// Takes `name="value"` out of the first of these tags that has it; the value, or nothing.
  std::optional<std::string> RemoveAttribute(
      const std::vector<std::pair<std::size_t, std::size_t>>& tags, const std::string& name) {
    const std::regex pattern("\\s" + name + "\\s*=\\s*(\"[^\"]*\"|'[^']*')");
    for (const auto& [begin, end] : tags) {
      const std::string tag = text_.substr(begin, end - begin);
      std::smatch found;
      if (!std::regex_search(tag, found, pattern)) continue;
      const std::string value = found[1];
      Blank(begin + static_cast<std::size_t>(found.position(0)),
            static_cast<std::size_t>(found.length(0)));
      return value;
    }
    return std::nullopt;
  }

  /// Takes the element whose tag begins at `begin` out, with everything in it.
  void RemoveElement(std::size_t begin, const std::string& element) {
    std::size_t end = TagEnd(begin);
    if (end < 2 || text_.compare(end - 2, 2, "/>") != 0) {
      const std::string closing = "</" + element;
      const std::size_t close = text_.find(closing, end);
      end = close == std::string::npos ? text_.size() : TagEnd(close);
    }
    Blank(begin, end - begin);
  }

  /// Puts text right behind the opening tag of the root, on its line.
  void InsertFirst(const std::string& text) {
    const std::size_t root = text_.find("<mujoco");
    if (root != std::string::npos) text_.insert(TagEnd(root), text);
  }

  void ReplaceIn(std::size_t begin, std::size_t end, const std::string& from,
                 const std::string& to) {
    const std::size_t at = text_.find(from, begin);
    if (at < end) text_.replace(at, from.size(), to);
  }

  /// Whether a place is inside of a section, such as <sensor> … </sensor>.
  [[nodiscard]] bool IsInside(std::size_t at, const std::string& section) const {
    const std::size_t opened = text_.rfind("<" + section, at);
    if (opened == std::string::npos || opened == at) return false;
    const std::size_t closed = text_.rfind("</" + section, at);
    return closed == std::string::npos || closed < opened;
  }

 private:
  static bool IsNamePart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  }

  /// One past the '>' of a tag.
  [[nodiscard]] std::size_t TagEnd(std::size_t begin) const {
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

  /// Spaces instead of text: later lines keep their numbers.
  void Blank(std::size_t begin, std::size_t count) {
    for (std::size_t i = begin; i < begin + count; ++i) {
      if (text_[i] != '\n') text_[i] = ' ';
    }
  }

  std::string text_;
};

/// Takes out what the engine complained about: a note if it may go, else a problem. False if the
/// place was not found, as in a file that is included.
bool Resolve(const Complaint& complaint, const std::string& file, MjcfText& text,
             std::vector<std::string>& notes, std::vector<std::string>& problems) {
  const auto tags = text.TagsOn(complaint.line, complaint.element);
  if (tags.empty()) return false;
  const std::string place = fmt::format("{}:{}: {}", file, complaint.line, complaint.element);
  if (complaint.kind == Complaint::Kind::kElement) {
    const std::size_t at = tags.front().first;
    const bool harmless = text.IsInside(at, "sensor") || text.IsInside(at, "visual");
    text.RemoveElement(at, complaint.element);
    (harmless ? notes : problems)
        .push_back(place + (harmless ? " is left out: nothing here reads it"
                                     : " is an element this version of MuJoCo does not know"));
    return true;
  }
  if (complaint.kind == Complaint::Kind::kKeyword) {
    if (complaint.word != "implicitfast") return false;
    text.ReplaceIn(tags.front().first, tags.front().second, "implicitfast", "implicit");
    notes.push_back(place + " integrator implicitfast is read as implicit");
    return true;
  }
  const std::optional<std::string> value = text.RemoveAttribute(tags, complaint.word);
  if (!value) return false;
  const auto* const known =
      std::find_if(kRemovable.begin(), kRemovable.end(), [&](const Removable& removable) {
        return removable.attribute == complaint.word &&
               (removable.element.empty() || removable.element == complaint.element);
      });
  if (known == kRemovable.end()) {
    problems.push_back(fmt::format("{} {}={} is an attribute this version of MuJoCo does not know",
                                   place, complaint.word, *value));
  } else {
    notes.push_back(
        fmt::format("{} {}={} is left out: {}", place, complaint.word, *value, known->reason));
  }
  return true;
}

}  // namespace

Result<ForgivenModel> CompileForgiving(std::string mjcf, const std::filesystem::path& beside) {
  MjcfText text(std::move(mjcf));
  ForgivenModel forgiven;
  std::vector<std::string> problems;
  bool limits_set = false;
  constexpr int kMostComplaints = 1000;
  for (int attempt = 0; attempt < kMostComplaints; ++attempt) {
    Result<ModelPtr> compiled = CompileModel(text.text(), beside);
    if (compiled.ok()) {
      forgiven.model = std::move(compiled).value();
      break;
    }
    if (!limits_set && compiled.error().message.find("autolimits=") != std::string::npos) {
      limits_set = true;  // newer versions take this for granted
      text.InsertFirst("<compiler autolimits=\"true\"/>");
      forgiven.notes.push_back(beside.filename().string() +
                               ": ranges count as limits, as newer versions take them");
      continue;
    }
    const std::optional<Complaint> complaint = ReadComplaint(compiled.error().message);
    if (complaint &&
        Resolve(*complaint, beside.filename().string(), text, forgiven.notes, problems)) {
      continue;
    }
    if (problems.empty()) return compiled.error();
    problems.push_back(compiled.error().message);
    break;
  }
  if (problems.empty() && forgiven.model != nullptr) return forgiven;
  std::string list;
  for (const std::string& problem : problems) list += "\n  " + problem;
  return InputError("{}: cannot be read:{}", beside.string(), list);
}

}  // namespace gonogo::sim
