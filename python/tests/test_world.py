# SPDX-License-Identifier: Apache-2.0
"""A robot from Python goes where the same robot goes from the command line."""
import pickle

import numpy as np
import pytest

import gonogo


@pytest.fixture(scope="module")
def go2(source):
    return source / "robots/go2"


@pytest.fixture(scope="module")
def world(go2):
    return gonogo.World(go2, terrain="flat", seed=7)


def advance(world, steps=10):
    return [world.step((0.5, 0.0, 0.1))["work_j"] for _ in range(steps)]


def test_a_rollout_is_that_of_the_command_line(go2, run_gonogo, tmp_path):
    run_gonogo("rollout", go2, "--target", "1,0.5", "--controller", "scale-0.75", "--seed", "7", "--out", tmp_path / "cli.h5")
    episode = gonogo.World(go2, terrain="rough", seed=7).rollout(target=(1, 0.5), controller="scale-0.75")
    episode.save(tmp_path / "python.h5")
    assert (tmp_path / "python.h5").read_bytes() == (tmp_path / "cli.h5").read_bytes()
    again = gonogo.Episode.load(tmp_path / "cli.h5")
    assert again.result == episode.result
    np.testing.assert_array_equal(again.torque, episode.torque)


def test_a_query_of_a_collection_is_branched_as_the_command_line_does(go2, run_gonogo, tmp_path):
    protocol = tmp_path / "small.toml"
    protocol.write_text("""[protocol]
name = "small"
actions = ["direct", "scale-0.75"]
[collect]
seeds = [5]
queries_per_cluster = 2
queries_per_episode = 1
terrain = "flat"
family = "moderate"
""")
    run_gonogo("branch", go2, "5/001", "--protocol", protocol, "--out", tmp_path / "cli")
    episodes = gonogo.branches(go2, "5/001", protocol)
    assert [episode.controller for episode in episodes] == ["direct", "scale-0.75"]
    for episode in episodes:
        episode.save(tmp_path / "python.h5")
        assert (tmp_path / "python.h5").read_bytes() == (tmp_path / "cli" / f"{episode.controller}.h5").read_bytes()
    with pytest.raises(gonogo.Error, match="5/007"):
        gonogo.branches(go2, "5/007", protocol)
    with pytest.raises(gonogo.UsageError, match="expected its name in the table"):
        gonogo.branches(go2, 7, protocol)


def test_the_arrays_of_an_episode_add_up(world):
    episode = world.rollout(target=(1, 0))
    steps = len(episode)
    assert episode.poses.shape == (steps + 1, len(episode.bodies), 7)
    assert episode.action.shape == (steps, 12) and episode.command.shape == (steps, 3)
    # Work is what the joints did at the physics rate.
    work = np.abs(episode.torque.astype(float) * episode.joint_vel).sum() * world.control_dt_s / episode.torque.shape[1]
    assert work == pytest.approx(episode.work_j, rel=1e-5)
    assert episode.power_w.mean() == pytest.approx(episode.result["power_w"], rel=1e-9)


def test_a_restored_snapshot_goes_on_bit_for_bit(world, go2):
    world.reset(3)
    advance(world)
    saved = world.snapshot()
    expected = advance(world)
    world.restore(saved)
    assert advance(world) == expected
    other = gonogo.World(go2, terrain="flat", seed=7)
    other.restore(pickle.loads(pickle.dumps(saved)))
    assert advance(other) == expected


def test_a_rollout_leaves_the_worlds_own_state_alone(world):
    world.reset()
    advance(world, 3)
    before = world.snapshot().bytes
    world.rollout(target=(1, 0))
    assert world.snapshot().bytes == before


def test_the_branch_that_does_nothing_is_what_remained_of_the_episode(world):
    episode = world.rollout(target=(1.5, 0.5))
    query = episode.queries[2]
    direct, slow = world.branch(query, ["direct", "scale-0.75"])
    done = query.decision * 4
    assert query.decision == 2 and direct.success == episode.success
    assert direct.work_j == pytest.approx(episode.power_w[done:].sum() * world.control_dt_s, rel=1e-9)
    assert direct.time_s == pytest.approx((len(episode) - done) * world.control_dt_s)
    assert slow.time_s > direct.time_s


