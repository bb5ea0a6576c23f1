#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: make_docs.py GONOGO [PYTHON_PACKAGE_FOLDER]

Copies docs/ to build/docs-source, adds the pages that are generated from the code (verbs from --help, the Python reference from
docstrings), turns links to files outside docs/ into plain text, and runs mkdocs; the C++ interface goes beside it by Doxygen (docs/Doxyfile, cpp/index.html). Fails
when mkdocs or Doxygen warns, and when a page would load something from a network."""
import inspect
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE, SITE = ROOT / "build/docs-source", ROOT / "build/docs"


def copy_pages():
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE, ignore=shutil.ignore_patterns("Doxyfile"))
    (SOURCE / "index.md").write_text((ROOT / "README.md").read_text().replace("](docs/", "]("))


def untie_links():
    """A link to a source file, or to a page that is not there, is its text."""
    for page in SOURCE.rglob("*.md"):
        def keep(match, page=page):
            label, target = match.group(1), match.group(2)
            file = target.split("#")[0]
            if "://" in target or not file or ((page.parent / file).is_file() and not file.startswith("../../")):
                return match.group(0)
            return label
        page.write_text(re.sub(r"(?<!!)\[([^\]\n]*)\]\(([^)\s]+)\)", keep, page.read_text()))


def verbs(program):
    folder = ROOT / "build/docs-help"
    subprocess.run([ROOT / "tools/help_pages.py", program, folder], check=True)
    shutil.copy(folder / "verbs.md", SOURCE / "reference/verbs.md")


def python_reference(package):
    """Signatures and docstrings of everything public."""
    sys.path.insert(0, str(package))
    import gonogo
    out = ["# Python\n", inspect.getdoc(gonogo).split("\n")[0] + "\n", "Made from the docstrings, whose examples run as tests.\n"]
    for name in sorted(gonogo.__all__, key=str.lower):
        thing = getattr(gonogo, name)
        if name.startswith("_"):
            continue
        out += [f"## gonogo.{name}\n", described(name, thing)]
        if inspect.isclass(thing):
            for inner, value in sorted(vars(thing).items()):
                if inner.startswith("_"):
                    continue
                value = getattr(value, "__func__", value)
                if isinstance(value, property) and inspect.getdoc(value):
                    out += [f"**{inner}**: {inspect.getdoc(value)}\n"]
                elif inspect.isfunction(value) and inspect.getdoc(value):
                    out += [f"### {name}.{inner}\n", described(inner, value)]
    (SOURCE / "reference/python.md").write_text("\n".join(out))


def described(name, thing):
    try:
        signature = f"```python\n{name}{inspect.signature(thing)}\n```\n"
    except (TypeError, ValueError):
        signature = ""
    text = inspect.getdoc(thing) or ""
    # Examples become code, roles of the docstrings plain code marks.
    text = re.sub(r":(?:class|func|meth|attr):`([^`]+)`", r"`\1`", text).replace("``", "`")
    lines, code = [], False
    for line in text.split("\n"):
        starts = line.startswith(">>>")
        if starts and not code:
            lines.append("```python")
            code = True
        if code and not line.strip():
            lines.append("```")
            code = False
        lines.append(line)
    return signature + "\n".join(lines + (["```"] if code else [])) + "\n"


def loads_from_network():
    found = []
    for page in SITE.rglob("*.html"):
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", page.read_text(), flags=re.S)
        found += [f"{page.relative_to(SITE)}: {link}" for link in
                  re.findall(r"<(?:script|img|iframe)[^>]*src=[\"'](?:https?:)?//[^\"']*|<link[^>]*rel=[\"'](?:stylesheet|preconnect)[\"'][^>]*href=[\"'](?:https?:)?//[^\"']*", text)]
    return found


def main():
    copy_pages()
    verbs(sys.argv[1])
    if len(sys.argv) > 2:
        python_reference(pathlib.Path(sys.argv[2]).resolve())
    untie_links()
    done = subprocess.run(["mkdocs", "build", "--clean", "--strict", "-q"], cwd=ROOT, capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    if done.returncode != 0:
        return 1
    if subprocess.run(["doxygen", "docs/Doxyfile"], cwd=ROOT).returncode != 0:
        return 1
    for load in loads_from_network():
        print(f"{load}: pages may not load anything from a network")
        return 1
    print(f"site: {SITE / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
