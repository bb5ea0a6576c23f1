// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/control/governor.h"
#include "gonogo/control/retrieval.h"
#include "gonogo/control/sampling_mpc.h"
#include "gonogo/control/vgcc_gate.h"

namespace gonogo::study {

/// Every number of a controller that a user may set, with its range checked.
struct MethodSettings {
  control::VgccConfig vgcc;
  control::GovernorConfig governor;
  control::MpcConfig mpc;
  control::RetrievalConfig vgsr;
  double adapter_hold = 1.0;  ///< decisions for which an adapter keeps what it chose

  /// "vgcc.gain" and so on, and where its value is.
  [[nodiscard]] std::map<std::string, double*> Names();
  /// The values of one kind of controller ("vgcc"), as text.
  [[nodiscard]] std::string Text(std::string_view kind);
};

/// From texts such as "vgcc.gain=0.3". Fails on unknown names, what is not a number and values
/// outside their range, also of controllers that are not used.
[[nodiscard]] Result<MethodSettings> ParseSettings(const std::vector<std::string>& texts);

/// The number that is the whole text; `where` begins the message if it is none.
[[nodiscard]] Result<double> ParseNumber(std::string_view text, std::string_view where);

}  // namespace gonogo::study
