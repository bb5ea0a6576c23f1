#!/usr/bin/env python3
"""Writes the small ONNX models of onnx_model_test.cc and, beside each, what NumPy says they compute.

    /usr/bin/python3 gonogo/nn/testdata/onnx/make_models.py     # needs python3-onnx, python3-numpy

Each model has a .txt file with three cases; a line is `in|out NAME values...`, a blank line ends a case. The expected
values are computed below in float64, formula by formula, without looking at the graph.
"""
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
rng = np.random.RandomState(20260717)
node = helper.make_node


def weights(*shape):
    return rng.normal(0.0, 0.5, shape).astype(np.float32)


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def elu(x, alpha=1.0):
    return np.where(x < 0.0, alpha * (np.exp(x) - 1.0), x)


def save(name, nodes, inputs, outputs, constants, function, opset=11, external=False, metadata=None):
    """`inputs` and `outputs` map names to shapes; `function` maps inputs to outputs, both as dictionaries."""
    def port(item):
        return helper.make_tensor_value_info(item[0], TensorProto.FLOAT, item[1])
    graph = helper.make_graph(nodes, name, [port(i) for i in inputs.items()], [port(o) for o in outputs.items()],
                              [numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8,
                              producer_name="gonogo tests")
    for key, value in (metadata or {}).items():
        model.metadata_props.add(key=key, value=value)
    if opset <= onnx.defs.onnx_opset_version():
        onnx.checker.check_model(model)
    if external:
        onnx.save_model(model, str(HERE / f"{name}.onnx"), save_as_external_data=True, all_tensors_to_one_file=True,
                        location=f"{name}.onnx.data", size_threshold=0)
    else:
        onnx.save_model(model, str(HERE / f"{name}.onnx"))
    with open(HERE / f"{name}.txt", "w") as out:
        for _ in range(3):
            case = {k: rng.normal(0.0, 1.0, [d if isinstance(d, int) else 1 for d in s]).astype(np.float32)
                    for k, s in inputs.items()}
            wide = {k: v.astype(np.float64) for k, v in case.items()}
            results = function(**wide)
            for kind, values in (("in", case), ("out", {k: results[k] for k in outputs})):
                for key, value in values.items():
                    out.write(f"{kind} {key} " + " ".join(f"{x:.9g}" for x in np.ravel(value)) + "\n")
            out.write("\n")


def mlp():
    """What RSL-RL exports: an empirical normaliser (x - mean) / (sd + eps), then Gemm and Elu."""
    mean, sd, eps = weights(1, 5), np.abs(weights(1, 5)), np.float32(0.01)
    w0, b0, w1, b1 = weights(33, 5), weights(33), weights(3, 33), weights(3)
    save("mlp",
         [node("Sub", ["obs", "mean"], ["centred"]), node("Add", ["sd", "eps"], ["scale"]),
          node("Div", ["centred", "scale"], ["x"]),
          node("Gemm", ["x", "w0", "b0"], ["h"], transB=1), node("Elu", ["h"], ["a"], alpha=0.7),
          node("Gemm", ["a", "w1", "b1"], ["actions"], transB=1)],
         {"obs": [1, 5]}, {"actions": [1, 3]},
         {"mean": mean, "sd": sd, "eps": eps, "w0": w0, "b0": b0, "w1": w1, "b1": b1},
         lambda obs: {"actions": elu((obs - mean) / (sd + eps) @ w0.T + b0, 0.7) @ w1.T + b1},
         opset=18, metadata={"robot": "none", "layout": "five numbers"})


def matmul():
    """MatMul + Add, open batch dimension, the other activations."""
    w0, b0, w1, w2 = weights(4, 20), weights(20), weights(20, 6), weights(6)
    save("matmul",
         [node("MatMul", ["x", "w0"], ["p"]), node("Add", ["p", "b0"], ["q"]), node("Relu", ["q"], ["r"]),
          node("MatMul", ["r", "w1"], ["s"]), node("Tanh", ["s"], ["t"]), node("Sigmoid", ["s"], ["u"]),
          node("LeakyRelu", ["s"], ["v"], alpha=0.3), node("Softplus", ["s"], ["w"]),
          node("MatMul", ["t", "w2"], ["dot"])],
         {"x": ["batch", 4]}, {"t": ["batch", 6], "u": ["batch", 6], "v": ["batch", 6], "w": ["batch", 6],
                               "dot": ["batch"]},
         {"w0": w0, "b0": b0, "w1": w1, "w2": w2},
         lambda x: (lambda s: {"t": np.tanh(s), "u": sigmoid(s), "v": np.where(s < 0, np.float32(0.3) * s, s),
                               "w": np.log1p(np.exp(s)), "dot": np.tanh(s) @ w2})
         (np.maximum(x @ w0 + b0, 0.0) @ w1))


def gemm():
    """Every form of Gemm: scaled, transposed, with a computed second operand, with awkward addends."""
    w, c, column = weights(3, 7), weights(7), weights(2, 1)
    save("gemm",
         [node("Gemm", ["a", "w", "c"], ["scaled"], alpha=0.5, beta=-2.0),
          node("Gemm", ["at", "w", "column"], ["transposed"], transA=1),
          node("Gemm", ["a", "b", "scaled"], ["computed"], alpha=2.0, beta=0.25),
          node("Gemm", ["w", "bt"], ["flipped"], transA=1, transB=1)],
         {"a": [2, 3], "at": [3, 2], "b": [3, 7], "bt": [4, 3]},
         {"scaled": [2, 7], "transposed": [2, 7], "computed": [2, 7], "flipped": [7, 4]},
         {"w": w, "c": c, "column": column},
         lambda a, at, b, bt: (lambda s: {"scaled": s, "transposed": at.T @ w + column,
                                          "computed": 2.0 * a @ b + 0.25 * s, "flipped": w.T @ bt.T})
         (0.5 * a @ w - 2.0 * c))


def arithmetic():
    """Broadcasting of computed tensors, Clip by input and by attribute's successor, Sqrt of a folded constant."""
    variance = np.abs(weights(4))
    save("arithmetic",
         [node("Mul", ["x", "column"], ["scaled"]), node("Sub", ["row", "scaled"], ["difference"]),
          node("Sqrt", ["variance"], ["sd"]), node("Div", ["difference", "sd"], ["ratio"]),
          node("Clip", ["ratio", "low", "high"], ["both"]), node("Clip", ["ratio", "", "high"], ["above"]),
          node("Identity", ["above"], ["out"])],
         {"x": [3, 4], "column": [3, 1], "row": [4]}, {"ratio": [3, 4], "both": [3, 4], "out": [3, 4]},
         {"variance": variance, "low": np.float32(-1.0), "high": np.float32(0.5)},
         lambda x, column, row: (lambda r: {"ratio": r, "both": np.clip(r, -1.0, 0.5), "out": np.minimum(r, 0.5)})
         ((row - x * column) / np.sqrt(variance)))


def layout():
    """Rearranging operators in their attribute forms (opset 11)."""
    ints = lambda *v: np.array(v, np.int64)
    save("layout",
         [node("Split", ["x"], ["left", "middle", "right"], axis=1, split=[1, 3, 2]),
          node("Concat", ["right", "left", "k", "middle"], ["joined"], axis=-1),
          node("Slice", ["x", "starts", "ends", "axes", "steps"], ["backwards"]),
          node("Transpose", ["x"], ["turned"]), node("Gather", ["x", "picks"], ["picked"], axis=1),
          node("Unsqueeze", ["x"], ["deep"], axes=[0, -1]), node("Transpose", ["deep"], ["mixed"], perm=[2, 0, 3, 1]),
          node("Squeeze", ["mixed"], ["flat"], axes=[1, 2]),
          node("Flatten", ["mixed"], ["flattened"], axis=2), node("Reshape", ["x", "shape"], ["reshaped"])],
         {"x": [2, 6]},
         {"joined": [2, 8], "backwards": [2, 3], "turned": [6, 2], "picked": [2, 2, 2], "flat": [6, 2],
          "flattened": [6, 2], "reshaped": [2, 3, 2]},
         {"k": np.array([[10.0, 11.0], [12.0, 13.0]], np.float32), "starts": ints(-1), "ends": ints(-100),
          "axes": ints(1), "steps": ints(-2), "picks": np.array([[0, -1], [3, 3]], np.int64), "shape": ints(0, -1, 2)},
         lambda x: {"joined": np.concatenate([x[:, 4:], x[:, :1], [[10, 11], [12, 13]], x[:, 1:4]], 1),
                    "backwards": x[:, ::-2], "turned": x.T, "picked": x[:, [[0, -1], [3, 3]]], "flat": x.T,
                    "flattened": x.T, "reshaped": x.reshape(2, 3, 2)})


def layout_inputs():
    """The same operators where later opsets take inputs instead, and a shape worked out inside the graph."""
    ints = lambda *v: np.array(v, np.int64)
    save("layout_inputs",
         [node("Split", ["x", "sizes"], ["a", "b"], axis=1), node("Split", ["x"], ["c", "d", "e"], axis=1, num_outputs=3),
          node("Unsqueeze", ["x", "zero"], ["deep"]), node("Squeeze", ["deep"], ["back"]),
          node("Constant", [], ["minus"], value_ints=[-1]),
          node("Shape", ["x"], ["shape"]), node("Gather", ["shape", "zero"], ["rows"]),
          node("Concat", ["minus", "rows"], ["wanted"], axis=0), node("Reshape", ["x", "wanted"], ["tall"]),
          node("Constant", [], ["half"], value_float=0.5), node("Cast", ["sizes"], ["numbers"], to=TensorProto.FLOAT),
          node("Mul", ["numbers", "half"], ["halves"]), node("Add", ["b", "half"], ["shifted"]),
          node("Slice", ["x", "one", "far"], ["bottom"])],
         {"x": [2, 7]},
         {"a": [2, 5], "shifted": [2, 2], "c": [2, 3], "e": [2, 1], "back": [2, 7], "tall": [7, 2], "halves": [2],
          "bottom": [1, 7]},
         {"sizes": ints(5, 2), "zero": ints(0), "one": ints(1), "far": ints(2**63 - 1)},
         lambda x: {"a": x[:, :5], "shifted": x[:, 5:] + 0.5, "c": x[:, :3], "e": x[:, 6:], "back": x,
                    "tall": x.reshape(7, 2), "halves": np.array([2.5, 1.0]), "bottom": x[1:]},
         opset=18)


def lstm_steps(x, h, c, w, r, b):
    n = h.shape[-1]
    ys = []
    for x_t in x:
        z = x_t @ w[0].T + h @ r[0].T + b[0, :4 * n] + b[0, 4 * n:]
        i, o, f = (sigmoid(z[:, k * n:(k + 1) * n]) for k in range(3))
        c = f * c + i * np.tanh(z[:, 3 * n:])
        h = o * np.tanh(c)
        ys.append(h)
    return np.stack(ys)[:, None], h[None], c[None]


def lstm():
    """One step with explicit state, as PyTorch exports a recurrent policy."""
    w, r, b, wa, ba = weights(1, 24, 5), weights(1, 24, 6), weights(1, 48), weights(2, 6), weights(2)
    def run(obs, h_in, c_in):
        y, h, c = lstm_steps(obs[None], h_in[0], c_in[0], w, r, b)
        return {"actions": y[0, 0] @ wa.T + ba, "h_out": h, "c_out": c}
    save("lstm",
         [node("Unsqueeze", ["obs"], ["x"], axes=[0]),
          node("LSTM", ["x", "w", "r", "b", "", "h_in", "c_in"], ["y", "h_out", "c_out"], hidden_size=6),
          node("Squeeze", ["y"], ["y1"], axes=[1]), node("Squeeze", ["y1"], ["y2"], axes=[0]),
          node("Gemm", ["y2", "wa", "ba"], ["actions"], transB=1)],
         {"obs": [1, 5], "h_in": [1, 1, 6], "c_in": [1, 1, 6]},
         {"actions": [1, 2], "h_out": [1, 1, 6], "c_out": [1, 1, 6]},
         {"w": w, "r": r, "b": b, "wa": wa, "ba": ba}, run)


def lstm_sequence():
    """Three steps, two sequences, state and bias left out."""
    w, r = weights(1, 16, 3), weights(1, 16, 4)
    def run(x):
        y, h, c = lstm_steps(x, np.zeros((2, 4)), np.zeros((2, 4)), w, r, np.zeros((1, 32)))
        return {"y": y, "c": c}
    save("lstm_sequence", [node("LSTM", ["x", "w", "r"], ["y", "", "c"], hidden_size=4)],
         {"x": [3, 2, 3]}, {"y": [3, 1, 2, 4], "c": [1, 2, 4]}, {"w": w, "r": r}, run, opset=14)


def gru(name, reset_after):
    w, r, b = weights(1, 15, 3), weights(1, 15, 5), weights(1, 30)
    wb, rb = b[0, :15], b[0, 15:]
    def run(x, h_in):
        h, ys = h_in[0], []
        for x_t in x:
            zx, zh = x_t @ w[0].T + wb, h @ r[0].T + rb
            update, reset = sigmoid(zx[:, :5] + zh[:, :5]), sigmoid(zx[:, 5:10] + zh[:, 5:10])
            recalled = reset * zh[:, 10:] if reset_after else (reset * h) @ r[0, 10:].T + rb[10:]
            h = (1.0 - update) * np.tanh(zx[:, 10:] + recalled) + update * h
            ys.append(h)
        return {"y": np.stack(ys)[:, None], "h_out": h[None]}
    save(name, [node("GRU", ["x", "w", "r", "b", "", "h_in"], ["y", "h_out"], hidden_size=5,
                     linear_before_reset=int(reset_after))],
         {"x": [2, 2, 3], "h_in": [1, 2, 5]}, {"y": [2, 1, 2, 5], "h_out": [1, 2, 5]}, {"w": w, "r": r, "b": b}, run)


def external():
    """Weights in a second file."""
    w, b = weights(4, 3), weights(3)
    save("external", [node("Gemm", ["x", "w", "b"], ["y"])], {"x": [1, 4]}, {"y": [1, 3]}, {"w": w, "b": b},
         lambda x: {"y": x @ w + b}, external=True)


def reductions():
    """Sums over axes, Softmax, normalisations, powers: what attention and layer norms are made of."""
    scale, shift = weights(4), weights(4)
    bn = {"g": weights(3), "s": weights(3), "m": weights(3), "v": np.abs(weights(3))}
    def run(x):
        centred = x - x.mean(-1, keepdims=True)
        column = lambda v: v[None, :, None]
        powers = np.exp(x - x.max(1, keepdims=True))
        return {"total": x.sum((0, 2)), "mean": x.mean(1, keepdims=True), "length": np.sqrt((x * x).sum(2, keepdims=True)),
                "most": x.max(1), "shares": powers / powers.sum(1, keepdims=True),
                "layer": centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-3) * scale + shift,
                "batch": (x - column(bn["m"])) / np.sqrt(column(bn["v"]) + 1e-5) * column(bn["g"]) + column(bn["s"]),
                "power": np.abs(x) ** 1.5, "wide": np.broadcast_to(x[:, :1], x.shape),
                "logs": np.log(np.exp(-x) + 1.0), "between": np.minimum(np.maximum(x, 0.25 * x), 0.5)}
    save("reductions",
         [node("ReduceSum", ["x", "axes"], ["total"], keepdims=0), node("ReduceMean", ["x"], ["mean"], axes=[1]),
          node("ReduceL2", ["x"], ["length"], axes=[-1]), node("ReduceMax", ["x"], ["most"], axes=[1], keepdims=0),
          node("Softmax", ["x"], ["shares"], axis=1),
          node("LayerNormalization", ["x", "scale", "shift"], ["layer"], epsilon=1e-3),
          node("BatchNormalization", ["x", "g", "s", "m", "v"], ["batch"]),
          node("Abs", ["x"], ["size"]), node("Pow", ["size", "exponent"], ["power"]),
          node("Slice", ["x", "zero", "one", "one"], ["row"]), node("Expand", ["row", "shape"], ["wide"]),
          node("Neg", ["x"], ["turned"]), node("Exp", ["turned"], ["raised"]), node("Add", ["raised", "unit"], ["sum"]),
          node("Log", ["sum"], ["logs"]), node("Mul", ["x", "quarter"], ["less"]), node("Max", ["x", "less"], ["larger"]),
          node("Min", ["larger", "half"], ["between"])],
         {"x": [2, 3, 4]},
         {"total": [3], "mean": [2, 1, 4], "length": [2, 3, 1], "most": [2, 4], "shares": [2, 3, 4], "layer": [2, 3, 4],
          "batch": [2, 3, 4], "power": [2, 3, 4], "wide": [2, 3, 4], "logs": [2, 3, 4], "between": [2, 3, 4]},
         {"scale": scale, "shift": shift, **bn, "axes": np.array([0, 2], np.int64), "exponent": np.float32(1.5),
          "zero": np.array([0], np.int64), "one": np.array([1], np.int64), "shape": np.array([2, 3, 1], np.int64),
          "unit": np.float32(1.0), "quarter": np.float32(0.25), "half": np.float32(0.5)}, run, opset=17)


