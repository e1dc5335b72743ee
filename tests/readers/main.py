"""Runs the checks: every check_NAME.py beside this file has a function check(fixture)."""

import importlib
import sys
import tempfile
import time
import traceback
from pathlib import Path

from fixture import Fixture

HERE = Path(__file__).resolve().parent


def main():
    pliant, *chosen = sys.argv[1:]
    names = sorted(path.stem.removeprefix("check_") for path in HERE.glob("check_*.py"))
    unknown = [name for name in chosen if name not in names]
    if unknown:
        sys.exit(f"there is no check {unknown[0]}: known are {', '.join(names)}")
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        fixture = Fixture(Path(pliant), Path(folder))
        for name in chosen or names:
            started = time.monotonic()
            try:
                importlib.import_module(f"check_{name}").check(fixture)
            except Exception:  # a failed check must not hide the others
                traceback.print_exc()
                failed.append(name)
                print(f"{name}: FAILED", flush=True)
            else:
                print(f"{name}: ok ({time.monotonic() - started:.1f} s)", flush=True)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


main()
