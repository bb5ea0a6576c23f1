#!/usr/bin/env python3
"""Every number of a report page is a number of its result.json.

    tests/pages/page_numbers_test.py path/to/gonogo path/to/repository

A page puts whatever it takes from the result into <data value="PLACE">, where PLACE is a JSON pointer (percent-encoded), a
function of pointers (FUNCTIONS below) or "constant" for a number that belongs to the sentence. Here the place is looked up in
result.json, and the text must be that value, rounded to the digits shown. Digits outside such an element are an error, except
in the title, which is a name, and inside scripts and attributes.
"""
import html.parser
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import numpy as np

GONOGO, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
SORTING = SOURCE / "examples" / "sorting" / "table.csv"
CONSTANTS = {"1", "2.5 %", "25 %", "75 %", "97.5 %"}  # and the numbers of rows, which count themselves


class Page(html.parser.HTMLParser):
    """The visible text of a page in pieces: (text, place or None)."""

    def __init__(self, text):
        super().__init__()
        self.pieces, self.places, self.hidden = [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style", "title", "h1"):
            self.hidden += 1
        if tag == "data":
            self.places.append(dict(attrs)["value"])

    def handle_endtag(self, tag):
        if tag in ("script", "style", "title", "h1"):
            self.hidden -= 1
        if tag == "data":
            self.places.pop()

    def handle_data(self, data):
        if not self.hidden:
            self.pieces.append((data, self.places[-1] if self.places else None))


def at(result, pointer):
    for step in pointer.split("/")[1:]:
        step = urllib.parse.unquote(step).replace("~1", "/").replace("~0", "~")
        result = result[int(step)] if isinstance(result, list) else result[step]
    return result


def go_share(channel, values):
    above = channel.get("direction", "above") == "above"
    return np.mean([v > channel["threshold"] if above else v <= channel["threshold"] for v in values])


def count(items, key, value):
    return sum((item[key] or "") == urllib.parse.unquote(value) for item in items)


FUNCTIONS = {"size": len, "difference": lambda a, b: a - b, "negated": lambda a: -a, "percent": lambda a: 100 * a,
             "count": count, "most": lambda items, key: max(item[key] for item in items), "go_share": go_share,
             "quantile": lambda values, p: float(np.quantile([v for v in values if v is not None], float(p)))}


def value_of(result, place):
    call = re.fullmatch(r"(\w+)\((.*)\)", place)
    if not call:
        return at(result, place) if place.startswith("/") else place
    arguments, depth, start = [], 0, 0
    for i, c in enumerate(call[2] + ","):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            arguments.append(call[2][start:i])
            start = i + 1
    return FUNCTIONS[call[1]](*[value_of(result, argument) for argument in arguments])


def shows_number(text, value):
    """Whether the text is the value, rounded to the digits it shows."""
    plain = text.replace("−", "-").replace("\u202f", " ")
    match = re.fullmatch(r"(-?[\d.]+(?:e[+-]?\d+)?)( %)?", plain)
    if not match or value is None:
        return False
    value = value * (100 if match[2] else 1)
    mantissa, _, exponent = match[1].partition("e")
    digits = len(mantissa.partition(".")[2])
    step = 10.0 ** (int(exponent or 0) - digits)
    # Whole numbers are counts or have four digits and more; all others are rounded as they show.
    return math.isclose(float(match[1]), value, rel_tol=0, abs_tol=step * 0.5 + 1e-9 * max(1.0, abs(value)))


def displayed(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}".replace("-", "−", 1) if not value.is_integer() or abs(value) >= 1e6 else f"{value:.0f}"
    return ", ".join(map(displayed, value)) if isinstance(value, list) else str(value)


def shows(text, value, place):
    """Whether a page may show this text for this value of the result."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and shows_number(text, value):
        return True
    if place.startswith("/") and urllib.parse.unquote(place).replace("/", ".").endswith("." + text):
        return True  # the name of a key beside its value
    if isinstance(value, str):
        return text[1:] in value  # whole, or a part of it; a note begins with a capital letter
    return text == displayed(value)


def wrong_numbers(page, result):
    """What a page shows and its result does not hold."""
    wrong = []
    for text, place in Page(page).pieces:
        if place is None:
            if re.search(r"\d", text):
                wrong.append(f"{text.strip()[:90]!r} has no place in the result")
        elif place == "constant":
            if text not in CONSTANTS and not text.isdigit():
                wrong.append(f"{text!r} is no known constant")
        else:
            try:
                value = value_of(result, place)
            except (KeyError, IndexError, TypeError) as error:
                wrong.append(f"{text!r} comes from {place}, which is not there: {error!r}")
                continue
            if not shows(text, value, place):
                wrong.append(f"{text!r} is not {value!r} of {place}")
    return wrong


def full_table(rng, clusters=20, queries=6, success=True, gain=0.3):
    """Rows of a table in which the second feature tells which action is cheap; 'choice' is good nine times in ten."""
    rows = []
    for cluster in range(clusters):
        for query in range(queries):
            x, y = rng.standard_normal(2)
            cheap = 1 if y > 0 else 2
            choice = cheap if rng.random() < 0.9 else 0
            base = 100 * math.exp(0.2 * x)
            for action, name in enumerate(["direct", "slow", "fast"]):
                cost = base * (1 - gain if action == cheap else 1.05 if action else 1) * math.exp(0.05 * rng.standard_normal())
                rows.append({"cluster": f"c{cluster}", "query": f"{cluster}.{query}", "action": name, "cost": f"{cost:.6g}",
                             "success": int(success and rng.random() < 0.98), "f_one": f"{x:.6g}", "f_two": f"{y:.6g}",
                             "choice": int(action == choice)})
    return rows


def write_csv(path, rows, columns=None):
    columns = columns or list(rows[0])
    path.write_text("\n".join([",".join(columns)] + [",".join(str(row[c]) for c in columns) for row in rows]) + "\n")


class PageNumbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        rng = np.random.default_rng(5)
        rows = full_table(rng)
        cls.table = cls.folder / "table.csv"
        write_csv(cls.table, rows, [c for c in rows[0] if c != "choice"])
        cls.chosen = cls.folder / "chosen.csv"
        write_csv(cls.chosen, [{**row, "choice": next(r["action"] for r in rows[i - i % 3:i - i % 3 + 3] if r["choice"])}
                               for i, row in enumerate(rows)])
        cls.log = cls.folder / "log.csv"
        tried = [{**rows[3 * i + int(rng.integers(3))], "propensity": 1 / 3} for i in range(len(rows) // 3)]
        write_csv(cls.log, tried, ["cluster", "query", "action", "cost", "propensity", "f_one", "f_two"])
        failing = full_table(rng, success=False)
        cls.failing = cls.folder / "failing.csv"
        write_csv(cls.failing, failing, [c for c in failing[0] if c != "choice"])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_gonogo(self, *arguments):
        shown = subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return shown.stdout

    def check(self, *arguments, verb=("audit",), name="result.json"):
        """Runs an audit with few refits and compares its page; gives text, result and page."""
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        text = self.run_gonogo(*verb, *arguments, "--refits", "20", "--out", out)
        result = json.loads((out / name).read_text())
        page = (out / "report.html").read_text()
        wrong = wrong_numbers(page, result)
        self.assertEqual(wrong[:12], [], f"{len(wrong)} numbers")
        self.assertGreater(len(Page(page).pieces), 100)
        return text, result, page

    def test_a_plain_table(self):
        text, _, page = self.check(self.table, "--learner", "ridge")
        self.assertIn("120 queries", text)
        self.assertIn('<data value="/table/queries">120</data> queries', page)

    def test_every_declared_number_of_the_example(self):
        self.check(SORTING, "--learner", "ridge")

    def test_a_log(self):
        self.check(self.log, "--learner", "ridge", "--set", "protocol.constraint=none")

    def test_given_choices(self):
        self.check(self.chosen, "--choices", "choice")

    def test_a_table_no_decision_can_rest_on(self):
        text, _, _ = self.check(self.failing, "--learner", "ridge")
        self.assertTrue(text.startswith("NO DECISION"), text)

    def test_too_few_clusters(self):
        self.check(self.table, "--learner", "ridge", "--set", "protocol.min_clusters=40")

    def test_known_clusters(self):
        self.check(self.table, "--learner", "ridge", "--set", "protocol.deploy=known clusters")

    def test_looks(self):
        self.check(self.table, "--learner", "ridge", "--set", "rule.looks_at=[20, 40, 80]")

    def test_several_undeclared_looks(self):
        self.check(self.table, "--learner", "ridge", "--set", "rule.looks=4")

    def test_learners_and_targets(self):
        self.check(self.table, "--learner", "all", "--set", "learner.epochs=2", "--set", "learner.trees.rounds=3")

    def test_seeds(self):
        text, result, _ = self.check(self.table, "--learner", "ridge", "--seeds", "3")
        self.assertIn("Over 3 bootstrap seeds", text)
        self.assertEqual(len(result["seeds"]["readings"]), 3)

    def test_an_ablation(self):
        protocol = self.folder / "sets.toml"
        protocol.write_text('[learner]\nkind = "ridge"\n[table.features]\nf = "f_one"\ng = "f_two"\n[feature_sets]\nboth = ["f", "g"]\nsecond = ["g"]\n')
        self.check(self.table, "--protocol", protocol, "--ablation")

    def test_a_map_and_the_policy_in_words(self):
        self.check(self.table, "--learner", "policy", "--map", "f_two")

    def test_pairs_of_clusters_and_the_paper(self):
        for rule in ("leave-pair-out", "paper"):
            self.check(self.table, "--learner", "ridge", "--rule", rule)

    def test_folds_without_refits(self):
        self.check(self.table, "--learner", "ridge", "--set", "bootstrap.method=folds")

    def test_controls(self):
        planted = [self.table, "--actions", "slow,fast", "--learner", "ridge"]
        self.check(*planted, "--feature", "f_one", verb=("control", "observable"))
        self.check(*planted, "--mappings", "3", verb=("control", "hidden"))

    def test_a_number_that_is_not_the_results_is_found(self):
        _, result, page = self.check(self.table, "--learner", "ridge")
        for good, bad in [('<data value="/table/queries">120</data> queries', '<data value="/table/queries">0</data> queries'),
                          ('<data value="/table/queries">120</data> queries', "0 queries"),
                          ('<data value="/table/queries">120</data> queries', '<data value="/table/rows">120</data> queries')]:
            self.assertIn(good, page)
            self.assertEqual(len(wrong_numbers(page.replace(good, bad, 1), result)), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:], verbosity=2)
