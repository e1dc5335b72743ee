"""Runs on a Ray cluster. What a run leaves travels back to the machine that started the study: nothing is shared but the installed package."""

from __future__ import annotations

import logging
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import StudyError
from .execute import RECORD, execute, from_dict, put, to_dict, write_record
from .study import Run

#: How often Ray repeats a run whose worker or node died.
RETRIES = 5


def execute_all(
    runs: list[Run], folder: Path, *, address: str | None, jobs: int | None, finished: Callable[[], None]
) -> None:
    """Does all runs on the cluster at an address, or on one that is started for this."""
    try:
        import ray
    except ImportError:
        raise StudyError(
            "--engine ray needs the package ray, which is not installed", help="pip install ray, or use --engine local"
        ) from None
    mine = not ray.is_initialized()
    if mine:
        _knock(address)
        try:
            # "local" keeps it from some other cluster that happens to run on this machine
            ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise StudyError(f"cannot reach the Ray cluster at {address}: {error}") from None
    task = ray.remote(num_cpus=max(run.threads for run in runs), max_retries=RETRIES)(_remote)
    # few enough under way that results do not pile up in the memory of the cluster
    most = jobs or max(4, 4 * int(ray.cluster_resources().get("CPU", 1)))
    waiting = list(reversed(runs))
    under_way: dict[Any, Run] = {}
    try:
        while waiting or under_way:
            while waiting and len(under_way) < most:
                run = waiting.pop()
                under_way[task.remote(to_dict(run))] = run
            ready, _ = ray.wait(list(under_way), num_returns=1)
            for reference in ready:
                run = under_way.pop(reference)
                try:
                    files = ray.get(reference)
                except ray.exceptions.RayError as error:
                    problem = {"type": "WorkerDied", "message": str(error).strip().splitlines()[-1]}
                    write_record(folder / run.id, run, error=problem, final=False)
                else:
                    for name in sorted(files, key=lambda name: name == RECORD):  # the record last
                        put(folder / run.id / name, files[name])
                finished()
    finally:
        if mine:
            ray.shutdown()


def _knock(address: str | None) -> None:
    """Refuses an address at which nobody listens: Ray itself would go on trying."""
    if address is None or address in ("auto", "local"):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, ValueError, OverflowError) as error:
        raise StudyError(f"cannot reach the Ray cluster at {address}: {error}", help="give HOST:PORT of its head node") from None


def _remote(table: dict[str, Any]) -> dict[str, bytes]:
    """On a worker: the files that a run leaves."""
    with tempfile.TemporaryDirectory(prefix="pliant-run-") as name:
        folder = Path(name)
        execute(from_dict(table), folder)
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}
