#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/install_packages.sh against an apt-get that is busy, broken or fine: programs of our own stand in for the real ones."""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
BUSY = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)"


class InstallPackages(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.program("dpkg-query", "exit 1")  # nothing is installed
        self.program("id", "echo 0")          # we are root
        self.program("node", "exit 0")

    def program(self, name, script):
        path = self.folder / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IEXEC)

    def run_it(self, *groups, patience="60", system="debian-12"):
        path = f"{self.folder}:{os.environ['PATH']}"
        return subprocess.run([ROOT / "tools/install_packages.sh", *(groups or ["build"])], capture_output=True, text=True,
                              env={**os.environ, "PATH": path, "GONOGO_APT_WAIT": patience, "GONOGO_APT_PAUSE": "0", "GONOGO_SYSTEM": system})

    def installed(self, *groups, system="debian-12"):
        """What apt-get is asked to install."""
        self.program("apt-get", f'echo "$@" >>{self.folder}/calls')
        run = self.run_it(*groups, system=system)
        self.assertEqual(run.returncode, 0, run.stderr)
        return self.calls()[-1].split("--no-install-recommends ")[1].split()

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_waits_while_another_apt_holds_the_lock(self):
        self.program("apt-get", f'echo "$@" >>{self.folder}/calls\n'
                                f'[ "$(wc -l <{self.folder}/calls)" -gt 2 ] && exit 0\necho "{BUSY}" >&2\nexit 100')
        run = self.run_it()
        self.assertEqual(run.returncode, 0, run.stderr)
        updates = [call for call in self.calls() if call.endswith("update")]
        self.assertEqual(len(updates), 3, "two refusals and the call that went through")
        self.assertIn("install", self.calls()[-1])
        self.assertIn("another apt holds the lock", run.stdout)

    def test_lets_apt_itself_wait_for_dpkg(self):
        self.program("apt-get", f'echo "$@" >>{self.folder}/calls')
        self.assertEqual(self.run_it().returncode, 0)
        self.assertTrue(all("DPkg::Lock::Timeout=60" in call for call in self.calls()), self.calls())

    def test_gives_up_when_its_patience_ends_and_says_what_to_do(self):
        self.program("apt-get", f'echo "{BUSY}" >&2\nexit 100')
        run = self.run_it(patience="0")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("GONOGO_APT_WAIT", run.stderr)

    def test_does_not_wait_for_any_other_failure(self):
        self.program("apt-get", f'echo "$@" >>{self.folder}/calls\necho "E: Unable to locate package" >&2\nexit 100')
        self.assertNotEqual(self.run_it().returncode, 0)
        self.assertEqual(len(self.calls()), 1)

    def test_takes_the_names_of_the_system(self):
        self.assertIn("clang-format-14", self.installed("test"))
        newer = self.installed("test", system="debian-13")
        self.assertNotIn("clang-format-14", newer, "Debian 13 has no such package")
        self.assertNotIn("-", newer)
        self.assertIn("chromium", newer)
        self.assertNotIn("chromium", self.installed("test", system="ubuntu-24.04"), "a snap there")

    def test_takes_what_this_system_says_it_is(self):
        self.program("apt-get", "exit 0")
        run = self.run_it(system="")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"installing packages of (debian-1[23]|ubuntu-24.04): ")

    def test_several_groups_are_installed_at_once(self):
        self.program("npm", "exit 0")
        both = self.installed("build", "web", "docs")
        self.assertTrue({"g++", "doxygen"} <= set(both), both)
        self.assertNotIn("nodejs", both, "there is one that came from elsewhere")

    def test_an_unknown_system_or_group_is_told_with_what_there_is(self):
        run = self.run_it(system="plan-9")
        self.assertEqual(run.returncode, 2)
        self.assertIn("plan-9, only for debian-12 debian-13 ubuntu-24.04", run.stderr)
        run = self.run_it("biuld")
        self.assertEqual(run.returncode, 2)
        self.assertIn("'biuld': expected build web test python", run.stderr)

    def test_every_line_of_the_list_has_a_name_for_every_system(self):
        lines = [line.split() for line in (ROOT / "tools/packages.txt").read_text().splitlines() if line and not line.startswith("#")]
        self.assertEqual(lines[0], ["group", "debian-12", "debian-13", "ubuntu-24.04"])
        for line in lines:
            self.assertEqual(len(line), len(lines[0]), line)
        self.assertEqual(len(lines), len({(line[0], line[1]) for line in lines}), "a package stands twice in a group")


if __name__ == "__main__":
    unittest.main()
