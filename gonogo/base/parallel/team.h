// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo {

struct Execution;

/// What all ranks must agree on before they share work: names ("table", "protocol") and hashes.
using Identity = std::vector<std::pair<std::string, std::string>>;

/// Units of work that may be done by any rank, each a function of its index alone. Results travel
/// as bytes.
struct TeamWork {
  std::string what;   ///< units by name, as in "refits"
  Identity identity;  ///< of everything that decides a unit
  std::size_t count = 0;
  int at_once = 1;  ///< units that this rank does at a time
  /// Every rank gets every result; else results go to `keep` alone and `Run` returns empty texts.
  bool everywhere = true;
  /// A result that is there already. Asked on rank 0 alone; may be empty.
  std::function<std::optional<std::string>(std::size_t)> kept = {};
  /// Does unit i; called from several threads.
  std::function<Result<std::string>(std::size_t, const std::stop_token&)> make = {};
  /// Called on rank 0 alone as soon as a result that was not kept is there, in any order and from
  /// several threads; may be empty.
  std::function<Status(std::size_t, const std::string&)> keep = {};
};

/// Several processes ("ranks") that make one computation together. All run the same program with
/// the same arguments and call the functions below in the same order; only rank 0 writes files and
/// talks to the user. Whatever is shared, results are those of one process.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] bool is_root() const { return rank() == 0; }

  /// Hands the units out to ranks as they become free. The results in index order; an error of any
  /// rank is the error of all.
  [[nodiscard]] virtual Result<std::vector<std::string>> Run(const TeamWork& work,
                                                             const Execution& execution) = 0;

  /// What rank 0 found out, on every rank: for decisions that rest on files which only rank 0 may
  /// trust. `find_out` is called on rank 0 alone.
  [[nodiscard]] virtual Result<std::string> FromRoot(
      const std::string& what, const std::function<Result<std::string>()>& find_out) = 0;
};

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
