"""`pliant mesh make` and `convert`: volume formats through meshio, and files that meshio writes through `pliant mesh info`."""

import meshio
import numpy as np

from fixture import same

# format on the command line, extension, and how meshio is to be asked
WRITTEN = [
    ("gmsh", "msh", "gmsh"),
    ("gmsh-binary", "msh", "gmsh"),
    ("gmsh22", "msh", "gmsh"),
    ("gmsh22-binary", "msh", "gmsh"),
    ("vtu", "vtu", "vtu"),
    ("vtu-compressed", "vtu", "vtu"),
    ("vtu-text", "vtu", "vtu"),
    ("vtk", "vtk", "vtk"),
    ("medit", "mesh", "medit"),
    ("abaqus", "inp", "abaqus"),
]


def check(fixture):
    folder = fixture.folder / "convert"
    folder.mkdir()
    base = folder / "base.vtu"
    fixture.pliant("mesh", "make", "torus", base, "--divisions", 4, "--segments", 12)
    wanted = meshio.read(base)
    tetrahedra = wanted.cells_dict["tetra"]
    assert len(tetrahedra) > 100
    for name, extension, reader in WRITTEN:
        out = folder / f"{name}.{extension}"
        written = fixture.pliant("mesh", "convert", base, out, "--to", name)
        found = meshio.read(out, file_format=reader)
        assert written["tetrahedra"] == len(tetrahedra)
        same(found.points, wanted.points, f"{name}: points", 0)
        same(found.cells_dict["tetra"], tetrahedra, f"{name}: tetrahedra")

    surface = folder / "surface.obj"
    fixture.pliant("mesh", "convert", base, surface)
    found = meshio.read(surface)
    corners = found.points[found.cells_dict["triangle"]]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    solid = wanted.points[tetrahedra]
    edges = solid[:, 1:] - solid[:, :1]
    same(volume, np.linalg.det(edges).sum() / 6, "obj: the surface encloses the volume", 1e-9)

    # the other way round: what meshio writes, with regions
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [1 / 3, 2, 0.1]], float)
    cells = np.array([[0, 1, 2, 3], [1, 2, 3, 4], [1, 2, 4, 5]])
    data = {"gmsh:physical": [np.array([7, 7, 9])], "gmsh:geometrical": [np.array([1, 1, 2])]}
    mesh = meshio.Mesh(points, [("tetra", cells)], cell_data=data)
    plain = meshio.Mesh(points, [("tetra", cells)], cell_data={"medit:ref": [np.array([7, 7, 9])]})
    for name, options, mesh in [
        ("theirs22.msh", {"file_format": "gmsh22", "binary": False}, mesh),
        ("theirs22b.msh", {"file_format": "gmsh22", "binary": True}, mesh),
        ("theirs.mesh", {}, plain),
        ("theirs.vtu", {}, plain),
        ("theirs-plain.vtu", {"compression": None}, plain),
        ("theirs-text.vtu", {"binary": False}, plain),
        ("theirs-text.vtk", {"binary": False}, plain),
        ("theirs.vtk", {"binary": True}, plain),
        ("theirs41.msh", {"file_format": "gmsh", "binary": True}, None),
        ("theirs41t.msh", {"file_format": "gmsh", "binary": False}, None),
        ("theirs.inp", {}, None),
    ]:
        path = folder / name
        bare = meshio.Mesh(points, [("tetra", cells)])
        meshio.write(path, mesh or bare, **options)
        info = fixture.pliant("mesh", "info", path)
        assert (info["nodes"], info["tetrahedra"]) == (6, 3), (name, info)
        same(np.array(info["bounds"]["max"]), points.max(axis=0), f"{name}: bounds", 1e-15)
        if mesh is not None:
            regions = {r["name"]: r["elements"] for r in info["regions"]}
            assert regions == {"7": 2, "9": 1}, (name, regions)
