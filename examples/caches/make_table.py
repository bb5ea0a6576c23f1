#!/usr/bin/env python3
"""Writes table.csv: how often every cache policy would miss on the same requests.

A query is an hour of requests to a cache that begins empty, an action is the policy that decides what leaves it, the cost is the number
of misses, and a cluster is the service that asks: services differ in how uneven, how large, how repetitive and how restless their
requests are, and new services will come. Every policy serves every hour. Features are statistics of the hour before.

    python3 make_table.py "$(gonogo declare audit.toml)"

The argument is the fingerprint of the protocol, declared before any request was served; it goes into every row. Needs cachetools
(requirements.txt).
"""
import collections
import pathlib
import random
import sys

from cachetools import FIFOCache, LFUCache, LRUCache, RRCache

SERVICES, HOURS, REQUESTS, SIZE = 24, 25, 1500, 100
POLICIES = {"LRU": LRUCache, "LFU": LFUCache, "FIFO": FIFOCache, "random": lambda size: RRCache(size, choice=random.Random(1).choice)}


class Service:
    """Draws requests: favourites of uneven popularity that drift, scans, loops and returns to what was just asked for."""

    def __init__(self, rng):
        self.rng, self.objects = rng, round(10 ** rng.uniform(2.3, 4.0))
        self.power, self.drift = rng.uniform(1.0, 5.0), rng.choice([0.0, 0.0, 0.02, 0.3])
        self.habits = [rng.random() ** 3 for _ in range(3)]  # scanning, looping, returning
        self.loop, self.offset, self.scanned = round(SIZE * rng.uniform(0.5, 1.6)), 0.0, 0

    def hour(self):
        mood = [min(0.9, habit * self.rng.uniform(0.2, 1.8)) for habit in self.habits]
        trace = []
        while len(trace) < REQUESTS:
            self.offset += self.drift
            kind = self.rng.random() * 2
            if kind < mood[0]:
                length = self.rng.randrange(20, 200)
                trace += [("scan", self.scanned + k) for k in range(length)]
                self.scanned += length
            elif kind - mood[0] < mood[1] / 5:
                trace += [("loop", k) for k in range(self.loop)]
            elif trace and self.rng.random() < mood[2]:
                trace.append(trace[-1 - self.rng.randrange(min(30, len(trace)))])
            else:
                trace.append(("favourite", int(self.objects * self.rng.random() ** self.power + self.offset)))
        return trace[:REQUESTS]


def misses(policy, trace):
    cache, missed = POLICIES[policy](SIZE), 0
    for key in trace:
        if key in cache:
            cache[key]
        else:
            missed += 1
            cache[key] = True
    return missed


def statistics(trace):
    counts, last, near, far, first_half = collections.Counter(trace), {}, 0, 0, set(trace[:REQUESTS // 2])
    for k, key in enumerate(trace):
        gap = k - last.get(key, -10 ** 9)
        near, far, last[key] = near + (gap <= 30), far + (30 < gap <= 300), k
    ordered = sorted(counts.values(), reverse=True)
    returns = sum(key in first_half for key in trace[REQUESTS // 2:]) / (REQUESTS / 2)
    return [len(counts) / REQUESTS, near / REQUESTS, far / REQUESTS, sum(ordered[:10]) / REQUESTS, sum(ordered[:SIZE]) / REQUESTS,
            ordered.count(1) / REQUESTS, returns]


def main():
    rows = ["cluster,query,action,cost,declaration_sha256,f_distinct,f_near,f_far,f_top_10,f_top_100,f_once,f_returns"]
    for number in range(SERVICES):
        service = Service(random.Random(5000 + number))
        before = service.hour()
        for q in range(HOURS):
            trace = service.hour()
            features = ",".join(f"{value:.4f}" for value in statistics(before))
            for policy in POLICIES:
                rows.append(f"service {number},service {number} hour {q},{policy},{misses(policy, trace)},{sys.argv[1]},{features}")
            before = trace
    pathlib.Path(__file__).with_name("table.csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
