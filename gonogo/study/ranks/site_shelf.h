// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

#include "gonogo/study/site.h"

namespace gonogo::study {

/// `SiteOf` for units of work that come in any order on several threads, most of them for a seed
/// that was asked for shortly before: the last few worlds are kept.
class SiteShelf {
 public:
  SiteShelf(const Site& site, std::size_t kept) : site_(site), kept_(kept) {}

  [[nodiscard]] Result<std::shared_ptr<const Site>> Get(std::uint64_t seed);

 private:
  struct Place {
    std::uint64_t seed = 0;
    std::mutex mutex;  // held while its world is made, so that it is made once
    std::shared_ptr<const Site> site;
  };

  const Site& site_;
  std::size_t kept_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Place>> places_;  // the most recently asked for first
};

}  // namespace gonogo::study
