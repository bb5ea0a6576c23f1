"""Small runs that the tests of ranks, shards and schedulers share, and what must come of them."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

GONOGO, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SORTING = SOURCE / "examples" / "sorting" / "table.csv"
GO2 = SOURCE / "robots" / "go2"
sys.path.insert(0, str(SOURCE / "tests/support"))
from built_with import needs  # noqa: E402, F401

COLLECT_PROTOCOL = """
[protocol]
name = "small"
actions = ["direct", "scale-0.75"]
min_clusters = 3
[collect]
seeds = [1, 2, 3]
queries_per_cluster = 3
queries_per_episode = 1
family = "moderate"
terrain = "flat"
replayed = 1
"""


def audit(out, *more):
    return ["audit", str(SORTING), "--learner", "ridge", "--refits", "40", "--quiet", "--out", str(out), *map(str, more)]


def slow_audit(out, *more, refits=20, epochs=20):
    """Refits long enough to be killed in."""
    return ["audit", str(SORTING), "--set", "learner.kind=mlp", "--set", f"learner.epochs={epochs}", "--set", "learner.members=2",
            "--refits", str(refits), "--quiet", "--out", str(out), *map(str, more)]


def collect(protocol, out, *more):
    return ["collect", str(GO2), "--protocol", str(protocol), "--quiet", "--out", str(out), *map(str, more)]


def calibrate(out, *more):
    return ["calibrate", "--cells", "dep-threshold", "--data-sets", "6", "--refits", "20", "--quiet", "--out", str(out), *map(str, more)]


def small_training(folder):
    """A robot whose recipe is ten iterations of three groups of environments on flat ground."""
    robot = folder / "go2"
    shutil.copytree(GO2, robot)
    recipe = (GO2 / "train.toml").read_text()
    for key, value in [("environments", 48), ("steps", 8), ("critic_warm_up", 2), ("checkpoint_every", 4), ("rounds", 2), ("epochs", 1),
                       ("actor", [32, 32]), ("critic", [32, 32])]:
        recipe = re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", recipe)
    first, rest = recipe.split("[[stage]]", 1)
    tail = rest[rest.index("[trot]"):]
    (robot / "train.toml").write_text(first + "[[stage]]\niterations = 10\nrough = 0.0\n" + tail)
    return robot


def run(command, **options):
    return subprocess.run([str(GONOGO), *map(str, command)], capture_output=True, text=True, check=False, **options)


def mpi_missing():
    """Why ranks cannot be tested here; empty if they can."""
    if shutil.which("mpirun") is None:
        return "mpirun is not installed (openmpi-bin)"
    if not (GONOGO.parent.parent / "lib" / "gonogo" / "gonogo_mpi.so").exists():
        return "gonogo was built without MPI (libopenmpi-dev was not there at configure time)"
    return ""


def mpirun(ranks, *options):
    # One host, no other network than its own; two cores may have to serve four ranks.
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader", "--mca", "btl_vader_single_copy_mechanism",
            "none", "-n", str(ranks), *options, str(GONOGO)]


def environment(**more):
    # MPI puts its sockets into TMPDIR, whose path must be short. It frees only part of its memory and unloads the libraries that took it, so
    # that AddressSanitizer cannot be told their names: leaks are looked for in runs without ranks.
    return {**os.environ, "TMPDIR": "/tmp", "OMPI_MCA_plm_rsh_agent": "", "ASAN_OPTIONS": "detect_leaks=0", **more}
