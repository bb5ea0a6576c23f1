#!/usr/bin/env python3
"""Writes table.csv: what every SAT solver would cost on the same formulas.

A query is a formula, an action is the solver that decides it, the cost is the number of literals it propagates on the way and of the
clauses it has to read, which is the same on every machine, and a cluster is the generator the formula came from, with its parameters: new kinds of formulas will come. Every
solver decides every formula. Features are counted in one pass over the clauses.

    python3 make_table.py "$(gonogo declare audit.toml)"

The argument is the fingerprint of the protocol, declared before any formula was solved; it goes into every row. Needs python-sat
(requirements.txt), which brings the solvers.
"""
import itertools
import pathlib
import random
import statistics
import sys

from pysat.solvers import Solver

QUERIES = 25
SOLVERS = ["cadical195", "glucose4", "minisat22", "lingeling"]


def random_clauses(rng, variables, width, ratio):
    variables = round(variables * rng.uniform(0.8, 1.2))
    count = round(variables * ratio * rng.uniform(0.95, 1.05))
    return [[v * rng.choice([-1, 1]) for v in rng.sample(range(1, variables + 1), width)] for _ in range(count)]


def exactly_one(literals):
    return [list(literals)] + [[-a, -b] for a, b in itertools.combinations(literals, 2)]


def colouring(rng, nodes, colours, degree):
    nodes = round(nodes * rng.uniform(0.8, 1.2))
    name = lambda node, colour: node * colours + colour + 1
    clauses = [c for node in range(nodes) for c in exactly_one([name(node, k) for k in range(colours)])]
    for _ in range(round(nodes * degree / 2)):
        a, b = rng.sample(range(nodes), 2)
        clauses += [[-name(a, k), -name(b, k)] for k in range(colours)]
    return clauses


def parity(rng, variables, ratio):
    variables = round(variables * rng.uniform(0.8, 1.2))
    clauses = []
    for _ in range(round(variables * ratio)):
        three, odd = rng.sample(range(1, variables + 1), 3), rng.random() < 0.5
        for signs in itertools.product([1, -1], repeat=3):
            if (signs.count(-1) % 2 == 1) != odd:
                clauses.append([s * v for s, v in zip(signs, three)])
    return clauses


def pigeons(rng, holes, extra):
    holes = holes + rng.randrange(2)
    name = lambda pigeon, hole: pigeon * holes + hole + 1
    clauses = [[name(p, h) for h in range(holes)] for p in range(holes + 1)]
    for h in range(holes):
        clauses += [[-name(p, h), -name(q, h)] for p, q in itertools.combinations(range(holes + 1), 2)]
    forbidden = [[-name(rng.randrange(holes + 1), rng.randrange(holes))] for _ in range(extra)]
    rng.shuffle(clauses)
    return clauses + forbidden


def square(rng, order, given):
    name = lambda row, column, value: (row * order + column) * order + value + 1
    clauses, cells = [], range(order)
    for a, b in itertools.product(cells, cells):
        clauses += exactly_one([name(a, b, v) for v in cells]) + exactly_one([name(a, v, b) for v in cells])
        clauses += exactly_one([name(v, a, b) for v in cells])
    shift = [rng.sample(range(order), order) for _ in range(3)]
    for a, b in rng.sample(list(itertools.product(cells, cells)), round(given * order * order * rng.uniform(0.9, 1.1))):
        value = shift[2][(shift[0][a] + shift[1][b]) % order]
        if rng.random() < 0.02:
            value = rng.randrange(order)
        clauses.append([name(a, b, value)])
    return clauses


def cover(rng, nodes, edges, size):
    """Is there a vertex cover of so many nodes? With a counter of the nodes taken."""
    count = lambda node, k: nodes + node * (size + 1) + k + 1
    clauses = [[a + 1, b + 1] for a, b in (rng.sample(range(nodes), 2) for _ in range(round(edges * rng.uniform(0.9, 1.1))))]
    for node in range(nodes):
        for k in range(size + 1):
            if node:
                clauses.append([-count(node - 1, k), count(node, k)])
                if k:
                    clauses.append([-(node + 1), -count(node - 1, k - 1), count(node, k)])
            if k == 0:
                clauses.append([-(node + 1), count(node, 0)])
    return clauses + [[-count(node, size)] for node in range(nodes)]


