# SPDX-License-Identifier: Apache-2.0
"""Audits from Python are those of the command line."""
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pandas as pd
import pytest

import gonogo


def test_the_bytes_are_those_of_the_command_line(source, run_gonogo, tmp_path):
    table = source / "examples/sorting/table.csv"
    run_gonogo("audit", table, "--learner", "ridge", "--refits", "20", "--out", tmp_path / "cli")
    result = gonogo.audit(table, learner="ridge", refits=20, out=tmp_path / "python", progress=False)
    for name in ("result.json", "manifest.json", "report.html"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "cli" / name).read_bytes(), name
    assert result.to_json().encode() == (tmp_path / "cli/result.json").read_bytes()


def test_comparisons_have_the_bytes_of_the_command_line(source, run_gonogo, tmp_path):
    table = source / "examples/sorting/table.csv"
    small = {"learner.kind": "ridge", "learner.epochs": 1, "learner.members": 1, "learner.trees.members": 1, "learner.trees.rounds": 2,
             "learner.forest.members": 2, "learner.forest.trees": 1}
    every = ["--learner", "all", *(f"--set={key}={value}" for key, value in small.items())]
    for name, key, words, asked in (
            ("learners", "learners", every, {"learner": "all", "settings": small}),
            ("targets", "learners", [*every, "--target", "all"], {"learner": "all", "target": "all", "settings": small}),
            ("target", "estimates", ["--learner", "ridge", "--target", "log"], {"learner": "ridge", "target": "log"}),
            ("seeds", "seeds", ["--learner", "ridge", "--seeds", "3"], {"learner": "ridge", "seeds": 3}),
            ("question", "other_question", ["--learner", "ridge", "--other-question"], {"learner": "ridge", "other_question": True}),
            ("map", "choice_map", ["--learner", "ridge", "--map", "f_variety"], {"learner": "ridge", "map_over": "f_variety"})):
        printed = run_gonogo("audit", table, "--refits", "5", *words, "--out", tmp_path / f"cli-{name}")
        result = gonogo.audit(table, refits=5, **asked, out=tmp_path / f"python-{name}", progress=False)
        for file in ("result.json", "manifest.json", "report.html"):
            assert (tmp_path / f"python-{name}" / file).read_bytes() == (tmp_path / f"cli-{name}" / file).read_bytes(), (name, file)
        assert len(result[key]) > 0 and str(result) == printed


def test_without_a_protocol_it_is_the_first_look_of_the_command_line(source, run_gonogo, tmp_path):
    table = tmp_path / "table.csv"  # nothing is declared beside it
    table.write_bytes((source / "examples/sorting/table.csv").read_bytes())
    printed = run_gonogo("audit", table, "--out", tmp_path / "cli")
    result = gonogo.audit(table, out=tmp_path / "python", progress=False)
    for name in ("result.json", "manifest.json", "report.html"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "cli" / name).read_bytes(), name
    assert str(result) == printed and result["source"] == "ridge"
    small = {"learner.kind": "forest", "learner.forest.members": 2, "learner.forest.trees": 1}
    named = gonogo.audit(table, refits=2, settings=small, out=tmp_path / "named", progress=False)
    declared = gonogo.audit(table, gonogo.Protocol(learner__kind="forest", learner__forest={"members": 2, "trees": 1}), refits=2,
                            out=tmp_path / "declared", progress=False)
    assert named["source"] == declared["source"] == "forest"


def test_choices_are_written_as_by_the_command_line(source, run_gonogo, tmp_path):
    table = source / "examples/sorting/table.csv"
    run_gonogo("audit", table, "--learner", "ridge", "--refits", "5", "--choices-out", tmp_path / "cli.csv", "--out", tmp_path / "cli")
    gonogo.audit(table, learner="ridge", refits=5, choices_out=tmp_path / "python.csv", out=tmp_path / "python", progress=False)
    assert (tmp_path / "python.csv").read_bytes() == (tmp_path / "cli.csv").read_bytes()


def test_a_table_that_grows_while_it_is_read_is_refused(tmp_path):
    table = tmp_path / "table.csv"
    rows = "".join(f"c{query % 20},q{query},{action},{1 + query % 7}\n" for query in range(10_000) for action in ("direct", "fast"))
    table.write_text("cluster,query,action,cost\n" + rows)
    over = threading.Event()

    def grow():
        with table.open("a") as file:
            while not over.is_set():
                file.write("\n")  # a blank line means nothing in a table
                file.flush()

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        with pytest.raises(gonogo.InputError, match="table.csv: was changed while it was read"):
            for _ in range(100):  # on a busy machine nothing may be added during one reading
                gonogo.Table.from_csv(table)
    finally:
        over.set()
        thread.join()


