# SPDX-License-Identifier: BSL-1.0
"""What including a header costs: its preprocessed line count, against the table beside this file.

The counts belong to one toolchain, named in the table's first line; with another the check is skipped.
--update writes the table anew: the difference is then reviewed like any other change.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import lint

PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
PARSER.add_argument("--compiler", default="g++")
PARSER.add_argument("--update", action="store_true", help="write the table")
TABLE = "tests/lint/preprocessed_lines.txt"
RELATIVE = 0.05
ABSOLUTE = 40  # a header of ten lines may gain some without a review
SKIPPED = 77
HINT = "if that is meant, run: python3 tests/lint/check_preprocessed_lines.py --update"


def preprocess(compiler, root, text):
    return subprocess.run(
        [compiler, "-std=c++20", "-E", "-P", "-x", "c++", f"-I{root / 'include'}", "-"],
        input=text, capture_output=True, text=True, check=False)


def toolchain(compiler, root):
    """The versions that decide the counts, or None when the compiler is not g++."""
    text = ("#if defined(__GNUC__) && !defined(__clang__)\n"
            "#include <boost/version.hpp>\n#include <fmt/core.h>\n#include <nlohmann/json.hpp>\n"
            "versions __GNUC__ BOOST_LIB_VERSION FMT_VERSION NLOHMANN_JSON_VERSION_MAJOR "
            "NLOHMANN_JSON_VERSION_MINOR\n#endif\n")
    result = preprocess(compiler, root, text)
    match = re.search(r"^versions (\d+) \"(\w+)\" (\d+) (\d+) (\d+)", result.stdout, re.MULTILINE)
    if not match:
        return None
    return "# g++ {0}, Boost {1}, fmt {2}, nlohmann-json {3}.{4}".format(*match.groups())


def count(compiler, root):
    """{header: lines}; a header that cannot be preprocessed has None."""
    include = root / "include"
    headers = [path.relative_to(include).as_posix() for path in sorted(include.rglob("*.hpp"))]
    headers = [header for header in headers if "/detail/" not in header]

    def lines(header):
        result = preprocess(compiler, root, f"#include <{header}>\n")
        return result.stdout.count("\n") if result.returncode == 0 else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(headers, pool.map(lines, headers)))


def compare(table, counts):
    complaints = []
    for header in sorted(table.keys() | counts.keys()):
        if header not in counts:
            complaints.append(f"{header}: in the table, but no header any more")
        elif counts[header] is None:
            complaints.append(f"{header}: cannot be preprocessed")
        elif header not in table:
            complaints.append(f"{header}: {counts[header]} lines, not in the table")
        elif abs(counts[header] - table[header]) > max(ABSOLUTE, RELATIVE * table[header]):
            complaints.append(f"{header}: {counts[header]} lines, the table says {table[header]}")
    return complaints + ([HINT] if complaints else [])


def read(text):
    pairs = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {header: int(lines) for lines, header in pairs}


def check(root, compiler):
    path = root / TABLE
    if not path.exists():
        return [f"{TABLE} is missing", HINT]
    return compare(read(path.read_text(encoding="utf-8")), count(compiler, root))


def tree(table_lines, header="#pragma once\n" + "int a;\n" * 1000):
    return {"include/berth/a.hpp": header, TABLE: f"{table_lines} berth/a.hpp\n"}


CASES = [
    ("equal", tree(1000), None),
    ("within", tree(960), None),
    ("grown", tree(900), "the table says 900"),
    ("shrunk", tree(1100), "the table says 1100"),
    ("new", {**tree(1000), "include/berth/b.hpp": "int b;\n"}, "not in the table"),
    ("gone", {**tree(1000), TABLE: "1000 berth/a.hpp\n9 berth/b.hpp\n"}, "no header any more"),
    ("broken", tree(1000, "#include <berth/nowhere.hpp>\n"), "cannot be preprocessed"),
    ("says how to update", tree(900), "--update"),
]

if __name__ == "__main__":
    arguments = PARSER.parse_known_args()[0]
    found = toolchain(arguments.compiler, lint.PROJECT)
    table_path = pathlib.Path(lint.PROJECT / TABLE)
    if arguments.update:
        if found is None:
            sys.exit("the table is made with g++, with fmt and nlohmann-json installed")
        counts = count(arguments.compiler, lint.PROJECT)
        broken = [header for header, lines in counts.items() if lines is None]
        if broken:
            sys.exit("cannot be preprocessed: " + " ".join(broken))
        rows = "".join(f"{lines:7} {header}\n" for header, lines in sorted(counts.items()))
        table_path.write_text(found + "\n" + rows, encoding="utf-8")
        print(f"{TABLE}: {len(counts)} headers")
        sys.exit(0)
    first_line = table_path.read_text(encoding="utf-8").split("\n")[0] if table_path.exists() else found
    if "--self-test" not in sys.argv and found != first_line:
        print(f"skipped: the table is for '{first_line}', this is '{found or arguments.compiler}'")
        sys.exit(SKIPPED)
    lint.main(lambda root: check(root, arguments.compiler), CASES, "preprocessed lines", PARSER)
