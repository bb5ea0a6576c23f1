// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/ranks/site_shelf.h"

#include <algorithm>

namespace gonogo::study {

Result<std::shared_ptr<const Site>> SiteShelf::Get(std::uint64_t seed) {
  const std::uint64_t ground = site_.by_seed ? seed : 0;
  std::shared_ptr<Place> place;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(places_.begin(), places_.end(),
                                    [&](const auto& other) { return other->seed == ground; });
    if (found != places_.end()) {
      place = *found;
      places_.erase(found);
    } else {
      place = std::make_shared<Place>();
      place->seed = ground;
    }
    places_.push_front(place);
    if (places_.size() > kept_) places_.pop_back();
  }
  const std::lock_guard lock(place->mutex);
  if (!place->site) {
    Site made = GONOGO_TRY(SiteOf(site_, seed));
    place->site = std::make_shared<const Site>(std::move(made));
  }
  return place->site;
}

}  // namespace gonogo::study
