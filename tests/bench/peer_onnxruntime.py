#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes full.onnx and causal.onnx: projection, ONNX Runtime's fused MultiHeadAttention, output projection."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

E, H = 512, 8
rng = np.random.default_rng(0)
weights = {"w": rng.standard_normal((E, 3 * E)) / np.sqrt(E), "b": np.zeros(3 * E), "wo": rng.standard_normal((E, E)) / np.sqrt(E), "bo": np.zeros(E)}
for name, unidirectional in (("full", 0), ("causal", 1)):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["xw"]), helper.make_node("Add", ["xw", "b"], ["qkv"]),
             helper.make_node("Split", ["qkv", "parts"], ["q", "k", "v"], axis=2),
             helper.make_node("MultiHeadAttention", ["q", "k", "v"], ["c"], domain="com.microsoft", num_heads=H, unidirectional=unidirectional),
             helper.make_node("MatMul", ["c", "wo"], ["cw"]), helper.make_node("Add", ["cw", "bo"], ["y"])]
    tensors = [numpy_helper.from_array(v.astype("f4"), k) for k, v in weights.items()] + [numpy_helper.from_array(np.array([E] * 3, "i8"), "parts")]
    value = lambda n: helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, "S", E])
    model = helper.make_model(helper.make_graph(nodes, name, [value("x")], [value("y")], tensors),
                              opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("com.microsoft", 1)])
    model.ir_version = 8
    onnx.save(model, name + ".onnx")
