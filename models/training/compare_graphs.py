"""Compares ONNX graphs of one tokenizer: time for 40 widgets, likeness to the first graph, hit@1 and hit@3 on labelled screens.

    python compare_graphs.py --tokenizer ../ui-mpnet/tokenizer.json --shared ../shared --texts texts old.onnx new.onnx

Times are medians of 12 rounds, all graphs in one call, with the settings of the product (two threads, no arena); one graph after another
in each round, so that other work on the machine falls on all of them.
"""

import argparse
import statistics
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

import overlap
import sources
import tune
from check_model import embed
from encoder import MAX_TOKENS
from screens import read_real

ROUNDS, WIDGETS, BATCH, ALIKE = 12, 40, 32, 600


class GraphEncoder:
    """An ONNX graph as the product runs it: batches of 32, texts of like length together."""

    def __init__(self, graph: Path, tokenizer: Tokenizer, threads: int = 2):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.enable_cpu_mem_arena, options.enable_mem_pattern = threads, False, False
        self.session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self.tokenizer = tokenizer

    def embed(self, texts: list[str]) -> torch.Tensor:
        unique = list(dict.fromkeys(texts))
        lengths = [sum(encoding.attention_mask) for encoding in self.tokenizer.encode_batch(unique)]
        order, vectors = sorted(range(len(unique)), key=lambda index: lengths[index]), {}
        for start in range(0, len(order), BATCH):
            chosen = [unique[index] for index in order[start:start + BATCH]]
            vectors.update(zip(chosen, embed(self.session, self.tokenizer, chosen)))
        return torch.from_numpy(np.stack([vectors[text] for text in texts]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("graphs", type=Path, nargs="+")
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(arguments.tokenizer))
    tokenizer.enable_truncation(MAX_TOKENS)
    labels = sources.read_lines(arguments.shared / "training/labels.jsonl")
    labels += sources.read_all([Path(__file__).parent / "data"], "instructions*.jsonl")
    _, validation = tune.split(read_real(arguments.texts / "training.jsonl", labels), overlap.find(arguments.shared))
    texts = list(dict.fromkeys(candidate.text for screen in validation for candidate in screen.candidates))
    encoders = [GraphEncoder(graph, tokenizer) for graph in arguments.graphs]
    times = [[] for _ in encoders]
    for _ in range(ROUNDS):
        for encoder, own in zip(encoders, times):
            began = time.perf_counter()
            encoder.embed(texts[:WIDGETS])
            own.append((time.perf_counter() - began) * 1000)
    first = encoders[0].embed(texts[:ALIKE])
    tune.embed = lambda encoder, wanted: encoder.embed(wanted)
    for graph, encoder, own in zip(arguments.graphs, encoders, times):
        vectors = encoder.embed(texts[:ALIKE])
        alike = (vectors * first).sum(1) if vectors.shape == first.shape else torch.tensor([float("nan")])
        ratios = sorted(mine / others for mine, others in zip(own, times[0]))
        figures = tune.evaluate(encoder, validation)
        print(f"{graph}: {WIDGETS} widgets {statistics.median(own):.1f} ms, {statistics.median(ratios):.2f} ({ratios[2]:.2f}–{ratios[-3]:.2f}) of "
              f"the first's; cosine to the first mean {alike.mean():.4f}, min {alike.min():.4f}; "
              + ", ".join(f"{key} {figures[key]['hit@1']:.3f} / {figures[key]['hit@3']:.3f}" for key in ("all", "english", "others")), flush=True)


if __name__ == "__main__":
    main()
