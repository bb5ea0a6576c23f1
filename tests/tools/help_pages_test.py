#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages and completion against what the program says itself: help_pages_test.py SOURCE GONOGO"""
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

GONOGO = sys.argv.pop()
ROOT = pathlib.Path(sys.argv.pop())


class HelpPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        subprocess.run([ROOT / "tools/help_pages.py", GONOGO, cls.folder], check=True)

    def help_of(self, *verb):
        return subprocess.run([GONOGO, *verb, "--help-all"], check=True, capture_output=True, text=True).stdout

    def complete(self, *words):
        script = (f"source {self.folder}/bash/gonogo; COMP_WORDS=(gonogo {' '.join(words)} ''); COMP_CWORD={len(words) + 1}; "
                  "_gonogo; printf '%s\\n' \"${COMPREPLY[@]}\"")
        return subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True, cwd=self.folder).stdout.split()

    def verbs(self):
        return re.findall(r"^  ([a-z]+) {2,}", self.help_of().split("--version")[1], re.M)

    def test_every_verb_has_a_page_and_is_completed(self):
        self.assertGreater(len(self.verbs()), 10)
        pages = {page.name for page in (self.folder / "man1").iterdir()}
        self.assertEqual(pages, {"gonogo.1.gz", *(f"gonogo-{verb}.1.gz" for verb in self.verbs())})
        self.assertEqual(set(self.complete()), {*self.verbs(), "--help", "--help-all", "--version"})
        fish = (self.folder / "fish/gonogo.fish").read_text()
        for verb in self.verbs():
            self.assertIn(f"-a {verb} ", fish)

    def test_every_flag_of_every_verb_is_described_and_completed(self):
        for verb in self.verbs():
            flags = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", self.help_of(verb), re.M))
            page = gzip.decompress((self.folder / f"man1/gonogo-{verb}.1.gz").read_bytes()).decode().replace("\\-", "-")
            completion = (self.folder / "bash/gonogo").read_text().split(f"    {verb})\n")[1].split("flags='")[1].split("'")[0].split()
            self.assertEqual(set(completion), flags, verb)
            for flag in flags:
                self.assertIn(flag, page)
                self.assertIn(flag, (self.folder / "verbs.md").read_text())

    def test_choices_are_completed(self):
        self.assertEqual(self.complete("audit", "--learner"), ["mlp", "ridge", "trees", "forest", "policy", "all"])

    def test_files_are_completed_where_no_flag_begins(self):
        self.assertIn("verbs.md", self.complete("audit"))


if __name__ == "__main__":
    unittest.main()
