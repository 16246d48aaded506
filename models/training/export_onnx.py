"""Exports a Hugging Face MPNet folder (model.safetensors, config.json) to ONNX.

    python export_onnx.py --model <folder> --output model.onnx [--weights nb8|fp32] [--pooling in-graph|none]

nb8 multiplies whole numbers of 8 bits, with a scale for each token and each output, and stores word embeddings in 8 bits per
row (see mpnet_graph.py). Unlike dynamic int8 a text's vector does not depend on the batch it sits in, so vectors
may be cached.
"""

import argparse
import json
from pathlib import Path

import onnx
from safetensors.numpy import load_file

from mpnet_graph import build


def export(model: Path, output: Path, weights: str, pooling: str) -> None:
    config = json.loads((model / "config.json").read_text())
    proto = build(load_file(model / "model.safetensors"), config, weights == "nb8", pooling == "in-graph")
    output.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(proto, output)
    print(f"{output}: {output.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--weights", choices=("nb8", "fp32"), default="nb8")
    parser.add_argument("--pooling", choices=("in-graph", "none"), default="in-graph")
    arguments = parser.parse_args()
    export(arguments.model, arguments.output, arguments.weights, arguments.pooling)


if __name__ == "__main__":
    main()
