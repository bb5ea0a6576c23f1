// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::sim {

/// The text of a model that can be edited place by place. Comments are blanked; line breaks are
/// never touched, so that every place still knows the file and line it came from.
class MjcfText {
 public:
  MjcfText(std::string text, std::filesystem::path file);

  /// An element of the text; places are indices of it.
  struct Element {
    std::string name;
    std::string parent;     ///< name of the element around it
    std::string section;    ///< child of the root it belongs to, such as "sensor"
    std::size_t begin = 0;  ///< of `<name …>`
    std::size_t end = 0;    ///< one past the '>' of that tag …
    std::size_t after = 0;  ///< … and of everything in the element
  };

  [[nodiscard]] const std::string& text() const { return text_; }
  /// All elements of a name, in the order of the text.
  [[nodiscard]] std::vector<Element> Elements(std::string_view name) const;
  /// The value of an attribute in an opening tag.
  [[nodiscard]] std::optional<std::string> Attribute(const Element& element,
                                                     std::string_view name) const;

  /// Takes an attribute out, or puts other text into its place. Later places move: edit from the
  /// last element to the first.
  void ReplaceAttribute(const Element& element, std::string_view name, std::string_view by = "");
  void RemoveElement(const Element& element);
  /// Puts text on the line of the root's opening tag, right behind it.
  void InsertFirst(std::string_view text);

  /// Line of a place in this text, from 1.
  [[nodiscard]] std::size_t LineOf(std::size_t place) const;
  /// "robot.xml:12": where the author wrote it.
  [[nodiscard]] std::string Origin(std::size_t place) const;

  /// Puts the files of <include> elements into their places; true if there were any.
  [[nodiscard]] Result<bool> ExpandIncludes();

 private:
  struct LineOrigin {
    std::string file;
    std::size_t line = 0;
  };
  struct Range {
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  [[nodiscard]] std::size_t TagEnd(std::size_t begin) const;
  [[nodiscard]] std::optional<Range> FindAttribute(const Element& element,
                                                   std::string_view name) const;
  void Blank(std::size_t begin, std::size_t end);
  void Splice(const Element& include, const MjcfText& file);

  std::string text_;
  std::filesystem::path file_;
  std::vector<LineOrigin> origins_;
};

}  // namespace gonogo::sim