def convolution():
    """A history of ten steps of three values: stride, padding, dilation, then a layer, as adaptation modules have it."""
    w0, b0, w1, w2, b2 = weights(5, 3, 4), weights(5), weights(2, 5, 2), weights(6, 3), weights(3)
    def slide(x, w, b, stride, pads, dilation):
        x = np.pad(x, ((0, 0), (0, 0), pads))
        reach = (w.shape[2] - 1) * dilation + 1
        places = range(0, x.shape[2] - reach + 1, stride)
        return np.stack([np.einsum("nct,oct->no", x[:, :, p:p + reach:dilation], w) + b for p in places], 2)
    def run(obs):
        history = obs.reshape(1, 10, 3).transpose(0, 2, 1)
        hidden = elu(slide(history, w0, b0, 2, (1, 2), 1))
        latent = slide(hidden, w1, 0.0, 1, (0, 0), 2)
        return {"latent": latent, "actions": latent.reshape(1, 6) @ w2 + b2}
    save("convolution",
         [node("Reshape", ["obs", "frames"], ["steps"]), node("Transpose", ["steps"], ["history"], perm=[0, 2, 1]),
          node("Conv", ["history", "w0", "b0"], ["c0"], kernel_shape=[4], strides=[2], pads=[1, 2]),
          node("Elu", ["c0"], ["hidden"]), node("Conv", ["hidden", "w1"], ["latent"], dilations=[2]),
          node("Flatten", ["latent"], ["flat"]), node("Gemm", ["flat", "w2", "b2"], ["actions"])],
         {"obs": [1, 30]}, {"latent": [1, 2, 3], "actions": [1, 3]},
         {"frames": np.array([1, 10, 3], np.int64), "w0": w0, "b0": b0, "w1": w1, "w2": w2, "b2": b2}, run, opset=13)


def half():
    """Weights in half precision, as raw bytes and as whole numbers; smallest and largest ones included."""
    w, b = weights(4, 3).astype(np.float16), weights(3).astype(np.float16)
    w[0] = [np.float16(6e-8), np.float16(-65504.0), np.float16(0.0)]
    save("half",
         [node("Cast", ["w"], ["wide"], to=TensorProto.FLOAT), node("Cast", ["b"], ["long"], to=TensorProto.FLOAT),
          node("Gemm", ["x", "wide", "long"], ["y"])],
         {"x": [1, 4]}, {"y": [1, 3]}, {"w": w, "b": b},
         lambda x: {"y": x @ w.astype(np.float64) + b.astype(np.float64)}, opset=13)


mlp()
matmul()
gemm()
arithmetic()
layout()
layout_inputs()
lstm()
lstm_sequence()
gru("gru", True)
gru("gru_reset_before", False)
external()
reductions()
convolution()
half()
