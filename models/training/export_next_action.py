"""Exports what next_action.py trained to ONNX: the upper layers and the heads, for one decision at a time.

    python export_next_action.py --encoder work/restored --model work/next/model.pt --output model.onnx [--weights nb8|fp32]

Inputs: `states` float32 [tokens, hidden], what the encoder's lower layers make of each part; `kind`, `place`, `segment`, `offset` int64 [tokens]
(see next_action_model.py); `share` float32 [1 + widgets, tokens], of which tokens the instruction and each widget are the mean.
Outputs: `widgets` float32 [widgets] and `moves` float32 [moves], scores before the softmax over both. Compares with torch over made-up
decisions; exits 1 when a chance differs by more than MOST_APART.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper

import readings
from encoder import Encoder
from mpnet_graph import FUSED, Graph
from next_action_model import KINDS, LOWER, PAST, WIDGET, Batch, Lower, NextAction, segments

MOST_APART = 0.12  # of a chance, between torch and the 8-bit graph
READINGS = 60


def linear(graph: Graph, name: str, value: str) -> str:
    product = graph.node("MatMul", [value, graph.tensor(f"{name}.weight", graph.weights[f"{name}.weight"].T)], f"{name}.product")
    return graph.node("Add", [product, graph.weight(f"{name}.bias")], f"{name}.output")


def unit(graph: Graph, name: str, value: str) -> str:
    length = graph.node("ReduceL2", [value, graph.constant([1])], f"{name}.length", keepdims=1)
    length = graph.node("Max", [length, graph.constant(1e-12, np.float32)], f"{name}.length_positive")
    return graph.node("Div", [value, length], f"{name}.unit")


def placed(graph: Graph, name: str, kind: int, rows: np.ndarray) -> str:
    """The place's row for tokens of one kind, nothing for all others."""
    is_kind = graph.node("Equal", ["kind", graph.constant(kind)], f"{name}.is")
    is_kind = graph.node("Cast", [is_kind], f"{name}.float", to=TensorProto.FLOAT)
    is_kind = graph.node("Unsqueeze", [is_kind, graph.constant([1])], f"{name}.column")
    row = graph.node("Gather", [graph.tensor(f"{name}.rows", rows), "place"], f"{name}.row", axis=0)
    return graph.node("Mul", [row, is_kind], f"{name}.own")


def bias(graph: Graph, near: np.ndarray, across: np.ndarray) -> str:
    """[1, heads, tokens, tokens]: by distance within a segment, by the two kinds between segments."""
    pairs = {}
    for name in ("segment", "offset"):
        pairs[name] = (graph.node("Unsqueeze", [name, graph.constant([1])], f"{name}.query"),
                       graph.node("Unsqueeze", [name, graph.constant([0])], f"{name}.key"))
    same = graph.node("Equal", list(pairs["segment"]), "same")
    distance = graph.node("Sub", [pairs["offset"][1], pairs["offset"][0]], "distance")
    distance = graph.node("Clip", [distance, graph.constant(-31), graph.constant(31)], "distance.clipped")
    distance = graph.node("Add", [distance, graph.constant(31)], "distance.row")
    near = graph.node("Gather", [graph.tensor("near", near), distance], "bias.near", axis=1)
    own = graph.node("OneHot", ["kind", graph.constant(KINDS), graph.tensor("zero_one", np.array([0, 1], np.float32))], "kind.own")
    far = graph.node("MatMul", [own, graph.tensor("across", across)], "bias.query")
    key = graph.node("Transpose", [own], "kind.key", perm=[1, 0])
    far = graph.node("MatMul", [far, key], "bias.far")
    both = graph.node("Where", [same, near, far], "bias.both")
    return graph.node("Unsqueeze", [both, graph.constant([0])], "bias")


