// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo audit TABLE`: a verdict on a table of outcomes.
[[nodiscard]] std::unique_ptr<Verb> MakeAuditVerb();
/// `gonogo init TABLE`: a first protocol, its columns guessed. `gonogo init robot`: a first
/// robot.toml.
[[nodiscard]] std::unique_ptr<Verb> MakeInitVerb();
/// `gonogo declare PROTOCOL`: the fingerprint that makes a later audit confirmatory.
[[nodiscard]] std::unique_ptr<Verb> MakeDeclareVerb();
/// `gonogo import FORMAT FILES`: a table from files of others.
[[nodiscard]] std::unique_ptr<Verb> MakeImportVerb();
[[nodiscard]] std::unique_ptr<Verb> MakeConvertVerb();
/// `gonogo plan`: chances of a verdict for so many clusters.
[[nodiscard]] std::unique_ptr<Verb> MakePlanVerb();
/// `gonogo randomise`: which action to try at each query.
[[nodiscard]] std::unique_ptr<Verb> MakeRandomiseVerb();
/// `gonogo validate`: can the audit find a planted signal, and only a real one?
[[nodiscard]] std::unique_ptr<Verb> MakeValidateVerb();
/// `gonogo confirm ADAPTER ROBOT`: an exported adapter in the closed loop.
[[nodiscard]] std::unique_ptr<Verb> MakeConfirmVerb();
/// `gonogo report`: the page of a result file.
[[nodiscard]] std::unique_ptr<Verb> MakeReportVerb();
/// `gonogo calibrate`: how often the rules are wrong on worlds with known truth.
[[nodiscard]] std::unique_ptr<Verb> MakeCalibrateVerb();
/// `gonogo train ROBOT`: a policy for a robot that has none.
[[nodiscard]] std::unique_ptr<Verb> MakeTrainVerb();
/// `gonogo check ROBOT`: is it described as its policy was trained?
[[nodiscard]] std::unique_ptr<Verb> MakeCheckVerb();
/// `gonogo rollout ROBOT`: one episode.
[[nodiscard]] std::unique_ptr<Verb> MakeRolloutVerb();
/// `gonogo identify ROBOT`: what would each command do?
[[nodiscard]] std::unique_ptr<Verb> MakeIdentifyVerb();
/// `gonogo evaluate ROBOT`: controllers on the same starts.
[[nodiscard]] std::unique_ptr<Verb> MakeEvaluateVerb();
/// `gonogo collect ROBOT`: the outcomes of every intervention at the same states.
[[nodiscard]] std::unique_ptr<Verb> MakeCollectVerb();
/// `gonogo merge FOLDER…`: what the tasks of a job array made, put together.
[[nodiscard]] std::unique_ptr<Verb> MakeMergeVerb();
/// `gonogo branch ROBOT QUERY`: look at all branches of one query.
[[nodiscard]] std::unique_ptr<Verb> MakeBranchVerb();
/// `gonogo study ROBOT`: identify, collect, audit, report.
[[nodiscard]] std::unique_ptr<Verb> MakeStudyVerb();
/// `gonogo reproduce [NAME…]`: the paper's tables and figures, theirs beside ours.
[[nodiscard]] std::unique_ptr<Verb> MakeReproduceVerb();
/// `gonogo view EPISODE…`: episodes in 3-D.
[[nodiscard]] std::unique_ptr<Verb> MakeViewVerb();
/// `gonogo watch RUN`: progress and bounds of a run from another terminal.
[[nodiscard]] std::unique_ptr<Verb> MakeWatchVerb();
/// `gonogo version`: what this binary was built from.
[[nodiscard]] std::unique_ptr<Verb> MakeVersionVerb();

}  // namespace gonogo::cli
