"""Puts the recorded apps' screens and the instructions written for them into a folder that tune.py takes with --extra-labels.

    python recorded.py --shared ../shared --output labels
    tapwright train texts --data labels/labels.jsonl --output labels/texts.jsonl
"""

import argparse
import shutil
from pathlib import Path

import sources

INSTRUCTIONS = Path(__file__).parent / "data/recorded_instructions.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True)
    dumps = sorted({label["hierarchy"] for label in sources.read_lines(INSTRUCTIONS)})
    for dump in dumps:
        target = arguments.output / dump
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(arguments.shared / "recorded_train" / dump, target)
    shutil.copy(INSTRUCTIONS, arguments.output / "labels.jsonl")
    print(f"{arguments.output}: {len(dumps)} screens")


if __name__ == "__main__":
    main()
