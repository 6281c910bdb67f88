# SPDX-License-Identifier: BSL-1.0
"""Who may include whom: the floors of docs/design/floors.md, read from the #include lines."""
import re
import statistics

import lint

COMPONENTS, SCHEDULER = 4, 5
FLOOR = {
    "core": 0, "model": 1, "solve": 1, "sizing": 2, "concepts": 3, "policies": COMPONENTS,
    "placements": COMPONENTS, "preemption": COMPONENTS, "allocators": COMPONENTS, "predictors": COMPONENTS,
    "admission": COMPONENTS, "inference": COMPONENTS, "observers": COMPONENTS, "scheduler": SCHEDULER,
    "presets": 6, "interop": 6,
}
ROOT_FLOOR = {"version.hpp": -1, "fwd.hpp": 0, "berth.hpp": 7}
HEAP_USER = "berth/scheduler/detail/ready_queue.hpp"
BANNED_IN_CORE = {
    "iostream", "fstream", "regex", "random", "thread", "mutex", "condition_variable", "future",
    "unordered_map", "unordered_set", "format", "expected",
}
LONGEST = 400
MEDIAN = 150


def place(path):
    """'berth/model/job.hpp' -> (folder, floor); the umbrella's folder is ''."""
    parts = path.split("/")
    if len(parts) == 2:
        return "", ROOT_FLOOR.get(parts[1])
    return parts[1], FLOOR.get(parts[1])


def check_own(path, included):
    """An include of berth/ by a header of berth/."""
    folder, floor = place(path)
    other_folder, other_floor = place(included)
    if floor is None or other_floor is None:
        return f"includes {included}: one of the two is on no floor"
    if path == "berth/berth.hpp" and other_folder == "interop":
        return f"includes {included}: the umbrella is core only"
    if folder == other_folder:
        return None if folder else (None if other_floor < floor else f"includes {included}: not below")
    if other_floor > floor:
        return f"includes {included}: upward, floor {floor} to {other_floor}"
    if other_floor == floor:
        return f"includes {included}: sideways, both on floor {floor}"
    if folder == "solve" and other_folder not in ("core", ""):
        return f"includes {included}: solve/ includes only core/"
    if floor == SCHEDULER and other_floor == COMPONENTS:
        return f"includes {included}: the scheduler knows concepts, never components"
    return None


def check_detail(path, included):
    if "/detail/" in included and not path.startswith(included.split("/detail/")[0] + "/"):
        return f"includes {included}: detail/ is private to its folder"
    return None


def check_foreign(path, included):
    """An include of the standard library or of a third party."""
    in_sim = path.startswith("berth_sim/")
    in_bridge = in_sim or path.startswith("berth/interop/")
    library = included.split("/")[0]
    if included.startswith("boost/heap/"):
        return None if path == HEAP_USER else f"includes <{included}>: only {HEAP_USER} may"
    if included.startswith("boost/graph/") or library == "fmt":
        return None if in_bridge else f"includes <{included}>: only interop/ and berth_sim/ may"
    if library == "boost":
        return None
    if library == "nlohmann":
        return None if in_sim else f"includes <{included}>: only berth_sim/ may"
    if "/" in included or included.endswith(".hpp"):
        return f"includes <{included}>: a library that nobody agreed on"
    if not in_bridge and (included in BANNED_IN_CORE or included.endswith(".h")):
        return f"includes <{included}>: banned in the core"
    return None


