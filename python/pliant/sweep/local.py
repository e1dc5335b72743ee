"""Runs on this machine: worker processes that live as long as the study, each with one run at a time."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from .execute import execute, from_dict, to_dict, write_record
from .study import Run

#: How often a run is given to a worker before it is given up: it may be the run that kills it.
ATTEMPTS = 3


def execute_all(
    runs: list[Run], folder: Path, *, address: str | None, jobs: int | None, finished: Callable[[], None]
) -> None:
    """Does all runs; a worker that dies is replaced, and its run repeated."""
    del address  # that of a cluster
    waiting: queue.SimpleQueue[Run] = queue.SimpleQueue()
    for run in runs:
        waiting.put(run)
    jobs = min(jobs or max(1, (os.cpu_count() or 1) // max(run.threads for run in runs)), len(runs))
    failures: list[BaseException] = []
    stop = threading.Event()
    lock = threading.Lock()

    def serve() -> None:
        worker = _Worker()
        try:
            while not stop.is_set():
                try:
                    run = waiting.get_nowait()
                except queue.Empty:
                    return
                for attempt in range(1, ATTEMPTS + 1):
                    died = worker.do(run, folder / run.id)
                    if died is None or stop.is_set():
                        break
                    worker = _Worker()
                    if attempt == ATTEMPTS:
                        error = {"type": "WorkerDied", "message": f"the worker died {ATTEMPTS} times: {died}"}
                        write_record(folder / run.id, run, error=error, final=False)
                if not stop.is_set():
                    with lock:
                        finished()
        except BaseException as error:  # noqa: BLE001  # handed to the thread that waits
            failures.append(error)
        finally:
            worker.stop(kill=stop.is_set())

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)  # Ctrl-C is heard between two of these
    except BaseException:
        stop.set()
        raise
    if failures:
        raise failures[0]


class _Worker:
    """A process that is told runs by lines on its input and answers by lines on its output; it ends when its input does."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "pliant.sweep", "--worker"]
        # Ctrl-C is for the parent, which lets nothing half done behind
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )

    def do(self, run: Run, folder: Path) -> str | None:
        """Does a run; what the worker died of."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps([to_dict(run), str(folder)]) + "\n")
            self.process.stdin.flush()
            if self.process.stdout.readline():
                return None
        except OSError:
            pass
        code = self.process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def stop(self, *, kill: bool) -> None:
        if kill:
            self.process.kill()
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        self.process.stdout.close()
        self.process.wait()


def work() -> None:
    """The life of a worker."""
    for line in sys.stdin:
        table, folder = json.loads(line)
        execute(from_dict(table), Path(folder))
        print("done", flush=True)
