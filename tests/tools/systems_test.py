#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/systems/run.sh with programs of our own in place of debootstrap and chroot: what it prints, how it ends, what it leaves behind."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
MAY = os.getuid() == 0 and subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True).returncode == 0


@unittest.skipUnless(MAY, "namespaces need root")
class Systems(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        (self.folder / "tmp").mkdir()
        self.program("debootstrap", 'mkdir -p "$3"/{etc,proc,dev,sys,usr/local/share} && touch "$3/etc/debian_version"')

    def program(self, name, script):
        path = self.folder / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def start(self, **more):
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "TMPDIR": str(self.folder / "tmp"), "LOGS": str(self.folder / "logs"),
                       "GONOGO_MIRROR": "http://mirror.invalid/debian", "SYSTEMS": "bookworm trixie", "TARGETS": "demo test", **more}
        return subprocess.Popen([ROOT / "tests/systems/run.sh"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)

    def assert_nothing_left(self):
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        self.assertNotIn(str(self.folder), pathlib.Path("/proc/mounts").read_text())

    def test_prints_a_row_for_every_system_and_target_and_fails_when_one_does(self):
        self.program("chroot", 'case "$*" in *dumpfullversion*) printf "14.2.0\\n3.31.6\\n3.13.5\\n" ;; *"make test"*) [[ $1 == */bookworm ]] ;; esac')
        run = self.start()
        printed, said = run.communicate(timeout=280)
        self.assertEqual(run.returncode, 1, said)
        rows = [row.replace(" ", "") for row in printed.splitlines() if row.startswith("| ")][1:]
        self.assertEqual(rows, [f"|{system}|14.2.0|3.31.6|3.13.5|{target}|||{'fails' if (system, target) == ('trixie', 'test') else 'endswell'}|"
                                for system in ("bookworm", "trixie") for target in ("demo", "test")])
        self.assert_nothing_left()

    def test_keeps_the_trees_it_is_told_to_keep_without_the_clone(self):
        self.program("chroot", "exit 0")
        trees = self.folder / "trees"
        run = self.start(TREES=str(trees), SYSTEMS="trixie", TARGETS="demo")
        printed, said = run.communicate(timeout=280)
        self.assertEqual(run.returncode, 0, printed + said)
        self.assertTrue((trees / "trixie/etc/debian_version").exists())
        self.assertFalse((trees / "trixie/gonogo").exists())
        self.assert_nothing_left()

    def test_leaves_no_folder_no_mount_and_no_process_when_it_is_ended(self):
        self.program("chroot", f'case "$*" in *"make demo"*) touch {self.folder}/there; exec -a {self.folder}/long sleep 600 ;; esac')
        run = self.start(SYSTEMS="trixie")
        for _ in range(5000):
            if (self.folder / "there").exists():
                break
            time.sleep(0.05)
        self.assertTrue((self.folder / "there").exists())
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=280)
        self.assertEqual(run.returncode, 130)
        self.assert_nothing_left()
        processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        self.assertNotIn(f"{self.folder}/long", processes)


if __name__ == "__main__":
    unittest.main()
