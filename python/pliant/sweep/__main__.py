"""``python -m pliant.sweep STUDY.toml``: what the command ``pliant sweep`` starts."""

from __future__ import annotations

import argparse
import json
import sys

from ..errors import Error
from . import run


def main() -> int:
    """Runs a study; 0 done, 1 no run succeeded, 2 bad study or something missing."""
    parser = argparse.ArgumentParser(prog="python -m pliant.sweep", description="Run a scene many times.")
    parser.add_argument("study", nargs="?", help="description of the study")
    parser.add_argument("--engine", default="local", help="local or ray")
    parser.add_argument("--address", help="address of a Ray cluster; without one a cluster is started on this machine")
    parser.add_argument("--jobs", type=int, help="runs at a time")
    parser.add_argument("--out", help="folder for the results")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        from .local import work

        work()
        return 0
    if given.study is None:
        parser.error("name a study")
    try:
        result = run(
            given.study,
            engine=given.engine,
            address=given.address,
            jobs=given.jobs,
            out=given.out,
            progress=not given.quiet,
        )
    except Error as error:
        if given.json:
            print(json.dumps({"error": {"message": str(error), "help": error.help}}))
        else:
            print(f"error: {error}" + (f"\n  help: {error.help}" if error.help else ""), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        message = "stopped: the same command goes on with what is left"
        if given.json:
            print(json.dumps({"error": {"message": message}}))
        else:
            print(message, file=sys.stderr)
        return 1
    if given.json:
        print(json.dumps(result))
    if not given.quiet:
        print(
            f"{result['title']}: {result['done']} of {result['runs']} runs done, {result['failed']} failed, "
            f"{result['executed']} of them now in {result['wall_seconds']:.1f} s\n  results in {result['out']}/, report.html among them",
            file=sys.stderr,
        )
    return 0 if result["done"] else 1


if __name__ == "__main__":
    sys.exit(main())
