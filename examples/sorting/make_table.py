#!/usr/bin/env python3
"""Writes table.csv: what every sorting routine would cost on the same arrays.

A query is an array that arrives at a sorting service, an action is the routine that sorts it, the cost is the exact number of
element comparisons and moves the routine makes, and a cluster is the data source the array came from: sources differ in
size, disorder and repetition, and new sources will come. Success means staying within the service's operation budget.
Every routine is run on every array, so the table holds all potential outcomes. Features are what a dispatcher can see
cheaply: the length and a few probes. Deterministic: the same bytes every time.

    python3 make_table.py "$(gonogo declare audit.toml)"

The argument is the fingerprint of the protocol, declared before anything is sorted; it goes into every row.
"""
import math
import random
import sys

CLUSTERS, QUERIES = 24, 40


class Counter:
    """Counts comparisons (`less`) and element moves."""

    def __init__(self):
        self.operations = 0

    def less(self, a, b):
        self.operations += 1
        return a < b

    def move(self, count=1):
        self.operations += count


def merge_sort(a, counter):
    width, n = 1, len(a)
    while width < n:
        for low in range(0, n, 2 * width):
            mid, high = min(low + width, n), min(low + 2 * width, n)
            i, j, merged = low, mid, []
            while i < mid and j < high:
                if counter.less(a[j], a[i]):
                    merged.append(a[j])
                    j += 1
                else:
                    merged.append(a[i])
                    i += 1
            merged += a[i:mid] + a[j:high]
            a[low:high] = merged
            counter.move(high - low)
        width *= 2


def insertion_sort(a, counter):
    for i in range(1, len(a)):
        value, j = a[i], i
        while j > 0 and counter.less(value, a[j - 1]):
            a[j] = a[j - 1]
            counter.move()
            j -= 1
        a[j] = value
        counter.move()


def quick_sort(a, counter):
    stack = [(0, len(a) - 1)]
    while stack:
        low, high = stack.pop()
        if low >= high:
            continue
        pivot = a[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while counter.less(a[i], pivot):
                i += 1
            while counter.less(pivot, a[j]):
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                counter.move(2)
                i, j = i + 1, j - 1
        stack += [(low, j), (i, high)]


def heap_sort(a, counter):
    def sift(root, end):
        while (child := 2 * root + 1) < end:
            if child + 1 < end and counter.less(a[child], a[child + 1]):
                child += 1
            if not counter.less(a[root], a[child]):
                return
            a[root], a[child] = a[child], a[root]
            counter.move(2)
            root = child

    for root in range(len(a) // 2 - 1, -1, -1):
        sift(root, len(a))
    for end in range(len(a) - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        counter.move(2)
        sift(0, end)


ROUTINES = {"merge": merge_sort, "insertion": insertion_sort, "quick": quick_sort, "heap": heap_sort}


def draw_array(source, rng):
    n = int(round(2 ** rng.uniform(source["log_n"] - 1, source["log_n"] + 1)))
    distinct = max(2, int(n ** source["variety"]))
    a = sorted(rng.randrange(distinct) for _ in range(n))
    disorder = min(1.0, max(0.0, rng.gauss(source["disorder"], 0.08)))
    for _ in range(int(disorder * n)):
        i, j = rng.randrange(n), rng.randrange(n)
        if rng.random() < source["local"]:
            j = min(n - 1, max(0, i + rng.randint(-4, 4)))
        a[i], a[j] = a[j], a[i]
    return a


def probes(a, rng):
    n = len(a)
    pairs = [sorted((rng.randrange(n), rng.randrange(n))) for _ in range(24)]
    far = sum(a[i] > a[j] for i, j in pairs) / 24
    spots = [rng.randrange(n - 1) for _ in range(24)]
    near = sum(a[i] > a[i + 1] for i in spots) / 24
    sample = [a[rng.randrange(n)] for _ in range(16)]
    return [math.log2(n), near, far, len(set(sample)) / 16, abs(a[0] - a[-1]) / (max(sample) + 1)]


def main():
    declaration = sys.argv[1]
    rows = ["cluster,query,action,cost,success,declaration_sha256,f_log2_length,f_near_inversions,f_far_inversions,f_variety,f_spread"]
    for c in range(CLUSTERS):
        rng = random.Random(1000 + c)
        source = {"log_n": rng.uniform(5.5, 8.5), "variety": rng.uniform(0.3, 1.0),
                  "disorder": rng.choice([0.02, 0.1, 0.3, 0.8]), "local": rng.random()}
        for q in range(QUERIES):
            a = draw_array(source, rng)
            features = ",".join(f"{value:.4f}" for value in probes(a, rng))
            budget = 6.0 * len(a) * math.log2(len(a))
            for name, routine in ROUTINES.items():
                copy, counter = list(a), Counter()
                routine(copy, counter)
                assert copy == sorted(a), name
                success = int(counter.operations <= budget)
                rows.append(f"source-{c:02d},array-{c:02d}-{q:02d},{name},{counter.operations},{success},{declaration},{features}")
    with open("table.csv", "w", encoding="utf-8") as out:
        out.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
