"""The command ``wrapwright``, which is also ``python -m wrapwright``."""

import os
import signal
import sys
from typing import NoReturn

from wrapwright._wrapwright import command


def main() -> NoReturn:
    """Runs the command with the arguments of this process, and ends the process."""
    # Python handles Ctrl-C only while it runs code of its own; the command has a handler where it needs one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = command(["wrapwright", *sys.argv[1:]])
    sys.stdout.flush()
    # Threads that still fetch something must not keep the process.
    os._exit(code)


if __name__ == "__main__":
    main()
