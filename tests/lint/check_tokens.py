# SPDX-License-Identifier: BSL-1.0
"""Words that may not stand in the sources, and the lines every source starts with."""
import re

import lint

IN_CORE = {  # outside interop/ and berth_sim/: no allocation behind the back, no clock, no chance
    r"\bstd::function\b": "allocates; take a template parameter",
    r"\bunordered_\w+": "its order differs between platforms",
    r"\bstd::(stable_sort|inplace_merge)\b": "allocates; sort by a total order",
    r"\bstd::(views|ranges::views)\b": "does not compile with clang 14",
    r"\b(system_clock|steady_clock|high_resolution_clock)\b": "time is passed in",
    r"\b(std::)?s?rand\s*\(": "chance comes from core/random.hpp",
    r"\bstd::(cout|cerr|printf|puts)\b": "the library has no I/O",
    r"\bthrow\b(?!\s*\()": "errors are returned",
    r"\b__cpp_lib_expected\b": "two translation units would see two types",
}
IN_HEADERS = {  # of include/
    r"\busing\s+namespace\b": "it leaks into every user's file",
    r"^\s*namespace\s*\{": "every unit would have its own copy",
    r"^static\s+(?!_?assert)\w[^=;]*\(": "every unit would have its own copy; say inline",
}
EVERYWHERE = {
    r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b": "open ends belong into an issue",
    r"(^|[^\w.$}])/(wo" r"rk|tm" r"p|ro" r"ot|ho" r"me|fa" r"rm)/": "a path of one machine",
}
TEXT = (".hpp", ".cpp", ".h", ".c", ".cmake", ".txt", ".md", ".json", ".py", ".sh", ".yml", ".in", "")


def search(words, text, path):
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, why in words.items():
            match = re.search(pattern, line)
            if match:
                yield f"{path}:{number}: '{match.group(0).strip()}': {why}"


def check(root):
    complaints = []
    for file in lint.files(root, TEXT):
        path = file.relative_to(root).as_posix()
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # an input of a test, not a text of ours
        if path.startswith("tests/fuzz/corpus/"):
            continue
        complaints += search(EVERYWHERE, text, path)
        if file.suffix not in (".hpp", ".cpp", ".h", ".c"):
            continue
        code = lint.without_comments(text)
        # What a file of compile_fail expects comes first, in up to four lines.
        if "SPDX-License-Identifier: BSL-1.0" not in "".join(text.splitlines(True)[:5]):
            complaints.append(f"{path}:1: the licence line is missing")
        if file.suffix == ".hpp":
            if path.startswith("include/"):
                complaints += search(IN_HEADERS, code, path)
            if not re.search(r"^#pragma once$", text, re.MULTILINE):
                complaints.append(f"{path}:1: '#pragma once' is missing")
        if path.startswith("include/berth/") and not path.startswith("include/berth/interop/"):
            complaints += search(IN_CORE, code, path)
    return complaints


HEAD = "// SPDX-License-Identifier: BSL-1.0\n#pragma once\n"


def core(line):
    return {"include/berth/core/a.hpp": HEAD + line + "\n"}


CASES = [
    ("clean", core("inline int f() { return 1; }  // std::function would allocate"), None),
    ("in a string", core('inline char const* f() { return "std::function"; }'), None),
    ("simulator", {"include/berth_sim/a.hpp": HEAD + "inline std::function<int()> f;\n"}, None),
    ("function", core("std::function<int()> f;"), "allocates"),
    ("unordered", core("std::unordered_map<int, int> m;"), "order differs"),
    ("stable sort", core("std::stable_sort(a, b);"), "total order"),
    ("views", core("auto v = a | std::views::take(1);"), "clang 14"),
    ("clock", core("std::chrono::steady_clock::now();"), "passed in"),
    ("rand", core("int i = rand();"), "core/random"),
    ("output", core("std::cout << 1;"), "no I/O"),
    ("throw", core("throw 1;"), "returned"),
    ("using namespace", core("using namespace std;"), "leaks"),
    ("anonymous", core("namespace {"), "own copy"),
    ("static function", core("static int f() { return 1; }"), "say inline"),
    ("open end", {"docs/a.md": "TO" "DO: write\n"}, "issue"),
    ("machine path", {"docs/a.md": "see /ho" "me/me/x\n"}, "one machine"),
    ("licence", {"tests/a.cpp": "int a;\n"}, "licence"),
    ("licence in C", {"src/c/a.c": "int a;\n"}, "licence"),
    ("guard", {"include/berth/core/a.hpp": HEAD.split("\n")[0] + "\n"}, "pragma once"),
]

if __name__ == "__main__":
    lint.main(check, CASES, "tokens")
