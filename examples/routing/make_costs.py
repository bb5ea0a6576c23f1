#!/usr/bin/env python3
"""Writes costs.csv and features.csv: what every solver would cost on the same requests.

A routing service gets requests from many customers and sends each to one of four solvers of the subset-sum problem: is there a subset of
these numbers with this sum? `greedy` and `random` are cheap and may miss the answer, `table` (dynamic programming) grows with the sum, `search`
(depth first, largest first) with the number of items. The cost of a solver is the number of additions it makes; when it does not find a
subset although there is one, the request goes to a person, which costs PERSON. So failure has a price here and is no constraint. Every
solver is run on every request. Features are what a router sees for nothing: how many numbers, how large, how large the sum.
Deterministic: the same bytes every time.

    python3 make_costs.py
    gonogo import costs costs.csv features.csv --reference search --out routing
    gonogo audit routing/table.csv
"""
import csv
import math
import random

CUSTOMERS, REQUESTS = 40, 25
PERSON = 20_000
LIMIT = 50_000  # additions after which a search gives up


def greedy(numbers, target):
    """Largest first, each taken when it fits."""
    total = 0
    for number in sorted(numbers, reverse=True):
        if total + number <= target:
            total += number
    return total == target, len(numbers)


def at_random(numbers, target, rng, tries=20):
    """The same in random order, twenty times."""
    for attempt in range(1, tries + 1):
        order = numbers[:]
        rng.shuffle(order)
        total = 0
        for number in order:
            if total + number <= target:
                total += number
        if total == target:
            return True, attempt * len(numbers)
    return False, tries * len(numbers)


def table(numbers, target):
    """Every reachable sum, number by number."""
    reachable, additions = {0}, 0
    for number in numbers:
        more = {total + number for total in reachable if total + number <= target}
        additions += len(reachable)
        reachable |= more
        if target in reachable:
            return True, additions
        if additions > LIMIT:
            return False, additions
    return False, additions


def search(numbers, target):
    """Depth first, largest first, with the sum of the rest as a bound."""
    ordered = sorted(numbers, reverse=True)
    rest = [0] * (len(ordered) + 1)
    for i in range(len(ordered) - 1, -1, -1):
        rest[i] = rest[i + 1] + ordered[i]
    additions, stack = 0, [(0, 0)]
    while stack:
        i, total = stack.pop()
        additions += 1
        if total == target:
            return True, additions
        if additions > LIMIT:
            return False, additions
        if i == len(ordered) or total + rest[i] < target:
            continue
        stack.append((i + 1, total))
        if total + ordered[i] <= target:
            stack.append((i + 1, total + ordered[i]))
    return False, additions


def main():
    with open("costs.csv", "w", newline="") as costs, open("features.csv", "w", newline="") as features:
        cost_rows, feature_rows = csv.writer(costs, lineterminator="\n"), csv.writer(features, lineterminator="\n")
        cost_rows.writerow(["query", "table", "greedy", "random", "search"])
        feature_rows.writerow(["query", "cluster", "count", "log_largest", "log_target", "share", "even"])
        for customer in range(CUSTOMERS):
            rng = random.Random(customer)
            usual_count, usual_size = rng.randint(10, 30), 10 ** rng.uniform(1.0, 7.0)
            step = rng.choice([1, 1, 2, 5])
            for request in range(REQUESTS):
                count = max(4, usual_count + rng.randint(-3, 3))
                numbers = [step * max(1, int(usual_size * rng.random())) for _ in range(count)]
                target = sum(rng.sample(numbers, rng.randint(2, count - 1)))
                solved = [table(numbers, target), greedy(numbers, target), at_random(numbers, target, rng), search(numbers, target)]
                name = f"customer-{customer + 1:02}/{request + 1:02}"
                cost_rows.writerow([name] + [additions + (0 if found else PERSON) for found, additions in solved])
                feature_rows.writerow([name, f"customer-{customer + 1:02}", count, f"{math.log10(max(numbers)):.4f}", f"{math.log10(target):.4f}",
                                       f"{target / sum(numbers):.4f}", int(all(number % 2 == 0 for number in numbers))])


if __name__ == "__main__":
    main()
