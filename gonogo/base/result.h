// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "gonogo/base/check.h"

namespace gonogo {

/// Whose fault a failure is; the command line maps each to an exit code.
enum class ErrorKind {
  kUsage,        ///< the request makes no sense (exit 2)
  kInput,        ///< a file says something wrong (exit 3)
  kIo,           ///< the disk or the system refused (exit 4)
  kInterrupted,  ///< the user stopped us; partial results were kept (exit 130)
};

/// A failure of the world: names the file, row, column or key, the value found and what was
/// expected.
struct Error {
  ErrorKind kind = ErrorKind::kInput;
  std::string message;
};

/// Builds an `Error` from an fmt format string: `InputError("{}:{}: cost is {}", file, row,
/// value)`.
template <typename... Args>
[[nodiscard]] Error InputError(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorKind::kInput, fmt::format(format, std::forward<Args>(args)...)};
}
template <typename... Args>
[[nodiscard]] Error UsageError(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorKind::kUsage, fmt::format(format, std::forward<Args>(args)...)};
}
template <typename... Args>
[[nodiscard]] Error IoError(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorKind::kIo, fmt::format(format, std::forward<Args>(args)...)};
}

/// A value or the reason why there is none. Reading the value of a failed result is our bug and
/// aborts.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(state_); }
  [[nodiscard]] const T& value() const& {
    GONOGO_CHECK(ok());
    return *std::get_if<T>(&state_);
  }
  [[nodiscard]] T& value() & {
    GONOGO_CHECK(ok());
    return *std::get_if<T>(&state_);
  }
  [[nodiscard]] T&& value() && {
    GONOGO_CHECK(ok());
    return std::move(*std::get_if<T>(&state_));
  }
  [[nodiscard]] const Error& error() const {
    GONOGO_CHECK(!ok());
    return *std::get_if<Error>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or the reason of the failure.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  [[nodiscard]] const Error& error() const {
    GONOGO_CHECK(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

namespace internal {
template <typename T>
T TakeValue(Result<T>&& result) {
  return std::move(result).value();
}
inline void TakeValue(Result<void>&& /*result*/) {}
}  // namespace internal

}  // namespace gonogo

/// The value of a result; a failed one ends the function with its error:
///
///     const RobotSpec spec = GONOGO_TRY(LoadRobotSpec(path));
///     GONOGO_TRY(io::WriteFile(path, text));   // a Status
///
/// Only in functions that return a Result. A statement expression, which GCC and Clang both have:
/// a plain macro could not both return and have a value. Not among other members of an initialiser
/// or other arguments of a call: what was made before it would never be destroyed.
#define GONOGO_TRY(...)                                                     \
  ({                                                                        \
    auto gonogo_result = __VA_ARGS__;                                       \
    if (!gonogo_result.ok()) return ::gonogo::Error(gonogo_result.error()); \
    ::gonogo::internal::TakeValue(std::move(gonogo_result));                \
  })
