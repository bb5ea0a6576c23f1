// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/scale_oracle.h"

namespace gonogo::paper {

/// Figure "finding": how often each scale is the cheapest, and what each costs against the best
/// single one. Needs at least one episode in which all succeeded.
[[nodiscard]] report::Cards OracleCharts(const study::ScaleOracle& oracle);

}  // namespace gonogo::paper
