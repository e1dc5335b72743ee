"""What the tests share."""

import json
import os
import subprocess
from pathlib import Path

import pytest

BINARY = os.environ["PLIANT_BINARY"]
ROOT = Path(os.environ["PLIANT_ROOT"])

# meshes that happen to lie about on a machine change scenes that use them
os.environ["PLIANT_ASSETS"] = ""


@pytest.fixture
def command(tmp_path):
    """Runs the command line in a folder of its own; the object that it prints."""

    def run(*arguments, code=0, env=None):
        line = [BINARY, *map(str, arguments), "--json", "--quiet"]
        done = subprocess.run(
            line, cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, **(env or {})}
        )
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)

    return run
