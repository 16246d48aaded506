"""Reads the training material: corpus pairs, labelled screens, lexicon, imagined screens."""

import json
from pathlib import Path


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def read_all(folders: list[Path], pattern: str) -> list[dict]:
    return [line for folder in folders for path in sorted(folder.glob(pattern)) for line in read_lines(path)]


def read_pairs(path: Path) -> list[tuple[str, str, str, str]]:
    """(source, language, English, translation) as corpus.py wrote them."""
    with path.open(encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t")) for line in file]


def training_texts(shared: Path):
    """(language, text) of everything people wrote for training: instructions, labels, asks."""
    for label in read_lines(shared / "training/labels.jsonl"):
        yield label["lang"], label["instruction"]
    lexicon = shared / "training/lexicon"
    for entry in read_all([lexicon], "en_*.jsonl"):
        yield "en", entry["label"]
        yield from (("en", ask) for ask in entry["asks"])
    for entry in read_all([lexicon], "multi.jsonl"):
        yield from entry["label"].items()
        yield from ((language, ask) for language, asks in entry["asks"].items() for ask in asks)
    for screen in read_all([lexicon], "mini_*.jsonl"):
        yield from ((screen["lang"], widget[0]) for widget in screen["widgets"])
        yield from ((ask[3] if len(ask) > 3 else screen["lang"], ask[0]) for ask in screen["asks"])
