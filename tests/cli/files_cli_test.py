#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files as people have them: each is read as the table that is meant, or refused with a sentence that names line, column and remedy.

    tests/cli/files_cli_test.py path/to/gonogo
"""
import bz2
import gzip
import json
import lzma
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GONOGO = sys.argv[1]
HEADER = ["cluster", "query", "action", "cost", "success", "f_load", "f_site"]


def rows():
    """20 clusters of 3 queries and two actions: b is cheaper where the load is low."""
    for query in range(60):
        load = (7 * query) % 10 / 2
        for action in ("a", "b"):
            cost = 10.5 if action == "a" else 8.25 + load
            yield [f"c{query // 3}", f"q{query}", action, f"{cost}", "1", f"{load}", ["north", "south"][query % 2]]


def table(separator=",", decimal=".", header=HEADER, change=None):
    """`change(row, cells)` returns the cells of a row, the first of which is 0."""
    lines = [separator.join(header)]
    for number, cells in enumerate(rows()):
        if decimal != ".":
            cells = [cell.replace(".", decimal) for cell in cells]
        lines.append(separator.join(change(number, cells) if change else cells))
    return "\n".join(lines) + "\n"


def put(row, column, text):
    """One cell of `table()`."""
    def change(number, cells):
        return [text if number == row and i == HEADER.index(column) else cell for i, cell in enumerate(cells)]
    return table(change=change)


def every(column, text):
    """All cells of a column; {} is what stands there."""
    at = HEADER.index(column)
    return table(change=lambda _, cells: [text.format(cell) if i == at else cell for i, cell in enumerate(cells)])


def zstandard(data):
    """A frame whose blocks are stored as they are."""
    frame = bytes.fromhex("28b52ffda0") + len(data).to_bytes(4, "little")
    pieces = [data[i:i + 60_000] for i in range(0, len(data), 60_000)]
    for i, piece in enumerate(pieces):
        frame += (len(piece) << 3 | (i + 1 == len(pieces))).to_bytes(3, "little") + piece
    return frame


def objects():
    for cells in rows():
        yield {"cluster": cells[0], "query": cells[1], "action": cells[2], "cost": float(cells[3]), "success": True, "f_load": float(cells[5]),
               "f_site": cells[6]}


def wide(header, query=True):
    lines = [",".join(header)]
    cells = list(rows())
    for a, b in zip(cells[::2], cells[1::2]):
        lines.append(",".join([a[0], *([a[1]] if query else []), a[3], b[3], a[5]]))
    return "\n".join(lines) + "\n"


GOOD = table()
# What it is, its name and bytes, the protocol beside it, and what the audit says besides reading 60 queries in 20 clusters.
READ = [
    ("commas", "t.csv", GOOD, "", ""),
    ("semicolons", "t.csv", table(";"), "", "separated by semicolons"),
    ("semicolons and decimal commas", "t.csv", table(";", ","), "", "numbers have decimal commas"),
    ("tabs", "t.tsv", table("\t"), "", "separated by tabs"),
    ("tabs and decimal commas", "t.txt", table("\t", ","), "", "numbers have decimal commas"),
    ("bars", "t.csv", table("|"), "", "separated by bars"),
    ("a spreadsheet's first line", "t.csv", "sep=;\n" + table(";"), "", "separated by semicolons"),
    ("line ends of Windows", "t.csv", GOOD.replace("\n", "\r\n"), "", ""),
    ("line ends of old Macs", "t.csv", GOOD.replace("\n", "\r"), "", ""),
    ("a byte order mark", "t.csv", b"\xef\xbb\xbf" + GOOD.encode(), "", ""),
    ("everything quoted", "t.csv", "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in GOOD.split()) + "\n", "", ""),
    ("blank lines", "t.csv", GOOD.replace("\n", "\n\n"), "", ""),
    ("no last line end", "t.csv", GOOD.rstrip(), "", ""),
    ("Latin-1", "t.csv", GOOD.replace("north", "N\u00f6rdlich").encode("latin-1"), "", "read as Windows-1252"),
    ("UTF-16", "t.csv", GOOD.encode("utf-16"), "", "read as UTF-16"),
    ("UTF-16, the other way round", "t.csv", b"\xfe\xff" + GOOD.encode("utf-16-be"), "", "read as UTF-16"),
    ("gzip", "t.csv.gz", gzip.compress(GOOD.encode()), "", ""),
    ("gzip of UTF-16 with semicolons", "t.csv.gz", gzip.compress(table(";", ",").encode("utf-16")), "", "separated by semicolons"),
    ("Zstandard", "t.csv.zst", zstandard(GOOD.encode()), "", ""),
    ("JSON lines", "t.jsonl", "".join(json.dumps(o) + "\n" for o in objects()), "", ""),
    ("JSON lines, packed", "t.jsonl.gz", gzip.compress("".join(json.dumps(o) + "\n" for o in objects()).encode()), "", ""),
    ("an empty cell", "t.csv", put(0, "f_load", "").replace("c0,q0,b,8.25,1,0.0", "c0,q0,b,8.25,1,"), "", "miss values"),
    ("NA for what is missing", "t.csv", GOOD.replace(",4.5,", ",NA,"), "", "miss values"),
    ("a category", "t.csv", GOOD, "", "f_site (2 levels)"),
    ("true and false", "t.csv", GOOD.replace("north", "True").replace("south", "False"), "", ""),
    ("texts", "t.csv", table(change=lambda i, cells: [*cells[:6], f"request {i // 2}"]), "", "feature 'f_site' holds texts"),
    ("dates nobody asked for", "t.csv", GOOD.replace("north", "2024-03-01").replace("south", "2024-03-02"), "", "name it in table.dates"),
    ("dates on request", "t.csv", GOOD.replace("north", "2024-03-01").replace("south", "2024-03-02"),
     '[table]\ndates = ["f_site"]\nfeatures = { all = "f_*" }\n', ""),
    ("numbers that are a category", "t.csv", GOOD.replace("north", "10117").replace("south", "80331"),
     '[table]\ncategories = ["f_site"]\nfeatures = { all = "f_*" }\n', "f_site (2 levels)"),
    ("thousands", "t.csv", table(";", change=lambda i, cells: [*cells[:3], "1,234" if i % 2 else "1,000", *cells[4:]]), '[table]\ndecimal = "."\n', ""),
    ("one column for every action", "t.csv", wide(["cluster", "query", "cost_a", "cost_b", "f_load"]), '[table]\ncost = "cost_*"\n', ""),
    ("one column for every action, no name of the query", "t.csv", wide(["cluster", "a", "b", "f_load"], query=False),
     '[protocol]\nactions = ["a", "b"]\n[table]\ncost = "*"\n', ""),
]

# What it is, its name and bytes, the protocol, and what the refusal says.
REFUSED = [
    ("a number that may be two", "t.csv", table(";", change=lambda i, cells: [*cells[:3], "1,234", *cells[4:]]), "",
     ["t.csv:2: column 'cost' is '1,234', which may be one thousand and more", 'table.decimal = ","']),
    ("a currency", "t.csv", every("cost", "${}"), "", ["t.csv:2: column 'cost' is '$10.5', expected a number"]),
    ("a unit", "t.csv", every("cost", "{} s"), "", ["t.csv:2: column 'cost' is '10.5 s', expected a number"]),
    ("a negative cost", "t.csv", put(5, "cost", "-3"), "", ["t.csv:7: column 'cost' is '-3', expected a finite number, 0 or more"]),
    ("a missing cost", "t.csv", put(5, "cost", ""), "", ["t.csv:7: column 'cost' is '', expected a number"]),
    ("a decimal comma among points", "t.csv", table(";", change=lambda i, cells: [*cells[:3], "8,72" if i == 4 else cells[3], *cells[4:]]), "",
     ["t.csv:6: column 'cost' is '8,72', expected a number"]),
    ("a typing error in a feature", "t.csv", GOOD.replace(",1,3.5,", ",1,3.5x,"), "", ["column 'f_load' is '3.5x', expected a number as on line 2", "table.categories"]),
    ("queries that begin anew in every cluster", "t.csv", table(change=lambda i, cells: [cells[0], f"q{i // 2 % 3}", *cells[2:]]), "",
     ["t.csv:8: query 'q0' is in cluster 'c1' here and in cluster 'c0' above", "awk -F, 'NR>1{$2=$1\"-\"$2}1' OFS=,"]),
    ("a feature that differs between actions", "t.csv", put(1, "f_load", "9"), "", ["t.csv:3: column 'f_load' is '9'", "[table.action_features]"]),
    ("a row that is too short", "t.csv", GOOD.replace("c5,q15,a,10.5,1,", "c5,q15,a,10.5,"), "", ["t.csv:32: the row has 6 fields, the header has 7"]),
    ("foreign names", "t.csv", GOOD.replace("cluster,query,action,cost", "site,request,model,dollars"), "",
     ["no column 'cluster'", "gonogo init", "t.csv"]),
    ("UTF-16 without its mark", "t.csv", GOOD.encode("utf-16-le"), "", ["UTF-16 without a byte order mark: save it as UTF-8"]),
    ("a damaged gzip file", "t.csv.gz", gzip.compress(GOOD.encode())[:-20], "", ["the gzip file is damaged or cut off"]),
    ("a damaged Zstandard file", "t.csv.zst", zstandard(GOOD.encode())[:-20], "", ["the Zstandard file is damaged or cut off"]),
    ("Parquet", "t.parquet", b"PAR1" + bytes(100) + b"PAR1", "", ["it is Parquet: python3 -c", "pyarrow"]),
    ("Feather", "t.feather", b"ARROW1" + bytes(100), "", ["it is Feather (Arrow): python3 -c", "pyarrow"]),
    ("a spreadsheet", "t.xlsx", b"PK\x03\x04" + bytes(100), "", ["save the sheet as CSV"]),
    ("an old spreadsheet", "t.xls", b"\xd0\xcf\x11\xe0" + bytes(100), "", ["save the sheet as CSV"]),
    ("bzip2", "t.csv.bz2", bz2.compress(GOOD.encode()), "", ["packed by bzip2: bunzip2"]),
    ("xz", "t.csv.xz", lzma.compress(GOOD.encode()), "", ["packed by xz: unxz"]),
    ("a JSON array", "t.json", json.dumps(list(objects())), "", ["it is a JSON array: jq -c '.[]'"]),
    ("JSON over several lines", "t.json", json.dumps({"a": 1}, indent=1), "", ["t.json:1: '{' is no JSON object, expected one on every line: jq -c ."]),
    ("a date that can be read in two ways", "t.csv", GOOD.replace("north", "03/04/24").replace("south", "04/05/24"),
     '[table]\ndates = ["f_site"]\nfeatures = { all = "f_*" }\n', ["t.csv:2: column 'f_site' is '03/04/24', expected a date such as 2024-03-01"]),
    ("a category that is no feature", "t.csv", GOOD, '[table]\ncategories = ["success"]\n', ["no feature fits 'success' of table.categories"]),
    ("one column for every action, one of them missing", "t.csv", wide(["cluster", "query", "cost_a", "cost_b", "f_load"]),
     '[table]\ncost = "cost_*"\ntime = "time_*"\n', ["no column 'time_a'", "the time of action 'a'"]),
    ("nothing", "t.csv", "", "", ["t.csv: the file is empty, expected a header row"]),
]


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content, protocol=""):
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        (self.folder / "audit.toml").unlink(missing_ok=True)
        if protocol:
            (self.folder / "audit.toml").write_text(protocol + '[learner]\nkind = "ridge"\n')
        return file

    def run_gonogo(self, *arguments):
        return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False)

    def audit(self, file):
        """Every audit in an empty folder, without the looks of the one before."""
        for made in [*self.folder.glob("*looks*"), self.folder / "run"]:
            shutil.rmtree(made) if made.is_dir() else made.unlink(missing_ok=True)
        return self.run_gonogo("audit", file, "--refits", 2, "--out", self.folder / "run")

    def test_there_are_forty_kinds_and_more(self):
        self.assertGreaterEqual(len(READ) + len(REFUSED), 40)

    def test_what_can_be_read_in_one_way_is_read(self):
        for kind, name, content, protocol, said in READ:
            with self.subTest(kind):
                shown = self.audit(self.write(name, content, protocol))
                self.assertEqual(shown.returncode, 0, shown.stderr)
                result = json.loads((self.folder / "run" / "result.json").read_text())
                self.assertEqual((result["table"]["queries"], result["table"]["clusters"], result["table"]["actions"]), (60, 20, 2))
                self.assertIn(said, json.dumps(result, ensure_ascii=False))

    def test_what_cannot_is_refused_with_place_and_remedy(self):
        for kind, name, content, protocol, said in REFUSED:
            with self.subTest(kind):
                shown = self.audit(self.write(name, content, protocol))
                self.assertEqual(shown.returncode, 3, shown.stdout)
                for words in said:
                    self.assertIn(words, shown.stderr)

    def test_init_explains_a_bad_file_with_the_words_of_the_audit(self):
        for kind, name, content, protocol, said in REFUSED:
            if protocol or kind in ("foreign names", "a feature that differs between actions", "a typing error in a feature"):
                continue
            with self.subTest(kind):
                file = self.write(name, content)
                shown = self.run_gonogo("init", file)
                self.assertIn(said[0], shown.stderr)

    def test_every_separator_gives_the_same_numbers(self):
        results = []
        for name, content in [("a.csv", GOOD), ("b.csv", table(";", ",")), ("c.csv.gz", gzip.compress(table("\t").encode("utf-16")))]:
            self.assertEqual(self.audit(self.write(name, content)).returncode, 0)
            result = json.loads((self.folder / "run" / "result.json").read_text())
            results.append([result["estimates"][key]["point"] for key in sorted(result["estimates"]) if "point" in result["estimates"][key]])
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_an_unprepared_table_takes_two_commands(self):
        content = table(";", ",", ["Standort", "Anfrage", "Modell", "cost_eur", "ok", "Last", "Land"])
        file = self.write("anfragen.csv", content.replace("north", "S\u00fcd").encode("latin-1"))
        shown = self.run_gonogo("init", file)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertNotIn("cannot be audited", shown.stderr)
        protocol = (self.folder / "audit.toml").read_text()
        for line in ['cost = "cost_eur"', 'Last = "Last"', 'Land = "Land"', 'success = "ok"']:
            self.assertIn(line, protocol)
        shown = self.audit(file)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("20 clusters", shown.stdout)

    def test_init_finds_one_column_for_every_action(self):
        file = self.write("wide.csv", wide(["cluster", "query", "cost_a", "cost_b", "load"]))
        shown = self.run_gonogo("init", file)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn('cost = "cost_*"', (self.folder / "audit.toml").read_text())
        self.assertEqual(self.audit(file).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
