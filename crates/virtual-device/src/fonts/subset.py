#!/usr/bin/env python3
"""Makes the font subsets of this folder from the fonts of Debian's packages; see README.md.

usage: subset.py ROOT    (ROOT: where the packages' files lie; `/` when they are installed)
"""

import io
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

HERE = Path(__file__).resolve().parent
NOTO = "usr/share/fonts/truetype/noto"
CJK = "usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"

# Scripts: file here → file there, characters. Layout features are kept: these scripts need them.
SHAPED = {
    "NotoNaskhArabicUI-Regular.ttf": "0600-06FF 0750-077F FB50-FBFF FE70-FEFC 200C-200F 25CC",
    "NotoNaskhArabicUI-Medium.ttf": "0600-06FF 0750-077F FB50-FBFF FE70-FEFC 200C-200F 25CC",
    "NotoSansHebrew-Regular.ttf": "0590-05FF FB1D-FB4F 20AA 25CC",
    "NotoSansHebrew-Medium.ttf": "0590-05FF FB1D-FB4F 20AA 25CC",
    "NotoSansDevanagariUI-Regular.ttf": "0900-097F 200C-200D 20B9 25CC A830-A839",
    "NotoSansDevanagariUI-Medium.ttf": "0900-097F 200C-200D 20B9 25CC A830-A839",
    "NotoSansBengaliUI-Regular.ttf": "0964-0965 0980-09FF 200C-200D 25CC",
    "NotoSansBengaliUI-Medium.ttf": "0964-0965 0980-09FF 200C-200D 25CC",
    "NotoSansThaiUI-Regular.ttf": "0E00-0E7F 25CC",
    "NotoSansThaiUI-Medium.ttf": "0E00-0E7F 25CC",
}
SYMBOLS = {
    # What Roboto of 2017 lacks of Latin, Greek and Cyrillic, spacing modifiers and currency signs.
    "NotoSans-Regular.ttf": "0180-024F 0250-02FF 0300-036F 0370-03FF 0400-052F 1E00-1EFF 2000-206F 2070-209F 20A0-20BF 2100-214F 2150-218F",
    "NotoSansSymbols-Regular.ttf": "20D0-20F0 2190-21FF 2460-24FF 2600-26FF 2700-27BF",
    "NotoSansSymbols2-Regular.ttf": "2300-23FF 25A0-25FF 2600-26FF 2700-27BF 2B00-2BFF",
    "NotoSansMath-Regular.ttf": "2190-21FF 2200-22FF",
}
EMOJI = (
    "😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰😗😙😚🙂🤗🤩🤔🤨😐😑😶🙄😏😣😥😮🤐😯😪😫🥱😴😌😛😜😝🤤😒😓😔😕🙃🤑😲"
    "😖😞😟😤😢😭😦😧😨😩🤯😬😰😱🥵🥶😳🤪😵😡😠🤬😷🤒🤕🥳🥺🤠🤫🤭🧐🤓👋👌👍👎👏🙏💪👀🙌🤝✌🤞☝👉👈👆👇✋"
    "❤🧡💛💚💙💜🖤💔💕💖💯💥💫✨⭐🌟🔥⚡☀🌤⛅🌧⛈❄🌈🌙🌍🌊🎉🎊🎁🎂🎈🏆🥇🏅⚽🏀🎾🏈🎮🎵🎶🎧🎤🎬📷📸🎨🎫"
    "🚗🚕🚙🚌🚎🚓🚑🚒🚚🚲🛵🏍🚆🚇✈🛫🛬🚀🚢⛽🚦🚧🗺🏠🏡🏢🏥🏦🏨🏪🏫🏖🏝⛺🗽"
    "🍎🍏🍊🍋🍌🍉🍇🍓🍒🍑🍍🥝🍅🥑🥦🥕🌽🥔🍞🥐🧀🥚🍳🥓🍔🍟🍕🌭🌮🌯🥗🍝🍜🍣🍱🍚🍦🍰🍪🍫🍿☕🍵🥤🍺🍻🍷🥛🛒"
    "🐶🐱🐭🐰🐻🐼🐨🦁🐸🐵🐔🐧🐦🐟🐝🦋🌸🌹🌻🌷🌱🌲🌳🍀🍁"
    "📱💻⌚📞☎📧📨📩📦📫📅📆📌📍📎📝📄📊📈📉📚📖🔍🔎🔒🔓🔑🔔🔕💡🔋🔌🛠⚙🧹🧼💊🩺🛏🛋🚪🚿🛁👕👖👗👟👜💼🎒👓💍"
    "💰💵💶💷💳🧾✅❌❎⛔🚫⚠❗❓✔✖➕➖➡⬅⬆⬇🔄⏰⏳⏱🕐🔴🟠🟡🟢🔵🟣⚫⚪👤👥👨👩👦👧👶👴👵🧑🏃🚶💃👑"
    "\ufe0f"
)