def test_set_is_the_older_name_of_settings(side_table, tmp_path):
    older = gonogo.audit(side_table, learner="ridge", set={"bootstrap.refits": 5}, out=tmp_path / "older", progress=False)
    newer = gonogo.audit(side_table, learner="ridge", settings={"bootstrap.refits": 5}, out=tmp_path / "newer", progress=False)
    assert older.to_json() == newer.to_json()
    with pytest.raises(TypeError, match="learnr"):
        gonogo.audit(side_table, learnr="ridge", out=tmp_path / "wrong")


def test_known_clusters_have_the_bytes_of_the_command_line(source, run_gonogo, tmp_path):
    table = source / "examples/sorting/table.csv"
    run_gonogo("audit", table, "--learner", "ridge", "--refits", "20", "--set", "protocol.deploy=known clusters", "--out", tmp_path / "cli")
    known = {"protocol.deploy": "known clusters"}
    result = gonogo.audit(table, learner="ridge", refits=20, set=known, out=tmp_path / "python", progress=False)
    assert result.to_json().encode() == (tmp_path / "cli/result.json").read_bytes()
    assert result["other_question"]["about"] == "new clusters"


def test_an_ablation_has_the_bytes_of_the_command_line(source, run_gonogo, tmp_path):
    declared = tmp_path / "audit.toml"
    declared.write_text((source / "examples/sorting/audit.toml").read_text() + '\n[feature_sets]\n"sizes" = ["probes"]\n')
    table = tmp_path / "table.csv"
    table.write_bytes((source / "examples/sorting/table.csv").read_bytes())
    words = ["--learner", "ridge", "--refits", "20", "--ablation"]
    run_gonogo("audit", table, *words, "--out", tmp_path / "cli")
    result = gonogo.audit(table, learner="ridge", refits=20, ablation=True, out=tmp_path / "python", progress=False)
    assert [row["features"] for row in result["ablation"]] == ["sizes"]
    assert result["ablation"] == json.loads((tmp_path / "cli/result.json").read_text())["ablation"]
    with pytest.raises(gonogo.UsageError, match=r"ablation needs \[feature_sets\]"):
        gonogo.audit(source / "examples/sorting/table.csv", learner="ridge", ablation=True)


def test_the_text_is_that_of_the_command_line(source, run_gonogo, tmp_path):
    table = source / "examples/sorting/table.csv"
    printed = run_gonogo("audit", table, "--learner", "ridge", "--refits", "20", "--out", tmp_path / "cli")
    assert str(gonogo.audit(table, learner="ridge", refits=20, out=tmp_path / "python", progress=False)) == printed


def test_a_frame_gives_the_result_of_its_file_but_for_where_it_came_from(source, tmp_path):
    path = source / "examples/sorting/table.csv"
    protocol = gonogo.Protocol.beside(path)
    file = gonogo.audit(path, learner="ridge", refits=20, out=tmp_path / "file", progress=False).json
    frame = gonogo.Table.from_pandas(pd.read_csv(path), protocol=protocol)
    memory = gonogo.audit(frame, learner="ridge", refits=20, out=tmp_path / "memory", progress=False).json
    for result in (file, memory):
        for key in ("table", "table_sha256", "contents_sha256"):
            result["provenance"].pop(key, None)
    assert "this table is in memory" in memory["warnings"].pop(0)
    assert memory == file


def test_declared_and_unchanged_means_a_decision(source, tmp_path):
    path = source / "examples/sorting/table.csv"
    protocol = gonogo.Protocol.beside(path).override("learner.kind", "ridge").override("bootstrap.refits", 20)
    frame = pd.read_csv(path)
    frame["declaration_sha256"] = protocol.fingerprint
    result = gonogo.audit(gonogo.Table.from_pandas(frame, protocol=protocol), out=tmp_path, progress=False)
    assert result.status == "confirmatory" and result.decision == result.reading
    changed = gonogo.audit(gonogo.Table.from_pandas(frame, protocol=protocol), seed=3, out=tmp_path / "changed", progress=False)
    assert changed.decision is None
    assert any("bootstrap.seed: declared 20260717, used 3" in reason for reason in changed.reasons)


