// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <utility>

#include "gonogo/base/result.h"

namespace gonogo::python {

/// An `Error` on its way to Python, where it becomes the exception of its kind.
class RaisedError : public std::runtime_error {
 public:
  explicit RaisedError(const Error& error) : std::runtime_error(error.message), kind_(error.kind) {}
  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// The value, or the exception.
template <typename T>
T Take(Result<T> result) {
  if (!result.ok()) throw RaisedError(result.error());
  return std::move(result).value();
}
inline void Take(const Status& status) {
  if (!status.ok()) throw RaisedError(status.error());
}

}  // namespace gonogo::python
