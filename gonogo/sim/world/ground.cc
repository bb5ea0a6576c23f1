// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/ground.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/check.h"
#include "gonogo/base/nearest.h"
#include "gonogo/base/rng.h"

namespace gonogo::sim {
namespace {

constexpr int kRoughTiles = 3;
constexpr int kIsaacHighestRow = 5;  // max_init_terrain_level of the tasks
constexpr int kMostEnvironments = 100'000;

struct KindName {
  std::string_view name;
  TileKind kind;
};

constexpr std::array<KindName, 7> kKindNames{{{"stairs", TileKind::kStairs},
                                              {"stairs-down", TileKind::kStairsDown},
                                              {"boxes", TileKind::kBoxes},
                                              {"rough", TileKind::kRough},
                                              {"slope", TileKind::kSlope},
                                              {"slope-down", TileKind::kSlopeDown},
                                              {"mixed", TileKind::kMixed}}};
constexpr int kMixedColumns = 4;  // beside the grid, as many as it has of stairs

std::string_view NameOf(TileKind kind) {
  const auto* const found = std::find_if(kKindNames.begin(), kKindNames.end(),
                                         [&](const KindName& entry) { return entry.kind == kind; });
  GONOGO_CHECK(found != kKindNames.end());
  return found->name;
}

template <typename Number>
std::optional<Number> WholeText(std::string_view text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Error Unknown(std::string_view text, std::string_view why) {
  std::vector<std::string> names{"flat", "grid"};
  for (const KindName& entry : kKindNames) names.emplace_back(entry.name);
  return UsageError("terrain is \"{}\", expected {}: {}{}", text, GroundSyntax(), why,
                    DidYouMean(std::string(text), names));
}

/// "3" or "0-5".
std::optional<RowRange> ParseRows(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::optional<int> first = WholeText<int>(text.substr(0, dash));
  const std::optional<int> last =
      dash == std::string_view::npos ? first : WholeText<int>(text.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first || *last >= kGridRows) return std::nullopt;
  return RowRange{*first, *last};
}

/// "stairs+boxes", in any order, each once.
std::optional<std::vector<TileKind>> ParseKinds(std::string_view text) {
  std::vector<TileKind> kinds;
  while (true) {
    const std::size_t plus = text.find('+');
    const std::string_view name = text.substr(0, plus);
    const std::optional<TileKind> kind = TileNamed(name);
    if (!kind || std::find(kinds.begin(), kinds.end(), *kind) != kinds.end()) return std::nullopt;
    kinds.push_back(*kind);
    if (plus == std::string_view::npos) return kinds;
    text.remove_prefix(plus + 1);
  }
}

Result<Ground> ParseEnvironments(std::string_view text) {
  const std::string_view counts = text.substr(std::string_view("isaac:").size());
  const std::size_t colon = counts.find(':');
  const std::optional<int> environments = WholeText<int>(counts.substr(0, colon));
  if (!environments || *environments < 1 || *environments > kMostEnvironments) {
    return Unknown(text, fmt::format("after \"isaac:\" comes a number of environments from 1 to {}",
                                     kMostEnvironments));
  }
  Ground ground{.layout = Ground::Layout::kEnvironments, .environments = *environments};
  if (colon == std::string_view::npos) return ground;
  ground.rows = ParseRows(counts.substr(colon + 1));
  if (!ground.rows) return Unknown(text, "rows are 0 to 9, such as 3 or 0-5");
  return ground;
}

/// Where the rows and columns of a ground are in the grid.
TerrainOptions GridPart(const Ground& ground) {
  TerrainOptions options{.columns = {}, .rows = kGridRows};
  std::vector<TileKind> all = GridColumns();
  const bool mixed =
      std::find(ground.kinds.begin(), ground.kinds.end(), TileKind::kMixed) != ground.kinds.end();
  if (mixed) all.insert(all.end(), kMixedColumns, TileKind::kMixed);
  std::set<int> bound;
  for (int e = 0; e < ground.environments; ++e) bound.insert(IsaacColumn(e, ground.environments));
  for (int column = 0; column < static_cast<int>(all.size()); ++column) {
    const TileKind kind = all[static_cast<std::size_t>(column)];
    const std::vector<TileKind>& kinds = ground.kinds;
    const bool kept = kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    if (!kept || (ground.environments > 0 && !bound.contains(column))) continue;
    options.columns.push_back(kind);
    options.numbers.push_back(column);
  }
  if (ground.difficulty) {
    options.difficulty = *ground.difficulty;
    options.rows = 1;
  } else if (ground.rows) {
    options.first_row = ground.rows->first;
    options.last_row = ground.rows->last;
  }
  return options;
}

/// One place per environment in place of one per tile.
void BindEnvironments(const Ground& ground, const TerrainOptions& options, const RngStream& stream,
                      Terrain& terrain) {
  const std::vector<TerrainOrigin> tiles = std::move(terrain.origins);
  terrain.origins.clear();
  for (int e = 0; e < ground.environments; ++e) {
    Rng rng = stream.Child("environment").Child(e).Generator();
    const auto row = static_cast<std::size_t>(
        rng.Below(static_cast<std::uint64_t>(options.last_row - options.first_row + 1)));
    const auto column =
        static_cast<std::size_t>(std::find(options.numbers.begin(), options.numbers.end(),
                                           IsaacColumn(e, ground.environments)) -
                                 options.numbers.begin());
    terrain.origins.push_back(tiles[row * options.columns.size() + column]);
  }
}

}  // namespace

std::optional<TileKind> TileNamed(std::string_view name) {
  const auto* const found = std::find_if(kKindNames.begin(), kKindNames.end(),
                                         [&](const KindName& entry) { return entry.name == name; });
  if (found == kKindNames.end()) return std::nullopt;
  return found->kind;
}

std::string_view GroundSyntax() {
  return "flat, rough, grid, one tile (stairs, stairs-down, boxes, slope, slope-down, mixed), "
         "tiles of "
         "the "
         "grid by kind and rows (stairs:0-5, stairs+boxes:3, grid:0-5) or difficulty "
         "(stairs@0.15), "
         "or isaac:ENVIRONMENTS[:ROWS]";
}

Result<Ground> Ground::Parse(std::string_view text) {
  if (text == "flat") return Ground{.layout = Layout::kFlat};
  if (text == "rough") return Ground{.layout = Layout::kRough};
  if (text == "grid") return Ground{};
  if (text.starts_with("isaac:")) return ParseEnvironments(text);
  const std::size_t mark = text.find_first_of(":@");
  const std::string_view names = text.substr(0, mark);
  Ground ground;
  if (names != "grid") {
    const std::optional<std::vector<TileKind>> kinds = ParseKinds(names);
    if (!kinds) {
      return Unknown(text,
                     "kinds of tiles are stairs, stairs-down, boxes, rough, slope, "
                     "slope-down and mixed, joined by +, each once");
    }
    ground.kinds = *kinds;
  }
  if (mark == std::string_view::npos) {
    if (ground.kinds.size() > 1) return Unknown(text, "several kinds need rows or a difficulty");
    ground.layout = Layout::kTile;
    return ground;
  }
  const std::string_view rest = text.substr(mark + 1);
  if (text[mark] == '@') {
    ground.difficulty = WholeText<double>(rest);
    const double difficulty = ground.difficulty.value_or(-1.0);
    if (!(difficulty >= 0.0 && difficulty <= 1.0)) {
      return Unknown(text, "after @ comes a difficulty from 0 to 1");
    }
    return ground;
  }
  ground.rows = ParseRows(rest);
  if (!ground.rows) return Unknown(text, "rows are 0 to 9, such as 3 or 0-5");
  return ground;
}

std::string Ground::text() const {
  if (layout == Layout::kFlat) return "flat";
  if (layout == Layout::kRough) return "rough";
  std::vector<std::string_view> names;
  for (const TileKind kind : kinds) names.push_back(NameOf(kind));
  std::string text = fmt::format("{}", fmt::join(names, "+"));
  if (layout == Layout::kEnvironments) {
    text = fmt::format("isaac:{}", environments);
  } else if (kinds.empty()) {
    text = "grid";
  }
  if (difficulty) return fmt::format("{}@{}", text, *difficulty);
  if (!rows) return text;
  if (rows->count() == 1) return fmt::format("{}:{}", text, rows->first);
  return fmt::format("{}:{}-{}", text, rows->first, rows->last);
}

int IsaacColumn(int environment, int environments) {
  GONOGO_CHECK(environment >= 0 && environment < environments);
  const auto columns = static_cast<std::int64_t>(GridColumns().size());
  return static_cast<int>(environment * columns / environments);
}

Terrain MakeGround(const Ground& ground, const robot::TerrainSpec& spec, const RngStream& stream) {
  Terrain terrain;
  if (ground.layout == Ground::Layout::kFlat) return FlatTerrain();
  if (ground.layout == Ground::Layout::kRough) return RoughTerrain(kRoughTiles, spec, stream);
  if (ground.layout == Ground::Layout::kTile) {
    terrain = MakeTerrain({.columns = ground.kinds}, spec, stream);
  } else if (ground.layout == Ground::Layout::kGrid) {
    terrain = MakeTerrain(GridPart(ground), spec, stream);
  } else {
    Ground placed = ground;
    placed.rows = ground.rows.value_or(RowRange{0, kIsaacHighestRow});
    const TerrainOptions options = GridPart(placed);
    terrain = MakeTerrain(options, spec, stream);
    BindEnvironments(placed, options, stream, terrain);
  }
  terrain.name = ground.text();
  return terrain;
}

Result<GroundSeed> GroundSeed::Parse(std::string_view text) {
  if (text == "each") return GroundSeed{};
  const std::optional<std::uint64_t> seed = WholeText<std::uint64_t>(text);
  if (!seed) {
    return UsageError(
        "terrain seed is \"{}\", expected a whole number, or \"each\" for one ground "
        "per seed",
        text);
  }
  return GroundSeed{.common = seed};
}

std::string GroundSeed::text() const {
  return common ? fmt::format("{}", *common) : std::string("each");
}

}  // namespace gonogo::sim
