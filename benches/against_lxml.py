"""XUAT's filter as a usual Python pipeline with lxml does it; one JSON line a round on stdout, then the filtered dumps.

Usage: against_lxml.py ROUNDS OUTPUT FILE... — run by `cargo bench --bench perception -- --against-lxml`. The text of every
dump, each followed by an empty line, is written to OUTPUT after the last round, to be compared byte by byte.
"""

import json
import sys
import time
import zlib

from lxml import etree

ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def invented(path, name, text, description):
    """A stable id: CRC-32 of the path and of the text without its digits."""
    fixed = "".join([c for c in text + description if not c.isnumeric() or c.isalpha()])[:80]
    crc = zlib.crc32(f"{path}\n{fixed}".encode())
    return f"tw:{name.lower() or 'node'}-{crc:08x}"


def walk(parent, path, lines):
    """Nodes with words, seven attributes, an id where there is none; everything else as dumped."""
    for position, node in enumerate(parent.iterchildren("*")):
        get = node.get
        tag = node.tag
        kind = get("class", "" if tag == "node" else tag)
        inside = path
        if tag == "node" or "." in tag:
            name = kind.rpartition(".")[2]
            inside = f"{path}/{name}[{get('index', position)}]" if path else f"{name}[{get('index', position)}]"
            text, description = get("text", ""), get("content-desc", "")
            if text.strip() or description.strip():
                id = get("resource-id", "")
                if not id or "obfuscated" in id or id.startswith("tw:"):
                    id = invented(inside, name, text, description)
                lines.append(
                    f'<node class="{kind}" resource-id="{id.translate(ESCAPES)}" clickable="{get("clickable", "false")}"'
                    f' scrollable="{get("scrollable", "false")}" content-desc="{description.translate(ESCAPES)}"'
                    f' text="{text.translate(ESCAPES)}" bounds="{get("bounds", "")}" />\n'
                )
        walk(node, inside, lines)


def read(data):
    """The filtered form of one dump."""
    root = etree.fromstring(data, etree.XMLParser(recover=True, huge_tree=True))
    lines = []
    if root is not None:
        walk(root, "", lines)
    return "".join(lines)


def main():
    rounds, output, files = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    dumps = []
    for file in files:
        with open(file, "rb") as handle:
            dumps.append(handle.read())
    filtered = []
    for _ in range(rounds):
        begun = time.perf_counter()
        roots = [etree.fromstring(dump, etree.XMLParser(recover=True, huge_tree=True)) for dump in dumps]
        parsed = time.perf_counter()
        del roots
        begun_all = time.perf_counter()
        filtered = [read(dump) for dump in dumps]
        done = time.perf_counter()
        print(json.dumps({"ms": 1000 * (done - begun_all), "parse_ms": 1000 * (parsed - begun)}), flush=True)
    with open(output, "w", encoding="utf-8", newline="") as handle:
        handle.writelines(text + "\n" for text in filtered)


main()
