"""``python -m pliant`` is the command ``pliant``."""

import signal
import sys

from . import _pliant


def main() -> int:
    """Runs the command with the arguments of the process."""
    # Ctrl-C ends the engine as it ends any program, not only when the interpreter looks
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return int(_pliant.command(["pliant", *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
