// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/result.h"
#include "gonogo/report/page/page.h"

/// Sections of a run that is made in parts: kept in files, and joined.
namespace gonogo::report {

/// A section as data, so that a long run can keep what is finished. Texts are kept as a terminal
/// shows them.
[[nodiscard]] nlohmann::json SectionJson(const Section& section);

/// Reads what `SectionJson` wrote; `name` stands for the file in messages.
[[nodiscard]] Result<Section> SectionFromJson(const nlohmann::json& json, const std::string& name);

/// Sections with the same id become one, at the place of the first: rows of tables that have the
/// same caption and columns stand under each other, repeated paragraphs appear once, everything
/// else is kept in order, paragraphs before tables and pictures.
[[nodiscard]] std::vector<Section> MergeSections(const std::vector<Section>& sections);

}  // namespace gonogo::report
