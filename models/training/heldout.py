"""Labels of the screens that are never trained on, for fitting the ranking's weights.

    python heldout.py --shared ../shared --output heldout.jsonl
    tapwright train weights --data heldout.jsonl

The screens are tune.py's validation set: apps the development set also shows, and every twentieth other app.
"""

import argparse
import json
from pathlib import Path

import overlap
import sources


def package_of(folder: Path) -> str:
    source = folder / "source.json"
    return (json.loads(source.read_text()).get("package") if source.exists() else None) or folder.name


def find(shared: Path, near: dict) -> set[str]:
    """Names of the validation screens, as `tune.split` chooses them."""
    folders = [path.parent for path in sorted((shared / "training/screens").glob("*/hierarchy.xml"))]
    packages = sorted({package_of(folder) for folder in folders if folder.name not in near})
    aside = set(packages[7::20])
    return {folder.name for folder in folders if folder.name in near or package_of(folder) in aside}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    wanted = find(arguments.shared, overlap.find(arguments.shared))
    labels = sources.read_lines(arguments.shared / "training/labels.jsonl")
    labels += sources.read_all([Path(__file__).parent / "data"], "instructions*.jsonl")
    kept = [label for label in labels if label["screen"] in wanted]
    base = (arguments.shared / "training").resolve()
    with arguments.output.open("w", encoding="utf-8") as out:
        for label in kept:
            out.write(json.dumps({**label, "hierarchy": str(base / label["hierarchy"])}, ensure_ascii=False) + "\n")
    print(f"{len(kept)} labels of {len({label['screen'] for label in kept})} of {len(wanted)} screens: {arguments.output}")


if __name__ == "__main__":
    main()
