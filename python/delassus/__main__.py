"""The program, as a wheel has it inside: python3 -m delassus COMMAND, or delassus COMMAND."""

import os
import pathlib
import shutil
import sys


def main():
    """Replaces this process by the program: the wheel's, or else the one that PATH has."""
    inside = pathlib.Path(__file__).parent / "bin" / "delassus"
    program = str(inside) if inside.exists() else shutil.which("delassus")
    if not program:
        sys.exit("there is no program 'delassus' in this package or in PATH")
    os.execv(program, ["delassus", *sys.argv[1:]])


if __name__ == "__main__":
    main()
