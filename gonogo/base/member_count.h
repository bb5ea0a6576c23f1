// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace gonogo {
namespace internal {

/// Stands for a member of any type; only asked whether it could.
struct AnyMember {
  template <typename T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

template <std::size_t>
using AnyMemberAt = AnyMember;

template <typename Struct, std::size_t... Index>
constexpr bool TakesMembers(std::index_sequence<Index...> /*count*/) {
  return requires { Struct{AnyMemberAt<Index>{}...}; };
}

}  // namespace internal

/// How many members an aggregate without base classes and C arrays has, so that the compiler can
/// refuse a list of them in which one was forgotten.
template <typename Struct, std::size_t kAtLeast = 0>
[[nodiscard]] constexpr std::size_t MemberCount() {
  static_assert(kAtLeast < 100, "not an aggregate whose members can be counted");
  if constexpr (internal::TakesMembers<Struct>(std::make_index_sequence<kAtLeast + 1>())) {
    return MemberCount<Struct, kAtLeast + 1>();
  } else {
    return kAtLeast;
  }
}

}  // namespace gonogo
