"""Makes the next-action graph that the tests use: it has no weights, a widget's score is its mean state times the instruction's.

    python make_dot_next_action.py --output ../../tests/fixtures/dot-next-action/dot.onnx

Its moves are the sums of kind, place, segment, offset and one, so that a test sees whether those reach the graph as they should.
"""

import argparse
from pathlib import Path

import onnx
from onnx import TensorProto, helper

from mpnet_graph import Graph

HIDDEN = 384
ROWS = ("kind", "place", "segment", "offset")


def build() -> onnx.ModelProto:
    graph = Graph({}, {}, False)
    means = graph.node("MatMul", ["share", "states"], "means")
    now = graph.node("Gather", [means, graph.constant([0])], "now", axis=0)
    offered = graph.node("Slice", [means, graph.constant([1]), graph.constant([2**31 - 1]), graph.constant([0])], "offered")
    products = graph.node("Mul", [offered, now], "products")
    graph.node("ReduceSum", [products, graph.constant([1])], "widgets", keepdims=0)
    sums = [graph.node("ReduceSum", [name], f"{name}.sum", keepdims=1) for name in ROWS]
    sums = graph.node("Concat", [*sums, graph.constant([1])], "sums", axis=0)
    graph.node("Cast", [sums], "moves", to=TensorProto.FLOAT)
    inputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["tokens", HIDDEN])]
    inputs += [helper.make_tensor_value_info(name, TensorProto.INT64, ["tokens"]) for name in ROWS]
    inputs.append(helper.make_tensor_value_info("share", TensorProto.FLOAT, ["parts", "tokens"]))
    outputs = [helper.make_tensor_value_info("widgets", TensorProto.FLOAT, ["widgets"]), helper.make_tensor_value_info("moves", TensorProto.FLOAT, ["moves"])]
    made = helper.make_graph(graph.nodes, "dot", inputs, outputs, graph.initializers)
    return helper.make_model(made, producer_name="tapwright", ir_version=10, opset_imports=[helper.make_opsetid("", 18)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    output = parser.parse_args().output
    output.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(build(), output)


if __name__ == "__main__":
    main()
