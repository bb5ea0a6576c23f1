// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/text/node.h"

namespace gonogo::report::internal {

/// A small invented audit result with every part a page can show; for tests.
inline Json ExampleResult() {
  return R"({
    "schema": "gonogo.audit-result/1", "version": "0.1.0", "complete": true,
    "provenance": {"commit": "3f2c9d1", "seed": 20260717, "table": {"file": "outcomes.csv"}},
    "protocol": {"name": "example", "reference": "direct", "actions": ["direct", "slow"],
                 "cluster": "terrain", "min_clusters": 2},
    "status": "confirmatory", "reasons": ["a reason given"], "decision": "NO-GO", "rule": "paper",
    "source": "ridge", "intervals": "refit", "level": 0.95, "target": "ratio",
    "table": {"queries": 95, "clusters": 2, "actions": 2, "time": true, "success": true,
              "eligible_given": false},
    "thresholds": {"delta_dep": 0.01, "delta_alloc": 0.01, "kappa": 0.05},
    "estimates": {
      "H_avail": {"point": 0.0911, "lower": 0.0822, "upper": 0.1033, "bootstrap_mean": 0.0944},
      "H_dep": {"point": 0.0134, "lower": 0.0027, "upper": 0.0213, "bootstrap_mean": 0.0125},
      "H_alloc": {"point": 0.0053, "lower": -0.0031, "upper": 0.0078, "bootstrap_mean": 0.0042},
      "q": {"point": 0.0208, "lower": 0.0109, "upper": 0.0349, "bootstrap_mean": 0.0231}},
    "rules": [
      {"name": "paper", "decision": "NO-GO", "target": "smaller adapters", "channels": [
        {"name": "H_dep", "threshold": 0.01, "direction": "above", "lower": 0.0027, "upper": 0.0213},
        {"name": "H_alloc", "threshold": 0.01, "direction": "above", "lower": -0.0031, "upper": 0.0078},
        {"name": "q", "threshold": 0.05, "direction": "below", "lower": 0.0109, "upper": 0.0349}]},
      {"name": "calibrated", "decision": "ABSTAIN", "target": "the shipped adapter", "channels": [
        {"name": "H_alloc", "threshold": 0.01, "direction": "above", "point": 0.0061,
         "lower": -0.0016, "upper": 0.0138, "refuting_upper": 0.0152, "se": 0.0037,
         "lower_mc_error": 0.0004, "upper_mc_error": 0.0006, "drop_one": [0.0029, 0.0081],
         "state": "unresolved"}],
       "allocation": {"within": {"point": 0.0049, "lower": -0.0018, "upper": 0.0116}},
       "trust": ["Another bootstrap seed would decide otherwise in 3 % of cases."]}],
    "channels": [
      {"rule": "paper", "decides": true, "name": "H_dep", "question": "Does it pay?",
       "threshold": 0.01, "direction": "above", "needed": "> 1.00 %",
       "point": 0.0134, "lower": 0.0027, "upper": 0.0213,
       "decided_by": {"end": "lower", "value": 0.0027}, "state": "unresolved"},
      {"rule": "paper", "decides": true, "name": "H_alloc", "question": "Does it choose well?",
       "threshold": 0.01, "direction": "above", "needed": "> 1.00 %",
       "point": 0.0053, "lower": -0.0031, "upper": 0.0078,
       "decided_by": {"end": "upper", "value": 0.0078}, "state": "refuted"},
      {"rule": "paper", "decides": true, "name": "q", "question": "Is it careful?",
       "threshold": 0.05, "direction": "below", "needed": "<= 5.00 %",
       "point": 0.0208, "lower": 0.0109, "upper": 0.0349,
       "decided_by": {"end": "upper", "value": 0.0349}, "state": "satisfied"},
      {"rule": "calibrated", "decides": false, "name": "H_alloc", "question": "Does it choose well?",
       "threshold": 0.01, "direction": "above", "needed": "> 1.00 %",
       "point": 0.0061, "lower": -0.0016, "upper": 0.0138,
       "decided_by": {"end": "lower", "value": -0.0016}, "state": "unresolved"}],
    "diagnostics": {"work_mae": 0.0612, "activation": 0.713, "success": {"direct": 0.9812}},
    "actions": [
      {"name": "direct", "selector_frequency": 0.623, "oracle_frequency": 0.377, "gain": 0.0},
      {"name": "slow", "selector_frequency": 0.377, "oracle_frequency": 0.623, "gain": -0.0147,
       "gain_where_chosen": 0.0356, "violation_rate": 0.0567, "reference_folds": 1}],
    "folds": [
      {"cluster": "t-1", "queries": 48, "reference": "slow", "H_total": 0.0111, "H_alloc": 0.0066,
       "H_dep": 0.0177, "q": 0.0417},
      {"cluster": "t-2", "queries": 47, "reference": "direct", "H_total": -0.0222,
       "H_alloc": 0.0044, "H_dep": -0.0188, "q": 0.0}],
    "replicates": {"H_dep": [0.001, 0.012, 0.013, 0.02], "H_alloc": [0.001, 0.003, 0.005, 0.012],
                   "q": [0.01, 0.02, 0.03, 0.04]},
    "sensitivity": [{"delta": 0.005, "kappa": 0.05, "decision": "ABSTAIN"},
                    {"delta": 0.01, "kappa": 0.05, "decision": "NO-GO"}],
    "resolution": [{"channel": "H_dep", "clusters": 86, "status": "needs more clusters"},
                   {"channel": "H_alloc", "clusters": null, "status": "point below"}],
    "ablation": [{"features": "obs only", "H_dep": {"point": 0.0119, "lower": -0.0013, "upper": 0.0199},
                  "reading": "ABSTAIN"}],
    "learners": [{"learner": "trees", "H_dep": {"point": 0.0127, "lower": 0.0007, "upper": 0.0201},
                  "decision": "ABSTAIN"}],
    "controls": [
      {"kind": "observable", "points": [
        {"gamma": 0.02, "H_alloc": {"point": 0.0103, "lower": -0.0121, "upper": 0.0241}},
        {"gamma": 0.1, "H_alloc": {"point": 0.0743, "lower": 0.0604, "upper": 0.0905},
         "q": {"point": 0.0272}, "reading": "GO"}]},
      {"kind": "hidden", "points": [
        {"gamma": 0.05, "H_alloc": {"point": 0.0003, "lower": -0.0087, "upper": 0.0094}}],
       "lower_bound_above": [{"threshold": 0.0025, "count": 0}]}],
    "warnings": ["column obs_17 is constant"]
  })"_json;
}

}  // namespace gonogo::report::internal
