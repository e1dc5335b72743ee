"""Examples in docstrings and in the book run as they are written; notebooks too; generated pages are current."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
import pliant
import pytest
from conftest import BINARY, ROOT

BOOK = ROOT / "docs/book"
MODULES = sorted(
    m.name for m in pkgutil.walk_packages(pliant.__path__, "pliant.") if not m.name.endswith(("__main__", "_pliant"))
)
PAGES = sorted(BOOK.rglob("*.md"))
NOTEBOOKS = sorted(BOOK.rglob("*.ipynb"))


@pytest.mark.parametrize("name", ["pliant", *MODULES])
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_everything_public_is_explained():
    for name in pliant.__all__:
        if name not in ("METHODS", "__version__"):
            assert (getattr(pliant, name).__doc__ or "").strip(), name


def blocks(page):
    """Code blocks of a page with their languages; ones that another program runs say so in the line before."""
    text = page.read_text()
    for match in re.finditer(r"(<!-- not run: [^>]+ -->\n)?```(\w+)\n(.*?)```", text, re.S):
        if not match[1]:
            yield match[2], match[3]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(BOOK)))
def test_pages(page, tmp_path):
    """The blocks of a page one after the other in one folder: Python in one interpreter, shell with errors, scenes are parsed, and those whose
    first line is a comment with a file name are written there."""
    names = {"__name__": "__main__"}
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "pliant").symlink_to(BINARY)
    (bin_ / "python").symlink_to(sys.executable)
    env = {**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}", "PLIANT_PYTHON": sys.executable}
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        for language, code in blocks(page):
            if language == "python":
                exec(compile(code, str(page), "exec"), names)
            elif language == "sh":
                done = subprocess.run(["bash", "-euc", code], env=env, capture_output=True, text=True, check=False)
                assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"
            elif language == "toml":
                named = re.match(r"# (\S+\.toml)\n", code)
                if named:
                    Path(named[1]).write_text(code)
                if "study" not in (named[1] if named else "study") and "[[body]]" in code:
                    pliant.Scene(code)
            else:
                assert language in ("text", "xml"), f"a block of `{language}` is run by nobody"
    finally:
        os.chdir(before)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.name)
def test_notebooks(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()


def test_generated_pages_are_current():
    """`python docs/book/generate` makes them."""
    done = subprocess.run([sys.executable, BOOK / "generate", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
