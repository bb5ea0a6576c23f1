// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/verb.h"
#include "gonogo/cli/version.h"

namespace gonogo::cli {

std::vector<std::unique_ptr<Verb>> AllVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(MakeVersionVerb());
  return verbs;
}

}  // namespace gonogo::cli
