"""Meshes: files, other programs' objects, shapes, repair, filling."""

import numpy as np
import pliant
import pytest


def ball():
    return pliant.Mesh.make("ball", radius="5 cm", divisions=2)


def same(a, b):
    return np.array_equal(a.points, b.points) and np.array_equal(a.tetrahedra, b.tetrahedra) and np.array_equal(a.triangles, b.triangles)


@pytest.mark.parametrize("extension", ["msh", "vtu", "vtk", "mesh", "veg", "inp"])
def test_files_come_back(tmp_path, extension):
    mesh = ball()
    path = tmp_path / f"ball.{extension}"
    mesh.write(path)
    assert same(pliant.Mesh.read(path), mesh)
    scaled = pliant.Mesh.read(path, unit="cm")
    assert np.allclose(scaled.points, mesh.points / 100)


def test_meshio(tmp_path):
    mesh = ball()
    there = mesh.to_meshio()
    assert same(pliant.Mesh.of(there), mesh)
    there.write(tmp_path / "ball.vtu")
    assert same(pliant.Mesh.read(tmp_path / "ball.vtu"), mesh)


def test_trimesh():
    import trimesh

    mesh = ball()
    surface = mesh.to_trimesh()
    assert surface.is_watertight
    assert surface.volume == pytest.approx(mesh.info()["volume"])
    box = pliant.Mesh.of(trimesh.creation.box((0.1, 0.2, 0.3)))
    assert box.info()["volume"] == pytest.approx(0.006)
    filled = box.tetrahedralize(edge=0.03, features=30)
    assert filled.info()["volume"] == pytest.approx(0.006, rel=1e-6)


def test_pyvista():
    import pyvista

    mesh = ball()
    grid = mesh.to_pyvista()
    assert grid.n_cells == len(mesh.tetrahedra)
    assert same(pliant.Mesh.of(grid), mesh)
    sphere = pliant.Mesh.of(pyvista.Sphere(radius=0.1))
    assert sphere.info()["kind"] == "surface"
    assert sphere.to_pyvista().n_cells == len(sphere.triangles)


def test_regions():
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
    mesh = pliant.Mesh(points, tetrahedra=[[0, 1, 2, 3], [1, 2, 3, 4]], regions=[1, 0], region_names=["hard", "soft"])
    assert mesh.region_names == ["hard", "soft"]
    assert mesh.regions.tolist() == [1, 0]


def test_check_and_repair():
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    broken = pliant.Mesh(points, tetrahedra=[[0, 1, 3, 2], [4, 1, 3, 2]])
    kinds = {finding["kind"] for finding in broken.check()["findings"]}
    assert {"inverted-elements", "duplicate-nodes"} <= kinds
    mended, done = broken.repair()
    assert done
    assert mended.check()["usable"]
    assert len(mended.tetrahedra) == 1


def test_mistakes(tmp_path):
    with pytest.raises(pliant.MeshError, match="names node 9"):
        pliant.Mesh(np.eye(3), triangles=[[0, 1, 9]])
    with pytest.raises(pliant.ShapeError):
        pliant.Mesh([0, 1, 2])
    with pytest.raises(TypeError):
        pliant.Mesh(np.eye(3), triangles=[[0.0, 1.0, 2.0]])
    with pytest.raises(pliant.MeshError):
        pliant.Mesh.read(tmp_path / "nothing.msh")
    with pytest.raises(pliant.MeshError, match="format"):
        ball().write(tmp_path / "ball.xyz")
    with pytest.raises(pliant.MeshError, match="unit"):
        pliant.Mesh.read(tmp_path / "nothing.msh", unit="ell")
    with pytest.raises(pliant.SceneError, match="unknown name"):
        pliant.Mesh.make("bal", radius=1)
    with pytest.raises(TypeError):
        pliant.Mesh.of([1, 2, 3])
