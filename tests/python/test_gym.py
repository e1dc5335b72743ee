"""Environments, by gymnasium's own checks and by what they should do."""

import gymnasium
import numpy as np
import pliant.gym
import pytest
from gymnasium.utils.env_checker import check_env


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_accepts_it():
    check_env(pliant.gym.GripperReach(max_steps=10), skip_render_check=True)


def test_episodes_repeat():
    def episode(env):
        seen = [env.reset(seed=3)[0]]
        env.action_space.seed(4)
        for _ in range(4):
            seen.append(env.step(env.action_space.sample())[0])
        return np.array(seen)

    env = pliant.gym.GripperReach()
    first = episode(env)
    assert np.array_equal(first, episode(env))
    assert np.array_equal(first, episode(pliant.gym.GripperReach()))


def test_the_hand_reaches_what_is_below_it():
    """A controller that only moves the hand brings the middle of the fingers to a target on its way."""
    env = pliant.gym.GripperReach(max_steps=60)
    env.reset(seed=0)
    env.target = np.array([0.0, 0.0, -0.08])
    first = env.away()
    ended = False
    for _ in range(60):
        _, reward, ended, _, _ = env.step(np.array([-1.0, -1.0, 1.0 if env.target[2] > env.simulation.state.x[env.nodes, 2].mean() else -1.0]))
        assert reward == -env.away()
        if ended:
            break
    assert ended, (first, env.away())


def test_cables_bend_the_fingers():
    env = pliant.gym.GripperReach()
    env.reset(seed=0)
    for _ in range(25):
        observation, *_ = env.step(np.array([1.0, 1.0, -1.0]))
    left, right = observation[:3], observation[3:6]
    assert left[0] > 0.005
    # mirrored shapes, but not mirrored tetrahedra
    assert right[0] == pytest.approx(-left[0], rel=0.1)


def test_vectorised():
    envs = gymnasium.make_vec("pliant/GripperReach-v0", num_envs=2, max_steps=3)
    observations, _ = envs.reset(seed=[1, 2])
    assert observations.shape[0] == 2
    assert not np.array_equal(observations[0], observations[1])
    envs.step(envs.action_space.sample())
    envs.close()
    apart = gymnasium.make_vec("pliant/GripperReach-v0", num_envs=2, vectorization_mode="async", max_steps=3)
    again, _ = apart.reset(seed=[1, 2])
    assert np.array_equal(again, observations)
    apart.close()


def test_a_failed_step_ends_the_episode(monkeypatch):
    env = pliant.gym.GripperReach()
    env.reset(seed=0)

    def fail(count):
        raise pliant.StepError("step 3 failed", step=3)

    monkeypatch.setattr(env.simulation, "step", fail)
    _, _, terminated, truncated, info = env.step(np.zeros(3))
    assert (terminated, truncated) == (True, False)
    assert info["error"] == "step 3 failed"


def test_wrong_actuators():
    with pytest.raises(ValueError, match="control or a handle"):
        pliant.gym.Actuator("motor", ("a",), 0, 1)
    with pytest.raises(ValueError, match="from low to high"):
        pliant.gym.Actuator("control", ("a",), 1, 0)
