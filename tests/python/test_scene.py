"""Scenes: sources, editing, texts."""

import pickle

import numpy as np
import pliant
import pytest
from conftest import ROOT


def test_sources_agree(tmp_path):
    text = (ROOT / "scenes/cantilever.toml").read_text()
    (tmp_path / "bar.toml").write_text(text)
    scenes = [pliant.Scene("cantilever"), pliant.Scene(tmp_path / "bar.toml"), pliant.Scene(text)]
    assert all(scene.text == text for scene in scenes)
    made = pliant.Scene(scenes[0].tree)
    assert made.tree == scenes[0].tree
    rest = [pliant.Simulation(scene, method="full").rest for scene in (*scenes, made)]
    assert all(np.array_equal(rest[0], other) for other in rest)


def test_editing_with_attributes():
    scene = pliant.Scene("cantilever")
    scene.body["bar"].material.young = "30 kPa"
    scene.body[0].mesh.bar.cells = np.array([6, 2, 2])
    scene.solver.early_cg.budget = 3
    scene.drive.append({"name": "push", "select": {"side": "+x"}, "force": {"total": [0, 0, 1]}})
    del scene.title
    with pytest.raises(pliant.SceneError, match="title"):
        scene.text
    scene.title = "edited"
    again = pliant.Scene(scene.text)
    assert again.body["bar"].material.young == "30 kPa"
    assert again.body["bar"].mesh.bar.cells == [6, 2, 2]
    assert again.solver.early_cg.budget == 3
    assert [drive.name for drive in again.drive] == ["wall", "push"]
    assert pliant.Scene("cantilever").body["bar"].material.young == "100 kPa"
    assert len(pliant.Simulation(scene, method="full").rest) == 7 * 3 * 3


def test_a_copy_is_another_scene():
    scene = pliant.Scene("cantilever")
    copy = pliant.Scene(scene)
    copy.title = "other"
    assert scene.title == "Cantilever"
    assert copy.title == "other"


def test_mistakes_say_where():
    with pytest.raises(pliant.SceneError) as caught:
        pliant.Scene('title = "x"\n[time]\nduraton = 1\n')
    assert (caught.value.line, caught.value.column) == (3, 1)
    assert "did you mean `duration`" in caught.value.help
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line) == (str(caught.value), 3)
    with pytest.raises(pliant.SceneError, match="cantilever"):
        pliant.Scene("cantilver")
    with pytest.raises(TypeError, match="int"):
        pliant.Scene(3)
    scene = pliant.Scene("cantilever")
    with pytest.raises(TypeError, match="complex"):
        scene.title = 3j
    with pytest.raises(KeyError, match="known are `bar`"):
        scene.body["beam"]
    with pytest.raises(pliant.SceneError, match="did you mean `bar`"):
        scene.set("body.baar.material.young", 1)
    scene.body["bar"].material.young = "50 kg"
    with pytest.raises(pliant.SceneError, match="kg"):
        pliant.Simulation(scene)


def test_a_mesh_in_a_scene(tmp_path):
    scene = pliant.Scene("cantilever")
    ball = pliant.Mesh.make("ball", radius="5 cm", divisions=2)
    scene.body["bar"].mesh = ball
    simulation = pliant.Simulation(scene, method="full")
    assert np.array_equal(simulation.rest, ball.points)
    simulation.step()
    scene.save(tmp_path / "ball.toml")
    del scene, simulation
    saved = pliant.Simulation(tmp_path / "ball.toml", method="full")
    assert np.array_equal(saved.rest, ball.points)


def test_built_in_scenes_and_schema():
    assert "demo" in pliant.scenes()
    assert "body" in pliant.schema()["properties"]
