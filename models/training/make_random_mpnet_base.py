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

LAYERS, WIDTH, INNER, HEADS, POSITIONS, VOCABULARY, BUCKETS = 12, 768, 3072, 12, 514, 30527, 32


def random_weights(seed: int) -> dict:
    """Tensors drawn the way training starts, so activations stay in a normal range."""
    random = np.random.default_rng(seed)

    def matrix(*shape: int, spread: float = 0.02) -> np.ndarray:
        return random.normal(0, spread, shape).astype(np.float32)

    def norm(name: str) -> dict:
        return {f"{name}.weight": 1 + matrix(WIDTH), f"{name}.bias": matrix(WIDTH)}

    def linear(name: str, out: int, width: int) -> dict:
        return {f"{name}.weight": matrix(out, width), f"{name}.bias": matrix(out)}

    weights = {
        "embeddings.word_embeddings.weight": matrix(VOCABULARY, WIDTH),
        "embeddings.position_embeddings.weight": matrix(POSITIONS, WIDTH),
        **norm("embeddings.LayerNorm"),
        "encoder.relative_attention_bias.weight": matrix(BUCKETS, HEADS, spread=1.0),
    }
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}"
        for part in "qkvo":
            weights |= linear(f"{layer}.attention.attn.{part}", WIDTH, WIDTH)
        weights |= norm(f"{layer}.attention.LayerNorm")
        weights |= linear(f"{layer}.intermediate.dense", INNER, WIDTH)
        weights |= linear(f"{layer}.output.dense", WIDTH, INNER)
        weights |= norm(f"{layer}.output.LayerNorm")
    return weights


def entry(folder: Path) -> str:
    def file(name: str) -> str:
        content = (folder / name).read_bytes()
        return f'  {{ path = "{name}", sha256 = "{hashlib.sha256(content).hexdigest()}", bytes = {len(content)} }},'

    return "\n".join([
        "format = 1", "", "[[model]]", 'name = "random-mpnet-base"', 'kind = "embedding"', 'path = "."',
        'architecture = "mpnet"', f"dimensions = {WIDTH}", "max_tokens = 128", 'pooling = "in-graph"',
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
    weights = random_weights(arguments.seed)
    print(f"{sum(w.size for w in weights.values()) / 1e6:.1f} M weights")
    save_file(weights, source / "model.safetensors", metadata={"format": "pt"})
    config = {"architectures": ["MPNetModel"], "model_type": "mpnet", "hidden_act": "gelu", "hidden_size": WIDTH,
              "intermediate_size": INNER, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
              "layer_norm_eps": 1e-5, "max_position_embeddings": POSITIONS, "relative_attention_num_buckets": BUCKETS,
              "vocab_size": VOCABULARY, "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
    (source / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    export(source, arguments.output / "model.onnx", arguments.weights, "in-graph")
    shutil.copyfile(arguments.tokenizer, arguments.output / "tokenizer.json")
    (arguments.output / "manifest.toml").write_text(entry(arguments.output))


if __name__ == "__main__":
    main()
