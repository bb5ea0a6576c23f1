// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/published_coverage.h"

#include "gonogo/paper/published/published.h"

namespace gonogo::paper {

PublishedCoverage FindPublishedCoverage(const std::string& robot, const std::string& family,
                                        const std::string& method) {
  if (family == "harder" && !Published("harder", robot).rows.empty()) {
    const PublishedTable& harder = Published("harder", robot);
    return {.success = harder.Number(method, "success"),
            .effort = harder.Number(method, "effort"),
            .change = harder.Share(method, "change"),
            .height_m = {}};
  }
  const PublishedTable& table = Published("coverage");
  const std::string row = robot + "/" + family + "/" + method;
  return {.success = table.Number(row, "success"),
          .effort = table.Number(row, "effort"),
          .change = table.Share(row, "change"),
          .height_m = table.Number(row, "height")};
}

}  // namespace gonogo::paper
