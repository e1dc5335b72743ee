"""VTU series through meshio, their collection through an XML parser."""

import xml.etree.ElementTree as ElementTree

import meshio
import numpy as np

from fixture import same


def names(field):
    return bytes(field.tolist()).decode().split("\0")[:-1]


def collection(files, recording, frames):
    """The frames of the series, in order, after checking the collection."""
    pvd = files[0]
    assert pvd.suffix == ".pvd"
    root = ElementTree.parse(pvd).getroot()
    assert root.tag == "VTKFile" and root.attrib["type"] == "Collection"
    entries = root.findall("Collection/DataSet")
    times = [float(e.attrib["timestep"]) for e in entries]
    same(times, [recording.times[f] for f in frames], "times of the collection")
    series = [pvd.parent / e.attrib["file"] for e in entries]
    assert series == files[1:], "the collection names other files than were written"
    return series


def check_elements(recording, mesh, frame, bodies):
    nodes = np.concatenate([np.arange(*b["nodes"]) for b in bodies])
    elements = np.concatenate([np.arange(*b["elements"]) for b in bodies])
    planar = np.concatenate([np.full(b["elements"][1] - b["elements"][0], b["planar"]) for b in bodies])
    body = np.concatenate(
        [np.full(b["elements"][1] - b["elements"][0], recording.bodies().index(b)) for b in bodies]
    )
    same(mesh.points, recording.positions[frame][nodes], "points")
    same(mesh.point_data["displacement"], recording.displacements[frame][nodes], "displacement")
    same(mesh.point_data["velocity"], recording.velocities[frame][nodes], "velocity")
    assert mesh.point_data["velocity"].dtype == np.float32

    # meshio makes a block of each run of equal cells
    renumbered = np.searchsorted(nodes, recording.elements)
    at = 0
    for index, block in enumerate(mesh.cells):
        here = elements[at : at + len(block.data)]
        assert block.type == ("triangle" if planar[at] else "tetra"), block.type
        same(block.data, renumbered[here][:, : block.data.shape[1]], "cells")
        for name, expected in [
            ("von_mises", recording.stresses[frame][here]),
            ("region", recording.regions[here]),
            ("body", body[at : at + len(here)]),
            ("element_state", np.zeros(len(here))),
        ]:
            same(mesh.cell_data[name][index], expected, name)
        if block.type == "tetra":
            a, b, c, d = (mesh.points[block.data[:, k]] for k in range(4))
            volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6
            assert (volumes > 0).all(), "inverted tetrahedra: the order of their corners is wrong"
        at += len(here)
    assert at == len(elements), "cells are missing"
    assert mesh.cell_data["region"][0].dtype == np.int32
    assert mesh.cell_data["element_state"][0].dtype == np.uint8

    same(mesh.field_data["TimeValue"], [recording.times[frame]], "TimeValue")
    assert names(mesh.field_data["region_names"]) == recording.info["regions"]
    assert names(mesh.field_data["body_names"]) == [b["name"] for b in recording.bodies()]


def check(fixture):
    recording = fixture.recording
    everything = range(len(recording.times))
    for arguments in [
        [],
        ["--compress"],
        ["--encoding", "base64"],
        ["--encoding", "base64", "--compress"],
        ["--encoding", "ascii"],
    ]:
        files = fixture.export("vtu", *arguments)
        for frame, path in enumerate(collection(files, recording, everything)):
            check_elements(recording, meshio.read(path), frame, recording.bodies())

    files = fixture.export("vtu", "--body", "ball", "--frames", "1..7", "--every", "2")
    for frame, path in zip([1, 3, 5], collection(files, recording, [1, 3, 5])):
        check_elements(recording, meshio.read(path), frame, [recording.bodies()[2]])

    files = fixture.export("vtu", "--surface")
    for frame, path in enumerate(collection(files, recording, everything)):
        mesh = meshio.read(path)
        assert {block.type for block in mesh.cells} == {"triangle"}
        surfaces = [recording.surface(b) for b in recording.bodies()]
        nodes = np.concatenate([s[0] for s in surfaces])
        same(mesh.points, recording.positions[frame][nodes], "points of the surfaces")
        same(mesh.point_data["velocity"], recording.velocities[frame][nodes], "velocity on the surfaces")
        first = np.cumsum([0] + [len(s[0]) for s in surfaces])
        triangles = np.concatenate([s[1] + offset for s, offset in zip(surfaces, first)])
        same(np.concatenate([block.data for block in mesh.cells]), triangles, "triangles")
        stress = mesh.point_data["von_mises"]
        assert 0 <= stress.min() and stress.max() <= recording.stresses[frame].max()
