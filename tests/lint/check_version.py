# SPDX-License-Identifier: BSL-1.0
"""One version: version.hpp, the top entry of CHANGELOG.md, and what CMake read."""
import argparse
import re

import lint

PARSER = argparse.ArgumentParser(description=__doc__)
PARSER.add_argument("--cmake-version", help="PROJECT_VERSION as CMake has it")


def check(root, cmake_version=None):
    header = (root / "include/berth/version.hpp").read_text(encoding="utf-8")
    numbers = [re.search(rf"#define BERTH_VERSION_{part} (\d+)\n", header + "\n")
               for part in ("MAJOR", "MINOR", "PATCH")]
    if not all(numbers):
        return ["include/berth/version.hpp: MAJOR, MINOR and PATCH are not all there"]
    version = ".".join(number.group(1) for number in numbers)
    complaints = []
    top = re.search(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not top or top.group(1) != version:
        complaints.append(f"CHANGELOG.md: the top entry is {top and top.group(1)}, the version {version}")
    if cmake_version is not None and cmake_version != version:
        complaints.append(f"CMake has version {cmake_version}, version.hpp {version}")
    if re.search(r"VERSION\s+\d+\.\d+\.\d+",
                 re.sub(r"cmake_minimum_required\([^)]*\)", "",
                        (root / "CMakeLists.txt").read_text(encoding="utf-8"))):
        complaints.append("CMakeLists.txt: the version is written out; version.hpp is its one place")
    return complaints


def tree(log="## 0.1.0 (unreleased)\n", cmake="project(berth VERSION ${berth_version})\n"):
    header = "".join(f"#define BERTH_VERSION_{part} {number}\n"
                     for part, number in (("MAJOR", 0), ("MINOR", 1), ("PATCH", 0)))
    return {"include/berth/version.hpp": header, "CHANGELOG.md": log, "CMakeLists.txt": cmake}


CASES = [
    ("agreement", tree(), None),
    ("changelog behind", tree(log="## 0.0.9\n\n## 0.1.0\n"), "top entry is 0.0.9"),
    ("changelog empty", tree(log="# Changes\n"), "top entry is None"),
    ("literal", tree(cmake="project(berth VERSION 0.1.0)\n"), "written out"),
    ("half", {**tree(), "include/berth/version.hpp": "#define BERTH_VERSION_MAJOR 0\n"}, "not all there"),
]

if __name__ == "__main__":
    cmake_version = PARSER.parse_known_args()[0].cmake_version
    lint.main(lambda root: check(root, cmake_version if root == lint.PROJECT else None),
              CASES, "version", PARSER)
