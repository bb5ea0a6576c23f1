// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// \file
/// Values on their way into a file or to another process, one after the other and as they lie in
/// memory: what is written so is read on the same kind of machine only.

namespace gonogo {

/// A number, a truth value or an enumerator.
template <typename T>
concept PlainValue = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ByteWriter {
 public:
  explicit ByteWriter(std::string_view begin = {}) : bytes_(begin) {}

  template <PlainValue T>
  void operator()(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  /// A list of plain values or a text: how many, then all of them.
  template <typename List>
  void operator()(const List& values) {
    static_assert(PlainValue<typename List::value_type>);
    Size(values);
    bytes_.append(reinterpret_cast<const char*>(values.data()),
                  values.size() * sizeof(typename List::value_type));
  }
  /// How many; for lists whose items are written one by one.
  template <typename List>
  void Size(const List& items) {
    (*this)(static_cast<std::uint64_t>(items.size()));
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what `ByteWriter` wrote. Once something is missing nothing is left: values stay as they
/// were, and lists are empty. The bytes may come from anywhere.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <PlainValue T>
  void operator()(T& value) {
    Take(sizeof(T), &value);
  }
  template <typename List>
  void operator()(List& values) {
    static_assert(PlainValue<typename List::value_type>);
    Size(values, sizeof(typename List::value_type));
    Take(values.size() * sizeof(typename List::value_type), values.data());
  }
  /// Resizes the list, whose items take so many bytes at least: a length that cannot be true must
  /// not be allocated.
  template <typename List>
  void Size(List& items, std::size_t item_bytes = 1) {
    std::uint64_t size = 0;
    (*this)(size);
    items.resize(Holds(size <= rest_.size() / item_bytes) ? size : 0);
  }

  /// Nothing was missing so far.
  [[nodiscard]] bool intact() const { return intact_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  bool Holds(bool enough) {
    intact_ = intact_ && enough;
    if (!intact_) rest_ = {};
    return intact_;
  }
  void Take(std::size_t count, void* to) {
    if (!Holds(count <= rest_.size()) || count == 0) return;
    std::memcpy(to, rest_.data(), count);
    rest_.remove_prefix(count);
  }

  std::string_view rest_;
  bool intact_ = true;
};

}  // namespace gonogo
