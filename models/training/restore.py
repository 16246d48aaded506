"""Turns a shipped model back into a folder that tune.py takes, so that tuning can go on where no work folder is left.

    python restore.py --model models/ui-mpnet --output work/restored

The 8-bit matrices and word rows are multiplied out again. What the 8 bits lost stays lost (a cosine of about 0.9998 to
the weights before), which is less than a few steps of tuning move. Compares the two over texts of `data/`; exits 1 when
they differ.
"""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from safetensors.numpy import save_file
from tokenizers import Tokenizer

import sources
from check_model import embed
from check_tuned import exact
from encoder import MAX_TOKENS, WORDS, Encoder
from mpnet_graph import LEAST_GELU, relative_buckets

HERE = Path(__file__).parent
TEXTS = 400
LEAST_COSINE = 0.996
BY_DISTANCE = "encoder.relative_attention_bias.by_distance"


def weights_of(graph: dict[str, np.ndarray], config: dict) -> dict[str, np.ndarray]:
    """A Hugging Face MPNetModel's tensors from the initializers of a graph that export_onnx.py wrote with nb8."""
    if "embeddings.words_q8" not in graph or BY_DISTANCE not in graph:
        raise SystemExit("this is no graph of export_onnx.py --weights nb8: its 8-bit word rows are missing")
    weights = {WORDS: graph["embeddings.words_q8"].astype(np.float32) * graph["embeddings.words_scale"]}
    for name, value in graph.items():
        if name.endswith(".weight_q8"):
            weight = name.removesuffix("_q8")
            if value.ndim == 3:  # blocks around 128, as graphs had them up to release 3
                scale = graph[f"{weight}_scale"].reshape(len(value), -1, 1)
                weights[weight] = ((value.astype(np.float32) - 128) * scale).reshape(len(value), -1)
                continue
            weights[weight] = value.T.astype(np.float32) * graph[f"{weight}_scale"][:, None]
        elif name.endswith(".attn.bias"):
            parts = np.split(value, 3)
            weights.update({f"{name.removesuffix('bias')}{part}.bias": bias for part, bias in zip("qkv", parts)})
        elif name.startswith(("embeddings.", "encoder.")) and name.endswith((".weight", ".bias")):
            weights[name] = value
    for name, value in graph.items():
        if name.endswith(".shifted_bias"):  # see mpnet_graph.py: what the least value of gelu stands for is taken off there
            dense = name.removesuffix(".shifted_bias")
            weights[f"{dense}.bias"] = value - LEAST_GELU * weights[f"{dense}.weight"].sum(axis=1)
    # The graph holds the bias of every distance; one distance of each bucket says the bucket's.
    longest = config["max_position_embeddings"] - 2
    buckets = relative_buckets(np.arange(1 - longest, longest), config["relative_attention_num_buckets"])
    known, first = np.unique(buckets, return_index=True)
    bias = np.zeros((config["relative_attention_num_buckets"], config["num_attention_heads"]), np.float32)
    bias[known] = graph[BY_DISTANCE][0].T[first]
    weights["encoder.relative_attention_bias.weight"] = bias
    return {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}


def restore(model: Path, output: Path) -> None:
    config = json.loads((model / "config.json").read_text())
    graph = {i.name: numpy_helper.to_array(i) for i in onnx.load(model / "model.onnx").graph.initializer}
    output.mkdir(parents=True, exist_ok=True)
    save_file(weights_of(graph, config), output / "model.safetensors", metadata={"format": "pt"})
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(model / name, output / name)


def some_texts(count: int) -> list[str]:
    """Instructions and widgets of `data/`, evenly taken from all files."""
    texts = [line["instruction"] for line in sources.read_all([HERE / "data"], "instructions*.jsonl")]
    texts += [widget[0] for screen in sources.read_all([HERE / "data"], "mini*.jsonl") for widget in screen["widgets"]]
    return list(dict.fromkeys(texts))[::max(1, len(texts) // count)][:count]


def cosines(model: Path, restored: Path, texts: list[str]) -> np.ndarray:
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    session = onnxruntime.InferenceSession(model / "model.onnx", providers=["CPUExecutionProvider"])
    encoder = Encoder(restored).eval()
    return np.array([(embed(session, tokenizer, [text])[0] * exact(encoder, text)).sum() for text in texts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=HERE.parent / "ui-mpnet", help="the shipped folder (default: %(default)s)")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    restore(arguments.model, arguments.output)
    found = cosines(arguments.model, arguments.output, some_texts(TEXTS))
    print(f"{arguments.output}: cosine to {arguments.model / 'model.onnx'} over {len(found)} texts: "
          f"mean {found.mean():.6f}, min {found.min():.6f} (bound {LEAST_COSINE})")
    raise SystemExit(0 if found.min() > LEAST_COSINE else 1)


if __name__ == "__main__":
    main()
