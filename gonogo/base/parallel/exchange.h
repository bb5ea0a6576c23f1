// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo {

/// Ranks that go through the same short steps together, each doing a fixed part of every step: for
/// work that is too fine to be handed out (base/parallel/team.h), such as the gradients of a
/// training.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Everybody's bytes, by rank, on every rank. All ranks call it together with the same `what`.
  /// Empty texts once something went wrong, so that callers may look at `status` now and then.
  [[nodiscard]] virtual std::vector<std::string> All(const std::string& what,
                                                     const std::string& mine) = 0;
  [[nodiscard]] virtual const Status& status() const = 0;
};

}  // namespace gonogo
