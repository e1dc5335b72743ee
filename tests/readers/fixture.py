"""A run of a small scene, and its recording decoded as docs/recording.md says."""

import functools
import json
import os
import re
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]

# a bar with two regions, a ball that flies, and a plate in the plane; the last frame is off the others' rhythm
SCENE = """
title = "Readers & more"
[time]
step = "5 ms"
duration = "100 ms"
[record]
every = "15 ms"
velocities = true
[[body]]
name = "bar"
mesh.bar = { size = ["20 cm", "5 cm", "5 cm"], cells = [6, 2, 2] }
material = { young = "50 kPa", poisson = 0.4, density = "1000 kg/m3" }
[[body.region]]
name = "stiff <end>"
where.above = { x = "15 cm" }
young = "200 kPa"
[[body]]
name = "plate 1"
mesh.rectangle = { size = ["20 cm", "5 cm"], cells = [4, 2] }
place.translate = [0, "20 cm", 0]
material = { young = "50 kPa", poisson = 0.4, density = "1000 kg/m3" }
velocity = ["1 m/s", 0, 0]
[[body]]
name = "ball"
mesh.ball = { radius = "5 cm", divisions = 2 }
place.translate = ["40 cm", 0, 0]
material = { young = "20 kPa", poisson = 0.4, density = "500 kg/m3" }
velocity = [0, 0, "1 m/s"]
spin = [0, "3 turns/s", 0]
[[drive]]
name = "clamp"
body = "bar"
select.side = "-x"
fix = true
"""


def snippet():
    """The Python of docs/recording.md."""
    text = (ROOT / "docs/recording.md").read_text()
    return re.search(r"```python\n(.*?)```", text, re.S).group(1)


class Recording:
    """Everything in a recording, as arrays."""

    def __init__(self, path):
        functions = {}
        exec(snippet().split("with open(")[0], functions)
        numbers, floats = {}, functions["floats"]
        self.steps, self.times, self.displacements, self.velocities, self.stresses = [], [], [], [], []
        for tag, content in functions["chunks"](Path(path).read_bytes()):
            if tag == b"INFO":
                self.info = json.loads(content)
                nodes, elements = self.info["nodes"], self.info["elements"]
            elif tag == b"FRAM":
                step, time = struct.unpack_from("<Qd", content)
                self.steps.append(step)
                self.times.append(time)
                at = 16
                self.displacements.append(floats(content[at:], 3 * nodes).reshape(-1, 3))
                at += 12 * nodes
                self.velocities.append(floats(content[at:], 3 * nodes).reshape(-1, 3))
                at += 12 * nodes
                self.stresses.append(floats(content[at:], elements))
                assert len(content) == at + 4 * elements, "a frame has another length than documented"
            else:
                kind = "<f8" if tag in (b"REST", b"MASS", b"RWEI") else "<u4"
                numbers[tag] = np.frombuffer(content, kind) if tag != b"INDX" else content
        self.rest = numbers[b"REST"].reshape(-1, 3)
        self.elements = numbers[b"ELEM"].reshape(-1, 4)
        self.triangles = numbers[b"TRIS"].reshape(-1, 3)
        self.masses = numbers[b"MASS"]
        self.regions = numbers[b"REGI"]
        self.positions = [self.rest + d for d in self.displacements]

    def bodies(self):
        return self.info["bodies"]

    def surface(self, body):
        """Nodes of the drawn surface of a body, ascending, and its triangles in these."""
        if body["planar"]:
            triangles = self.elements[slice(*body["elements"])][:, :3]
        else:
            triangles = self.triangles[slice(*body["triangles"])]
        nodes, corners = np.unique(triangles, return_inverse=True)
        return nodes, corners.reshape(-1, 3)


class Fixture:
    """The command, a folder of its own, and a recording made on first use."""

    def __init__(self, pliant, folder):
        self.executable = pliant
        self.folder = folder

    def pliant(self, *arguments):
        """Runs the command in the folder and returns its JSON result."""
        command = [str(self.executable), *map(str, arguments), "--json", "--quiet"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
        return json.loads(done.stdout)

    @functools.cached_property
    def recording(self):
        (self.folder / "readers.toml").write_text(SCENE)
        self.pliant("run", "readers.toml", "--out", "run", "--threads", "1")
        return Recording(self.folder / "run/recording.pliant")

    def export(self, to, *arguments, recording="run"):
        """Exports a recording to a new folder; returns the files, checked against the result."""
        frames = len(self.recording.times)
        out = Path(tempfile.mkdtemp(prefix=f"{to}-", dir=self.folder))
        result = self.pliant("export", recording, "--to", to, "--out", out, *arguments)
        files = [Path(name) for name in result["files"]]
        assert sorted(files) == sorted(out.iterdir()), f"{to}: files listed and files there differ"
        assert sum(os.path.getsize(f) for f in files) == result["bytes"], f"{to}: the sum of bytes is wrong"
        assert result["frames"] <= frames
        return files


def upright(vectors):
    """z up to y up."""
    x, y, z = np.asarray(vectors).T
    return np.stack([x, z, -y], axis=-1)


def same(found, expected, what, tolerance=0.0):
    """Arrays of equal shape whose numbers differ by at most the tolerance."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: shape {found.shape} instead of {expected.shape}"
    error = np.max(np.abs(found.astype(float) - expected.astype(float)), initial=0.0)
    assert error <= tolerance, f"{what}: differs by {error}, allowed is {tolerance}"
