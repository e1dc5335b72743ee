"""USD through Pixar's own library."""

import numpy as np
from pxr import Usd, UsdGeom, UsdValidation

from fixture import same, upright


def complaints(stage):
    """What the library's own validators find."""
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) > 10, "the validators are missing"
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    return [error.GetErrorAsString() for error in errors]


def check_stage(recording, path, frames, rate, axis):
    turned = upright if axis == "Y" else np.asarray
    stage = Usd.Stage.Open(str(path))
    assert stage.GetDefaultPrim().IsValid(), "no default prim"
    assert UsdGeom.GetStageUpAxis(stage) == axis
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert abs(stage.GetTimeCodesPerSecond() - rate) < 1e-9
    codes = [recording.times[f] * rate for f in frames]
    same(stage.GetStartTimeCode(), codes[0], "start", 1e-6)
    same(stage.GetEndTimeCode(), codes[-1], "end", 1e-6)
    meshes = [UsdGeom.Mesh(p) for p in stage.Traverse() if p.IsA(UsdGeom.Mesh)]
    assert len(meshes) == len(recording.bodies()), "one mesh for each body"
    for body, mesh in zip(recording.bodies(), meshes):
        name = body["name"]
        assert mesh.GetPrim().GetDisplayName() == name
        assert mesh.GetSubdivisionSchemeAttr().Get() == UsdGeom.Tokens.none
        assert mesh.GetDoubleSidedAttr().Get() == body["planar"]
        nodes, triangles = recording.surface(body)
        counts = mesh.GetFaceVertexCountsAttr().Get()
        corners = mesh.GetFaceVertexIndicesAttr().Get()
        same(counts, np.full(len(triangles), 3), f"{name}: counts")
        same(np.array(corners).reshape(-1, 3), triangles, f"{name}: corners")
        assert UsdGeom.Mesh.ValidateTopology(corners, counts, len(nodes))[0], f"{name}: topology"
        points, extent = mesh.GetPointsAttr(), mesh.GetExtentAttr()
        for attribute in [points, extent, mesh.GetVelocitiesAttr()]:
            same(attribute.GetTimeSamples(), codes, f"{name}: {attribute.GetName()} samples", 1e-6)
        for frame, code in zip(frames, points.GetTimeSamples()):
            x = np.array(points.Get(code))
            same(x, turned(recording.positions[frame][nodes]), f"{name}: points at {code}", 1e-7)
            same(np.array(extent.Get(code)), [x.min(axis=0), x.max(axis=0)], f"{name}: extent at {code}")
            v = np.array(mesh.GetVelocitiesAttr().Get(code))
            same(v, turned(recording.velocities[frame][nodes]), f"{name}: velocities at {code}")
    assert not complaints(stage), complaints(stage)


def check(fixture):
    recording = fixture.recording
    everything = range(len(recording.times))
    (path,) = fixture.export("usd")
    check_stage(recording, path, everything, 1 / 0.015, "Z")
    (path,) = fixture.export("usd", "--up", "y", "--fps", "24", "--frames", "2..", "--every", "3")
    check_stage(recording, path, [2, 5], 24.0, "Y")
    assert complaints(Usd.Stage.CreateInMemory()), "the validators accept a stage without metadata"
