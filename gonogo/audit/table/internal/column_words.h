// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// What people call the columns of a table of outcomes, the likeliest first.
namespace gonogo::audit::internal {

inline constexpr std::array<std::string_view, 12> kClusterWords{
    "cluster", "group",    "family",  "seed", "site",   "source",
    "dataset", "scenario", "subject", "user", "tenant", "batch"};
inline constexpr std::array<std::string_view, 11> kQueryWords{
    "query", "instance", "request", "question", "prompt", "state",
    "task",  "item",     "sample",  "case",     "id"};
inline constexpr std::array<std::string_view, 12> kActionWords{
    "action",    "algorithm", "solver",  "model",  "method", "arm",
    "treatment", "policy",    "variant", "option", "config", "choice"};
inline constexpr std::array<std::string_view, 13> kCostWords{
    "cost",   "work",    "energy",  "price", "loss", "dollars", "usd",
    "joules", "runtime", "latency", "error", "time", "duration"};
inline constexpr std::array<std::string_view, 7> kTimeWords{
    "time", "duration", "latency", "runtime", "seconds", "time_s", "elapsed"};
inline constexpr std::array<std::string_view, 8> kSuccessWords{
    "success", "ok", "solved", "passed", "correct", "correct?", "feasible", "done"};
// What stands beside a cost or a time in names of columns and is no action.
inline constexpr std::array<std::string_view, 12> kNoActions{
    "s", "ms", "sec", "seconds", "limit", "budget", "usd", "eur", "total", "stamp", "step", "out"};
inline constexpr std::array<std::string_view, 8> kReferenceWords{
    "direct", "default", "baseline", "reference", "none", "current", "control", "off"};

}  // namespace gonogo::audit::internal
