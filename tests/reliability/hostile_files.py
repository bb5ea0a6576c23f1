#!/usr/bin/python3
"""Files made to do harm: each has to be refused as bad input (exit code 3) in words, within 30 s and 2 GB of address space.

    tests/reliability/hostile_files.py GONOGO REPOSITORY
"""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import h5py
from onnx import TensorProto, helper

from works import GO2, GONOGO, small_runs

MEMORY, SECONDS = 2 << 30, 30


def texts(place):
    for verb, name, content in [
            ("declare", "nested.toml", "a=" + "[" * 200_000 + "]" * 200_000),
            ("declare", "dotted.toml", "\n".join("[a" + ".b" * parts + "]" for parts in range(3000))),
            ("report", "nested.json", "[" * 500_000 + "]" * 500_000),
            ("audit", "wide.csv", ",".join(f"c{column}" for column in range(2_000_000)) + "\n"),
            ("audit", "escapes.csv", "cluster,query,action,cost,f_x\n\x1b[31mA\x1b]0;title\x07,1,a,1,0\n")]:
        (place / name).write_text(content)
        yield name, [verb, place / name]


def tables(place):
    """A table that the program wrote, whose costs lie elsewhere or are said to be huge."""
    protocol = place / "small.toml"
    protocol.write_text(small_runs.COLLECT_PROTOCOL)
    small_runs.run(small_runs.collect(protocol, place / "collected"))
    (place / "elsewhere.h5").write_bytes((place / "collected" / "table.h5").read_bytes())
    for name in ["external link", "external storage", "huge shape"]:
        file = place / f"{name.replace(' ', '-')}.h5"
        shutil.copy(place / "collected" / "table.h5", file)
        with h5py.File(file, "a") as table:
            path = "cost"
            shape = table[path].shape
            del table[path]
            if name == "external link":
                table[path] = h5py.ExternalLink(str(place / "elsewhere.h5"), path)
            elif name == "external storage":
                table.create_dataset(path, shape=shape, dtype="f8", external=[("/etc/passwd", 0, 8 * shape[0] * shape[1])])
            else:
                table.create_dataset(path, shape=(10**9, shape[1]), dtype="f8", chunks=(1, shape[1]))
        yield f"HDF5, {name}", ["audit", file]


def graph(initializer):
    node = helper.make_node("MatMul", ["obs", "w"], ["a"])
    return helper.make_model(helper.make_graph([node], "g", [helper.make_tensor_value_info("obs", TensorProto.FLOAT, [1, 239])],
                                               [helper.make_tensor_value_info("a", TensorProto.FLOAT, [1, 12])], [initializer])).SerializeToString()


def robots(place):
    huge = TensorProto(name="w", dims=[2**31, 2**31], data_type=TensorProto.FLOAT)
    outside = TensorProto(name="w", dims=[239, 12], data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
    outside.external_data.add(key="location", value="../../../etc/passwd")
    model = (GO2 / "model.xml").read_text()
    with_field = '<asset><hfield name="q" nrow="100000" ncol="100000" size="1 1 1 1"/></asset><worldbody>'
    for name, file, content in [
            ("ONNX, 2^62 elements", "policy.onnx", graph(huge)),
            ("ONNX, weights outside", "policy.onnx", graph(outside)),
            ("MJCF, file elsewhere", "model.xml", model.replace("<worldbody>", '<include file="../go2/model.xml"/><worldbody>', 1).encode()),
            ("MJCF, includes itself", "model.xml", model.replace("<worldbody>", '<include file="model.xml"/><worldbody>', 1).encode()),
            ("MJCF, 10^10 heights", "model.xml", model.replace("<worldbody>", with_field, 1).encode())]:
        robot = place / "robot"
        shutil.rmtree(robot, ignore_errors=True)
        shutil.copytree(GO2, robot)
        (robot / file).write_bytes(content)
        yield name, ["check", robot, "--quick"]


def main():
    problems = 0
    print("| file | exit code | seconds | said |")
    print("|---|---:|---:|---|")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for make in [texts, tables, robots]:
            for name, command in make(place):
                begin = time.monotonic()
                result = subprocess.run([str(GONOGO), *map(str, command)], capture_output=True, text=True, check=False, timeout=SECONDS,
                                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
                said = result.stderr.strip().replace(folder + "/", "").replace("\n", " ")
                problems += result.returncode != 3 or not said.startswith("gonogo: ") or "\x1b" in said
                print(f"| {name} | {result.returncode} | {time.monotonic() - begin:.1f} | {said[8:110]} |", flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
