// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gonogo::sim {

/// What becomes of an attribute that only newer versions of MuJoCo know.
struct NewerAttribute {
  enum class Fate {
    kLeftOut,  ///< the robot moves the same without it
    /// Its numbers travel as `user` data, which mean nothing to the engine and follow default
    /// classes; they are put into place after compiling.
    kCarried,
    kRefused,  ///< without it the robot would move differently
  };
  std::string_view element;  ///< empty = any
  std::string_view attribute;
  Fate fate = Fate::kLeftOut;
  std::string_view reason;             ///< or, if it is carried, what it is read as
  std::string_view before_value = {};  ///< numbers that stand before its own in the user data
};

/// Null if nothing is known about it.
[[nodiscard]] const NewerAttribute* FindNewer(const std::string& element,
                                              const std::string& attribute);

/// Why an element of newer versions cannot be kept; empty if nothing is known about it.
[[nodiscard]] std::string WhyNotKept(const std::string& element);

/// Whether nothing of a section, or of an element that holds others, touches the motion.
[[nodiscard]] bool IsLooks(const std::string& section);

}  // namespace gonogo::sim
