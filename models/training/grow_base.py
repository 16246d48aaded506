"""Gives the English base model the word pieces of the bundled multilingual model.

    python grow_base.py --base <all-mpnet-base-v2 folder> --small <restored ui-mpnet folder> --output <folder>

Both share their English pieces. A linear map from the small model's rows to the base model's, fitted on those, gives the other
pieces their starting rows, scaled to an ordinary row's length. The output is a Hugging Face MPNet folder with the small model's tokenizer.
"""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

WORDS = "embeddings.word_embeddings.weight"
DROPPED = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")
RIDGE = 1e-2


def pieces(folder: Path) -> dict[str, int]:
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    return {**tokenizer["model"]["vocab"], **{token["content"]: token["id"] for token in tokenizer["added_tokens"]}}


def mapped_rows(small: np.ndarray, base: np.ndarray, pairs: list[tuple[int, int]]) -> np.ndarray:
    """Every small row in the base model's space, by least squares over the pieces that both know."""
    ours, theirs = (np.array(side) for side in zip(*pairs))
    centre_small, centre_base = small[ours].mean(0), base[theirs].mean(0)
    x, y = small[ours] - centre_small, base[theirs] - centre_base
    solved = np.linalg.solve(x.T @ x + RIDGE * len(x) * np.eye(x.shape[1]) * x.var(), x.T @ y)
    rows = (small - centre_small) @ solved
    length = np.linalg.norm(y, axis=1).mean()
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6) * length * 0.7 + centre_base


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--small", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    weights = {name: value.astype(np.float32) for name, value in load_file(arguments.base / "model.safetensors").items() if name not in DROPPED}
    small = load_file(arguments.small / "model.safetensors")[WORDS].astype(np.float32)
    ours, theirs = pieces(arguments.small), pieces(arguments.base)
    common = [(ours[piece], theirs[piece]) for piece in ours if piece in theirs]
    known = len(weights[WORDS])
    moved = [pair for pair in common if pair[0] != pair[1]]
    if moved or sorted(row for row, _ in common) != list(range(known)):
        raise SystemExit(f"the two tokenizers do not share their first {known} pieces: {len(common)} are common, {len(moved)} of them moved")
    rows = mapped_rows(small, weights[WORDS], common)
    rows[:known] = weights[WORDS]
    weights[WORDS] = np.ascontiguousarray(rows, np.float32)
    arguments.output.mkdir(parents=True, exist_ok=True)
    save_file(weights, arguments.output / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((arguments.base / "config.json").read_text())
    config["vocab_size"] = len(rows)
    (arguments.output / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    shutil.copy(arguments.small / "tokenizer.json", arguments.output / "tokenizer.json")
    print(f"{arguments.output}: {known} pieces as they were, {len(rows) - known} more")


if __name__ == "__main__":
    main()
