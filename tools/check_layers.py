#!/usr/bin/env python3
"""Fails when a file includes a module its own module does not declare in gonogo_module(... DEPS ...).

Link lines alone cannot stop a wrong #include, because all modules share one include root.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent / "gonogo"
errors = []


def declared(module_dir):
    text = (module_dir / "CMakeLists.txt").read_text()
    match = re.search(r"gonogo_module\((\w+)([^)]*)\)", text)
    if not match:
        errors.append(f"{module_dir}: no gonogo_module(...) line")
        return set()
    deps = re.search(r"\bDEPS\b((?:\s+[a-z]+\b)*)", match.group(2))
    return set(deps.group(1).split()) if deps else set()


def closure(name, direct, seen=None):
    seen = set() if seen is None else seen
    for dep in direct.get(name, ()):
        if dep not in seen:
            seen.add(dep)
            closure(dep, direct, seen)
    return seen


modules = [d for d in sorted(root.iterdir()) if (d / "CMakeLists.txt").exists()]
direct = {d.name: declared(d) for d in modules}
for module in modules:
    if module.name in closure(module.name, direct):
        errors.append(f"{module.name}: depends on itself through {sorted(direct[module.name])}")
    for path in sorted(module.rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#include\s+[<"]gonogo/([a-z_]+)/(.*)[">]', line)
            if include and include.group(1) != module.name:
                target = include.group(1)
                if target not in direct[module.name] and target != "base":
                    errors.append(f"{path.relative_to(root.parent)}:{number}: {module.name} may not include {target}")
                elif include.group(2).startswith("internal/"):
                    errors.append(f"{path.relative_to(root.parent)}:{number}: {target}/internal is private to {target}")
            if re.match(r"\s*#include\s+<mujoco/", line) and module.name != "sim":
                errors.append(f"{path.relative_to(root.parent)}:{number}: only sim/ may include mujoco.h")
for error in errors:
    print(error)
print(f"{len(modules)} modules checked, {len(errors)} layering errors")
sys.exit(1 if errors else 0)
