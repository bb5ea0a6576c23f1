#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when the version of the project, written in CMakeLists.txt, is another one in CITATION.cff or in the changelog.

A release is: the new version in CMakeLists.txt and CITATION.cff (with its date), "Unreleased" in CHANGELOG.md renamed to
"VERSION (DATE)", and the tag vVERSION.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
errors = []


def found(pattern, file):
    match = re.search(pattern, (root / file).read_text(), re.M)
    if not match:
        errors.append(f"{file}: found nothing like {pattern}")
    return match.group(1) if match else None


version = found(r"^project\(gonogo VERSION (\d+\.\d+\.\d+)", "CMakeLists.txt")
cited = found(r"^version: *\"?([^\"\n]+)", "CITATION.cff")
if cited != version:
    errors.append(f"CITATION.cff: version {cited}, but CMakeLists.txt says {version}")

headings = re.findall(r"^## (.+)$", (root / "CHANGELOG.md").read_text(), re.M)
releases = [heading.split()[0] for heading in headings if heading != "Unreleased"]
if not headings:
    errors.append("CHANGELOG.md: no '## Unreleased' and no '## VERSION (DATE)'")
if releases and releases[0] != version:
    errors.append(f"CHANGELOG.md: newest release is {releases[0]}, but CMakeLists.txt says {version}")

# Whoever stands on a tag stands on that version, with a changelog that says so.
tags = subprocess.run(["git", "-C", str(root), "tag", "--points-at", "HEAD"], capture_output=True, text=True).stdout.split()
for tag in tags:
    if re.fullmatch(r"v\d+\.\d+\.\d+", tag) and (tag != f"v{version}" or headings[:1] == ["Unreleased"]):
        errors.append(f"tag {tag}: CMakeLists.txt says {version}, CHANGELOG.md begins with '{headings[0]}'")

for error in errors:
    print(error)
print(f"version {version}: {'see above' if errors else 'CITATION.cff and CHANGELOG.md agree'}")
sys.exit(1 if errors else 0)
