"""glTF through pygltflib; the animation is evaluated and must give the recorded positions."""

import json
import struct

import numpy as np
import pygltflib

from fixture import same, upright

TYPES = {pygltflib.FLOAT: "<f4", pygltflib.UNSIGNED_INT: "<u4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3}


class Document:
    def __init__(self, path):
        self.gltf = pygltflib.GLTF2().load(str(path))
        (buffer,) = self.gltf.buffers
        if path.suffix == ".glb":
            self.data = self.gltf.binary_blob()
            assert buffer.uri is None
            whole = path.read_bytes()
            magic, version, length = struct.unpack_from("<4sII", whole)
            assert (magic, version, length) == (b"glTF", 2, len(whole)), "header of the GLB"
        else:
            self.data = (path.parent / buffer.uri).read_bytes()
        assert len(self.data) == buffer.byteLength, "length of the buffer"
        for view in self.gltf.bufferViews:
            assert 0 <= view.byteOffset and view.byteOffset + view.byteLength <= len(self.data), "a view leaves the buffer"
            assert view.byteOffset % 4 == 0

    def slice(self, view, offset, kind, count, width):
        view = self.gltf.bufferViews[view]
        stride = 4 * width
        assert view.byteStride in (None, stride)
        assert offset % 4 == 0 and offset + count * stride <= view.byteLength, "an accessor leaves its view"
        start = view.byteOffset + offset
        return np.frombuffer(self.data, kind, count * width, start).reshape(count, width)

    def array(self, index):
        accessor = self.gltf.accessors[index]
        kind, width = TYPES[accessor.componentType], WIDTHS[accessor.type]
        if accessor.bufferView is None:
            values = np.zeros((accessor.count, width), kind)
        else:
            values = self.slice(accessor.bufferView, accessor.byteOffset or 0, kind, accessor.count, width)
        if accessor.sparse:
            sparse, values = accessor.sparse, values.copy()
            places = self.slice(sparse.indices.bufferView, 0, TYPES[sparse.indices.componentType], sparse.count, 1)
            assert (np.diff(places[:, 0].astype(int)) > 0).all() and places.max() < accessor.count
            values[places[:, 0]] = self.slice(sparse.values.bufferView, 0, kind, sparse.count, width)
        if accessor.min:  # empty when it is not given
            same(values.min(axis=0), accessor.min, f"min of accessor {index}")
            same(values.max(axis=0), accessor.max, f"max of accessor {index}")
        return values

    def weights(self, time):
        """The channel's weights at a time, as the specification says."""
        (animation,) = self.gltf.animations
        (sampler,) = animation.samplers
        times = self.array(sampler.input)[:, 0]
        table = self.array(sampler.output).reshape(len(times), -1)
        k = int(np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 2))
        share = np.clip((time - times[k]) / (times[k + 1] - times[k]), 0, 1)
        if sampler.interpolation == "STEP":
            share = np.floor(share)
        return (1 - share) * table[k] + share * table[k + 1]


def rotated(quaternion, vectors):
    *axis, w = quaternion
    twice = 2 * np.cross(axis, vectors)
    return vectors + w * twice + np.cross(axis, twice)


def check_document(recording, path, frames, normals=False):
    document = Document(path)
    gltf = document.gltf
    assert gltf.asset.version == "2.0"
    root = gltf.nodes[gltf.scenes[gltf.scene].nodes[0]]
    assert [gltf.nodes[n].name for n in root.children] == [b["name"] for b in recording.bodies()]
    if len(frames) == 1:
        assert not gltf.animations
    else:
        targets = {c.target.node for c in gltf.animations[0].channels}
        assert targets == set(root.children) and all(c.target.path == "weights" for c in gltf.animations[0].channels)
    for body, child in zip(recording.bodies(), root.children):
        nodes, triangles = recording.surface(body)
        (primitive,) = gltf.meshes[gltf.nodes[child].mesh].primitives
        corners = document.array(primitive.indices)[:, 0]
        same(corners.reshape(-1, 3), triangles, f"{body['name']}: corners")
        for accessor in [primitive.attributes.POSITION] + [t["POSITION"] for t in primitive.targets or []]:
            assert gltf.accessors[accessor].min, "positions need bounds"
        base = document.array(primitive.attributes.POSITION).astype(float)
        moves = [document.array(t["POSITION"]).astype(float) for t in primitive.targets or []]
        assert len(moves) == len(frames) - 1

        def at(time):
            if not moves:
                return rotated(root.rotation, base)
            weights = document.weights(time)
            return rotated(root.rotation, base + np.tensordot(weights, np.array(moves), 1))

        exact = [upright(recording.positions[f][nodes]) for f in frames]
        times = [np.float32(recording.times[f]) for f in frames]
        for time, expected in zip(times, exact):
            same(at(time), expected, f"{body['name']} at {time}", 2e-7)
        for k in range(len(frames) - 1):
            middle = (float(times[k]) + float(times[k + 1])) / 2
            blend = exact[k] if gltf.animations[0].samplers[0].interpolation == "STEP" else (exact[k] + exact[k + 1]) / 2
            same(at(middle), blend, f"{body['name']} between frames", 1e-6)
        if normals:
            n = document.array(primitive.attributes.NORMAL)
            for move in [np.zeros_like(n)] + [document.array(t["NORMAL"]) for t in primitive.targets]:
                same(np.linalg.norm(n + move, axis=1), np.ones(len(n)), "length of normals", 1e-5)
            if body["name"] == "ball":
                out = base - base.mean(axis=0)
                assert (np.einsum("ij,ij->i", out, n) > 0).all(), "normals point inward"


def check(fixture):
    recording = fixture.recording
    everything = list(range(len(recording.times)))
    (glb,) = fixture.export("glb")
    check_document(recording, glb, everything)
    gltf, _ = fixture.export("gltf")
    check_document(recording, gltf, everything)
    json.loads(gltf.read_text())
    (glb,) = fixture.export("glb", "--normals", "--every", "3")
    check_document(recording, glb, everything[::3], normals=True)
    (glb,) = fixture.export("glb", "--stepped")
    check_document(recording, glb, everything)
    (glb,) = fixture.export("glb", "--frames", "4")
    check_document(recording, glb, [4])
