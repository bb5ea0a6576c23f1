#!/usr/bin/env python3
"""Fails when a file includes what its place in the house does not allow.

Between modules: only what gonogo_module(... DEPS ...) names. Between the rooms (subfolders) of a module: only rooms named
before one's own in gonogo_module(... ROOMS ...), where "." stands for the files directly in the module. Private folders:
internal/ belongs to the folder it lies in, testing/ to tests. Link lines alone cannot stop a wrong #include, because all
modules share one include root. Files and folders stay small enough to be read: 400 lines, 30 sources (tests are not counted).
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent / "gonogo"
PRIVATE = {"internal", "testing"}
errors = []


def words_after(keyword, arguments):
    match = re.search(rf"\b{keyword}\b((?:\s+(?:[a-z0-9_]+|\.)(?=\s|$))+)", arguments)
    return match.group(1).split() if match else []


def declared(module_dir):
    """The DEPS and ROOMS of a module."""
    match = re.search(r"gonogo_module\((\w+)([^)]*)\)", (module_dir / "CMakeLists.txt").read_text())
    if not match:
        errors.append(f"{module_dir}: no gonogo_module(...) line")
        return set(), []
    return set(words_after("DEPS", match.group(2))), words_after("ROOMS", match.group(2))


def closure(name, direct, seen=None):
    seen = set() if seen is None else seen
    for dep in direct.get(name, ()):
        if dep not in seen:
            seen.add(dep)
            closure(dep, direct, seen)
    return seen


def room_of(parts):
    """parts: the path below the module, file name included."""
    return parts[0] if len(parts) > 1 else "."


def check_rooms(module, rooms):
    folders = {d.name for d in (root / module).iterdir() if d.is_dir()} - PRIVATE - {"testdata"}
    for folder in sorted(folders ^ (set(rooms) - {"."})):
        errors.append(f"gonogo/{module}: room '{folder}' is {'not in ROOMS' if folder in folders else 'named but missing'}")


def check_include(path, number, module, parts, target, target_parts):
    def wrong(reason):
        errors.append(f"{path.relative_to(root.parent)}:{number}: {reason}")

    is_test = path.stem.endswith(("_test", "_bench")) or "testing" in parts
    if target != module and target != "base" and target not in direct[module]:
        wrong(f"{module} may not include {target}")
        return
    if "testing" in target_parts and not is_test:
        wrong("testing/ is for tests")
    if "internal" in target_parts:
        owner = (target, *target_parts[: target_parts.index("internal")])
        if (module, *parts)[: len(owner)] != owner:
            wrong(f"{'/'.join(owner)}/internal is private to {'/'.join(owner)}")
    if target == module and not is_test and rooms[module]:
        own, other = room_of(parts), room_of(target_parts)
        order = rooms[module]
        if other in order and own in order and order.index(other) > order.index(own):
            wrong(f"room {own} may not include {other}, which ROOMS names later")


def check_folder_sizes():
    count = {}
    for path in root.rglob("*"):
        if path.suffix in {".h", ".cc"} and not path.stem.endswith(("_test", "_bench")):
            count[path.parent] = count.get(path.parent, 0) + 1
    for folder, sources in sorted(count.items()):
        if sources > 30:
            errors.append(f"{folder.relative_to(root.parent)}: {sources} sources in one folder, split at 30")


check_folder_sizes()
modules = [d for d in sorted(root.iterdir()) if (d / "CMakeLists.txt").exists()]
direct, rooms = {}, {}
for module in modules:
    direct[module.name], rooms[module.name] = declared(module)
for module in modules:
    name = module.name
    if name in closure(name, direct):
        errors.append(f"{name}: depends on itself through {sorted(direct[name])}")
    if rooms[name]:
        check_rooms(name, rooms[name])
    for path in sorted(module.rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        parts = path.relative_to(module).parts
        lines = path.read_text().splitlines()
        if len(lines) > 400:
            errors.append(f"{path.relative_to(root.parent)}: {len(lines)} lines, split at 400")
        for number, line in enumerate(lines, 1):
            include = re.match(r'\s*#include\s+[<"]gonogo/([a-z_]+)/(.*)[">]', line)
            if include:
                check_include(path, number, name, parts, include.group(1), tuple(include.group(2).split("/")))
            if re.match(r"\s*#include\s+<mujoco/", line) and name != "sim":
                errors.append(f"{path.relative_to(root.parent)}:{number}: only sim/ may include mujoco.h")
for error in errors:
    print(error)
print(f"{len(modules)} modules checked, {len(errors)} layering errors")
sys.exit(1 if errors else 0)
