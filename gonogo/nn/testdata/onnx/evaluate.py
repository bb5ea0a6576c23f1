#!/usr/bin/env python3
"""Reads an ONNX file with python3-onnx, checks it, and evaluates the few operators our exporter writes with NumPy.

    /usr/bin/python3 evaluate.py FILE ROWS < inputs > outputs      # float32 numbers separated by white space, a line per output

Also prints the metadata to stderr as KEY=VALUE lines.
"""
import sys

import numpy as np
import onnx
from onnx import numpy_helper



def trees(n, x):
    """Every row walks down every tree; what stands in its leaves is added up."""
    nodes = {}
    fields = ["nodes_featureids", "nodes_values", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids"]
    for tree, node, *rest in zip(n["nodes_treeids"], n["nodes_nodeids"], *[n[f] for f in fields]):
        nodes.setdefault(tree, {})[node] = rest
    leaves = {}
    for tree, node, target, weight in zip(n["target_treeids"], n["target_nodeids"], n["target_ids"], n["target_weights"]):
        leaves.setdefault((tree, node), []).append((target, weight))
    y = np.tile(np.array(n["base_values"], np.float64), (len(x), 1))
    for row, out in zip(x, y):
        for tree, of_tree in nodes.items():
            node = 0
            while True:
                feature, threshold, mode, below, other = of_tree[node]
                if mode == b"LEAF":
                    break
                assert mode == b"BRANCH_LT"
                node = below if row[feature] < threshold else other
            for target, weight in leaves[tree, node]:
                out[target] += weight
    return [y]


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
    "Clip": lambda n, x, low, high: [np.clip(x, low, high)],
    "Gather": lambda n, x, where: [np.take(x, where, n["axis"])],
    "Transpose": lambda n, x: [np.transpose(x, n["perm"])],
    "TreeEnsembleRegressor": trees,
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
for output in model.graph.output:  # a line each
    print(" ".join(f"{v:.9g}" for v in values[output.name].ravel()))
for entry in model.metadata_props:
    print(f"{entry.key}={entry.value}", file=sys.stderr)