def test_a_result_can_be_looked_at(side_table, tmp_path):
    result = gonogo.audit(side_table, learner="ridge", refits=20, out=tmp_path, progress=False)
    assert result.reading == "GO" and result.decision is None and result.status == "descriptive"
    channels = result.channels
    assert list(channels.columns[:6]) == ["name", "rule", "decides", "point", "lower", "upper"]
    # The adapter saves a tenth of the cost wherever it acts; the best fixed action a tenth at half of the queries.
    point = channels[channels.decides].set_index("name").point
    assert 0.04 < point["H_dep"] < 0.06 and point["q"] == 0.0
    html = result._repr_html_()
    assert "DESCRIPTIVE (would read GO)" in html and "H_alloc" in html and "<script" not in html
    page = result.report(tmp_path / "page.html")
    assert page.read_text().startswith("<!doctype html>") or "<html" in page.read_text()[:200]
    assert gonogo.Result.load(tmp_path / "result.json").json == result.json
    assert len(result.folds) == 20 and set(result.actions.name) == {"direct", "left", "right"}


def test_without_pandas_rows_are_a_list(side_table, tmp_path, monkeypatch):
    result = gonogo.audit(side_table, learner="ridge", refits=5, out=tmp_path, progress=False)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(result.channels, list) and result.channels[0]["name"] == "H_dep"


def test_another_table_may_not_go_on_in_the_same_folder(side_table, sides, tmp_path):
    gonogo.audit(side_table, learner="ridge", refits=5, out=tmp_path, progress=False)
    sides["work_j"] += 1.0
    other = gonogo.Table.from_pandas(sides, cluster="seed", query="state", action="command", cost="work_j", features=["obs_*"])
    with pytest.raises(gonogo.InputError, match="holds another run"):
        gonogo.audit(other, learner="ridge", refits=5, out=tmp_path, progress=False)


def test_the_tables_own_reference_holds_where_nobody_declares_one(sides, tmp_path):
    table = gonogo.Table.from_pandas(sides, cluster="seed", query="state", action="command", cost="work_j", features=["obs_*"],
                                     reference="left")
    result = gonogo.audit(table, gonogo.Protocol(), learner="ridge", refits=5, out=tmp_path, progress=False)
    assert result["actions"][0]["name"] == "left"


def test_choices_are_audited(sides, run_gonogo, tmp_path):
    sides["mine"] = [("left" if side > 0 else "right") for side in sides.obs_side]
    columns = {"cluster": "seed", "query": "state", "action": "command", "cost": "work_j"}
    memory = gonogo.choices(gonogo.Table.from_pandas(sides, **columns, choice="mine"), refits=50, out=tmp_path / "memory")
    sides.rename(columns={v: k for k, v in columns.items()}).to_csv(tmp_path / "table.csv", index=False)
    run_gonogo("audit", tmp_path / "table.csv", "--choices", "mine", "--refits", "50", "--out", tmp_path / "cli")
    file = gonogo.choices(tmp_path / "table.csv", column="mine", refits=50, out=tmp_path / "file")
    assert (tmp_path / "file/result.json").read_bytes() == (tmp_path / "cli/result.json").read_bytes()
    assert memory["estimates"] == file["estimates"] and memory.decision is None


def test_a_control_is_that_of_the_command_line(source, run_gonogo, tmp_path):
    table = source / "examples/sorting/table.csv"
    run_gonogo("control", "observable", table, "--feature", "f_variety", "--actions", "quick,heap", "--gamma", "0.05", "--learner",
               "ridge", "--refits", "10", "--out", tmp_path / "cli")
    control = gonogo.control("observable", table, feature="f_variety", actions=["quick", "heap"], gamma=0.05, learner="ridge", refits=10,
                             out=tmp_path / "python", progress=False)
    assert (tmp_path / "python/result.json").read_bytes() == (tmp_path / "cli/result.json").read_bytes()
    assert control.kind == "observable" and list(control.points.gamma) == [0.05]
    result = gonogo.audit(table, learner="ridge", refits=10, out=tmp_path / "audit", progress=False)
    assert "planted" in result.report(tmp_path / "page.html", controls=[control]).read_text()


def test_a_plan_is_that_of_the_command_line(run_gonogo):
    flags = ("--effect", "0.05", "--clusters", "20,24", "--largest", "0", "--queries", "12", "--actions", "3", "--data-sets", "4",
             "--refits", "10", "--json")
    plan = gonogo.plan(effect=0.05, clusters=[20, 24], largest=0, queries=12, actions=3, data_sets=4, refits=10, progress=False)
    assert plan.to_json() == run_gonogo("plan", *flags)
    assert len(plan.points) > 0


