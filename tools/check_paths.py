#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when documentation or a comment names a file or folder of this repository that does not exist.

Checked are words that begin with one of our folders, such as gonogo/audit/audit.h, sources named from their module on, such as
audit/audit.h, and the targets of relative links in Markdown. A
word may hold * and {a,b} as a shell knows them; one with a capital word in it, such as gonogo/cli/verbs/NAME.cc, stands for others and
only its folder is checked.
"""
import itertools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = "gonogo docs tests tools cmake bench robots examples experiments fuzz web python".split()
WORD = re.compile(rf"(?<![\w./$~<>{{}}-])(?:{'|'.join(FOLDERS)})/[\w./*{{}},+-]*[\w*}}/]")
MODULES = [folder.name for folder in sorted((ROOT / "gonogo").iterdir()) if folder.is_dir()]
# A source that is named from its module on.
SOURCE = re.compile(rf"(?<![\w./$~<>{{}}-])(?:{'|'.join(MODULES)})/[\w./*{{}},]*\.(?:h|cc|py)\b(?!\.)")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
COMMENT = {".md": None, ".h": r"//.*", ".cc": r"//.*", ".py": r'#\s.*|""".*?"""', ".sh": r"#.*", ".cmake": r"#.*", ".txt": r"#.*|^gonogo/.*", ".js": r"//.*",
           ".toml": r"#.*", ".yml": r"#.*"}
# Written by a program, or of another tree.
MADE = re.compile(r"^(?:docs/(?:site|api)|robots/(?:my_|mine)|tests/golden)|\.(?:bin|log)$|^[a-z]+/(?:NAME|ROBOT)\b")


def texts(path):
    """(line number, text) of everything in a file that is meant for people."""
    pattern = COMMENT.get(path.suffix)
    lines = path.read_text(errors="replace").splitlines()
    if path.suffix == ".md":
        yield from enumerate(lines, 1)
        return
    for number, line in enumerate(lines, 1):
        for match in re.finditer(pattern, line):
            yield number, match.group(0)


def expansions(word):
    """a/{b,c}.h -> a/b.h, a/c.h"""
    parts = re.split(r"\{([^{}]*,[^{}]*)\}", word)
    choices = [[part] if i % 2 == 0 else part.split(",") for i, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def exists(word):
    word = word.rstrip("/.,")
    capital = re.search(r"(?<![a-z0-9_])[A-Z]{2,}", word)
    if capital and not (ROOT / word).exists():
        word = word[:capital.start()].rpartition("/")[0]
    if any(mark in word for mark in "*?["):
        return any(ROOT.glob(word))
    path = ROOT / word
    # Without an ending it stands for header and source.
    return path.exists() or any(path.parent.glob(path.name + ".*"))


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    errors = []
    for name in listed.stdout.split():
        path = ROOT / name
        if path.suffix not in COMMENT or not path.is_file() or "testdata" in path.parts or name.startswith(("web/node_modules", "CHANGELOG")):
            continue
        for number, text in texts(path):
            named = [match.group(0) for match in WORD.finditer(text)] + ["gonogo/" + match.group(0) for match in SOURCE.finditer(text)]
            for word in itertools.chain.from_iterable(map(expansions, named)):
                if not MADE.search(word) and not exists(word):
                    errors.append(f"{name}:{number}: {word} does not exist")
            if path.suffix == ".md":
                for target in LINK.findall(text):
                    if "://" not in target and not target.startswith(("mailto:", "#")) and not (path.parent / target).exists():
                        errors.append(f"{name}:{number}: link to {target}, which does not exist")
    for error in errors:
        print(error)
    print("paths named in documentation and comments: " + (f"{len(errors)} do not exist" if errors else "all exist"))
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
