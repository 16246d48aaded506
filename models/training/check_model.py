"""Compares exported models with the source they came from, over the sentences of sentences.txt.

    python check_model.py --source <folder of all-MiniLM-L6-v2> --fp32 fp32.onnx --nb8 model.onnx --tokenizer tokenizer.json

The source runs as BERT in plain numpy with its own tokenizer, so conversion, tokenizer and graph are all under test.
Exits 1 when a bound is missed.
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
import onnxruntime
from safetensors.numpy import load_file
from tokenizers import Tokenizer

BOUNDS = {"source vs fp32, max abs difference": 2e-6, "fp32 vs nb8, mean cosine": 0.997, "fp32 vs nb8, min cosine": 0.996,
          "nb8 single vs batched, min cosine": 0.99999}


def gelu(x: np.ndarray) -> np.ndarray:
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def normalise_layer(x: np.ndarray, weights: dict, name: str, epsilon: float) -> np.ndarray:
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon)
    return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def run_bert(ids: list[int], weights: dict, config: dict) -> np.ndarray:
    """Mean-pooled unit vector of one text, in float64."""
    heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    x = (weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][:len(ids)]
         + weights["embeddings.token_type_embeddings.weight"][0])
    x = normalise_layer(x, weights, "embeddings.LayerNorm", epsilon)
    for index in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{index}"
        q, k, v = (linear(x, f"{layer}.attention.self.{part}").reshape(len(ids), heads, -1).swapaxes(0, 1)
                   for part in ("query", "key", "value"))
        scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        attended = (scores / scores.sum(-1, keepdims=True) @ v).swapaxes(0, 1).reshape(len(ids), -1)
        x = normalise_layer(x + linear(attended, f"{layer}.attention.output.dense"), weights,
                            f"{layer}.attention.output.LayerNorm", epsilon)
        wide = gelu(linear(x, f"{layer}.intermediate.dense"))
        x = normalise_layer(x + linear(wide, f"{layer}.output.dense"), weights, f"{layer}.output.LayerNorm", epsilon)
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def embed(session: onnxruntime.InferenceSession, tokenizer: Tokenizer, texts: list[str]) -> np.ndarray:
    encoded = tokenizer.encode_batch(texts)
    feeds = {"input_ids": np.array([e.ids for e in encoded], np.int64),
             "attention_mask": np.array([e.attention_mask for e in encoded], np.int64)}
    return session.run(["sentence_embedding"], feeds)[0]


def measure(arguments: argparse.Namespace, sentences: list[str]) -> dict:
    config = json.loads((arguments.source / "config.json").read_text())
    weights = {k: v.astype(np.float64) for k, v in load_file(arguments.source / "model.safetensors").items()}
    source_tokenizer = Tokenizer.from_file(str(arguments.source / "tokenizer.json"))
    source_tokenizer.no_padding()
    source_tokenizer.no_truncation()
    expected = np.stack([run_bert(source_tokenizer.encode(s).ids, weights, config) for s in sentences])

    tokenizer = Tokenizer.from_file(str(arguments.tokenizer))
    fp32 = onnxruntime.InferenceSession(arguments.fp32, providers=["CPUExecutionProvider"])
    nb8 = onnxruntime.InferenceSession(arguments.nb8, providers=["CPUExecutionProvider"])
    exact = embed(fp32, tokenizer, sentences)
    small = embed(nb8, tokenizer, sentences)
    single = np.concatenate([embed(nb8, tokenizer, [s]) for s in sentences])
    cosine = (exact * small).sum(1)
    return {
        "source vs fp32, max abs difference": float(np.abs(expected - exact).max()),
        "fp32 vs nb8, mean cosine": float(cosine.mean()),
        "fp32 vs nb8, min cosine": float(cosine.min()),
        "nb8 single vs batched, min cosine": float((small * single).sum(1).min()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--fp32", type=Path, required=True)
    parser.add_argument("--nb8", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    arguments = parser.parse_args()
    sentences = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").splitlines()
    missed = 0
    print(f"{len(sentences)} sentences, onnxruntime {onnxruntime.__version__}")
    for name, value in measure(arguments, sentences).items():
        bound = BOUNDS[name]
        holds = value <= bound if "difference" in name else value >= bound
        missed += not holds
        print(f"{name}: {value:.7g} ({'ok' if holds else 'MISSED'}, bound {bound:g})")
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
