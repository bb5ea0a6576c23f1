#!/usr/bin/env python3
"""Writes the small policies of policy_inputs_test.cc, whose answers can be worked out by hand.

    /usr/bin/python3 gonogo/sim/testdata/make_policies.py     # needs python3-onnx, python3-numpy
"""
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
node = helper.make_node


def save(name, nodes, inputs, outputs, constants):
    """Ports are names with the number of their values; constants are matrices."""
    def port(item):
        return helper.make_tensor_value_info(item[0], TensorProto.FLOAT, [1, item[1]])
    graph = helper.make_graph(nodes, name, [port(i) for i in inputs.items()], [port(o) for o in outputs.items()],
                              [numpy_helper.from_array(np.asarray(v, np.float32), k) for k, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8,
                              producer_name="gonogo tests")
    onnx.checker.check_model(model)
    onnx.save_model(model, str(HERE / f"{name}.onnx"))


# action = now + 10 (first of the past, last of the past); and a critic's value
save("two_inputs",
     [node("MatMul", ["past", "ends"], ["far"]), node("Add", ["now", "far"], ["action"]),
      node("MatMul", ["now", "sum"], ["value"])],
     {"now": 2, "past": 4}, {"value": 1, "action": 2},
     {"ends": [[10, 0], [0, 0], [0, 0], [0, 10]], "sum": [[1], [1]]})
# what an encoder says of a history of four: its sum, and its last number
save("encoder",
     [node("MatMul", ["history", "sum"], ["total"]), node("MatMul", ["history", "end"], ["last"])],
     {"history": 4}, {"total": 1, "last": 1},
     {"sum": [[1], [1], [1], [1]], "end": [[0], [0], [0], [1]]})
# one input of two numbers and a code of two: action = (x0 + 10 x2, x1 + 100 x3)
save("joined", [node("MatMul", ["x", "w"], ["action"])], {"x": 4}, {"action": 2},
     {"w": [[1, 0], [0, 1], [10, 0], [0, 100]]})
# the code as an input of its own: action = obs + 10 code
save("latent", [node("Mul", ["code", "ten"], ["far"]), node("Add", ["obs", "far"], ["action"])],
     {"obs": 2, "code": 2}, {"action": 2}, {"ten": [[10]]})
# an encoder with a memory: it counts what it has seen; and a policy with one, which adds it up
save("counting",
     [node("MatMul", ["history", "sum"], ["now"]), node("Add", ["seen", "now"], ["code"]),
      node("Identity", ["code"], ["next"])],
     {"history": 4, "seen": 1}, {"code": 1, "next": 1}, {"sum": [[1], [1], [1], [1]]})
save("adding",
     [node("Concat", ["x", "x"], ["two"], axis=1), node("Add", ["two", "before"], ["action"]),
      node("Identity", ["action"], ["after"])],
     {"x": 1, "before": 2}, {"action": 2, "after": 2}, {})
# a normaliser at the first of two inputs
save("normalised",
     [node("Sub", ["now", "mean"], ["centred"]), node("Div", ["centred", "spread"], ["z"]),
      node("MatMul", ["past", "ends"], ["far"]), node("Add", ["z", "far"], ["action"])],
     {"now": 2, "past": 4}, {"action": 2},
     {"mean": [[1, 2]], "spread": [[3, 4]], "ends": [[10, 0], [0, 0], [0, 0], [0, 10]]})
# the sizes of a quadruped with a history of two frames; it always says zero
save("frames",
     [node("MatMul", ["obs", "w"], ["now"]), node("MatMul", ["obs_history", "v"], ["before"]),
      node("Add", ["now", "before"], ["action"])],
     {"obs": 45, "obs_history": 90}, {"action": 12}, {"w": np.zeros((45, 12)), "v": np.zeros((90, 12))})
