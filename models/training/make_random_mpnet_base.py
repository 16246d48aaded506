"""Makes an MPNet of all-mpnet-base-v2's size (12 layers x 768, 109 M weights) with random weights and a relative bias
that is not zero, to prove that a full-size model loads and to measure it. Never committed, never used in CI.

    python make_random_mpnet_base.py --tokenizer ../ui-mpnet/tokenizer.json --output <folder> [--weights fp32|nb8]

Writes <folder>/hf (a Hugging Face folder), <folder>/model.onnx, tokenizer.json, and manifest.toml with one entry,
`random-mpnet-base`.
"""

import argparse
import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from export_onnx import export

CONFIG = {
    "architectures": ["MPNetModel"], "model_type": "mpnet", "hidden_act": "gelu", "hidden_size": 768,
    "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12, "layer_norm_eps": 1e-5,
    "max_position_embeddings": 514, "relative_attention_num_buckets": 32, "vocab_size": 30527, "bos_token_id": 0,
    "pad_token_id": 1, "eos_token_id": 2,
}


def random_weights(config: dict, seed: int, spread: float = 0.02) -> dict:
    """Tensors drawn the way training starts, so activations stay in a normal range."""
    random = np.random.default_rng(seed)
    width, inner = config["hidden_size"], config["intermediate_size"]

    def matrix(*shape: int, spread: float = spread) -> np.ndarray:
        return random.normal(0, spread, shape).astype(np.float32)

    def norm(name: str) -> dict:
        return {f"{name}.weight": 1 + matrix(width), f"{name}.bias": matrix(width)}

    def linear(name: str, rows: int, columns: int) -> dict:
        return {f"{name}.weight": matrix(rows, columns), f"{name}.bias": matrix(rows)}

    weights = {
        "embeddings.word_embeddings.weight": matrix(config["vocab_size"], width),
        "embeddings.position_embeddings.weight": matrix(config["max_position_embeddings"], width),
        **norm("embeddings.LayerNorm"),
        "encoder.relative_attention_bias.weight": matrix(config["relative_attention_num_buckets"],
                                                         config["num_attention_heads"], spread=1.0),
    }
    for index in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{index}"
        for part in "qkvo":
            weights |= linear(f"{layer}.attention.attn.{part}", width, width)
        weights |= norm(f"{layer}.attention.LayerNorm")
        weights |= linear(f"{layer}.intermediate.dense", inner, width)
        weights |= linear(f"{layer}.output.dense", width, inner)
        weights |= norm(f"{layer}.output.LayerNorm")
    return weights


def entry(folder: Path) -> str:
    def file(name: str) -> str:
        content = (folder / name).read_bytes()
        return f'  {{ path = "{name}", sha256 = "{hashlib.sha256(content).hexdigest()}", bytes = {len(content)} }},'

    return "\n".join([
        "format = 1", "", "[[model]]", 'name = "random-mpnet-base"', 'kind = "embedding"', 'path = "."',
        'architecture = "mpnet"', f"dimensions = {CONFIG['hidden_size']}", "max_tokens = 128", 'pooling = "in-graph"',
        'licence = "none: random weights"', 'source = "make_random_mpnet_base.py"',
        "files = [", file("model.onnx"), file("tokenizer.json"), "]", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--weights", choices=("fp32", "nb8"), default="fp32")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    source = arguments.output / "hf"
    source.mkdir(parents=True, exist_ok=True)
    weights = random_weights(CONFIG, arguments.seed)
    print(f"{sum(w.size for w in weights.values()) / 1e6:.1f} M weights")
    save_file(weights, source / "model.safetensors", metadata={"format": "pt"})
    (source / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
    export(source, arguments.output / "model.onnx", arguments.weights, "in-graph")
    shutil.copyfile(arguments.tokenizer, arguments.output / "tokenizer.json")
    (arguments.output / "manifest.toml").write_text(entry(arguments.output))


if __name__ == "__main__":
    main()
