"""A recording with a render surface and element states, written here from docs/recording.md, through the exports."""

import json
import struct
import zlib

import meshio
import numpy as np
from pxr import Usd, UsdGeom

from fixture import same, snippet


def chunk(tag, content):
    payload = zlib.compress(content)
    lengths = struct.pack("<QQ", len(payload), len(content))
    return tag + struct.pack("<I", zlib.crc32(tag + lengths + payload)) + lengths + payload


def rewrite(source, target, surface, states):
    """Copies a recording, gives its last body a surface and its frames element states, and leaves out the index."""
    functions = {}
    exec(snippet().split("with open(")[0], functions)
    data = source.read_bytes()
    triangles, elements, weights = surface
    replaced = {
        b"RTRI": triangles.astype("<u4").tobytes(),
        b"RELE": elements.astype("<u4").tobytes(),
        b"RWEI": weights.astype("<f8").tobytes(),
    }
    with open(target, "wb") as file:
        file.write(data[:16])
        for tag, content in functions["chunks"](data):
            if tag == b"INFO":
                info = json.loads(content)
                info["bodies"][-1] |= {
                    "render_vertices": [0, len(elements)],
                    "render_triangles": [0, len(triangles)],
                }
                content = json.dumps(info).encode()
            elif tag == b"FRAM":
                content += states.tobytes()
            if tag != b"INDX":
                file.write(chunk(tag, replaced.get(tag, content)))


def check(fixture):
    recording = fixture.recording
    ball = recording.bodies()[-1]
    random = np.random.default_rng(1)
    elements = random.integers(*ball["elements"], 40)
    weights = random.dirichlet(np.ones(4), 40)
    triangles = random.permutation(120).reshape(-1, 3) % 40
    states = np.arange(recording.info["elements"], dtype=np.uint8)
    path = fixture.folder / "render.pliant"
    rewrite(fixture.folder / "run/recording.pliant", path, (triangles, elements, weights), states)

    def carried(frame):
        corners = recording.positions[frame][recording.elements[elements]]
        return np.einsum("ik,ikj->ij", weights, corners)

    only = ["--body", "ball"]
    for frame, file in enumerate(fixture.export("obj", *only, recording=path)):
        mesh = meshio.read(file)
        same(mesh.points, carried(frame), f"{file.name}: carried points", 1e-7)
        same(mesh.cells_dict["triangle"], triangles, f"{file.name}: carried triangles")
    (file,) = fixture.export("usd", *only, recording=path)
    stage = Usd.Stage.Open(str(file))
    points = UsdGeom.Mesh(stage.GetPrimAtPath("/World/ball")).GetPointsAttr()
    assert len(points.GetTimeSamples()) == len(recording.times)
    for frame, code in enumerate(points.GetTimeSamples()):
        same(np.array(points.Get(code)), carried(frame), f"USD: carried points at {code}", 1e-7)
    _, *series = fixture.export("vtu", "--surface", *only, recording=path)
    same(meshio.read(series[-1]).points, carried(-1), "VTU: carried points", 1e-15)

    _, *series = fixture.export("vtu", recording=path)
    found = np.concatenate(meshio.read(series[2]).cell_data["element_state"])
    same(found, states, "element states")
