"""Collects (English, language, translation) pairs of UI strings from Debian packages, for vocabulary and distillation.

    python corpus.py --debs <folder of .deb files> --output pairs.tsv [--download]

Two sources: the gettext catalogues (.mo) of ordinary desktop programs and the string tables of Android's own
framework-res.apk. The strings are used for training only; none of them is stored in this repository.
One line a pair: source (a = Android, g = gettext), language, English, translation.
"""

import argparse
import collections
import hashlib
import io
import re
import struct
import subprocess
import tarfile
import unicodedata
import zipfile
from pathlib import Path

LANGUAGES = ("zh", "zh-TW", "ja", "ko", "es", "pt", "fr", "de", "it", "nl", "pl", "ru", "uk", "tr", "ar", "he", "fa",
             "hi", "bn", "id", "vi", "th", "ro", "cs", "sv", "el", "hu")
LONGEST = 80
PER_LANGUAGE = 40_000
OLD_NAMES = {"iw": "he", "in": "id"}


def language_of(tag: str) -> str | None:
    """Our name of a gettext or Android locale (`pt_BR`, `zh-rTW`, `iw`), None for one that is not used."""
    parts = re.split(r"[_\-@.]", tag)
    base = OLD_NAMES.get(parts[0], parts[0])
    if base == "zh":
        taiwan = any(part.lstrip("r").upper() in ("TW", "HK", "HANT") for part in parts[1:])
        return "zh-TW" if taiwan else "zh"
    if any(part in ("latin", "cyrillic", "valencia") for part in parts[1:]):
        return None
    return base if base in LANGUAGES else None


def read_mo(data: bytes) -> list[tuple[str, str]]:
    """The (message, translation) pairs of a compiled gettext catalogue; of plurals only the first form."""
    if len(data) < 20:
        return []
    order = {0x950412DE: "<", 0xDE120495: ">"}.get(struct.unpack("<I", data[:4])[0])
    if order is None:
        return []
    count, sources, targets = struct.unpack(order + "3I", data[8:20])

    def text(table: int, index: int) -> str:
        length, start = struct.unpack_from(order + "2I", data, table + 8 * index)
        return data[start:start + length].decode("utf-8", "ignore").split("\0")[0]

    pairs = []
    for index in range(count):
        source = text(sources, index).split("\4")[-1]
        if source:
            pairs.append((source, text(targets, index)))
    return pairs


def read_pool(data: bytes, start: int) -> list[str]:
    """The strings of a ResStringPool chunk."""
    header, _, count, _, flags, strings, _ = struct.unpack_from("<HIIIIII", data, start + 2)
    result = []
    for index in range(count):
        at = start + strings + struct.unpack_from("<I", data, start + header + 4 * index)[0]
        if flags & 0x100:
            at += 2 if data[at] & 0x80 else 1
            length = data[at]
            at += 1
            if length & 0x80:
                length = (length & 0x7F) << 8 | data[at]
                at += 1
            result.append(data[at:at + length].decode("utf-8", "ignore"))
        else:
            length = struct.unpack_from("<H", data, at)[0]
            at += 2
            if length & 0x8000:
                length = (length & 0x7FFF) << 16 | struct.unpack_from("<H", data, at)[0]
                at += 2
            result.append(data[at:at + 2 * length].decode("utf-16-le", "ignore"))
    return result


def read_type(data: bytes, at: int, size: int, pool: list[str]) -> tuple[str, dict[int, str]]:
    """The locale of one ResTable_type chunk and its plain string values by entry index."""
    header = struct.unpack_from("<H", data, at + 2)[0]
    flags = data[at + 9]
    count, first = struct.unpack_from("<II", data, at + 12)
    language, country = data[at + 28:at + 30], data[at + 30:at + 32]
    locale = language.rstrip(b"\0").decode("latin1")
    if country.strip(b"\0"):
        locale += "_" + country.rstrip(b"\0").decode("latin1")
    values = {}
    for index in range(count):
        if flags & 1:  # sparse
            index, offset = struct.unpack_from("<HH", data, at + header + 4 * index)
            offset *= 4
        else:
            offset = struct.unpack_from("<I", data, at + header + 4 * index)[0]
            if offset == 0xFFFFFFFF:
                continue
        entry = at + first + offset
        entry_size, entry_flags = struct.unpack_from("<HH", data, entry)
        if entry_flags & 1 or entry + entry_size + 8 > at + size:
            continue
        kind, value = data[entry + entry_size + 3], struct.unpack_from("<I", data, entry + entry_size + 4)[0]
        if kind == 3 and value < len(pool):
            values[index] = pool[value]
    return locale, values


