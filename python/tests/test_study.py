# SPDX-License-Identifier: Apache-2.0
"""Studies, collections, checks and confirmations from Python are those of the command line."""
import json
import os
import signal
import subprocess
import sys

import pytest

import gonogo

SMALL = """[protocol]
name = "small"
actions = ["direct", "scale-0.75"]
min_clusters = 3
[collect]
seeds = [1, 2, 3]
queries_per_cluster = 2
queries_per_episode = 1
family = "moderate"
terrain = "flat"
replayed = 1
[learner]
kind = "ridge"
[bootstrap]
refits = 20
[rule]
kind = "calibrated"
futility = 0.0
"""


@pytest.fixture
def go2(source):
    return source / "robots/go2"


@pytest.fixture
def small(tmp_path):
    protocol = tmp_path / "small.toml"
    protocol.write_text(SMALL)
    return protocol


def test_a_collection_has_the_bytes_of_the_command_line(go2, small, run_gonogo, tmp_path):
    printed = run_gonogo("collect", go2, "--protocol", small, "--clusters", "1,3", "--out", tmp_path / "cli", "--json")
    part = gonogo.collect(go2, small, clusters=[1, 3], out=tmp_path / "python", progress=False)
    assert part.table is None and part.missing == [2] and part.json == json.loads(printed)
    run_gonogo("collect", go2, "--protocol", small, "--out", tmp_path / "cli")
    whole = gonogo.collect(go2, small, out=tmp_path / "python", progress=False)
    assert whole.json["collected"] == [2] and len(whole.table) == 6 and whole.table.clusters == ["1", "2", "3"]
    assert (tmp_path / "python/table.h5").read_bytes() == (tmp_path / "cli/table.h5").read_bytes()


def test_a_ground_that_is_spelled_otherwise_is_declared_alike(go2, small, run_gonogo, tmp_path):
    run_gonogo("collect", go2, "--protocol", small, "--terrain", "stairs:1-1", "--clusters", "1", "--out", tmp_path / "cli")
    gonogo.collect(go2, small, settings={"collect.terrain": "stairs:1-1"}, clusters=[1], out=tmp_path / "python", progress=False)
    assert (tmp_path / "python/declaration.toml").read_bytes() == (tmp_path / "cli/declaration.toml").read_bytes()


def test_a_study_has_the_bytes_of_the_command_line(go2, small, run_gonogo, tmp_path, capsys):
    printed = run_gonogo("study", go2, "--protocol", small, "--skip-check", "--out", tmp_path / "cli")
    study = gonogo.study(go2, small, check=False, out=tmp_path / "python")
    for name in ("table.h5", "audit/result.json", "audit/manifest.json", "audit/report.html"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "cli" / name).read_bytes(), name
    assert str(study) == printed and study.clusters == 3 and study.ended and study.folder == tmp_path / "python"
    told = capsys.readouterr()
    assert "small: collecting 3 clusters of 2 queries" in told.err and "ridge refits" in told.err and told.out == ""


def test_a_study_until_decided_takes_the_looks_of_the_command_line(go2, small, run_gonogo, tmp_path):
    flags = ("--until-decided", "--max-clusters", "5", "--skip-check")
    run_gonogo("study", go2, "--protocol", small, *flags, "--out", tmp_path / "cli")
    stages = []
    study = gonogo.study(go2, small, until_decided=True, max_clusters=5, check=False, out=tmp_path / "python",
                         progress=lambda done, total: stages.append((done, total)))
    assert study.to_json() == (tmp_path / "cli/audit/result.json").read_text()
    assert study.clusters in (3, 5) and stages
    looks = sorted(folder.name for folder in (tmp_path / "python").glob("audit-*"))
    assert looks == sorted(folder.name for folder in (tmp_path / "cli").glob("audit-*"))