def test_a_pilot_tells_how_many_clusters_are_needed(side_table):
    plan = gonogo.plan(side_table, learner="ridge", refits=10, clusters=[20, 40], progress=False)
    assert plan.clusters_80 is not None and plan.clusters_80 <= 20


def test_a_calibration_is_that_of_the_command_line(run_gonogo):
    flags = ("--cells", "effect-2x", "--data-sets", "3", "--refits", "10", "--json")
    found = gonogo.calibrate(["effect-2x"], data_sets=3, refits=10, progress=False).json
    expected = json.loads(run_gonogo("calibrate", *flags))
    assert without_seconds(found) == without_seconds(expected)


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(inner) for key, inner in value.items() if "second" not in key}
    return [without_seconds(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("call, message", [
    (lambda t, o: gonogo.control("learner", learner="all", out=o), "learner is 'all'"),
    (lambda t, o: gonogo.audit(t, seeds=-1, out=o), "seeds is -1, expected a whole number, 0 or more"),
    (lambda t, o: gonogo.audit(t, learner="woods", out=o), "learner.kind"),
    (lambda t, o: gonogo.audit(t, target="all", out=o), "ask for learner"),
    (lambda t, o: gonogo.audit(t, map_over="obs_wide", out=o), "no feature \"obs_wide\""),
    (lambda t, o: gonogo.audit(t, choices_out="choices.txt", out=o), "ends in .csv or .h5"),
    (lambda t, o: gonogo.audit(t, refits=0, out=o), "bootstrap.refits"),
    (lambda t, o: gonogo.audit(t, jobs=-1, out=o), "jobs is -1"),
    (lambda t, o: gonogo.audit(t, progress="yes", out=o), "progress is 'yes'"),
    (lambda t, o: gonogo.audit(t, set={"bootstrap.refit": 1}, out=o), "bootstrap.refit: unknown key"),
    (lambda t, o: gonogo.audit(3, out=o), "table is int, expected a gonogo.Table"),
    (lambda t, o: gonogo.audit(t, set={"learner.features": ["lidar"]}, out=o), "lidar"),
    (lambda t, o: gonogo.choices(t, out=o), "choice"),
    (lambda t, o: gonogo.control("observable", t, feature="obs_side", actions=["left"], out=o), "expected two different actions"),
    (lambda t, o: gonogo.control("observable", t, feature="obs_wide", actions=["left", "right"], out=o), "obs_wide"),
    (lambda t, o: gonogo.control("open", t), "kind is 'open'"),
    (lambda t, o: gonogo.plan(clusters=[1]), "clusters is 1, expected a whole number, 2 or more"),
    (lambda t, o: gonogo.calibrate(["effect-9x"], data_sets=1), "no world is called 'effect-9x'"),
])
def test_a_request_that_makes_no_sense_is_refused_before_anything_is_written(call, message, side_table, tmp_path):
    with pytest.raises(gonogo.Error, match=message):
        call(side_table, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_progress_is_called_and_reaches_its_end(side_table, tmp_path):
    calls = []
    gonogo.audit(side_table, learner="ridge", refits=200, out=tmp_path, progress=lambda done, total: calls.append((done, total)))
    assert calls and calls[-1][1] == 341 and calls == sorted(calls)


def test_the_bar_goes_to_stderr(side_table, tmp_path, capsys):
    gonogo.audit(side_table, learner="ridge", refits=50, out=tmp_path)
    captured = capsys.readouterr()
    assert "ridge refits" in captured.err and captured.out == ""


def test_an_exception_of_the_callback_stops_the_audit_and_reaches_the_caller(side_table, tmp_path):
    def refuse(done, total):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        gonogo.audit(side_table, learner="mlp", refits=200, out=tmp_path, progress=refuse)


def test_other_threads_run_during_an_audit(side_table, tmp_path):
    ticks, over = [], threading.Event()

    def tick():
        while not over.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    gonogo.audit(side_table, learner="ridge", refits=300, out=tmp_path, progress=False)
    end = time.monotonic()
    over.set()
    thread.join()
    assert sum(start < moment < end for moment in ticks) >= 2


def test_without_a_folder_nothing_is_written_but_what_was_asked_for(source, side_table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small = dict(learner="ridge", refits=5, progress=False)
    result = gonogo.audit(side_table, **small)
    assert result.folder is None and "<html" in result._page()[:200]
    assert result.to_json() == gonogo.audit(side_table, **small, out=tmp_path / "kept").to_json()
    shutil.rmtree(tmp_path / "kept")
    table = source / "examples/sorting/table.csv"
    gonogo.audit(table, **small)
    gonogo.control("learner", **small)
    gonogo.control("observable", table, feature="f_variety", actions=["quick", "heap"], gamma=0.05, **small)
    pilot = dict(clusters=[20], largest=0, learner="ridge", refits=20, progress=False)
    gonogo.plan(side_table, **pilot)
    gonogo.calibrate(["effect-2x"], data_sets=2, refits=5, progress=False)
    assert list(tmp_path.iterdir()) == []
    gonogo.plan(side_table, out=tmp_path / "pilot", **pilot)
    assert (tmp_path / "pilot/manifest.json").exists()


def test_looks_are_counted_beside_the_table_whether_or_not_the_run_is_kept(sides, tmp_path):
    protocol = gonogo.Protocol(name="sides", reference="direct", actions=["direct", "left", "right"], learner__kind="ridge",
                               bootstrap__refits=5)
    frame = sides.rename(columns={"seed": "cluster", "state": "query", "command": "action", "work_j": "cost"})
    frame = pd.concat([frame, frame.assign(cluster=frame.cluster + 20, query="later " + frame["query"])])
    frame = frame.assign(declaration_sha256=protocol.fingerprint)
    first, all_rows = frame[frame.cluster < 20], frame
    first.to_csv(tmp_path / "table.csv", index=False)
    assert gonogo.audit(tmp_path / "table.csv", protocol, progress=False)["look"] == 1
    all_rows.to_csv(tmp_path / "table.csv", index=False)
    for out in (None, tmp_path / "run"):
        assert gonogo.audit(tmp_path / "table.csv", protocol, out=out, progress=False)["look"] == 2
    assert len(json.loads((tmp_path / "looks.json").read_text())["looks"]) == 2
    memory = gonogo.audit(gonogo.Table.from_pandas(all_rows, protocol=protocol), progress=False)
    assert memory["look"] == 1 and any("earlier looks at these data are not counted" in warning for warning in memory.warnings)


INTERRUPTED = """
import sys, gonogo
table = gonogo.Table.from_hdf5(sys.argv[1])
try:
    gonogo.audit(table, learner="mlp", refits=5000, out=sys.argv[2] or None, progress=lambda done, total: print(done, flush=True))
except KeyboardInterrupt as stopped:
    assert isinstance(stopped, gonogo.Interrupted)
    print("stopped:", stopped)
"""


def test_ctrl_c_stops_an_audit_and_keeps_its_refits(side_table, tmp_path):
    side_table.to_hdf5(tmp_path / "table.h5")
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, tmp_path / "table.h5", tmp_path / "out"], stdout=subprocess.PIPE,
                               text=True)
    done = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGINT)
    rest = process.communicate(timeout=60)[0]
    assert "stopped: interrupted; finished refits are kept in" in rest and process.returncode == 0
    # What was kept is there at once when the same call goes on.
    first = []

    def stop(finished, total):
        first.append(finished)
        raise StopIteration

    with pytest.raises(StopIteration):
        gonogo.audit(gonogo.Table.from_hdf5(tmp_path / "table.h5"), learner="mlp", refits=5000, out=tmp_path / "out", progress=stop)
    assert first[0] >= done


def test_ctrl_c_without_a_folder_says_that_nothing_was_kept(side_table, tmp_path):
    side_table.to_hdf5(tmp_path / "table.h5")
    (tmp_path / "place").mkdir()
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED, tmp_path / "table.h5", ""], stdout=subprocess.PIPE, text=True,
                               cwd=tmp_path / "place", env={**os.environ, "TMPDIR": str(tmp_path / "place")})
    process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    rest = process.communicate(timeout=60)[0]
    assert "stopped: interrupted; nothing was kept: give out= a folder" in rest and process.returncode == 0
    assert list((tmp_path / "place").iterdir()) == []


def test_a_failed_check_raises_instead_of_ending_the_interpreter():
    from gonogo import _native
    with pytest.raises(gonogo.InternalError, match="gonogo bug: check failed: .*asked for"):
        _native.fail_check()
