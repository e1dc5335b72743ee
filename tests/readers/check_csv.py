"""CSV through Python's own reader."""

import csv

import numpy as np

from fixture import same


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def vector(row, name):
    return [float(row[name.format(axis)]) for axis in "xyz"]


def check(fixture):
    recording = fixture.recording
    bodies = recording.bodies()
    (path,) = fixture.export("csv")
    table = rows(path)
    assert len(table) == len(recording.times) * len(bodies)
    for i, row in enumerate(table):
        frame, body = divmod(i, len(bodies))
        body = bodies[body]
        where = f"row {i}"
        assert (int(row["frame"]), row["body"]) == (frame, body["name"]), where
        assert (int(row["step"]), float(row["time"])) == (recording.steps[frame], recording.times[frame]), where
        nodes, elements = slice(*body["nodes"]), slice(*body["elements"])
        x, masses = recording.positions[frame][nodes], recording.masses[nodes]
        same(vector(row, "centre_{}"), masses @ x / masses.sum(), f"{where}: centre of mass", 1e-12)
        same(vector(row, "min_{}"), x.min(axis=0), f"{where}: min")
        same(vector(row, "max_{}"), x.max(axis=0), f"{where}: max")
        moved = np.linalg.norm(recording.displacements[frame][nodes].astype(float), axis=1)
        same(float(row["max_displacement"]), moved.max(), f"{where}: displacement", 1e-12)
        same(moved[int(row["max_displacement_node"])], moved.max(), f"{where}: its node", 1e-12)
        stress = recording.stresses[frame][elements]
        same(float(row["max_von_mises"]), stress.max(), f"{where}: stress")
        same(stress[int(row["max_von_mises_element"])], stress.max(), f"{where}: its element")

    (path,) = fixture.export("csv", "--nodes", "2,5..7", "--body", "ball", "--frames", "3")
    table = rows(path)
    first = bodies[2]["nodes"][0]
    assert [int(r["node"]) for r in table] == [2, 5, 6]
    for row in table:
        n = first + int(row["node"])
        same(vector(row, "{}"), recording.positions[3][n], "position")
        same(np.float32(vector(row, "displacement_{}")), recording.displacements[3][n], "displacement")
        same(np.float32(vector(row, "velocity_{}")), recording.velocities[3][n], "velocity")
    (path,) = fixture.export("csv", "--per-node", "--frames", "0..2")
    assert len(rows(path)) == 2 * len(recording.rest)
