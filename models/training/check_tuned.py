"""Compares the exported graphs of a tuned model with its torch weights, over sentences.txt and multilingual.txt.

    python check_tuned.py --model <folder> --fp32 fp32.onnx --nb8 model.onnx [--vectors]

The conversion from the source is check_model.py's; this one starts at the tuned weights. Exits 1 when a bound is missed.
"""

import argparse
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

from check_model import embed
from encoder import MAX_TOKENS, Encoder

LARGEST = 48_000_000
MOST_WEIGHTS = 40_000_000
BOUNDS = {"torch vs fp32, max abs difference": 5e-6, "fp32 vs nb8, mean cosine": 0.997, "fp32 vs nb8, min cosine": 0.996,
          "nb8 single vs batched, min cosine": 0.99999, "bytes of nb8": LARGEST, "weights": MOST_WEIGHTS}
SMALLER_IS_BETTER = ("difference", "bytes", "weights")


@torch.no_grad()
def exact(encoder: Encoder, text: str) -> np.ndarray:
    ids = torch.tensor([encoder.ids([text])[0]])
    return encoder(encoder.words[ids], torch.ones_like(ids, dtype=torch.bool))[0].numpy()


def measure(arguments: argparse.Namespace, sentences: list[str]) -> dict:
    encoder = Encoder(arguments.model).eval()
    tokenizer = Tokenizer.from_file(str(arguments.model / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    fp32 = onnxruntime.InferenceSession(arguments.fp32, providers=["CPUExecutionProvider"])
    nb8 = onnxruntime.InferenceSession(arguments.nb8, providers=["CPUExecutionProvider"])
    expected = np.stack([exact(encoder, sentence) for sentence in sentences])
    full, small = embed(fp32, tokenizer, sentences), embed(nb8, tokenizer, sentences)
    single = np.concatenate([embed(nb8, tokenizer, [sentence]) for sentence in sentences])
    cosine = (full * small).sum(1)
    return {
        "torch vs fp32, max abs difference": float(np.abs(expected - full).max()),
        "fp32 vs nb8, mean cosine": float(cosine.mean()),
        "fp32 vs nb8, min cosine": float(cosine.min()),
        "nb8 single vs batched, min cosine": float((small * single).sum(1).min()),
        "bytes of nb8": Path(arguments.nb8).stat().st_size,
        "weights": sum(p.numel() for p in encoder.dense.values()) + encoder.words.numel(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--fp32", required=True)
    parser.add_argument("--nb8", required=True)
    parser.add_argument("--vectors", action="store_true", help="print the torch vectors that tests/integration/inference.rs holds")
    arguments = parser.parse_args()
    if arguments.vectors:
        encoder = Encoder(arguments.model).eval()
        for text in ("Select a bank for card-less binding", "Next", "I have read and agree to the service agreement",
                     "打开飞行模式, 4G网络", "機内モードをオンにする | 설정", "Éteindre l'écran | बंद करें | Bật chế độ | הוסף"):
            print(f'    ("{text}", {[round(float(value), 5) for value in exact(encoder, text)[:8]]}),')
    sentences = [line for name in ("sentences.txt", "multilingual.txt")
                 for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()]
    missed = 0
    for name, value in measure(arguments, sentences).items():
        bound = BOUNDS[name]
        holds = value <= bound if any(word in name for word in SMALLER_IS_BETTER) else value >= bound
        missed += not holds
        print(f"{name}: {value:.8g} ({'ok' if holds else 'MISSED'}, bound {bound:g})")
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
