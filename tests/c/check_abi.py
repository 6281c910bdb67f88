# SPDX-License-Identifier: BSL-1.0
"""What a caller that was compiled earlier depends on: exported symbols, soname, sizes, offsets, numbers.

Compares them with abi.txt beside this file. A line that is new may be added to the list; a line that
is gone or changed breaks callers, and from 1.0 on needs a new major version. --write writes the list.
The structs of the Python example are compared with the same layouts.
"""
import argparse
import ctypes
import difflib
import importlib.util
import pathlib
import re
import subprocess
import sys

LIST = pathlib.Path(__file__).with_name("abi.txt")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(nm, library):
    lines = output_of(nm, "-D", "--defined-only", library).splitlines()
    return sorted(f"symbol {line.split()[-1]}" for line in lines if line.split())


def python_layouts(path):
    """In the words of layouts.c: the structs of the example, by their names in C."""
    spec = importlib.util.spec_from_file_location("python_host", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = []
    for name, kind in vars(module).items():
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and kind is not ctypes.Structure:
            c_name = "berth" + re.sub(r"([A-Z])", lambda match: "_" + match.group(1).lower(), name)
            found.append(f"struct {c_name} {ctypes.sizeof(kind)}")
            for member, _ in kind._fields_:
                place = getattr(kind, member)
                found.append(f"  {c_name}.{member} {place.offset} {place.size}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name in ("nm", "library", "layouts", "soname", "python-host"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    layouts = output_of(arguments.layouts).splitlines()
    now = [f"soname {arguments.soname}"] + symbols(arguments.nm, arguments.library) + layouts
    if arguments.write:
        LIST.write_text("\n".join(now) + "\n", encoding="utf-8")
    complaints = list(difflib.unified_diff(LIST.read_text(encoding="utf-8").splitlines(), now,
                                           "committed", "built", lineterm="", n=0))
    python = python_layouts(arguments.python_host)
    complaints += [f"python_host.py: not in C: {line}" for line in python if line not in layouts]
    if not python:
        complaints.append("python_host.py: has no structs")
    print("\n".join(complaints) or f"{len(now)} lines, as committed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
