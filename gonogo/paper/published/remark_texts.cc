// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/remarks.h"

namespace gonogo::paper {

const std::vector<Remark>& Remarks() {
  static const std::vector<Remark> kRemarks{
      {"response-model-go2", "0.798",
       "Displacement, cost and height are predicted better than in the paper and yaw worse: uneven "
       "ground turns our policy in ways that its observation does not show (decision note 17). "
       "World-frame labels are far worse in metres, but their R² exceeds the paper's because our "
       "grid spans 3 m of elevation, which inflates the variance. Training on the most useful 15 % "
       "of the windows costs every output, though less than the paper's archive did: our filter "
       "ranks windows by distance per effort and does not curate directions."},
      {"planner-models-go2", "0.527",
       "F_η is rolled out with about half the paper's errors. The task-value network is worse: in "
       "a quarter of its samples the robot is stuck on stairs or boxes and runs to the horizon of "
       "6 s, and how much of that is left is not in the observation."},
      {"harder", "2.221",
       "The direction is the paper's on every seed (p = 0.0625 is the smallest value five seeds "
       "can give), without a visible loss of success; the size is a fifth of the paper's, because "
       "the cost of our policy depends less on its command."},
      {"torque", "227.31",
       "Power falls and time rises as in the paper, but by 3 % and 5 % instead of 16 % and 11 %, "
       "and they cancel: these three seeds show no saving of mechanical work."},
      {"frontier", "1.362",
       "As in the paper neither VGCC nor the MPC beats a tuned fixed scale and the slowest scale "
       "has the lowest COT. Unlike there, our curve is flat between direct control and 0.90, so "
       "that VGCC and the MPC, which save effort, save no work even against direct control. Our "
       "policy spends nearly twice the work per metre. The constants of the governor and of the "
       "MPC's constraints are ours, as the paper prints none."},
      {"scale-oracle-go2", "67 of 96",
       "Choosing a scale per episode with hindsight gains about 1 % over one scale for all, as in "
       "the paper; 0.75 is the best in fewer episodes."},
      {"objective", "2.219",
       "Ranking by cost keeps the lower effort on every seed, as in the paper. Unlike there, the "
       "variant that ranks by cost per progress needs less work and time: it hardly intervenes."},
      {"ablation", "−21.9",
       "The progress floor is what keeps VGCC from simply slowing down, annealing hardly matters "
       "and a quarter of the data halves the effect, as in the paper. Unlike there, savings do not "
       "shrink without the posture gate, and substitution costs no visible success. Differences "
       "of 0.012 are one episode of 80."},
      {"per-target", "2.588",
       "Effort falls on all eight targets, least on the short backward one, as in the paper. Our "
       "policy finds the diagonal and lateral targets harder and the straight one easier."},
      {"retrieval", "2.303",
       "The archive does not transfer to held-out directions while the parametric model does, as "
       "in the paper. Unlike there, our VGSR saves nothing on the harder targets, and without its "
       "gate it saves a little instead of costing half as much again. The paper prints neither the "
       "weights of the retrieval score nor the thresholds of the gate; ours are our own, so that "
       "this comparison says little about theirs."},
      {"terrain-heterogeneity", "1.685",
       "On the plane our policy saves with slower commands as the paper's does, down to 0.75; on "
       "height noise it does not; we have not looked into why. That is a terrain-dependent "
       "optimum, and the shared budget accordingly buys more than the paper's, inside its "
       "interval. The response model is the one of the grid; the paper identified another one for "
       "these grounds."},
      {"coverage", "16 of 17",
       "The direction holds on 16 of 17 seeds, also on directions that no tuning saw and on "
       "ANYmal-D with every gate parameter unchanged, where the size is the paper's. On the Go2 "
       "the sizes are a fifth to a third of the paper's; on H1 there is no saving to speak of, and "
       "we "
       "have not looked into why."},
      {"scale-oracle-h1", "136 of 240",
       "Unlike in the paper our H1 is cheapest at 0.90, not at 0.75, scales are closer to each "
       "other and hindsight per episode is worth more; fewer episodes succeed at every scale."},
      {"positive-control", "10.27",
       "The decision is the paper's, under its rule and under the calibrated one; the paper prints "
       "no numbers of this control."},
      {"archived-audit", "-3.49",
       "The pattern is the paper's: an oracle of several per cent and a selector that recovers "
       "less than one. Ours gains by allocation alone: its mixture of actions would cost more than "
       "direct control. Our intervals are wider because our clusters vary more."},
      {"feature-ablation", "-0.98",
       "Identified features add nothing here (observation alone is best), where the paper's five "
       "seeds favoured both models together; the intervals overlap widely."},
      {"audit-calibration", "2.24",
       "A planted bonus is found in proportion to its size with nearly the paper's slope, and "
       "hidden ones are found less often than in the paper."},
      {"confirmatory-audit", "2.14 [-0.68, 5.01]",
       "Go2/direct: work error, activation and agreement with the oracle are close to the paper's; "
       "the decision is not. Our intervals are 2.7 to 4 times as wide, because clusters differ in "
       "how many of their branches fail and those hold nearly half of all work, so the upper bound "
       "of H_alloc stays above 1 % and the rule abstains. H_dep exceeds H_total because in some "
       "folds the training clusters choose a fixed action that costs more than direct on the "
       "cluster held out."},
      {"confirmatory-audit", "-1.46 [-3.49, 2.31]",
       "Go2/VGCC: both abstain, for different reasons. The paper's selector gains and cannot be "
       "told from 1 %; ours loses to the fixed reference, which on our VGCC queries is scale-0.90 "
       "in every fold, and its interval still reaches above 1 %."},
      {"confirmatory-audit", "-0.35 [-2.53, 1.40]",
       "Go2/MPC: decision and allocation gain agree with the paper; our intervals are about twice "
       "as wide, and our selector loses to the fixed reference where the paper's gains."},
      {"confirmatory-audit", "-2.51 [-4.39, 4.58]",
       "H1/direct: both points lie below their thresholds as in the paper, but one direct episode "
       "in seven fails on our ground, and with intervals about six times as wide as the paper's no "
       "upper bound falls below 1 %: the rule abstains where the paper's says NO-GO."}};
  return kRemarks;
}

}  // namespace gonogo::paper
