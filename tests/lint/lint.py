# SPDX-License-Identifier: BSL-1.0
"""What the lints share: how they report, how they are called, and how they prove that they can fail.

A lint is a function check(root) -> list of complaints. `main` runs it on the project, or, with --self-test,
on small made-up trees: each must give a complaint with the expected words, or none at all.
"""
import argparse
import pathlib
import re
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "src", "tests", "examples", "bench", "docs", "cmake", ".ci")


def files(root, suffixes, folders=FOLDERS):
    """The project's files with one of the suffixes, in a stable order, also those of the root folder."""
    found = [path for path in root.glob("*") if path.is_file() and path.name != ".git"]
    for folder in folders:
        found += [path for path in (root / folder).rglob("*") if path.is_file()]
    return sorted(path for path in found
                  if path.suffix in suffixes and "__pycache__" not in path.parts)


def without_comments(text):
    """C++ text with comments and the contents of strings blanked; line numbers stay."""
    def blank(match):
        token = match.group(0)
        if token.startswith("/"):
            return re.sub(r"[^\n]", " ", token)
        return '""' if token.startswith('"') else token
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text,
                  flags=re.DOTALL)


def self_test(check, cases):
    failures = []
    for name, tree, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in tree.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            complaints = check(root)
        if expected is None and complaints:
            failures.append(f"{name}: nothing is wrong, but: {complaints}")
        if expected is not None and not any(expected in complaint for complaint in complaints):
            failures.append(f"{name}: expected '{expected}', got {complaints}")
    return failures


def main(check, cases, description, parser=None):
    parser = parser or argparse.ArgumentParser(description=description)
    parser.add_argument("--self-test", action="store_true", help="prove that this lint can fail")
    arguments = parser.parse_args()
    complaints = self_test(check, cases) if arguments.self_test else check(PROJECT)
    for complaint in complaints:
        print(complaint)
    what = f"{len(cases)} self-tests" if arguments.self_test else description
    print(f"{what}: {'ok' if not complaints else f'{len(complaints)} complaints'}")
    sys.exit(1 if complaints else 0)
