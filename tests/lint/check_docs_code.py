# SPDX-License-Identifier: BSL-1.0
"""Every ```cpp block of README.md and docs/ compiles.

A block with a main() is compiled as it stands. Any other is a fragment: docs_prelude.hpp comes before it,
and it is tried as the body of a function and then at namespace scope; its own #include lines move up.
A comment on the line before the block changes that:
    <!-- continues -->            the fragment follows the one before it on the page
    <!-- no-compile: REASON -->   not compiled: the text of an error, not code
"""
import argparse
import concurrent.futures
import os
import re
import subprocess

import lint

PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
PARSER.add_argument("--compiler", default="c++")
BLOCK = re.compile(r"(?:^<!-- *(?P<note>.*?) *-->\n\s*?)?^(?P<fence>```+)cpp\n(?P<code>.*?)^(?P=fence)$",
                   re.MULTILINE | re.DOTALL)
ANY_FENCE = re.compile(r"^```+ *(c\+\+|cc|cxx|C\+\+|hpp|CPP|Cpp)(?=\s|$)", re.MULTILINE)


def blocks(root):
    """(where, code before it on the page, code) of what has to compile; complaints."""
    found, complaints = [], []
    pages = [root / "README.md"] + sorted((root / "docs").rglob("*.md"))
    for page in (page for page in pages if page.exists()):
        name = page.relative_to(root).as_posix()
        text = page.read_text(encoding="utf-8")
        before = ""
        for match in BLOCK.finditer(text):
            where = f"{name}:{text.count(chr(10), 0, match.start('code')) + 1}"
            note, code = match.group("note") or "", match.group("code")
            if note.startswith("no-compile"):
                if not re.match(r"no-compile: *\S", note):
                    complaints.append(f"{where}: no-compile needs a reason")
                continue
            if note == "continues" and not before:
                complaints.append(f"{where}: there is nothing that it could continue")
            found.append((where, before if note == "continues" else "", code))
            before = (before if note == "continues" else "") + code
        for match in ANY_FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            complaints.append(f"{name}:{line}: write ```cpp, so that the block is compiled")
    return found, complaints


def compile_text(compiler, root, text):
    """The compiler's complaint, or None."""
    result = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused",
         f"-I{root / 'include'}", f"-I{root / 'tests/lint'}", "-x", "c++", "-"],
        input=text, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
    if result.returncode == 0:
        return None
    errors = [line for line in result.stderr.splitlines() if "error" in line]
    return "\n    ".join(errors[:5]) or result.stderr


def compile_block(compiler, root, before, code):
    if re.search(r"\bint main\s*\(", code):
        return compile_text(compiler, root, before + code)
    lines = (before + code).splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    body = "\n".join(line for line in lines if not line.startswith("#include"))
    head = "#include <docs_prelude.hpp>\n" + "\n".join(includes) + "\n"
    inside = compile_text(compiler, root, f"{head}void fragment() {{\n{body}\n}}\n")
    if inside is None:
        return None
    outside = compile_text(compiler, root, f"{head}{body}\n")
    return outside and f"as a function's body:\n    {inside}\n  at namespace scope:\n    {outside}"


def fragments_together(compiler, root, found):
    """True if these fragments, which have no #include lines, compile as one text, each in a namespace of its
    own: what the prelude costs is then paid once a page. If not, each is tried alone to say which is broken."""
    text = "#include <docs_prelude.hpp>\n"
    for number, (_, before, code) in enumerate(found):
        body = before + code
        if re.search(r"^template\b", body, re.MULTILINE):  # not legal in a function
            text += f"namespace fragment_{number} {{\n{body}\n}}\n"
        else:
            text += f"namespace fragment_{number} {{ void fragment() {{\n{body}\n}} }}\n"
    return compile_text(compiler, root, text) is None


def check(root, compiler):
    found, complaints = blocks(root)
    pages = {}
    for block in found:
        if not re.search(r"\bint main\s*\(|^#include", block[1] + block[2], re.MULTILINE):
            pages.setdefault(block[0].partition(":")[0], []).append(block)
    for plain in pages.values():
        if len(plain) > 1 and fragments_together(compiler, root, plain):
            found = [block for block in found if block not in plain]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda block: compile_block(compiler, root, *block[1:]), found)
        for (where, _, _), complaint in zip(found, results):
            if complaint:
                complaints.append(f"{where}: does not compile\n  {complaint}")
    return complaints


PRELUDE = {"tests/lint/docs_prelude.hpp": "#include <vector>\nstruct taken { int value; };\n"}


def page(text):
    return {**PRELUDE, "README.md": text, "docs/a/b.md": ""}


CASES = [
    ("program", page("```cpp\nint main() { return 0; }\n```\n"), None),
    ("statements", page("```cpp\ntaken t{1};\nfor (int i : {1, 2}) { t.value += i; }\n```\n"), None),
    ("declarations", page("```cpp\n#include <array>\ntemplate <class T> struct s { T t; };\n```\n"), None),
    ("continued", page("```cpp\nint a = 1;\n```\n\n<!-- continues -->\n```cpp\n++a;\n```\n"), None),
    ("not compiled", page("<!-- no-compile: an error's text -->\n```cpp\n??\n```\n"), None),
    ("other language", page("```sh\n./run demo\n```\n"), None),
    ("broken program", page("```cpp\nint main() { return x; }\n```\n"), "does not compile"),
    ("program without prelude", page("```cpp\nint main() { taken t; }\n```\n"), "does not compile"),
    ("broken fragment", page("text\n```cpp\nunknown u;\n```\n"), "README.md:3: does not compile"),
    ("deep page", {**PRELUDE, "docs/a/b.md": "```cpp\nunknown u;\n```\n"}, "docs/a/b.md:2"),
    ("not continued", page("```cpp\nint a = 1;\n```\n```cpp\n++a;\n```\n"), "does not compile"),
    ("continues nothing", page("<!-- continues -->\n```cpp\nint a;\n```\n"), "nothing that it could"),
    ("several", page("```cpp\nint a = 1;\n```\n```cpp\ntemplate <class T> T a();\n```\n"), None),
    ("one of several", page("```cpp\nint a = 1;\n```\n```cpp\nunknown u;\n```\n"), "README.md:5: does"),
    ("no reason", page("<!-- no-compile -->\n```cpp\n??\n```\n"), "needs a reason"),
    ("hidden", page("```c++\nunknown u;\n```\n"), "write ```cpp"),
]

if __name__ == "__main__":
    compiler = PARSER.parse_known_args()[0].compiler
    lint.main(lambda root: check(root, compiler), CASES, "code in the documentation", PARSER)
