// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/calibration_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/testing/self_contained.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

nlohmann::json ExampleCalibration() {
  return R"({"schema": "gonogo.calibration/1", "learner": "ridge", "data_sets": 40, "refits": 20,
    "seed": 7, "provenance": {"version": "0.1.0", "commit": "abc"},
    "goals": {"calibrated": [
      {"goal": "cell-a: false GO at most 2.5 %", "measured": "4.00 %", "met": false}]},
    "cells": [{"name": "cell-a", "role": "effect", "purpose": "a purpose", "data_sets": 40,
      "world": {"clusters": 20}, "mean_truth": {"H_dep": 0.0213, "H_alloc": 0.0311, "q": 0.0123},
      "deserves_GO": {"share": 1.0}, "reference_modal_share": 0.97, "fit_cpu_seconds": 0.061,
      "rules": {"calibrated": {
        "GO": {"share": 0.425, "lower": 0.27, "upper": 0.59},
        "NO-GO": {"share": 0.05, "lower": 0.01, "upper": 0.17}, "ABSTAIN": {"share": 0.525},
        "false_GO": {"share": 0.04, "lower": 0.01, "upper": 0.13},
        "false_NO-GO": {"share": 0.025, "lower": 0.0, "upper": 0.1}, "flip_rate": 0.031,
        "intervals": {"H_dep": {"coverage": {"share": 0.951}, "lower_miss": {"share": 0.012},
          "upper_miss": {"share": 0.037}, "mean_width": 0.0256}}}}}]})"_json;
}

TEST(CalibrationPageTest, LoadsNothing) {
  EXPECT_THAT(internal::Loads(CalibrationPage(ExampleCalibration())), IsEmpty());
}

TEST(CalibrationPageTest, SaysWhichGoalsWereMissed) {
  const std::string html = internal::WithoutScripts(CalibrationPage(ExampleCalibration()));
  EXPECT_THAT(html, HasSubstr("cell-a: false GO at most 2.5 %"));
  EXPECT_THAT(html, HasSubstr("missed"));
}

TEST(CalibrationPageTest, WritesAnswersCoverageAndTruthIntoTables) {
  const std::string html = internal::WithoutScripts(CalibrationPage(ExampleCalibration()));
  for (const std::string& text :
       {Percent(0.425, 1), Percent(0.951, 1), Percent(0.012, 1), Percent(0.037, 1), Percent(0.0256),
        Percent(0.0213), std::string("61 ms")}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
}

TEST(CalibrationPageTest, AResultWithoutCellsStillMakesAPage) {
  EXPECT_THAT(CalibrationPage(nlohmann::json::object()), HasSubstr("How far the verdict"));
}

}  // namespace
}  // namespace gonogo::report
