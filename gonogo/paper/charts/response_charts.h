// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/study/identify/identify.h"

namespace gonogo::paper {

/// The outputs of f_phi in their order, with units.
[[nodiscard]] const std::vector<std::string>& ResponseNames();

/// Predicted against measured, one card per output.
[[nodiscard]] report::Cards PredictedAgainstMeasured(const study::IdentifyResult& result);

/// R² against the number of training windows, one line per output. Needs the rows of less data.
[[nodiscard]] report::Chart AccuracyAgainstData(const study::IdentifyResult& result);

/// Open-loop errors against the horizon, one card per error.
[[nodiscard]] report::Cards ErrorAgainstHorizon(const study::IdentifyResult& result);

}  // namespace gonogo::paper
