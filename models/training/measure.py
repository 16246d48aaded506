"""hit@1 and hit@3 of a model folder on labelled screens, in the candidate texts that Tapwright wrote for them.

    python measure.py --model <folder> --shared ../shared --texts <folder> [--set validation|development] [--misses 20]

The figure is the embedding's alone (cosine, candidates of the label's skill); the product's ranker adds its own terms.
"""

import argparse
import json
from pathlib import Path

import torch

import overlap
import sources
from encoder import Encoder
from screens import read_real
from tune import evaluate, split


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--set", choices=("validation", "development"), default="development")
    parser.add_argument("--misses", type=int, default=0)
    arguments = parser.parse_args()
    torch.set_num_threads(2)
    if arguments.set == "development":
        screens = read_real(arguments.texts / "screens.jsonl", sources.read_lines(arguments.shared / "screens/labels.jsonl"))
    else:
        labels = sources.read_lines(arguments.shared / "training/labels.jsonl")
        labels += sources.read_all([Path(__file__).parent / "data"], "instructions*.jsonl")  # as tune.py measures
        _, screens = split(read_real(arguments.texts / "training.jsonl", labels), overlap.find(arguments.shared))
    misses = []
    for key, value in evaluate(Encoder(arguments.model), screens, full=True, misses=misses).items():
        print(f"{key:26} n {value['n']:5}  hit@1 {value['hit@1']:.3f}  hit@3 {value['hit@3']:.3f}")
    for miss in misses[:: max(1, len(misses) // arguments.misses)] if arguments.misses else []:
        print(json.dumps(miss, ensure_ascii=False))


if __name__ == "__main__":
    main()
