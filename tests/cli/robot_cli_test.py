#!/usr/bin/env python3
"""The robot verbs as a user with a broken description, model or policy meets them.

    tests/cli/robot_cli_test.py path/to/gonogo path/to/repository
"""
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

GONOGO, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
GO2 = SOURCE / "robots" / "go2"


def run(*arguments):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False)


def affine_policy(path, inputs, outputs, bias=0.0, last=None):
    """A policy whose action is `bias`, or the operator `last` applied to it."""
    nodes = [helper.make_node("Gemm", ["obs", "w", "b"], ["linear" if last else "actions"])]
    if last:
        nodes.append(helper.make_node(last, ["linear"], ["actions"]))
    graph = helper.make_graph(
        nodes, "policy",
        [helper.make_tensor_value_info("obs", TensorProto.FLOAT, [1, inputs])],
        [helper.make_tensor_value_info("actions", TensorProto.FLOAT, [1, outputs])],
        [numpy_helper.from_array(np.zeros((inputs, outputs), np.float32), "w"),
         numpy_helper.from_array(np.full(outputs, bias, np.float32), "b")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)]), path)


class BrokenRobot(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.robot = self.folder / "mine"
        shutil.copytree(GO2, self.robot)

    def edit(self, file, old, new):
        text = (self.robot / file).read_text()
        self.assertIn(old, text)
        (self.robot / file).write_text(text.replace(old, new, 1))

    def rollout(self, *arguments):
        return run("rollout", self.robot, "--target", "1,0", "--terrain", "flat", "--out", self.folder / "episode.h5", *arguments)

    def refused(self, *words, code=3):
        result = self.rollout()
        self.assertEqual(result.returncode, code, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("Press Enter", result.stderr)

    def test_the_untouched_copy_walks(self):
        result = self.rollout("--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(json.loads(result.stdout)["success"])

    def test_a_wrong_joint_name(self):
        self.edit("robot.toml", '"FL_calf_joint"', '"FL_clf_joint"')
        self.refused("robot.toml", "FL_clf_joint", "FL_calf_joint")

    def test_a_wrong_number_of_values(self):
        self.edit("robot.toml", "default = [0.1, ", "default = [")
        self.refused("robot.toml", "default", "11", "12")

    def test_a_missing_policy(self):
        (self.robot / "policy.onnx").unlink()
        self.refused("policy.onnx", "No such file", code=4)

    def test_a_missing_model(self):
        (self.robot / "model.xml").unlink()
        self.refused("model.xml")

    def test_a_model_that_is_no_xml(self):
        (self.robot / "model.xml").write_text("<mujoco><worldbody>")
        self.refused("model.xml")

    def test_a_policy_that_is_no_onnx(self):
        (self.robot / "policy.onnx").write_bytes(b"not a model")
        self.refused("policy.onnx")

    def test_a_policy_for_another_observation(self):
        affine_policy(self.robot / "policy.onnx", 235, 12)
        self.refused("235", "237")

    def test_a_policy_for_other_joints(self):
        affine_policy(self.robot / "policy.onnx", 237, 19)
        self.refused("19", "12")

    def test_an_operator_nobody_here_computes(self):
        affine_policy(self.robot / "policy.onnx", 237, 12, last="HardSwish")
        self.refused("policy.onnx", "HardSwish")

    def test_a_policy_that_says_nan(self):
        affine_policy(self.robot / "policy.onnx", 237, 12, bias=float("nan"))
        self.refused("policy.onnx", "FL_hip_joint", "nan", "step 0")

    def test_a_robot_that_explodes_is_a_recorded_failure(self):
        self.edit("robot.toml", "kp = 60.0", "kp = 9e5")
        self.edit("robot.toml", "effort_limit = 23.5", "effort_limit = 1e9")
        self.edit("robot.toml", "saturation = 23.5", "saturation = 1e9")
        result = self.rollout("--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        episode = json.loads(result.stdout)
        self.assertFalse(episode["success"])
        self.assertTrue(np.isfinite(episode["work_j"]))

    def test_a_gain_with_a_slipped_digit(self):
        self.edit("robot.toml", "kp = 60.0", "kp = 6e9")
        self.refused("robot.toml", "actuator.kp: found 6000000000, expected at most 1000000")

    def test_a_robot_toml_with_an_unknown_key(self):
        self.edit("robot.toml", "spawn_height", "spwan_height")
        self.refused("robot.toml", "spwan_height", "spawn_height")

    def test_a_folder_without_a_robot(self):
        shutil.rmtree(self.robot)
        self.refused("mine", "No such file", code=4)

    def test_an_unknown_controller(self):
        result = self.rollout("--controller", "vgccc")
        self.assertIn(result.returncode, (2, 3), result.stderr)
        self.assertIn("vgccc", result.stderr)


    def test_a_command_has_a_number_for_every_channel(self):
        self.edit("robot.toml", "low = [-1.0, -1.0, -1.0]\nhigh = [1.0, 1.0, 1.0]\n", "")
        with open(self.robot / "robot.toml", "a") as description:
            for channel in ["vx", "vy", "wz", "step_height"]:
                description.write(f'[[command.channel]]\nname = "{channel}"\nlow = 0\nhigh = 1\n')
            description.write("nominal = 0.25\n")
        affine_policy(self.robot / "policy.onnx", 238, 12)
        file = self.folder / "episode.h5"
        rollout = ["rollout", self.robot, "--terrain", "flat", "--seconds", "0.2", "--out", file, "--command"]
        result = run(*rollout, "0.5,0,0,0.75")
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(file) as episode:
            self.assertEqual(episode["command"][0].tolist(), [0.5, 0.0, 0.0, 0.75])
        page = self.folder / "episode.html"
        self.assertEqual(run("view", file, "--out", page).returncode, 0)
        scene = json.loads(page.read_text().split('id="scene"', 1)[1].split(">", 1)[1].split("</script>", 1)[0])
        self.assertEqual([plot["name"] for plot in scene["plots"]], ["command", "step_height", "height", "power", "contact"])
        short = run(*rollout, "0.5,0,0")
        self.assertEqual(short.returncode, 2, short.stderr)
        self.assertIn("--command has 3 numbers, expected 4 for go2: vx, vy, wz, step_height", short.stderr)

    def test_a_first_description_says_what_is_to_be_checked(self):
        file = self.folder / "first" / "robot.toml"
        init = ["init", "robot", GO2 / "model.xml", GO2 / "policy.onnx", "--out", file]
        result = run(*init)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("lines to check", result.stdout)
        self.assertIn('root = "base"', file.read_text())
        self.assertEqual(run(*init).returncode, 2)  # it is there already
        self.assertEqual(run("init", "robot", GO2 / "model.xml").returncode, 2)
        deploy = run("init", self.folder / "table.csv", "--deploy", "deploy.yaml")
        self.assertEqual(deploy.returncode, 2, deploy.stderr)

    def test_a_torchscript_policy_is_converted_and_refused_by_name(self):
        scripts = SOURCE / "gonogo" / "nn" / "testdata" / "torchscript"
        out = self.folder / "him.onnx"
        result = run("convert", scripts / "him.pt", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("takes obs_history 30; gives actions 3", result.stdout)
        self.assertEqual([port.name for port in onnx.load(out).graph.input], ["obs_history"])
        onnx.checker.check_model(onnx.load(out))
        again = run("convert", scripts / "him.pt", out)
        self.assertEqual(again.returncode, 2)
        self.assertIn("is there already", again.stderr)
        refused = run("convert", scripts / "refused_noise.pt", self.folder / "noise.onnx")
        self.assertEqual(refused.returncode, 3)
        self.assertIn("operator 'torch.randn'", refused.stderr)
        asked = run("convert", scripts / "refused_any_size.pt", self.folder / "any.onnx", "--inputs", "9", "--json")
        self.assertEqual(json.loads(asked.stdout)["inputs"], ["x 9"])

    def test_a_check_says_what_it_measured_and_its_exit_code_the_verdict(self):
        result = run("check", self.robot, "--quick", "--seconds", "3", "--json")
        answer = json.loads(result.stdout)
        self.assertEqual(answer["schema"], "gonogo.check/1")
        self.assertEqual(result.returncode, {"ok": 0, "suspicious": 23, "broken": 24}[answer["verdict"]])
        self.assertNotEqual(answer["verdict"], "broken", answer["findings"])
        self.assertEqual([trial["name"] for trial in answer["trials"]],
                         ["zero", "vx+", "vx-", "vy+", "vy-", "wz+", "wz-"])
        self.assertEqual(len(answer["joints"]), 12)
        self.assertAlmostEqual(answer["standing_height_m"], 0.41, delta=0.05)
        text = run("check", self.robot, "--quick", "--seconds", "3")
        for words in ("Each command alone", "FL_calf_joint", "projected_gravity", "stands at"):
            self.assertIn(words, text.stdout)

    def test_a_broken_robot_is_named_by_check_and_refused_by_study(self):
        self.edit("robot.toml", "kp = 60.0", "kp = 6.0")
        self.edit("robot.toml", "kd = 1.5", "kd = 0.15")
        check = run("check", self.robot, "--quick", "--seconds", "3")
        self.assertEqual(check.returncode, 24, check.stderr)
        self.assertIn("kp and kd ten times larger", check.stdout)
        study = run("study", self.robot, "--protocol", self.robot / "demo.toml", "--out", self.folder / "out")
        self.assertEqual(study.returncode, 3, study.stderr)
        for words in ("robot.toml", "described wrongly", "kp and kd ten times larger", "--skip-check"):
            self.assertIn(words, study.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_a_constant_command_is_driven_for_as_long_as_asked(self):
        result = run("rollout", self.robot, "--command", "0.5,0,0", "--seconds", "2", "--terrain", "flat", "--json",
                     "--out", self.folder / "episode.h5")
        self.assertEqual(result.returncode, 0, result.stderr)
        drive = json.loads(result.stdout)
        self.assertAlmostEqual(drive["time_s"], 2.0)
        self.assertEqual(drive["command"], [0.5, 0, 0])
        self.assertGreater(drive["velocity"][0], 0.2)
        both = run("rollout", self.robot, "--command", "0.5,0,0", "--target", "1,0")
        self.assertEqual(both.returncode, 2, both.stderr)
        self.assertEqual(run("rollout", self.robot).returncode, 2)

    def test_an_outcome_has_a_reason_in_words(self):
        self.edit("robot.toml", "horizon = 6.0", "horizon = 0.5")
        result = self.rollout()
        self.assertIn("short when the time was over", result.stdout)


class Training(unittest.TestCase):
    def test_training_can_be_watched_and_a_killed_one_ends_in_the_bytes_of_an_uninterrupted_one(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            robot = folder / "mine"
            shutil.copytree(GO2, robot)
            recipe = robot / "train.toml"
            text = recipe.read_text()
            for old, new in [(r"environments = \d+", "environments = 8"), (r"steps = \d+ ", "steps = 16 "),
                             (r"checkpoint_every = \d+", "checkpoint_every = 1"), (r"critic_warm_up = \d+", "critic_warm_up = 1"),
                             (r"rounds = \d+", "rounds = 2"), (r"(?m)^iterations = \d+", "iterations = 15")]:
                text, changed = re.subn(old, new, text, count=1)
                self.assertEqual(changed, 1, old)
            recipe.write_text(text)
            whole = run("train", robot, "--out", folder / "whole")
            self.assertEqual(whole.returncode, 0, whole.stderr)
            killed = subprocess.Popen([GONOGO, "train", robot, "--out", folder / "killed"],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not (folder / "killed" / "checkpoint.bin").exists() and killed.poll() is None:
                time.sleep(0.01)
            killed.send_signal(signal.SIGSTOP)  # or it might end before it is watched
            watched = run("watch", folder / "killed", "--once")
            self.assertRegex(watched.stdout, r"(rounds of imitation|iterations of training): \d+ of (2|15)")
            killed.send_signal(signal.SIGKILL)
            killed.wait()
            resumed = run("train", robot, "--out", folder / "killed")
            self.assertEqual(resumed.returncode, 0, resumed.stderr)
            self.assertEqual((folder / "killed" / "policy.onnx").read_bytes(), (folder / "whole" / "policy.onnx").read_bytes())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
