// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/page/page.h"
#include "gonogo/report/result_page.h"
#include "gonogo/report/testing/self_contained.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string CalibrationPage(const nlohmann::json& result) {
  return RenderPage(MakeCalibrationPage(result));
}

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

TEST(CalibrationPageTest, TheFamilyTableShowsTheWorstCellOfEachFamilyAndRule) {
  nlohmann::json calibration = ExampleCalibration();
  nlohmann::json cell = calibration["cells"][0];
  cell["family"] = "steps";
  cell["may_tune"] = false;
  cell["name"] = "steps-effect-2x";
  cell["oracle_GO"] = {{"share", 0.85}};
  cell["rules"]["calibrated"]["efficiency"] = 0.5;
  nlohmann::json worse = cell;
  worse["name"] = "steps-q-threshold";
  worse["role"] = "least favourable";
  worse["data_sets"] = 30;
  worse["rules"]["calibrated"]["false_NO-GO"] = {{"share", 0.06}, {"lower", 0.02}, {"upper", 0.2}};
  calibration["cells"] = {cell, worse};
  const Page page = MakeCalibrationPage(calibration);
  const Table table = std::get<Table>(page.sections[0].blocks[1]);
  ASSERT_EQ(table.rows.size(), 1U);
  const auto& row = table.rows[0];
  EXPECT_EQ(row[0].text.plain, "steps (confirms)");
  EXPECT_EQ(row[1].text.plain, "calibrated");
  EXPECT_EQ(row[2].text.plain, "1 × 40, 1 × 30");
  EXPECT_THAT(row[3].text.plain, HasSubstr(Percent(0.04, 1)));
  EXPECT_EQ(row[4].text.plain, "not run");
  EXPECT_THAT(row[5].text.plain, HasSubstr(Percent(0.06, 1)));
  EXPECT_EQ(row[9].text.plain,
            Percent(0.5, 0) + " (" + Percent(0.425, 0) + " of " + Percent(0.85, 0) + ")");
}

TEST(CalibrationPageTest, AResultWithoutCellsStillMakesAPage) {
  EXPECT_THAT(CalibrationPage(nlohmann::json::object()), HasSubstr("How far the verdict"));
}

}  // namespace
}  // namespace gonogo::report
