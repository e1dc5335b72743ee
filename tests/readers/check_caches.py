"""PC2 and MDD by readers written from the descriptions of the formats; the rest shapes through meshio."""

import meshio
import numpy as np

from fixture import same, upright


def read_pc2(path):
    data = path.read_bytes()
    assert data[:12] == b"POINTCACHE2\0", "signature"
    version, points = np.frombuffer(data, "<i4", 2, 12)
    start, rate = np.frombuffer(data, "<f4", 2, 20)
    (samples,) = np.frombuffer(data, "<i4", 1, 28)
    assert (version, start, rate) == (1, 0.0, 1.0), "header"
    assert len(data) == 32 + 12 * points * samples, "length"
    return None, np.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)


def read_mdd(path):
    data = path.read_bytes()
    frames, points = np.frombuffer(data, ">i4", 2)
    times = np.frombuffer(data, ">f4", frames, 8)
    start = 8 + 4 * frames
    assert len(data) == start + 12 * points * frames, "length"
    return times, np.frombuffer(data, ">f4", offset=start).reshape(frames, points, 3)


def check(fixture):
    recording = fixture.recording
    for name, read in [("pc2", read_pc2), ("mdd", read_mdd)]:
        for arguments, turned in [([], np.asarray), (["--up", "y"], upright)]:
            files = fixture.export(name, *arguments)
            caches = [f for f in files if f.suffix == f".{name}"]
            assert len(caches) == len(recording.bodies())
            for body, path in zip(recording.bodies(), caches):
                nodes, triangles = recording.surface(body)
                times, samples = read(path)
                if times is not None:
                    same(times, recording.times, f"{name}: times", 1e-7)
                for frame, sample in enumerate(samples):
                    expected = turned(recording.positions[frame][nodes])
                    same(sample, expected, f"{path.name}: frame {frame}", 1e-7)
                rest = meshio.read(path.with_suffix(".obj"))
                same(rest.points, turned(recording.rest[nodes]), f"{path.name}: rest shape", 1e-7)
                same(rest.cells_dict["triangle"], triangles, f"{path.name}: triangles")