def check(root):
    complaints = []
    lengths = []
    include = root / "include"
    for header in sorted(include.rglob("*.hpp")):
        path = header.relative_to(include).as_posix()
        text = header.read_text(encoding="utf-8")
        length = text.count("\n")
        lengths.append(length)
        if length > LONGEST and not path.startswith("berth/solve/"):
            complaints.append(f"{path}: {length} lines, above {LONGEST} only for a solver")
        if path.startswith("berth/") and place(path)[1] is None:
            complaints.append(f"{path}: a folder that is on no floor")
        for number, line in enumerate(text.splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if not match:
                continue
            included = match.group(2)
            if match.group(1) == '"':
                complaint = f'includes "{included}": always <berth/floor/file.hpp>'
            elif included.startswith("berth_sim/"):
                complaint = (None if path.startswith("berth_sim/")
                             else f"includes {included}: berth_sim uses berth, never the reverse")
                complaint = complaint or check_detail(path, included)
            elif included.startswith("berth/"):
                complaint = None if path.startswith("berth_sim/") else check_own(path, included)
                complaint = complaint or check_detail(path, included)
            else:
                complaint = check_foreign(path, included)
            if complaint:
                complaints.append(f"include/{path}:{number}: {complaint}")
    if not lengths:
        complaints.append("no headers were found")
    elif statistics.median(lengths) >= MEDIAN:
        complaints.append(f"the median header has {statistics.median(lengths)} lines, not below {MEDIAN}")
    return complaints


def tree(path, line, more=None):
    return {f"include/{path}": f"#include <{line}>\n", **(more or {})}


CASES = [
    ("downward", tree("berth/policies/a.hpp", "berth/core/ids.hpp"), None),
    ("own folder", tree("berth/model/a.hpp", "berth/model/job.hpp"), None),
    ("ready queue", tree(HEAP_USER, "boost/heap/d_ary_heap.hpp"), None),
    ("bridge", tree("berth/interop/fmt.hpp", "fmt/format.h"), None),
    ("simulator", tree("berth_sim/a.hpp", "iostream"), None),
    ("umbrella", tree("berth/berth.hpp", "berth/presets/make_scheduler.hpp"), None),
    ("version", tree("berth/core/config.hpp", "berth/version.hpp"), None),
    ("empty", {}, "no headers"),
    ("upward", tree("berth/model/a.hpp", "berth/concepts/a.hpp"), "upward"),
    ("families", tree("berth/placements/a.hpp", "berth/policies/fifo.hpp"), "sideways"),
    ("rule of sizing", tree("berth/sizing/a.hpp", "berth/solve/a.hpp"), None),
    ("sizing in a seam", tree("berth/concepts/a.hpp", "berth/sizing/a.hpp"), None),
    ("sizing of a component", tree("berth/sizing/a.hpp", "berth/allocators/a.hpp"), "upward"),
    ("solver", tree("berth/solve/a.hpp", "berth/model/job.hpp"), "sideways"),
    ("facade", tree("berth/scheduler/a.hpp", "berth/policies/fifo.hpp"), "never components"),
    ("bridge in umbrella", tree("berth/berth.hpp", "berth/interop/fmt.hpp"), "core only"),
    ("no floor", tree("berth/utilities/a.hpp", "vector"), "on no floor"),
    ("heap", tree("berth/scheduler/scheduler.hpp", "boost/heap/d_ary_heap.hpp"), "only berth/scheduler"),
    ("graph", tree("berth/solve/a.hpp", "boost/graph/adjacency_list.hpp"), "only interop/"),
    ("fmt", tree("berth/core/a.hpp", "fmt/format.h"), "only interop/"),
    ("banned", tree("berth/core/a.hpp", "unordered_map"), "banned"),
    ("posix", tree("berth/core/a.hpp", "unistd.h"), "banned"),
    ("stranger", tree("berth/core/a.hpp", "absl/types/span.h"), "nobody agreed"),
    ("reverse", tree("berth/core/a.hpp", "berth_sim/simulator.hpp"), "never the reverse"),
    ("private", tree("berth/presets/a.hpp", "berth/scheduler/detail/a.hpp"), "private"),
    ("relative", {"include/berth/core/a.hpp": '#include "ids.hpp"\n'}, "always <berth/"),
    ("long", {"include/berth/core/a.hpp": "\n" * 401}, "above 400"),
    ("median", {"include/berth/core/a.hpp": "\n" * 200}, "median"),
]

if __name__ == "__main__":
    lint.main(check, CASES, "floors")