def read_arsc(data: bytes) -> list[tuple[str, str, str]]:
    """(locale, English, translation) of every translated plain string of a resources.arsc."""
    pool, found, at = [], collections.defaultdict(lambda: collections.defaultdict(dict)), struct.unpack_from("<H", data, 2)[0]
    while at + 8 <= len(data):
        kind, header, size = struct.unpack_from("<HHI", data, at)
        if kind == 0x0001:
            pool = read_pool(data, at)
        if kind == 0x0200:
            inner = at + header
            while inner + 8 <= at + size:
                inner_kind, _, inner_size = struct.unpack_from("<HHI", data, inner)
                if inner_kind == 0x0201:
                    locale, values = read_type(data, inner, inner_size, pool)
                    found[data[inner + 8]][locale].update(values)
                inner += inner_size
        at += size
    triples = []
    for by_locale in found.values():
        english = {**by_locale.get("", {}), **by_locale.get("en_US", {})}
        for locale, values in by_locale.items():
            triples += [(locale, english[index], value) for index, value in values.items() if index in english]
    return triples


def clean(text: str) -> str | None:
    """A string as it would stand on a screen, None when it is no short text."""
    text = unicodedata.normalize("NFC", text).replace("\\n", " ").replace("\\", "")
    text = re.sub(r"<[^>]{1,60}>", " ", text)
    text = re.sub(r"[((]\s*[&_]\w\s*[))]", "", text)
    text = re.sub(r"[&_](?=\w)", "", text) if not re.search(r"\w_\w", text) else text
    text = re.sub(r"%(\d+\$)?[-+0-9.']*l{0,2}[a-zA-Z]|%\d+|%\([^)]*\)[a-z]|\{[^{}]*\}|\$\{?\w+\}?", " ", text)
    text = re.sub(r"[‎‏‪-‮⁦-⁩]", "", text)
    text = re.sub(r"\s+", " ", text).strip(" .:…。：")
    letters = sum(character.isalpha() for character in text)
    if not 2 <= len(text) <= LONGEST or letters < 1 or letters < len(text) * 0.4:
        return None
    return None if re.search(r"https?:|@\w|--\w|translator", text) else text


def members(deb: Path):
    """(path, bytes) of the catalogues and Android packages in a .deb."""
    stream = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(deb)], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(stream)) as tar:
        for member in tar:
            if member.isfile() and (member.name.endswith(".mo") or member.name.endswith("framework-res.apk")):
                yield member.name, tar.extractfile(member).read()


def pairs_of(deb: Path):
    for name, data in members(deb):
        if name.endswith(".apk"):
            arsc = zipfile.ZipFile(io.BytesIO(data)).read("resources.arsc")
            for locale, english, translation in read_arsc(arsc):
                yield "a", language_of(locale), english, translation
        else:
            place = re.search(r"/([^/]+)/LC_MESSAGES/", name)
            language = place and language_of(place.group(1))
            if language:
                for english, translation in read_mo(data):
                    yield "g", language, english, translation


def collect(debs: list[Path]) -> list[tuple[str, str, str, str]]:
    """Cleaned pairs without duplicates; of each language Android's first, then the shortest English ones."""
    seen = collections.defaultdict(dict)
    for deb in debs:
        before = sum(map(len, seen.values()))
        for source, language, english, translation in pairs_of(deb):
            if not language:
                continue
            english, translation = clean(english), clean(translation)
            if not english or not translation or not english.isascii() and source == "g" and "’" not in english:
                continue
            if english == translation:
                continue
            key = (english, translation)
            if seen[language].get(key) != "a":
                seen[language][key] = source
        print(f"{deb.name}: {sum(map(len, seen.values())) - before}", flush=True)
    result = []
    for language in LANGUAGES:
        def order(item):
            (english, _), source = item
            digest = hashlib.sha256(english.encode()).hexdigest()
            return source != "a", len(english) > 40, digest
        kept = sorted(seen[language].items(), key=order)[:PER_LANGUAGE]
        result += [(source, language, english, translation) for (english, translation), source in kept]
        print(f"{language}: {len(seen[language])} pairs, {len(kept)} kept")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--debs", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--download", action="store_true", help="fetch the packages of corpus-packages.txt first")
    arguments = parser.parse_args()
    if arguments.download:
        arguments.debs.mkdir(parents=True, exist_ok=True)
        names = (Path(__file__).parent / "corpus-packages.txt").read_text().split()
        subprocess.run(["apt-get", "download", "-q", *names], cwd=arguments.debs, check=True)
    pairs = collect(sorted(arguments.debs.glob("*.deb")))
    with arguments.output.open("w", encoding="utf-8") as file:
        for pair in pairs:
            file.write("\t".join(pair) + "\n")
    print(f"{arguments.output}: {len(pairs)} pairs")


if __name__ == "__main__":
    main()