GENERATORS = {
    "3-sat, sparse": lambda rng: random_clauses(rng, 300, 3, 3.6), "3-sat, small": lambda rng: random_clauses(rng, 80, 3, 4.3),
    "3-sat, threshold": lambda rng: random_clauses(rng, 140, 3, 4.26), "3-sat, dense": lambda rng: random_clauses(rng, 160, 3, 6.0),
    "4-sat, threshold": lambda rng: random_clauses(rng, 70, 4, 9.8), "4-sat, sparse": lambda rng: random_clauses(rng, 120, 4, 8.0),
    "5-sat, threshold": lambda rng: random_clauses(rng, 45, 5, 21.0), "2-sat": lambda rng: random_clauses(rng, 800, 2, 1.0),
    "3 colours, sparse": lambda rng: colouring(rng, 150, 3, 4.2), "3 colours, threshold": lambda rng: colouring(rng, 110, 3, 4.7),
    "4 colours, threshold": lambda rng: colouring(rng, 50, 4, 8.4), "5 colours": lambda rng: colouring(rng, 60, 5, 11.0),
    "parity, sparse": lambda rng: parity(rng, 60, 0.8), "parity, square": lambda rng: parity(rng, 36, 1.0),
    "parity, dense": lambda rng: parity(rng, 40, 1.3), "pigeons, 6": lambda rng: pigeons(rng, 6, 0),
    "pigeons, 7": lambda rng: pigeons(rng, 7, 2), "pigeons, 8": lambda rng: pigeons(rng, 8, 8),
    "squares, 8": lambda rng: square(rng, 8, 0.42), "squares, 12": lambda rng: square(rng, 12, 0.42),
    "squares, 15": lambda rng: square(rng, 15, 0.40), "cover, small": lambda rng: cover(rng, 24, 50, 13),
    "cover, tight": lambda rng: cover(rng, 30, 60, 15), "cover, loose": lambda rng: cover(rng, 36, 70, 20),
}


def features(clauses):
    used = {}
    for literal in itertools.chain.from_iterable(clauses):
        used[abs(literal)] = used.get(abs(literal), 0) + 1
    count, lengths, degrees = len(clauses), [len(c) for c in clauses], list(used.values())
    positive = sum(literal > 0 for c in clauses for literal in c) / sum(lengths)
    horn = sum(sum(literal > 0 for literal in c) <= 1 for c in clauses) / count
    return [len(used), count, count / len(used), statistics.mean(lengths), statistics.pstdev(lengths), lengths.count(1) / count,
            lengths.count(2) / count, positive, horn, statistics.mean(degrees), statistics.pstdev(degrees) / statistics.mean(degrees)]


def propagations(solver, clauses):
    with Solver(name=solver, bootstrap_with=clauses) as running:
        answer = running.solve()
        return answer, running.accum_stats()["propagations"]


def main():
    rows = ["cluster,query,action,cost,declaration_sha256,f_variables,f_clauses,f_ratio,f_length,f_length_sd,f_units,f_binary,f_positive,"
            "f_horn,f_degree,f_degree_cv"]
    for number, (generator, draw) in enumerate(GENERATORS.items()):
        rng = random.Random(7000 + number)
        for q in range(QUERIES):
            clauses = draw(rng)
            values = ",".join(f"{value:.4f}" for value in features(clauses))
            answers = set()
            for solver in SOLVERS:
                answer, cost = propagations(solver, clauses)
                answers.add(answer)
                rows.append(f'"{generator}","{generator} {q}",{solver},{cost + len(clauses)},{sys.argv[1]},{values}')
            assert len(answers) == 1, f"the solvers disagree about {generator} {q}"
    pathlib.Path(__file__).with_name("table.csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
