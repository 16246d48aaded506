"""Makes what is kept of the tier `base`: a graph without its matrices, and the difference to the public model (a delta).

    python tier_base.py --base <all-mpnet-base-v2 folder> --tuned <folder of tune.py --rank> --output ../ui-mpnet-base

Writes model.onnx (matrices stand outside, in weights.bin) and delta.safetensors, and prints the manifest's lines. `tapwright models
install --tier base` fetches the public model and makes weights.bin of the two: for each matrix the product of the low-rank factors
is added, then rows are rounded by the scales in the delta. Both sides do this in float32 and in the same order, so that the bytes
are the same on every machine; their sha256 is in the manifest. `--weights FILE` writes them here as well.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from safetensors.numpy import load_file, save_file

from encoder import FACTORS, LORA_SCALE, WORDS, is_matrix
from mpnet_graph import build, quantize_rows

OUTSIDE = "weights.bin"


def rounded_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    whole, scale = quantize_rows(rows.astype(np.float32), 127)
    return whole, scale.reshape(-1)


def merged(matrix: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """matrix + LORA_SCALE · second · first, factor after factor, as `models install` does it."""
    total = np.zeros_like(matrix)
    for index in range(len(first)):
        total += second[:, index, None] * first[None, index, :]
    return matrix + np.float32(LORA_SCALE) * total


def make(base: Path, tuned: Path) -> tuple[dict, dict]:
    """The tensors of the delta, and those of the whole model as `models install` will have them."""
    public, whole, factors = (load_file(path) for path in (base / "model.safetensors", tuned / "model.safetensors", tuned / FACTORS))
    delta, weights = {}, {}
    for name, value in whole.items():
        if name == WORDS:
            known = len(public[WORDS])
            rows, scale = rounded_rows(np.concatenate([public[WORDS], value[known:]]))
            delta["words.new"], delta["words.scale"] = rows[known:], scale
            weights[name] = rows.astype(np.float32) * scale[:, None]
        elif is_matrix(name):
            pair = []
            for part in "ab":
                rows, scale = rounded_rows(factors[f"{name}.{part}"])
                delta[f"{name}.{part}"], delta[f"{name}.{part}.scale"] = rows, scale
                pair.append(rows.astype(np.float32) * scale[:, None])
            weights[name] = merged(public[name].astype(np.float32), *pair)
            delta[f"{name}.scale"] = quantize_rows(weights[name])[1].reshape(-1)
        else:
            weights[name] = value.astype(np.float32)
    return delta, weights


def put_outside(model: onnx.ModelProto) -> tuple[bytes, list[str]]:
    """Takes the 8-bit matrices out of the graph: their bytes one after another, and their names in that order."""
    content, order = bytearray(), []
    for tensor in model.graph.initializer:
        if tensor.name.endswith("_q8"):
            raw = numpy_helper.to_array(tensor).tobytes()
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in (("location", OUTSIDE), ("offset", len(content)), ("length", len(raw))):
                entry = tensor.external_data.add()
                entry.key, entry.value = key, str(value)
            content += raw
            order.append(tensor.name)
    return bytes(content), order


def told(path: Path, content: bytes) -> str:
    return f'  {{ path = "{path.name}", sha256 = "{hashlib.sha256(content).hexdigest()}", bytes = {len(content)} }},'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--tuned", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--weights", type=Path, help="write weights.bin to this file as well")
    arguments = parser.parse_args()
    delta, weights = make(arguments.base, arguments.tuned)
    model = build(weights, json.loads((arguments.tuned / "config.json").read_text()), True, True)
    content, order = put_outside(model)
    arguments.output.mkdir(parents=True, exist_ok=True)
    graph, difference = arguments.output / "model.onnx", arguments.output / "delta.safetensors"
    graph.write_bytes(model.SerializeToString())
    public = hashlib.sha256((arguments.base / "model.safetensors").read_bytes()).hexdigest()
    save_file(delta, difference, metadata={"order": " ".join(order), "base": public, "factor": str(LORA_SCALE)})
    if arguments.weights:
        arguments.weights.write_bytes(content)
    print(told(graph, graph.read_bytes()), told(Path(OUTSIDE), content), sep="\n")
    print("delta:", told(difference, difference.read_bytes()))


if __name__ == "__main__":
    main()