def ranges(text):
    found = set()
    for part in text.split():
        first, _, last = part.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return found


def decoded(codec, first, last, trails):
    found = set()
    for lead in range(first, last + 1):
        for trail in trails:
            try:
                found.update(map(ord, bytes([lead, trail]).decode(codec)))
            except UnicodeDecodeError:
                pass
    return found


def options(shaped):
    chosen = subset.Options()
    chosen.hinting = False
    chosen.layout_features = ["*"] if shaped else []
    chosen.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    chosen.name_languages = [0x409]
    chosen.notdef_outline = True
    chosen.glyph_names = False
    chosen.drop_tables += ["DSIG", "FFTM", "MATH", "vhea", "vmtx", "VORG", "BASE", "STAT", "meta"]
    return chosen


def plain(source, target, characters, shaped):
    font = TTFont(source, recalcTimestamp=False)
    cut = subset.Subsetter(options(shaped))
    cut.populate(unicodes=characters)
    cut.subset(font)
    font.save(target)


def collection(source, target):
    """One outline table for four regions: each has its own characters and its own forms of shared ones."""
    punctuation = ranges("00B7 2010-2027 2030-203B 20A9 2103 2116 2160-2169 2190-2193 2460-2473 25A0-25EF 2605-2606 3000-303F FF01-FF5E FFE0-FFE6")
    kana = ranges("3040-30FF 31F0-31FF FF61-FF9F")
    han_cn = decoded("gb2312", 0xB0, 0xD7, range(0xA1, 0xFF))
    han_tw = decoded("big5", 0xA4, 0xC6, list(range(0x40, 0x7F)) + list(range(0xA1, 0xFF)))
    han_tw = {c for c in han_tw if 0x4E00 <= c <= 0x9FFF}
    han_jp = decoded("euc_jp", 0xB0, 0xCF, range(0xA1, 0xFF))
    hangul = decoded("euc_kr", 0xB0, 0xC8, range(0xA1, 0xFF))
    wanted = {
        "Noto Sans CJK JP": punctuation | kana | han_jp,
        "Noto Sans CJK KR": punctuation | hangul,
        "Noto Sans CJK SC": punctuation | han_cn,
        "Noto Sans CJK TC": punctuation | han_tw | ranges("3105-312F"),
    }
    faces = {}
    for face in TTCollection(source).fonts:
        name = face["name"].getDebugName(1)
        if name in wanted:
            faces[name] = face
    assert faces.keys() == wanted.keys(), sorted(faces)
    glyphs = {".notdef"}
    for name, face in faces.items():
        glyphs.update(glyph for character, glyph in face.getBestCmap().items() if character in wanted[name])
    cut = []
    for name in wanted:
        face = faces[name]
        kept = options(False)
        kept.glyph_names = False
        # A face reaches every outline it has a character for, so that a rare one in another region's form is better
        # than none.
        characters = {c for c, glyph in face.getBestCmap().items() if glyph in glyphs}
        cutter = subset.Subsetter(kept)
        cutter.populate(unicodes=characters, glyphs=glyphs)
        cutter.subset(face)
        # One outline table serves all: its font name must not differ.
        buffer = io.BytesIO()
        face.save(buffer)
        buffer.seek(0)
        cut.append(TTFont(buffer, recalcTimestamp=False))
    result = TTCollection()
    result.fonts = cut
    result.save(target, shareTables=True)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
    for names, shaped in ((SHAPED, True), (SYMBOLS, False)):
        for name, characters in names.items():
            plain(root / NOTO / name, HERE / name, ranges(characters), shaped)
    plain(root / NOTO / "NotoColorEmoji.ttf", HERE / "NotoColorEmoji.ttf", set(map(ord, EMOJI)), False)
    collection(root / CJK, HERE / "NotoSansCJK-Regular.ttc")
    total = 0
    for path in sorted(HERE.glob("Noto*")):
        total += path.stat().st_size
        print(f"{path.stat().st_size:9} {path.name}")
    print(f"{total:9} bytes in all")


main()