def build(weights: dict, config: dict, quantized: bool) -> onnx.ModelProto:
    graph, hidden = Graph(weights, config, quantized), config["hidden_size"]
    x = graph.node("Add", ["states", graph.node("Gather", [graph.weight("kinds"), "kind"], "kind.row", axis=0)], "placed.kind")
    x = graph.node("Add", [x, placed(graph, "past", PAST, weights["places"][0])], "placed.past")
    x = graph.node("Add", [x, placed(graph, "widget_place", WIDGET, weights["places"][1])], "placed.widget")
    attention = bias(graph, weights["near"], weights["across"])
    sizes = graph.node("Shape", ["kind"], "tokens.count")
    graph.node("Concat", [graph.constant([1]), sizes, graph.constant([hidden])], "texts.shape", axis=0)
    graph.tensor("tokens.flat", np.array([-1, hidden], np.int64))
    for layer in range(LOWER, config["num_hidden_layers"]):
        x = graph.layer(f"encoder.layer.{layer}", x, "", attention)
    means = graph.node("MatMul", ["share", x], "means")
    now = graph.node("Gather", [means, graph.constant([0])], "now", axis=0)
    offered = graph.node("Slice", [means, graph.constant([1]), graph.constant([2**31 - 1]), graph.constant([0])], "offered")
    asked = unit(graph, "asked", linear(graph, "asked", now))
    alike = graph.node("Mul", [unit(graph, "offered", linear(graph, "offered", offered)), asked], "alike.products")
    alike = graph.node("ReduceSum", [alike, graph.constant([1])], "alike", keepdims=1)
    alike = graph.node("Mul", [alike, graph.weight("scale")], "alike.scaled")
    wide = graph.node("Expand", [now, graph.node("Shape", [offered], "offered.shape")], "now.wide")
    joined = graph.node("Concat", [offered, wide], "joined", axis=1)
    joined = graph.node("Gelu", [linear(graph, "join", joined)], "join.gelu", FUSED)
    scores = graph.node("Add", [alike, linear(graph, "widget", joined)], "widgets.column")
    graph.node("Squeeze", [scores, graph.constant([1])], "widgets")
    moves = graph.node("Gelu", [linear(graph, "move.0", now)], "move.gelu", FUSED)
    graph.node("Squeeze", [linear(graph, "move.2", moves), graph.constant([0])], "moves")
    inputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["tokens", hidden])]
    inputs += [helper.make_tensor_value_info(name, TensorProto.INT64, ["tokens"]) for name in ("kind", "place", "segment", "offset")]
    inputs.append(helper.make_tensor_value_info("share", TensorProto.FLOAT, ["parts", "tokens"]))
    outputs = [helper.make_tensor_value_info("widgets", TensorProto.FLOAT, ["widgets"]), helper.make_tensor_value_info("moves", TensorProto.FLOAT, ["moves"])]
    made = helper.make_graph(graph.nodes, "next-action", inputs, outputs, graph.initializers)
    return helper.make_model(made, producer_name="tapwright", ir_version=10,
                             opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(FUSED, 1)])


def feeds(batch: Batch) -> dict:
    """The graph's inputs for a batch of one."""
    segment = batch.segment[0]
    share = (segment[None] == torch.arange(batch.widgets + 1)[:, None]).float()
    share = share / share.sum(1, keepdim=True).clamp_min(1.0)
    whole = {name: getattr(batch, name)[0].numpy() for name in ("kind", "place", "offset")}
    return {**whole, "segment": segment.numpy(), "states": batch.states[0].numpy(), "share": share.numpy()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--weights", choices=("nb8", "fp32"), default="nb8")
    arguments = parser.parse_args()
    encoder = Encoder(arguments.encoder)
    model, lower = NextAction(encoder).eval(), Lower(encoder)
    model.load_state_dict(torch.load(arguments.model))
    weights = {name.removeprefix("layers.").replace("__", "."): value.numpy() for name, value in model.state_dict().items()}
    weights["scale"] = weights["scale"].reshape(1)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(build(weights, encoder.config, arguments.weights == "nb8"), arguments.output)
    session = onnxruntime.InferenceSession(str(arguments.output))
    files = sorted((Path(__file__).parent / "data").glob("episodes_*.jsonl"))
    some = [moment for episode in readings.read_episodes(files)[::3] for moment in episode[::3]][:READINGS]
    lower.learn([(text, kind) for one in some for kind, _, text in segments(one)])
    apart, alike = 0.0, 0
    for one in some:
        batch = Batch([one], lower)
        with torch.no_grad():
            wanted = batch.scores(model)[0]
        found = torch.from_numpy(np.concatenate(session.run(["widgets", "moves"], feeds(batch))))
        apart = max(apart, float((found.softmax(0) - wanted.softmax(0)).abs().max()))
        alike += int(found.argmax() == wanted.argmax())
    size = arguments.output.stat().st_size / 1e6
    print(f"{arguments.output}: {size:.1f} MB; of {len(some)} decisions {alike} alike, chances at most {apart:.4f} apart (bound {MOST_APART})")
    raise SystemExit(apart > MOST_APART)


if __name__ == "__main__":
    main()
