"""Near-duplicates between the training and the development screens: by package and by the set of texts on a screen.

    python overlap.py --shared ../shared [--json]

`find` returns the training screens that must not be trained on; tune.py calls it and drops them.
"""

import argparse
import json
import re
from pathlib import Path

import sources

ATTRIBUTES = re.compile(r'\b(text|content-desc)="([^"]+)"')
PACKAGE = re.compile(r'\bpackage="([^"]+)"')
SHELL = re.compile(r"^(com\.android\.systemui|com\..*\.launcher.*|android)$")  # bars and sheets drawn over any app
ALIKE = 0.6  # share of common texts above which two screens count as one


def read_screen(path: Path) -> tuple[set[str], set[str]]:
    """The packages and the texts of a dump."""
    dump = path.read_text(encoding="utf-8", errors="replace")
    texts = {text.strip().lower() for _, text in ATTRIBUTES.findall(dump)}
    return {p for p in PACKAGE.findall(dump) if not SHELL.match(p)}, {t for t in texts if len(t) > 2 and not t.isdigit()}


def read_development(shared: Path) -> tuple[dict, dict]:
    """Development screen → packages and texts; package → a screen that shows it."""
    development = {path.parent.name: read_screen(path) for path in sorted((shared / "screens").glob("*/hierarchy.xml"))}
    owners = {}
    for name, (packages, _) in development.items():
        for package in packages:
            owners.setdefault(package, name)
    return development, owners


def too_near(main: str | None, texts: set[str], development: dict, owners: dict) -> str | None:
    """Why a screen of the app `main` is too near to a development screen, if it is."""
    if main and main in owners:
        return f"package {main} is that of {owners[main]}"
    for name, (_, other) in development.items():
        common = len(texts & other)
        if common >= 5 and common >= ALIKE * len(texts | other):
            return f"{common} of {len(texts | other)} texts are those of {name}"
    return None


def find(shared: Path) -> dict[str, str]:
    """Training screen → why it is too near to a development screen."""
    development, owners = read_development(shared)
    found = {}
    for path in sorted((shared / "training/screens").glob("*/hierarchy.xml")):
        _, texts = read_screen(path)
        main = json.loads((path.parent / "source.json").read_text()).get("package") if (path.parent / "source.json").exists() else None
        reason = too_near(main, texts, development, owners)
        if reason:
            found[path.parent.name] = reason
    return found


def find_exported(shared: Path, folder: Path) -> dict[str, str]:
    """Screen of a folder that `tapwright train export` and `train texts` wrote → why it must not be trained on."""
    development, owners = read_development(shared)
    dumps = {label["screen"]: folder / label["hierarchy"] for label in sources.read_lines(folder / "labels.jsonl")}
    packages = {line["screen"]: line.get("package") for line in sources.read_lines(folder / "texts.jsonl")}
    reasons = {name: too_near(packages.get(name), read_screen(dump)[1], development, owners) for name, dump in dumps.items()}
    return {name: reason for name, reason in reasons.items() if reason}


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
