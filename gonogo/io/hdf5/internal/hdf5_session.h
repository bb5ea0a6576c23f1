// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace gonogo::io::internal {

/// Holds the process-wide lock and keeps the library from printing its error stack.
class Hdf5Session {
 public:
  Hdf5Session() : lock_(Mutex()) {
    // The library's own exit hook would touch files that could not be written, and crash. We close
    // every file ourselves.
    static const herr_t kNoExitHook = H5dont_atexit();
    (void)kNoExitHook;
    // A link into another file would bring values that no checksum of this one covers.
    static const herr_t kNoLinksOut = H5Lunregister(H5L_TYPE_EXTERNAL);
    (void)kNoLinksOut;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

 private:
  static std::recursive_mutex& Mutex() {
    static std::recursive_mutex mutex;
    return mutex;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

/// An open HDF5 object of any kind.
class Handle {
 public:
  explicit Handle(hid_t id) : id_(id) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool ok() const { return id_ >= 0; }
  /// Closes it; whether that could be done. The library writes some values only then.
  [[nodiscard]] bool Close() { return H5Idec_ref(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
};

/// Number of elements of an array of this shape; the largest number when it is even larger.
[[nodiscard]] std::size_t Count(std::span<const std::size_t> shape);
/// Nothing at all (a null space) is [0], a scalar is [].
[[nodiscard]] std::vector<std::size_t> ShapeOf(hid_t space);

/// Why so many elements of so many bytes cannot be held; nothing when they can.
[[nodiscard]] std::optional<std::string> MemoryProblem(std::size_t count, std::size_t width);
/// Why an open data set cannot be read whole: values in other files or never written, unknown
/// filters, more elements of `width` bytes than there is memory. Nothing when it can.
[[nodiscard]] std::optional<std::string> StorageProblem(hid_t dataset, std::size_t width);

/// A variable-length UTF-8 string type; the caller owns it.
[[nodiscard]] hid_t TextType();

/// `read(type, buffer)` reads raw elements of a string type; the strings come back without padding.
[[nodiscard]] std::vector<std::string> Texts(hid_t type, std::size_t count,
                                             const std::function<bool(hid_t, void*)>& read,
                                             bool& ok);

}  // namespace gonogo::io::internal
