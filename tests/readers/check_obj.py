"""OBJ series through meshio."""

import meshio
import numpy as np

from fixture import same


def check(fixture):
    recording = fixture.recording
    surfaces = [recording.surface(b) for b in recording.bodies()]
    nodes = np.concatenate([s[0] for s in surfaces])
    first = np.cumsum([0] + [len(s[0]) for s in surfaces])
    triangles = np.concatenate([s[1] + offset for s, offset in zip(surfaces, first)])
    files = fixture.export("obj")
    assert [f.name for f in files] == [f"run_{i:04}.obj" for i in range(len(recording.times))]
    for frame, path in enumerate(files):
        mesh = meshio.read(path)
        same(mesh.points, recording.positions[frame][nodes], f"{path.name}: points", 1e-7)
        same(mesh.cells_dict["triangle"], triangles, f"{path.name}: triangles")
        objects = [line[2:].strip() for line in path.read_text().splitlines() if line.startswith("o ")]
        assert objects == ["bar", "plate_1", "ball"], objects
