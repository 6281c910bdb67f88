# SPDX-License-Identifier: BSL-1.0
"""Every link of a markdown file that points into the project leads somewhere."""
import re

import lint


def anchors(text):
    found = set()
    for heading in re.findall(r"^#+ +(.+?) *#*$", text, re.MULTILINE):
        plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        copies = sum(1 for other in found if re.fullmatch(re.escape(anchor) + r"(-\d+)?", other))
        found.add(f"{anchor}-{copies}" if copies else anchor)
    return found


def prose(text):
    """Without code blocks and code spans: what stands there is no link and no heading."""
    text = re.sub(r"^(```|~~~).*?^\1[^\n]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return text, re.sub(r"`[^`\n]*`", "", text)


def check(root):
    complaints = []
    for page in lint.files(root, (".md",)):
        name = page.relative_to(root).as_posix()
        _, text = prose(page.read_text(encoding="utf-8"))
        targets = re.findall(r"\]\(<?([^)\s>]+)>?(?: +\"[^\"]*\")?\)", text)
        targets += re.findall(r"^\[[^\]]+\]: +(\S+)", text, re.MULTILINE)
        for target in targets:
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                complaints.append(f"{name}: {target}: there is no such file")
            elif root.resolve() not in file.resolve().parents:
                complaints.append(f"{name}: {target}: outside the project")
            elif anchor and file.suffix == ".md":
                if anchor not in anchors(prose(file.read_text(encoding="utf-8"))[0]):
                    complaints.append(f"{name}: {target}: there is no such heading")
    return complaints


CASES = [
    ("file", {"README.md": "[a](docs/a.md)", "docs/a.md": "[back](../README.md)"}, None),
    ("heading", {"README.md": "# The `tick`, in short\n[a](#the-tick-in-short)"}, None),
    ("same heading twice", {"README.md": "# A\n# A\n[a](#a-1)"}, None),
    ("elsewhere", {"README.md": "[a](https://example.org/x#y)"}, None),
    ("in code", {"README.md": "`[a](b)`\n```cpp\n[a](b)\n```\n"}, None),
    ("no file", {"README.md": "[a](docs/a.md)"}, "no such file"),
    ("no heading", {"README.md": "# A\n[a](#b)"}, "no such heading"),
    ("no heading there", {"README.md": "[a](docs/a.md#b)", "docs/a.md": "# A"}, "no such heading"),
    ("image", {"README.md": "![a](a.png)"}, "no such file"),
    ("reference", {"README.md": "[a][b]\n\n[b]: docs/a.md\n"}, "no such file"),
    ("outside", {"README.md": "[a](../)"}, "outside"),
]

if __name__ == "__main__":
    lint.main(check, CASES, "markdown links")
