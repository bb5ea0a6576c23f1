#!/usr/bin/env python3
"""Writes table.csv: what every join order would cost for the same queries, in SQLite.

A query joins customers, orders and items under three conditions, an action is who orders the tables (SQLite's planner with the
statistics of ANALYZE, the same without them, or one of three orders that CROSS JOIN forces), the cost is the number of steps of
SQLite's virtual machine, counted in hundreds, and a cluster is a database: its sizes, its skew and how its columns depend on each other
are drawn, and new databases will come. Every order answers every query. Features are what a client can know before it asks: sizes of
the tables and how much of each a condition leaves if columns were even and independent.

    python3 make_table.py "$(gonogo declare audit.toml)"

The argument is the fingerprint of the protocol, declared before any query ran; it goes into every row. Steps depend on the version of
SQLite; the table was made with that of Debian 12 (3.40.1).
"""
import math
import pathlib
import random
import sqlite3
import sys

DATABASES, QUERIES, STEP = 24, 30, 100
TABLES = {"c": "customers c", "o": "orders o", "i": "items i"}
ORDERS = {"customers first": "coi", "orders first": "oci", "items first": "ioc"}
WHERE = "o.customer = c.id AND i.orderno = o.id AND c.region < {region} AND o.day BETWEEN {day} AND {day} + {span} AND i.price >= {price}"


def make_database(rng):
    sizes = {"c": round(10 ** rng.uniform(1.8, 3.0)), "o": round(10 ** rng.uniform(2.7, 3.6)), "i": round(10 ** rng.uniform(3.0, 3.9))}
    skew, trend, dear = rng.uniform(0.0, 3.0), rng.random(), rng.uniform(0.5, 4.0)
    db = sqlite3.connect(":memory:")
    db.executescript("CREATE TABLE customers(id INTEGER PRIMARY KEY, region INT); CREATE TABLE items(id INTEGER PRIMARY KEY, orderno INT,"
                     " price INT); CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INT, day INT);")
    few = lambda n, power: min(n - 1, int(n * rng.random() ** (1 + power)))
    db.executemany("INSERT INTO customers VALUES(?, ?)", [(k, min(99, int(100 * rng.random() ** dear))) for k in range(sizes["c"])])
    for k in range(sizes["o"]):
        customer = few(sizes["c"], skew)
        day = int(365 * (trend * k / sizes["o"] + (1 - trend) * rng.random()))
        db.execute("INSERT INTO orders VALUES(?, ?, ?)", (k, customer, day))
    db.executemany("INSERT INTO items VALUES(?, ?, ?)",
                   [(k, few(sizes["o"], skew / 2), int(1000 * rng.random() ** dear)) for k in range(sizes["i"])])
    db.executescript("CREATE INDEX a ON orders(customer); CREATE INDEX b ON orders(day); CREATE INDEX d ON items(orderno);"
                     "CREATE INDEX e ON items(price); CREATE INDEX f ON customers(region);")
    return db, sizes


def steps(db, sql):
    counted = 0

    def count():
        nonlocal counted
        counted += 1

    db.set_progress_handler(count, STEP)
    answer = db.execute(sql).fetchall()
    db.set_progress_handler(None, 0)
    return answer, 1 + counted


def main():
    rows = ["cluster,query,action,cost,declaration_sha256,f_log_customers,f_log_orders,f_log_items,f_region,f_span,f_price,f_day"]
    for number in range(DATABASES):
        rng = random.Random(3000 + number)
        db, sizes = make_database(rng)
        asked = []
        for _ in range(QUERIES):
            asked.append({"region": max(1, round(100 * rng.random() ** 2)), "day": rng.randrange(330), "span": round(180 * rng.random() ** 2),
                          "price": rng.randrange(1000)})
        cost = {}
        for statistics in (False, True):  # those of ANALYZE stay once they are there
            if statistics:
                db.execute("ANALYZE")
            for q, values in enumerate(asked):
                where, select = WHERE.format(**values), "SELECT count(*), sum(i.price) FROM "
                plans = {"planner" if statistics else "planner without statistics": ", ".join(TABLES.values())}
                if statistics:
                    plans |= {name: " CROSS JOIN ".join(TABLES[t] for t in order) for name, order in ORDERS.items()}
                for action, tables in plans.items():
                    cost[q, action] = steps(db, f"{select}{tables} WHERE {where}")
        for q, values in enumerate(asked):
            estimates = [math.log10(sizes[t]) for t in "coi"]
            estimates += [values["region"] / 100, values["span"] / 365, 1 - values["price"] / 1000, values["day"] / 365]
            features = ",".join(f"{value:.4f}" for value in estimates)
            answers = {str(answer) for (asked_q, _), (answer, _) in cost.items() if asked_q == q}
            assert len(answers) == 1, f"the plans disagree about query {q} of database {number}"
            for action in ["planner", "planner without statistics", *ORDERS]:
                rows.append(f"database {number},database {number} query {q},{action},{cost[q, action][1]},{sys.argv[1]},{features}")
    pathlib.Path(__file__).with_name("table.csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
