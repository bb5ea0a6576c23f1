#!/usr/bin/python3
"""On which ground did the paper evaluate? Runs direct control on one ground after the other and compares success and final height of
every target with the paper's Table "pertarget" (direct control, 50 episodes per target).

    tools/ground_search.py BINARY ROBOT OUT [--conditions TEXT] [--seeds A,B,…] [--trials N] GROUND...

Prints one row a ground: root mean squared differences over the eight targets, then success by target. OUT keeps the episodes, so that
the same command goes on where it stopped.
"""
import argparse
import csv
import math
import pathlib
import subprocess

# Success and final height (m) under direct control, by target; tab:pertarget.
PAPER = {(2.0, 0.0): (0.26, 0.224), (1.5, 1.0): (0.74, 0.313), (0.0, 1.25): (0.98, 0.351), (-0.75, 0.0): (1.0, 0.363),
         (1.0, -1.0): (0.96, 0.349), (0.0, -1.25): (0.98, 0.350), (-1.0, 0.75): (1.0, 0.367), (1.75, -0.75): (0.52, 0.285)}


def episodes(options, ground):
    out = options.out / ground.replace(":", "-rows-").replace("@", "-at-")
    command = [options.binary, "evaluate", options.robot, "--methods", "direct", "--family", "harder", "--seeds", options.seeds,
               "--trials", str(options.trials), "--terrain", ground, "--terrain-seed", "each", "--out", out, "--quiet"]
    if options.conditions:
        command += ["--conditions", options.conditions]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with (out / "episodes.csv").open() as file:
        return list(csv.DictReader(file))


def mean(rows, column):
    return sum(float(row[column]) for row in rows) / len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("robot")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("grounds", nargs="+", metavar="GROUND")
    parser.add_argument("--conditions", default="")
    parser.add_argument("--seeds", default="101,102,103,104,105")
    parser.add_argument("--trials", type=int, default=10)
    options = parser.parse_intermixed_args()
    targets = list(PAPER)
    print("| ground | Δ success | Δ height (m) | success | time (s) | work (J), control rate | COT, control rate | " +
          " | ".join(f"({x:g}, {y:g})" for x, y in targets) + " |")
    print("|---|" + "---:|" * (6 + len(targets)))
    print("| paper | | | 0.805 | | | | " + " | ".join(f"{PAPER[t][0]:.2f}" for t in targets) + " |")
    for ground in options.grounds:
        rows = episodes(options, ground)
        of = {t: [r for r in rows if (float(r["target_x"]), float(r["target_y"])) == t] for t in targets}
        success = {t: mean(of[t], "success") for t in targets}
        height = {t: mean(of[t], "final_height_m") for t in targets}
        far = math.sqrt(sum((success[t] - PAPER[t][0]) ** 2 for t in targets) / len(targets))
        high = math.sqrt(sum((height[t] - PAPER[t][1]) ** 2 for t in targets) / len(targets))
        print(f"| {ground} | {far:.3f} | {high:.3f} | {mean(rows, 'success'):.3f} | {mean(rows, 'time_s'):.3f} | "
              f"{mean(rows, 'control_work_j'):.1f} | {mean(rows, 'control_cot'):.3f} | " +
              " | ".join(f"{success[t]:.2f}" for t in targets) + " |", flush=True)


if __name__ == "__main__":
    main()
