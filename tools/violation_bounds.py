#!/usr/bin/python3
"""How often upper bounds of a violation rate miss where violations of one cluster go together.

    tools/violation_bounds.py [--clusters 20] [--queries 48] [--tables 2000]

A fixed adapter acts at 60 % of the queries; an action violates with probability logistic(level + 0.7 x + sd e_k). Printed is the
share of tables whose bound lies at or below 5 %: a miss where the true rate is 5 % (2.5 % are nominal), power where it is less.
KG is Korn and Graubard's bound, "cap" with effective queries of at most n / (1 + (m - 1) icc), LN the logit-normal profile likelihood
with spreads up to 1.8. What the program uses is the larger of KG and LN (gonogo/audit/rules/violations/upper_rate.h); this script is
the evidence for it (docs/decisions/0036-upper-bound-of-q.md) and shares no code with it.
"""
import argparse
import math

import numpy as np

KAPPA = 0.05
T_QUANTILE = {10: 2.2622, 12: 2.2010, 20: 2.0930, 40: 2.0227}
log_gamma = np.vectorize(math.lgamma)


def draw_counts(rng, rate, sd, clusters, queries, tables, acts=0.6, slope=0.7):
    z = np.linspace(-5, 5, 81)
    weight = np.exp(-z * z / 2)
    weight /= weight.sum()
    low, high = -12.0, 3.0
    for _ in range(50):
        level = (low + high) / 2
        mean = acts * (weight[:, None] * weight / (1 + np.exp(-(level + slope * z[:, None] + sd * z)))).sum()
        low, high = (level, high) if mean < rate else (low, level)
    counts = np.zeros((tables, clusters), int)
    for row in counts:
        x = rng.standard_normal((clusters, queries))
        logit = low + slope * x + sd * rng.standard_normal((clusters, 1))
        acted = rng.random((clusters, queries)) < acts
        row[:] = (acted & (rng.random((clusters, queries)) < 1 / (1 + np.exp(-logit)))).sum(1)
    return counts


def beta_cdf(at, a, b, points=3000):
    t = (np.arange(points) + 0.5) / points * at
    constant = log_gamma(a + b) - log_gamma(a) - log_gamma(b)
    return np.exp(constant[:, None] + (a - 1)[:, None] * np.log(t) + (b - 1)[:, None] * np.log1p(-t)).sum(1) * at / points


def korn_graubard(counts, queries, t, least_icc):
    clusters = counts.shape[1]
    total = clusters * queries
    rate = counts.sum(1) / total
    variance = clusters / (clusters - 1) * ((counts - rate[:, None] * queries) ** 2).sum(1) / total**2
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.clip(np.where(variance > 0, rate * (1 - rate) / variance, total), clusters - 1, total)
    worth = np.minimum(worth * (1.9625 / t) ** 2, total / (1 + (queries - 1) * least_icc))
    return beta_cdf(KAPPA, rate * worth + 1, (1 - rate) * worth) >= 0.975


def logit_normal(counts, queries, t):
    z = np.linspace(-6, 6, 121)
    weight = np.exp(-z * z / 2)
    weight /= weight.sum()
    rates = np.unique(np.concatenate([np.geomspace(0.001, 0.4, 60), [KAPPA]]))
    spreads = np.arange(0, 1.81, 0.2)
    v = np.arange(queries + 1)
    table = np.zeros((len(rates), len(spreads), queries + 1))
    for i, rate in enumerate(rates):
        for j, sd in enumerate(spreads):
            low, high = -25.0, 6.0
            for _ in range(50):
                level = (low + high) / 2
                low, high = (level, high) if (weight / (1 + np.exp(-(level + sd * z)))).sum() < rate else (low, level)
            p = 1 / (1 + np.exp(-(low + sd * z)))
            table[i, j] = np.log((weight * np.exp(v[:, None] * np.log(p) + (queries - v)[:, None] * np.log1p(-p))).sum(1))
    seen = np.stack([(counts == value).sum(1) for value in v], 1)
    profile = np.einsum("rv,ijv->rij", seen, table, optimize=True).max(2)
    inside = 2 * (profile.max(1, keepdims=True) - profile) <= t * t
    return np.array([rates[row].max() for row in inside]) < KAPPA


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clusters", type=int, default=20, choices=T_QUANTILE)
    parser.add_argument("--queries", type=int, default=48)
    parser.add_argument("--tables", type=int, default=2000)
    options = parser.parse_args()
    rng = np.random.default_rng(5)
    t = T_QUANTILE[options.clusters]
    cells = [(0.05, 0.5), (0.05, 0.8), (0.05, 1.2), (0.05, 1.4), (0.025, 0.5), (0.025, 1.2)]
    counts = [draw_counts(rng, rate, sd, options.clusters, options.queries, options.tables) for rate, sd in cells]
    print(f"{options.clusters} clusters of {options.queries} queries, {options.tables} tables")
    print("rate, sd of levels".ljust(22), *[f"{100 * rate:g} %, {sd}".rjust(10) for rate, sd in cells])
    rows = {f"KG cap {icc}": [korn_graubard(c, options.queries, t, icc) for c in counts] for icc in [0, 0.005, 0.01, 0.03, 0.05]}
    rows["LN"] = [logit_normal(c, options.queries, t) for c in counts]
    rows["KG cap 0.005 and LN"] = [a & b for a, b in zip(rows["KG cap 0.005"], rows["LN"])]
    for name, passed in rows.items():
        print(name.ljust(22), *[f"{100 * p.mean():.1f} %".rjust(10) for p in passed])


if __name__ == "__main__":
    main()
