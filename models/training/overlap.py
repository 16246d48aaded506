"""Near-duplicates between the training and the development screens: by package and by the set of texts on a screen.

    python overlap.py --shared ../shared [--json]

`find` returns the training screens that must not be trained on; tune.py calls it and drops them.
"""

import argparse
import json
import re
from pathlib import Path

ATTRIBUTES = re.compile(r'\b(text|content-desc)="([^"]+)"')
PACKAGE = re.compile(r'\bpackage="([^"]+)"')
SHELL = re.compile(r"^(com\.android\.systemui|com\..*\.launcher.*|android)$")  # bars and sheets drawn over any app
ALIKE = 0.6  # share of common texts above which two screens count as one


def read_screen(path: Path) -> tuple[set[str], set[str]]:
    """The packages and the texts of a dump."""
    dump = path.read_text(encoding="utf-8", errors="replace")
    texts = {text.strip().lower() for _, text in ATTRIBUTES.findall(dump)}
    return {p for p in PACKAGE.findall(dump) if not SHELL.match(p)}, {t for t in texts if len(t) > 2 and not t.isdigit()}


def find(shared: Path) -> dict[str, str]:
    """Training screen → why it is too near to a development screen."""
    development = {path.parent.name: read_screen(path) for path in sorted((shared / "screens").glob("*/hierarchy.xml"))}
    owners = {}
    for name, (packages, _) in development.items():
        for package in packages:
            owners.setdefault(package, name)
    found = {}
    for path in sorted((shared / "training/screens").glob("*/hierarchy.xml")):
        packages, texts = read_screen(path)
        main = json.loads((path.parent / "source.json").read_text()).get("package") if (path.parent / "source.json").exists() else None
        if main and main in owners:
            found[path.parent.name] = f"package {main} is that of {owners[main]}"
            continue
        for name, (_, other) in development.items():
            common = len(texts & other)
            if common >= 5 and common >= ALIKE * len(texts | other):
                found[path.parent.name] = f"{common} of {len(texts | other)} texts are those of {name}"
                break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = find(arguments.shared)
    if arguments.json:
        print(json.dumps(found))
    else:
        for screen, reason in found.items():
            print(f"{screen}: {reason}")
        print(f"{len(found)} training screens are too near")


if __name__ == "__main__":
    main()
