#!/usr/bin/env python3
"""Reads an ONNX file with python3-onnx, checks it, and evaluates the few operators our exporter writes with NumPy.

    /usr/bin/python3 evaluate.py FILE ROWS < inputs > outputs      # float32 numbers separated by white space

Also prints the metadata to stderr as KEY=VALUE lines.
"""
import sys

import numpy as np
import onnx
from onnx import numpy_helper

OPERATORS = {
    "Sub": lambda n, a, b: [a - b],
    "Div": lambda n, a, b: [a / b],
    "Mul": lambda n, a, b: [a * b],
    "Add": lambda n, a, b: [a + b],
    "Gemm": lambda n, a, b, c: [a @ b + c],
    "Relu": lambda n, x: [np.maximum(x, 0)],
    "Elu": lambda n, x: [np.where(x < 0, np.expm1(x), x)],
    "Tanh": lambda n, x: [np.tanh(x)],
    "Sigmoid": lambda n, x: [1 / (1 + np.exp(-x))],
    "Identity": lambda n, x: [x],
    "Concat": lambda n, *xs: [np.concatenate(xs, n["axis"])],
    "Split": lambda n, x, sizes: np.split(x, np.cumsum(sizes)[:-1], n["axis"]),
    "Reshape": lambda n, x, shape: [x.reshape([x.shape[i] if d == 0 else d for i, d in enumerate(shape)])],
}

model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
values = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
numbers = np.array(sys.stdin.read().split(), np.float32).astype(np.float64)
values[model.graph.input[0].name] = numbers.reshape(int(sys.argv[2]), -1)
for node in model.graph.node:
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    values.update(zip(node.output, OPERATORS[node.op_type](attributes, *[values[i] for i in node.input])))
print(" ".join(f"{v:.9g}" for v in values[model.graph.output[0].name].ravel()))
for entry in model.metadata_props:
    print(f"{entry.key}={entry.value}", file=sys.stderr)
