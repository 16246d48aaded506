"""The mean of several model folders' weights.

    python blend.py --output <folder> <folder> <folder> …
"""

import argparse
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("models", type=Path, nargs="+")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    total: dict[str, np.ndarray] = {}
    for model in arguments.models:
        for name, value in load_file(model / "model.safetensors").items():
            total[name] = total.get(name, 0) + value
    mean = {name: (value / len(arguments.models)).astype(np.float32) for name, value in total.items()}
    save_file(mean, arguments.output / "model.safetensors", metadata={"format": "pt"})
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(arguments.models[0] / name, arguments.output / name)


if __name__ == "__main__":
    main()
