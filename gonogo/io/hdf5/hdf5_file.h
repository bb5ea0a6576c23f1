// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// A dense array in C order: the last index runs fastest.
template <typename T>
struct Array {
  std::vector<std::size_t> shape;
  std::vector<T> values;
};

/// What a data set holds, as far as we care.
enum class Hdf5Type { kInteger, kFloat, kString, kOther };

/// An HDF5 file. Debian's library is not thread-safe, so every call takes one process-wide lock.
/// It is read whole when it is opened and written whole when it is closed: the library itself
/// takes a read that failed for an object that is not there and forgets writes that failed.
/// Errors name the file and the object. Element types: float, double, std::int32_t, std::int64_t,
/// std::uint8_t; the library converts on reading.
class Hdf5File {
 public:
  [[nodiscard]] static Result<Hdf5File> Open(const std::filesystem::path& path);
  /// Opens the file itself for reading and writing: for tests that change a finished one.
  [[nodiscard]] static Result<Hdf5File> OpenForUpdate(const std::filesystem::path& path);
  /// Creates or replaces, when it is closed: a reader sees the old file or the new one, never half
  /// of it. A file that is not closed is never written.
  [[nodiscard]] static Result<Hdf5File> Create(const std::filesystem::path& path);

  Hdf5File(Hdf5File&& other) noexcept;
  Hdf5File& operator=(Hdf5File&& other) noexcept;
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File();

  [[nodiscard]] const std::string& name() const { return name_; }

  /// Closes, and writes a file that was created, as `WriteFile` does.
  [[nodiscard]] Status Close();

  [[nodiscard]] bool Has(const std::string& object) const;
  /// Names of the members of a group, sorted; empty when the group does not exist.
  [[nodiscard]] Result<std::vector<std::string>> Children(const std::string& group) const;
  [[nodiscard]] Result<std::vector<std::size_t>> Shape(const std::string& dataset) const;
  [[nodiscard]] Result<Hdf5Type> Type(const std::string& dataset) const;

  /// All values, which must be in this file and fit the element type when that is a whole number.
  template <typename T>
  [[nodiscard]] Result<Array<T>> Read(const std::string& dataset) const;
  /// Fixed- or variable-length strings, flattened.
  [[nodiscard]] Result<std::vector<std::string>> ReadStrings(const std::string& dataset) const;

  /// Creates groups on the way. `deflate` 0 stores plainly, 1..9 compresses.
  template <typename T>
  [[nodiscard]] Status Write(const std::string& dataset, std::span<const std::size_t> shape,
                             std::span<const T> values, int deflate = 0);
  [[nodiscard]] Status WriteStrings(const std::string& dataset,
                                    std::span<const std::string> values);
  /// Appends rows of the given shape, creating a growing data set at the first call.
  template <typename T>
  [[nodiscard]] Status Append(const std::string& dataset, std::span<const std::size_t> row_shape,
                              std::span<const T> values);

  /// Attributes of an object ("/" is the file).
  [[nodiscard]] bool HasAttribute(const std::string& object, const std::string& attribute) const;
  [[nodiscard]] Result<std::vector<std::string>> ReadTexts(const std::string& object,
                                                           const std::string& attribute) const;
  [[nodiscard]] Result<std::string> ReadText(const std::string& object,
                                             const std::string& attribute) const;
  [[nodiscard]] Result<double> ReadNumber(const std::string& object,
                                          const std::string& attribute) const;
  [[nodiscard]] Status WriteText(const std::string& object, const std::string& attribute,
                                 std::string_view text);
  [[nodiscard]] Status WriteTexts(const std::string& object, const std::string& attribute,
                                  std::span<const std::string> texts);
  [[nodiscard]] Status WriteNumber(const std::string& object, const std::string& attribute,
                                   double number);

 private:
  [[nodiscard]] Error NotADataset(const std::string& dataset) const;

  Hdf5File(std::int64_t id, std::string name, bool created = false)
      : id_(id), name_(std::move(name)), created_(created) {}

  std::int64_t id_ = -1;
  std::string name_;
  bool created_ = false;  ///< its bytes are in memory alone
};

}  // namespace gonogo::io