def test_without_a_folder_nothing_is_written_and_the_answer_is_the_same(go2, small, tmp_path, monkeypatch):
    kept = gonogo.study(go2, small, check=False, out=tmp_path / "kept", progress=False)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    study = gonogo.study(go2, small, check=False, progress=False)
    assert study.to_json() == kept.to_json() and study.folder is None
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_check_has_the_bytes_of_the_command_line(go2, tmp_path):
    program = os.environ["GONOGO"]
    printed = subprocess.run([program, "check", go2, "--quick", "--seconds", "2", "--json"], capture_output=True, text=True).stdout
    found = gonogo.check(go2, quick=True, seconds=2)
    assert found.to_json() == printed and found.verdict == "ok" and str(found).startswith("ok  ")


def test_a_robot_that_is_described_wrongly_is_not_studied(go2, small, tmp_path):
    robot = tmp_path / "robot"
    robot.mkdir()
    for file in go2.iterdir():
        (robot / file.name).symlink_to(file)
    (robot / "robot.toml").unlink()
    text = (go2 / "robot.toml").read_text()
    assert "action_scale = 0.25" in text
    (robot / "robot.toml").write_text(text.replace("action_scale = 0.25", "action_scale = 2.5"))
    found = gonogo.check(robot, quick=True, seconds=2)
    assert found.verdict == "broken" and len(found.findings) > 0
    with pytest.raises(gonogo.InputError, match="probably described wrongly"):
        gonogo.study(robot, small, progress=False)


def test_a_confirmation_has_the_bytes_of_the_command_line(go2, small, run_gonogo, tmp_path):
    gonogo.collect(go2, small, out=tmp_path / "table", progress=False)
    audit = gonogo.audit(tmp_path / "table/table.h5", export=tmp_path / "adapter", export_anyway=True, progress=False)
    run_gonogo("confirm", tmp_path / "adapter", go2, "--seeds", "11,12", "--trials", "1", "--out", tmp_path / "cli")
    found = gonogo.confirm(audit.adapter, go2, seeds=[11, 12], trials=1, out=tmp_path / "python", progress=False)
    for name in ("confirm.json", "episodes.csv"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "cli" / name).read_bytes(), name
    assert found.to_json() == (tmp_path / "cli/confirm.json").read_text()
    assert len(found.contenders) == 4 and found.reading in ("GO", "NO-GO", "ABSTAIN") and str(found) == found.answer
    with pytest.raises(gonogo.Error, match="trained on"):
        gonogo.confirm(tmp_path / "adapter", go2, seeds=[1], progress=False)


@pytest.mark.parametrize("call, message", [
    (lambda r, p: gonogo.study(r, p, max_clusters=40), "max_clusters needs until_decided"),
    (lambda r, p: gonogo.study(r, p, until_decided=True, max_clusters=1), "max_clusters is 1"),
    (lambda r, p: gonogo.study(r, p, settings={"collect.terrain": "moon"}), 'terrain is "moon"'),
    (lambda r, p: gonogo.study(r, {"protocol": {"name": "bare"}}), r"has no \[collect\] section"),
    (lambda r, p: gonogo.study(r / "missing", p), "missing"),
    (lambda r, p: gonogo.study(r, p, out=""), "out is empty"),
    (lambda r, p: gonogo.collect(r, p, out=""), "out is missing"),
    (lambda r, p: gonogo.check(r, seconds=1), "seconds is 1, expected 2 to 600"),
    (lambda r, p: gonogo.confirm(r, r), "adapter.json"),
    (lambda r, p: gonogo.confirm(r, r, trials=0), "trials is 0"),
])
def test_a_request_that_makes_no_sense_is_refused(call, message, go2, small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(gonogo.Error, match=message):
        call(go2, small)
    assert [file.name for file in tmp_path.iterdir()] == ["small.toml"]


INTERRUPTED = """
import sys, gonogo
try:
    gonogo.study(sys.argv[1], sys.argv[2], check=False, out=sys.argv[3], settings={"collect.queries_per_cluster": 200},
                 progress=lambda done, total: print(done, flush=True))
except gonogo.Interrupted as stopped:
    print("stopped:", stopped)
"""


def test_ctrl_c_stops_a_study_and_keeps_what_it_finished(go2, small, tmp_path):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, go2, small, tmp_path / "out"], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    rest = process.communicate(timeout=60)[0]
    assert "stopped: " in rest and process.returncode == 0
    assert (tmp_path / "out/declaration.toml").exists()
