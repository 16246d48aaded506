"""Parse and filter dumps as a usual Python pipeline with lxml does; one JSON line a round on stdout.

Usage: against_lxml.py ROUNDS FILE... — run by `cargo bench --bench perception -- --against-lxml`.
"""

import json
import re
import sys
import time

from lxml import etree

BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
ATTRIBUTES = ("class", "resource-id", "clickable", "scrollable", "content-desc", "text", "bounds")


def read(data):
    """The filtered form: nodes with words, seven attributes, an id where there is none, off-screen and empty left out."""
    parser = etree.XMLParser(recover=True, huge_tree=True)
    root = etree.fromstring(data, parser)
    if root is None:
        return []
    size = [0, 0]
    lines = []
    for node in root.iter("node"):
        found = BOUNDS.match(node.get("bounds", ""))
        if not found:
            continue
        left, top, right, bottom = (int(edge) for edge in found.groups())
        if node.getparent() is None or node.getparent().tag != "node":
            size = [max(size[0], right), max(size[1], bottom)]
        if right <= left or bottom <= top or right <= 0 or bottom <= 0 or left >= size[0] or top >= size[1]:
            continue
        if not node.get("text") and not node.get("content-desc"):
            continue
        values = {name: node.get(name, "") for name in ATTRIBUTES}
        if not values["resource-id"]:
            values["resource-id"] = "tw:" + root.getroottree().getpath(node)
        kept = etree.Element("node")
        for name, value in values.items():
            kept.set(name, value)
        lines.append(etree.tostring(kept, encoding="unicode"))
    return lines


def main():
    rounds, files = int(sys.argv[1]), sys.argv[2:]
    dumps = []
    for file in files:
        with open(file, "rb") as handle:
            dumps.append(handle.read())
    for _ in range(rounds):
        begun = time.perf_counter()
        lines = sum(len(read(dump)) for dump in dumps)
        print(json.dumps({"ms": 1000 * (time.perf_counter() - begun), "lines": lines}), flush=True)


main()
