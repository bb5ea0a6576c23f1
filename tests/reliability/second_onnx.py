#!/usr/bin/python3
"""Our reader of ONNX graphs beside python3-onnx and NumPy, on generated graphs.

    tests/reliability/second_onnx.py build/release/bin/onnx_probe [--cases 1000] [--seed 1]

A sound graph, which onnx.checker accepts with full shape inference, has to give the numbers that NumPy computes in float64, within 1e-4 of
their size. (onnx.reference, which would evaluate it, begins with onnx 1.13; Debian 12 has 1.12.) Then a few of its bytes are changed:
whatever the file is now, ours has to refuse it (exit code 3) or run it, and the two verdicts are counted side by side.
"""
import argparse
import collections
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

UNARY = {"Abs": np.abs, "Elu": lambda x: np.where(x < 0, np.expm1(x), x), "Identity": lambda x: x, "Neg": lambda x: -x,
         "Relu": lambda x: np.maximum(x, 0), "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Softplus": lambda x: np.logaddexp(0, x), "Tanh": np.tanh}
BINARY = {"Add": np.add, "Max": np.maximum, "Min": np.minimum, "Mul": np.multiply, "Sub": np.subtract}
ROWS = 3


class Graph:
    """Nodes drawn one after the other; every value is [rows, width]."""

    def __init__(self, draw):
        self.draw, self.nodes, self.weights = draw, [], []
        self.inputs = draw.randint(1, 6)
        self.values = {"x": (self.inputs, lambda x: x)}
        for number in range(draw.randint(1, 8)):
            self.add(f"v{number}")
        self.output = f"v{number}"

    def weight(self, shape):
        array = np.array([self.draw.uniform(-1, 1) for _ in range(int(np.prod(shape)))], np.float32).reshape(shape)
        self.weights.append(numpy_helper.from_array(array, f"w{len(self.weights)}"))
        return self.weights[-1].name, array.astype(np.float64)

    def add(self, name):
        source = self.draw.choice(list(self.values))
        width, before = self.values[source]
        kind = self.draw.choice(["Gemm", "Concat", *UNARY, *BINARY])
        if kind == "Gemm":
            wide = self.draw.randint(1, 6)
            (w, weights), (b, bias) = self.weight((width, wide)), self.weight((wide,))
            self.nodes.append(helper.make_node(kind, [source, w, b], [name]))
            self.values[name] = (wide, lambda x: before(x) @ weights + bias)
        elif kind in UNARY:
            self.nodes.append(helper.make_node(kind, [source], [name]))
            self.values[name] = (width, lambda x: UNARY[kind](before(x)))
        elif kind == "Concat":
            other = self.draw.choice(list(self.values))
            wide, after = self.values[other]
            self.nodes.append(helper.make_node(kind, [source, other], [name], axis=1))
            self.values[name] = (width + wide, lambda x: np.concatenate([before(x), after(x)], 1))
        else:
            w, weights = self.weight((width,))
            self.nodes.append(helper.make_node(kind, [source, w], [name]))
            self.values[name] = (width, lambda x: BINARY[kind](before(x), weights))

    def model(self):
        width, _ = self.values[self.output]
        port = lambda name, size: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size])
        graph = helper.make_graph(self.nodes, "generated", [port("x", self.inputs)], [port(self.output, width)], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)


def damaged(draw, data):
    changed = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def checker_accepts(data):
    try:
        onnx.checker.check_model(onnx.load_from_string(data), full_check=True)
        return True
    except Exception:  # protobuf, the checker and shape inference each have their own
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("probe")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    verdicts, problems, largest = collections.Counter(), 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "graph.onnx"

        def run(numbers):
            return subprocess.run([options.probe, file, str(ROWS)], input=" ".join(f"{n:.9g}" for n in numbers.ravel()), text=True, errors="replace",
                                  capture_output=True, timeout=60, check=False)

        for case in range(options.cases):
            draw = random.Random(f"{options.seed}/{case}")
            graph = Graph(draw)
            data = graph.model().SerializeToString()
            onnx.checker.check_model(onnx.load_from_string(data), full_check=True)
            numbers = np.array([[draw.uniform(-2, 2) for _ in range(graph.inputs)] for _ in range(ROWS)], np.float32)
            file.write_bytes(data)
            done = run(numbers)
            expected = graph.values[graph.output][1](numbers.astype(np.float64))
            found = np.array(done.stdout.split(), np.float64)
            if done.returncode != 0 or found.size != expected.size:
                problems += 1
                print(f"case {case}: a sound graph: exit code {done.returncode}, {found.size} numbers: {done.stderr.strip()}")
                continue
            error = np.max(np.abs(found - expected.ravel()) / np.maximum(1, np.abs(expected.ravel())))
            largest = max(largest, error)
            if not error < 1e-4:
                problems += 1
                print(f"case {case}: differs from NumPy by {error}")
            changed = damaged(draw, data)
            file.write_bytes(changed)
            code = run(numbers).returncode
            verdicts["accepted" if checker_accepts(changed) else "refused", {0: "run", 2: "run", 3: "refused"}.get(code, f"exit code {code}")] += 1
            if code not in (0, 2, 3):
                problems += 1
                kept = pathlib.Path(f"onnx-{options.seed}-{case}.onnx")
                kept.write_bytes(changed)
                print(f"case {case}: exit code {code}; kept as {kept}")
    print(f"graphs: {options.cases}, largest difference from NumPy: {largest:.2g}")
    for (checker, reader), count in sorted(verdicts.items()):
        print(f"damaged graphs: {checker} by onnx.checker, {reader} by ours: {count}")
    print(f"problems: {problems}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
