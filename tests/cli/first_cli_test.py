#!/usr/bin/env python3
"""The first five minutes with gonogo: what a stranger types, right and wrong, and what the answers say.

    tests/cli/first_cli_test.py path/to/gonogo path/to/repository
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

GONOGO, SOURCE = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
GO2 = SOURCE / "robots" / "go2"
sys.path.insert(0, str(SOURCE / "tests/support"))
from built_with import components, needs  # noqa: E402

BUILT = components(GONOGO)


def run(*arguments, **options):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)


class Flags(InAFolder):
    def test_the_version_is_printed_where_one_looks_for_it(self):
        shown = run("--version")
        self.assertEqual(shown.returncode, 0)
        self.assertRegex(shown.stdout, r"^gonogo \d+\.\d+\.\d+ \(commit ")
        self.assertEqual(shown.stdout, run("version").stdout)

    def test_numbers_that_make_no_sense_are_refused_at_their_flag(self):
        for words, said in [(["rollout", GO2, "--target", "nan,0"], "--target: found nan, expected a finite number"),
                            (["rollout", GO2, "--target", "2,0", "--seed", "-1"], "--seed: found -1, expected a whole number of 0 or more"),
                            (["evaluate", GO2, "--seeds", "1,-2"], "--seeds: found -2, expected a whole number of 0 or more"),
                            (["calibrate", "--list", "--seed", "-1"], "--seed: found -1"),
                            (["identify", GO2, "--seed", "-1"], "--seed: found -1"),
                            (["train", GO2, "--iterations", "-5"], "--iterations: found -5, expected a number from 0 to 1000000")]:
            if {"train": "training", "calibrate": "tables"}.get(words[0], "robots") not in BUILT:
                said = f"'gonogo {words[0]}' is not in this build"
            shown = run(*words, cwd=self.folder)
            self.assertEqual(shown.returncode, 2, shown.stderr)
            self.assertIn(said, shown.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])

    @needs(GONOGO, "paper")
    def test_the_items_of_a_reproduction_are_listed_anywhere(self):
        shown = run("reproduce", "--list", cwd=self.folder)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("identification", shown.stdout)
        self.assertEqual(run("reproduce", "terrain", cwd=self.folder).returncode, 4)

    @needs(GONOGO, "robots")
    def test_a_controller_without_its_models_says_how_they_are_made(self):
        for controller in ["vgcc", "mpc", "vgsr"]:
            shown = run("rollout", GO2, "--target", "2,0", "--controller", controller, "--models", "none", cwd=self.folder)
            self.assertEqual(shown.returncode, 3, shown.stderr)
            self.assertIn(f"controller {controller} needs a model", shown.stderr)
            self.assertIn(f"Run 'gonogo identify {GO2} --out none' first", shown.stderr)

    @needs(GONOGO, "robots")
    def test_nothing_is_called_declared_before_every_flag_was_checked(self):
        for flags in [["--clusters", "9"], ["--queries", "mcp"], ["--queries", "vgcc", "--models", "none"]]:
            shown = run("collect", GO2, *flags, "--out", self.folder / "out")
            self.assertIn(shown.returncode, (2, 3), shown.stderr)
            self.assertNotIn("declared as", shown.stderr)
        self.assertIn("gonogo identify", shown.stderr)

    def test_a_text_among_numbers_is_refused_with_its_line_and_both_remedies(self):
        table = self.folder / "table.csv"
        table.write_text("cluster,query,action,cost,f_x\nc,q,a,1,2\nd,r,a,1,red\n")
        shown = run("audit", table)
        self.assertEqual(shown.returncode, 3)
        self.assertIn(":3: column 'f_x' is 'red', expected a number as on line 2, or nothing where it is missing; if the column is a category, name it "
                      "in table.categories", shown.stderr)


def routing_table():
    """A table whose columns have none of our names: three models answer requests of 20 sites."""
    rows = ["site,request,model,dollars,seconds,correct,length,tokens_out,language"]
    for site in range(20):
        for request in range(6):
            length = (7 * site + 5 * request) % 13
            for number, model in enumerate(["default", "small", "large"]):
                cost = [10.0, 6.0 + length, 14.0 - 0.5 * length][number]
                rows.append(f"s{site},r{site}-{request},{model},{cost},1.0,1,{length},{number + length},en")
    return "\n".join(rows) + "\n"


class FirstTable(InAFolder):
    def setUp(self):
        super().setUp()
        self.table = self.folder / "routing.csv"
        self.table.write_text(routing_table())

    def test_init_writes_a_protocol_that_can_be_declared_and_audited(self):
        shown = run("init", self.table)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"site +the cluster")
        self.assertRegex(shown.stdout, r"tokens_out +nothing")
        protocol = self.folder / "audit.toml"
        self.assertIn(f"gonogo declare {protocol}", shown.stderr)
        self.assertEqual(run("declare", protocol).returncode, 0)
        audited = run("audit", self.table, "--refits", "20", "--out", self.folder / "run")
        self.assertEqual(audited.returncode, 0, audited.stderr)
        self.assertIn("share of the dollars saved", " ".join(audited.stdout.split()))
        self.assertNotIn("first look", audited.stderr)
        again = run("init", self.table)
        self.assertEqual(again.returncode, 2)
        self.assertIn("is there already", again.stderr)

    def test_without_a_protocol_the_first_look_is_quick_and_says_so(self):
        table = self.folder / "table.csv"
        table.write_text(routing_table().replace("site,request,model,dollars,seconds,correct,length", "cluster,query,action,cost,time,success,f_length"))
        shown = run("audit", table, "--refits", "20", "--out", self.folder / "run")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("learner ridge", shown.stdout)
        self.assertRegex(shown.stderr, r"mlp, takes about \d+ (s|min|h)[^.]* here: add --learner mlp")
        named = run("audit", table, "--refits", "5", "--set", "learner.epochs=2", "--out", self.folder / "named")
        self.assertIn("learner mlp", named.stdout)
        self.assertNotIn("first look", named.stderr)

    def test_a_table_can_come_through_a_pipe(self):
        self.assertEqual(run("init", self.table).returncode, 0)
        file = run("audit", "routing.csv", "--refits", "10", "--out", "file", cwd=self.folder)
        self.assertEqual(file.returncode, 0, file.stderr)
        for name in ["-", "/dev/stdin"]:
            out = self.folder / f"run{len(name)}"
            shown = run("audit", name, "--refits", "10", "--protocol", "audit.toml", "--out", out, cwd=self.folder, input=self.table.read_text())
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertEqual(shown.stdout, file.stdout)
        wrong = run("audit", "-", "--protocol", "audit.toml", cwd=self.folder, input=self.table.read_text().replace("10.0", "ten", 1))
        self.assertIn("standard input:2: column 'dollars' is 'ten', expected a number", wrong.stderr)

    def test_a_device_and_a_pipe_that_nobody_writes_to_are_refused(self):
        shown = run("audit", "/dev/zero", timeout=60)
        self.assertEqual(shown.returncode, 3)
        self.assertIn("/dev/zero is a device", shown.stderr)
        self.assertEqual(run("audit", "-", stdin=subprocess.DEVNULL).returncode, 3)
        self.assertIn("only", run("plan", "/dev/zero").stderr)

    def test_narrow_terminals_get_narrow_tables(self):
        self.assertEqual(run("init", self.table).returncode, 0)
        shown = run("audit", self.table, "--refits", "20", "--out", self.folder / "run", env={**os.environ, "COLUMNS": "80"})
        self.assertEqual([line for line in shown.stdout.splitlines() if len(line) > 80], [])
        self.assertIn("Does the adapter beat any fixed action?", shown.stdout)

    def test_every_help_fits_eighty_columns_and_says_types_as_words(self):
        verbs = re.findall(r"^  ([a-z]+) {2,}", run("--help-all").stdout, re.M)
        self.assertGreater(len(verbs), 10)
        for verb in ["", "control", *verbs]:
            shown = run(*[verb] if verb else [], "--help-all").stdout
            self.assertEqual([line for line in shown.splitlines() if len(line) > 80], [], verb)
            self.assertNotRegex(shown, r"UINT|INT:|FLOAT|TEXT:|\{false\}", verb)

    def test_newcomers_are_shown_ten_verbs_and_whoever_asks_all_of_them(self):
        def verbs(flag):
            return re.findall(r"^  ([a-z]+) {2,}", run(flag).stdout, re.M)

        first, every = verbs("--help"), verbs("--help-all")
        self.assertLessEqual(len(first), 10)
        self.assertLess(set(first), set(every))
        self.assertIn("audit", first)
        self.assertNotIn("merge", first)
        self.assertIn("merge", every)
        self.assertNotIn("control", every)  # an old name, which works
        self.assertEqual(run("control", "--help").stdout, run("validate", "--help").stdout)
        flags = [set(re.findall(r"^  (--[a-z-]+)", run("audit", flag).stdout, re.M)) for flag in ("--help", "--help-all")]
        self.assertLess(flags[0], flags[1])
        self.assertIn("--learner", flags[0])

    def test_a_verb_of_another_build_is_refused_in_one_sentence(self):
        for component, verb in [("robots", "rollout"), ("training", "train"), ("paper", "reproduce")]:
            shown = run(verb, "x")
            if component in BUILT:
                self.assertNotIn("not in this build", shown.stderr)
                continue
            self.assertEqual(shown.returncode, 2)
            self.assertRegex(shown.stderr, rf"^gonogo: 'gonogo {verb}' is not in this build.* -DGONOGO_\w+=ON.*\n$")
        if "robots" not in BUILT:
            self.assertIn("'gonogo init robot' is not in this build", run("init", "robot", "model.xml", "policy.onnx").stderr)

    def test_a_running_audit_can_be_watched(self):
        self.assertEqual(run("init", self.table).returncode, 0)
        out = self.folder / "run"
        process = subprocess.Popen([GONOGO, "audit", self.table, "--learner", "mlp", "--set", "learner.epochs=30", "--jobs", "1", "--quiet", "--out", out],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.time() + 120
            seen = {}
            # The first refits may have no bound of H_dep yet.
            while time.time() < deadline and process.poll() is None and not any("H_dep" in bounds for bounds in seen.get("bounds", [])[-1:]):
                shown = run("watch", out, "--once", "--json")
                if shown.returncode == 0 and shown.stdout:
                    seen = json.loads(shown.stdout)
                time.sleep(0.2)
        finally:
            process.terminate()
            process.wait()
        self.assertEqual(seen["phase"], "mlp refits")
        self.assertEqual(seen["total"], 341)
        self.assertEqual(len(seen["bounds"][-1]["H_dep"]), 2)
        self.assertFalse((out / "status.json").exists())
        self.assertIn("nothing is running", run("watch", out).stderr)


@needs(GONOGO, "robots")
class Episodes(InAFolder):
    def test_two_controllers_have_two_files(self):
        for controller in ["direct", "scale-0.75"]:
            shown = run("rollout", GO2, "--target", "1,0", "--terrain", "flat", "--controller", controller, cwd=self.folder)
            self.assertEqual(shown.returncode, 0, shown.stderr)
        names = sorted(file.name for file in (self.folder / "runs").iterdir())
        self.assertEqual(names, ["rollout-go2-direct-1.h5", "rollout-go2-scale-0.75-1.h5"])

    def test_terminal_and_page_tell_the_same_of_a_branch(self):
        protocol = self.folder / "small.toml"
        protocol.write_text("""[protocol]
name = "small"
actions = ["direct", "scale-0.75"]
[collect]
seeds = [1, 2]
queries_per_cluster = 2
queries_per_episode = 1
family = "moderate"
terrain = "flat"
replayed = 0
""")
        shown = run("branch", GO2, "1/000", "--protocol", protocol, "--out", self.folder / "out")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        page = (self.folder / "out" / "branches.html").read_text()
        rows = re.findall(r"^  (direct|scale-0.75) .*?([\d.]+ s) +([\d.]+ J)$", shown.stdout, re.M)
        self.assertEqual([row[0] for row in rows], ["direct", "scale-0.75"])
        for name, time, work in rows:
            row = re.search(rf"<th[^>]*>{re.escape(name)}</th>(.*?)</tr>", page, re.S).group(1)
            self.assertIn(f">{time}<", row)
            self.assertIn(f">{work}<", row)
        self.assertIn("time from the branch point", shown.stdout)
        self.assertIn("time from the branch point", page)
        self.assertIn("height above ground at the end", page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