def test_a_python_controller_that_returns_the_direct_command_is_the_direct_one(world):
    seen = []

    def controller(sight):
        seen.append((sight.goal, sight.height_m, sight.observation.shape))
        return sight.direct

    expected, found = world.rollout(target=(1, 0)), world.rollout(target=(1, 0), controller=controller)
    np.testing.assert_array_equal(found.action, expected.action)
    assert len(seen) == len(found.queries) and seen[0][0][0] == pytest.approx(1.0, abs=0.05)


def test_a_python_policy_is_called_at_every_control_step(go2):
    observations = []

    def stand(observation):
        observations.append(observation)
        return np.zeros(12)

    world = gonogo.World(go2, terrain="flat", seed=7, policy=stand)
    for _ in range(5):
        world.step((0.0, 0.0, 0.0))
    assert len(observations) == 5 and observations[0].dtype == np.float32
    np.testing.assert_array_equal(world.state["action"], np.zeros(12))


def test_an_action_takes_the_place_of_the_policys(world):
    world.reset()
    world.step(action=np.full(12, 0.25))
    np.testing.assert_array_equal(world.state["action"], np.full(12, 0.25, dtype=np.float32))
    world.step((0.5, 0.0, 0.0))
    assert (world.state["action"] != 0.25).any()


def test_the_robots_own_onnx_file_is_its_policy(go2, world):
    world.reset()
    own = advance(world)
    assert advance(gonogo.World(go2, terrain="flat", seed=7, policy=go2 / "policy.onnx")) == own


def test_an_exception_of_a_policy_reaches_the_caller(go2):
    world = gonogo.World(go2, terrain="flat", policy=lambda observation: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        world.step((0, 0, 0))
    with pytest.raises(ZeroDivisionError):
        world.rollout(target=(1, 0))


@pytest.mark.parametrize("call, message", [
    (lambda w, r: gonogo.World(r / "missing"), "missing"),
    (lambda w, r: gonogo.World(r, terrain="moon"), 'terrain is "moon", expected flat, rough'),
    (lambda w, r: gonogo.World(r, policy=3), "policy is int"),
    (lambda w, r: gonogo.World(r, policy=r / "robot.toml"), "robot.toml"),
    (lambda w, r: gonogo.World(r, terrain="flat", policy=lambda o: [1, 2]).step((0, 0, 0)), r"policy: it returned \[1, 2\], expected 12 numbers"),
    (lambda w, r: w.step((1, 2)), r"command is \(1, 2\), expected three finite numbers"),
    (lambda w, r: w.step((1, 2, float("nan"))), "expected three finite numbers"),
    (lambda w, r: w.step("forward"), "command is 'forward'"),
    (lambda w, r: w.step(), "command and action are both missing"),
    (lambda w, r: w.step(action=[0.0] * 11), r"action has shape \(11,\), expected \(12,\)"),
    (lambda w, r: w.step(action=[float("nan")] * 12), "action: row 0 is nan"),
    (lambda w, r: w.rollout(target=(1, 2, 3)), r"target has shape \(3,\), expected \(2,\)"),
    (lambda w, r: w.rollout(target=(1, float("inf"))), "expected finite numbers"),
    (lambda w, r: w.rollout(target=(1, 0), controller="warp"), "warp"),
    (lambda w, r: w.rollout(target=(1, 0), controller=lambda sight: None), "controller: its command is None"),
    (lambda w, r: w.branch(w.snapshot(), ["direct"]), "query is Snapshot, expected one of Episode.queries"),
    (lambda w, r: w.branch(w.rollout(target=(1, 0)).queries[0], ["jump"]), "jump"),
    (lambda w, r: gonogo.Snapshot.from_bytes(b"abc"), "snapshot"),
    (lambda w, r: gonogo.Snapshot.from_bytes(w.snapshot().bytes[:-1]), "snapshot"),
    (lambda w, r: gonogo.World(r, terrain="flat", seed=8).restore(w.snapshot()), "flat ground, seed 7.*expected one of"),
])
def test_a_mistake_is_told(call, message, world, go2):
    with pytest.raises(gonogo.Error, match=message):
        call(world, go2)


def test_a_snapshot_of_another_robot_is_refused(world, source):
    with pytest.raises(gonogo.UsageError, match="the state is of another world .go2, layout"):
        gonogo.World(source / "robots/anymal_d", terrain="flat").restore(world.snapshot())
