"""Screens to train on: candidates with the texts a model sees, and what people ask for on them.

Four kinds share one form: real screens (candidate texts from Tapwright's own perception), imagined screens, screens put
together from lexicon entries, and screens put together from translated UI strings.
"""

import collections
import json
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

import sources

PARTS = ("label", "context", "hint", "id_words", "role", "position")
KEEP = {"label": 1.0, "context": 0.85, "hint": 0.85, "id_words": 0.75, "role": 0.96, "position": 0.8}
UAT = re.compile(r"^System requests User to (.+?),? and System validates the result feedback from User is (.+?)\.?$", re.I | re.S)
ID_LIKE = re.compile(r"^[a-z]+[a-zA-Z0-9]*(_[a-zA-Z0-9]+)+$|^(btn|iv|tv|img|sw|fab|ic|ib|cb|et)[A-Z]\w+$")
NOISE = {"btn", "button", "iv", "img", "image", "imageview", "ic", "tv", "ib", "view", "layout", "action", "cb", "et", "sw",
         "fab", "container", "id", "text", "icon"}
GEOMETRIC = ("click", "long_press", "input_text", "scroll")


def join_parts(parts: dict, kept=lambda name: True) -> str:
    """`label | context | hint | id words | role, state | position` without empty parts and parts already said."""
    written, said = [], set()
    for name in PARTS:
        text = parts.get(name) or ""
        if name == "role" and parts.get("state"):
            text = f"{text}, {parts['state']}" if text else parts["state"]
        words = set(re.findall(r"\w+", text.lower()))
        if not text or words and words <= said:
            continue
        if written and not kept(name):
            continue
        written.append(text)
        said |= words
    return " | ".join(written)


@dataclass
class Candidate:
    parts: dict
    text: str
    skill: str = "click"
    bounds: tuple = ()
    tap: tuple = ()

    def varied(self, generator: random.Random, translations: dict) -> str:
        """The text as the product writes it, one with parts left out, or one with its label in another language."""
        label = translations.get(self.parts["label"].lower()) if translations else None
        if label:
            return join_parts({**self.parts, "label": label}, lambda name: generator.random() < KEEP[name])
        if generator.random() < 0.5:
            return self.text
        return join_parts(self.parts, lambda name: generator.random() < KEEP[name]) or self.text


@dataclass
class Ask:
    queries: list
    right: frozenset
    style: str
    language: str
    skill: str = "click"
    ease: float = 0.0
    name: str = ""


@dataclass
class Screen:
    name: str
    group: str
    kind: str
    candidates: list
    asks: list = field(default_factory=list)
    weight: float = 1.0
    fresh: bool = False  # a model that is tuned on has not seen it


def queries_of(instruction: str) -> list:
    """The forms an instruction reaches the model in; the product's own form first."""
    match = UAT.match(instruction.strip())
    if not match:
        return [instruction]
    action, result = match.groups()
    action = action[0].upper() + action[1:]
    return [action, instruction, f"{action}. {result[0].upper() + result[1:]}"]


def humanise(identifier: str) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", identifier).replace("_", " ").lower().split()
    return " ".join(word for word in words if word not in NOISE)


def hits(candidate: Candidate, boxes: list) -> bool:
    if list(candidate.bounds) in boxes:
        return True
    if not candidate.tap:
        return False
    x, y = candidate.tap
    return any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in boxes)


def read_real(texts: Path, labels: list[dict], training: bool = False) -> list[Screen]:
    """Screens as Tapwright's perception wrote them, with their labels."""
    by_screen = collections.defaultdict(list)
    for label in labels:
        by_screen[label["screen"]].append(label)
    screens = []
    for line in sources.read_lines(texts):
        candidates = []
        for found in line["candidates"]:
            parts = {name: found.get(name) or "" for name in (*PARTS, "state")}
            text = found.get("text") or join_parts(parts)
            if text:
                candidates.append(Candidate(parts, text, found["skill"], tuple(found.get("bounds") or ()), tuple(found.get("tap") or ())))
        asks, seen = [], set()
        for label in by_screen[line["screen"]]:
            key = (label["instruction"], label["skill"], str(label["bounds"]))
            if key in seen:
                continue
            seen.add(key)
            boxes = [list(box) for box in [label["bounds"], *(label["also_ok"] or [])] if box]
            near = [index for index, candidate in enumerate(candidates) if not boxes or hits(candidate, boxes)]
            right = frozenset(index for index in near if candidates[index].skill == label["skill"])
            if not right and training and label["skill"] == "input_text":  # a search bar that is no field yet
                right = frozenset(index for index in near if candidates[index].skill == "click")
            asks.append(Ask(queries_of(label["instruction"]), right, label["style"], label["lang"], label["skill"],
                            name=label["id"]))
        screens.append(Screen(line["screen"], line.get("package") or line["screen"], "real", candidates, asks, weight=1.5))
    return screens


# The imagined screens' words for roles and states, as Tapwright's perception writes them.
ROLES = {"icon button": "icon", "row": "list item", "toggle": "switch", "fab": "icon", "floating button": "icon",
         "text field": "field", "search field": "field", "password field": "field", "title": "text", "label": "text",
         "header": "text", "message": "text", "bottom tab": "tab", "radio": "radio button", "chip": "button",
         "card": "list item", "row item": "list item", "cell": "list item", "spinner": "dropdown", "avatar": "image",
         "app icon": "icon", "table row": "list item", "menu item": "list item", "banner": "image", "tile": "button"}
STATES = {"checked": "on", "unchecked": "off", "not checked": "off", "not selected": ""}


def mini_candidate(widget: list) -> Candidate:
    """`[label | context | hint | id words, role, state | position]` of an imagined screen."""
    label, *more = [part.strip() for part in widget[0].split(" | ")] if not widget[0].startswith("|") else ["", widget[0].strip("| ")]
    described, _, position = (widget[1] if len(widget) > 1 else "").partition("|")
    role, _, state = described.strip().partition(", ")
    parts = {"label": label, "role": ROLES.get(role, role), "state": STATES.get(state, state), "position": position.strip()}
    if not label and more:
        parts["id_words"] = humanise(more[-1]) or more[-1]
        more.pop()
    elif ID_LIKE.match(label):
        parts["label"], parts["id_words"] = "", humanise(label) or label
    parts["context"] = " | ".join(more)
    if not more and ", " in label and len(label) > 24:
        parts["label"], _, parts["context"] = label.partition(", ")
    return Candidate(parts, join_parts(parts))


def number_alike(candidates: list[Candidate]) -> None:
    """Says which of several alike a widget is, as perception does: `2nd of 3`."""
    alike = collections.defaultdict(list)
    for candidate in candidates:
        parts = candidate.parts
        alike[(parts["label"] or parts.get("id_words", "")).lower(), parts["role"]].append(candidate)
    for members in alike.values():
        for number, candidate in enumerate(members, 1):
            if len(members) > 1:
                suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 != 1 else 0, "th")
                place = f"{number}{suffix} of {len(members)}"
                before = candidate.parts.get("position")
                candidate.parts["position"] = f"{before}, {place}" if before else place
                candidate.text = join_parts(candidate.parts)


def read_mini(lines: list[dict]) -> list[Screen]:
    screens = []
    for number, line in enumerate(lines):
        candidates = [mini_candidate(widget) for widget in line["widgets"]]
        number_alike(candidates)
        asks = []
        for index, ask in enumerate(line["asks"]):
            right = ask[1] if isinstance(ask[1], list) else [ask[1]]
            if not all(isinstance(one, int) and 0 <= one < len(candidates) for one in right):
                continue
            asks.append(Ask(queries_of(ask[0]), frozenset(right), "mini", ask[3] if len(ask) > 3 else line["lang"], ask[2] or "click",
                            name=f"mini-{line['screen']}-{line['widgets'][0][0]}-{index}"))
        screens.append(Screen(f"mini-{number}", f"mini-{number}", "mini", candidates, asks, fresh=line.get("fresh", False)))
    return screens


def entry_candidate(label: str, role: str) -> Candidate:
    parts = {"label": label, "role": ROLES.get(role, role)}
    return Candidate(parts, join_parts(parts))


def lexicon_screens(english: list[dict], many: list[dict], generator: random.Random, size: int = 10) -> list[Screen]:
    """Entries of a domain thrown together as a screen, with the labels people confuse them with; new every epoch."""
    screens = []
    by_domain = collections.defaultdict(list)
    for entry in english:
        by_domain[entry["domain"]].append(entry)
    for domain, entries in sorted(by_domain.items()):
        entries = generator.sample(entries, len(entries))
        for start in range(0, len(entries), size):
            some = entries[start:start + size]
            labels = list(dict.fromkeys([entry["label"] for entry in some] + [n for entry in some for n in entry["not"]]))
            roles = {entry["label"]: entry["role"] for entry in some}
            screen = Screen(f"lexicon-{domain}-{start}", "lexicon", "lexicon",
                            [entry_candidate(label, roles.get(label, some[0]["role"])) for label in labels])
            for entry in some:
                right = frozenset([labels.index(entry["label"])])
                screen.asks += [Ask(queries_of(ask), right, "lexicon", "en") for ask in entry["asks"]]
            screens.append(screen)
    languages = sorted({language for entry in many for language in entry["label"]})
    for language in languages:
        entries = generator.sample(many, len(many))
        for start in range(0, len(entries), size + 4):
            some = [entry for entry in entries[start:start + size + 4] if language in entry["label"]]
            screen = Screen(f"multi-{language}-{start}", "lexicon", "lexicon",
                            [entry_candidate(entry["label"][language], entry["role"]) for entry in some])
            for index, entry in enumerate(some):
                spoken = language
                if generator.random() < 0.3:  # an English instruction on a screen in another language, or the reverse
                    spoken = "en" if language != "en" else generator.choice(languages)
                asks = entry["asks"].get(spoken) or entry["asks"].get(language) or []
                if spoken == "en" and asks:
                    asks = [generator.choice(asks)]
                screen.asks += [Ask([ask], frozenset([index]), "multi", spoken) for ask in asks]
            screens.append(screen)
    return screens


TEMPLATES = {
    "en": ["Tap {}", "Open {}", "Tap the {} button", "Select {}", "Press {}", "Click on \"{}\"", "Choose {}", "Go to {}"],
    "zh": ["点击“{}”", "打开{}", "点{}按钮", "选择{}", "点一下{}"], "zh-TW": ["點擊「{}」", "開啟{}", "按{}", "選擇{}"],
    "ja": ["「{}」をタップする", "{}を開く", "{}を選択", "{}を押して"], "ko": ["'{}'을(를) 탭한다", "{} 열기", "{} 버튼을 누른다", "{} 선택"],
    "es": ["Toca {}", "Abre {}", "Pulsa el botón {}", "Selecciona {}"], "pt": ["Toque em {}", "Abra {}", "Clique em {}", "Selecione {}"],
    "fr": ["Appuie sur {}", "Ouvre {}", "Touchez {}", "Sélectionner {}"], "de": ["Tippe auf {}", "Öffne {}", "Wähle {}", "Drücke {}"],
    "it": ["Tocca {}", "Apri {}", "Premi {}", "Seleziona {}"], "nl": ["Tik op {}", "Open {}", "Kies {}", "Druk op {}"],
    "pl": ["Kliknij {}", "Otwórz {}", "Wybierz {}", "Naciśnij {}"], "ru": ["Нажми «{}»", "Открой {}", "Выбери {}", "Нажать {}"],
    "uk": ["Натисни «{}»", "Відкрий {}", "Вибери {}"], "tr": ["{} öğesine dokun", "{} aç", "{} düğmesine bas", "{} seç"],
    "ar": ["اضغط على {}", "افتح {}", "اختر {}", "انقر على {}"], "he": ["הקש על {}", "פתח את {}", "בחר {}", "לחץ על {}"],
    "fa": ["روی {} بزن", "{} را باز کن", "{} را انتخاب کن"], "hi": ["{} पर टैप करें", "{} खोलें", "{} चुनें", "{} दबाएं"],
    "bn": ["{} ট্যাপ করুন", "{} খুলুন", "{} বেছে নিন"], "id": ["Ketuk {}", "Buka {}", "Pilih {}", "Tekan tombol {}"],
    "vi": ["Nhấn vào {}", "Mở {}", "Chọn {}", "Bấm nút {}"], "th": ["แตะ {}", "เปิด {}", "เลือก {}", "กดปุ่ม {}"],
    "ro": ["Apasă pe {}", "Deschide {}", "Alege {}"], "cs": ["Klepni na {}", "Otevři {}", "Vyber {}"],
    "sv": ["Tryck på {}", "Öppna {}", "Välj {}"], "el": ["Πάτα {}", "Άνοιξε {}", "Επίλεξε {}"], "hu": ["Koppints ide: {}", "Nyisd meg: {}", "Válaszd ki: {}"],
}


def corpus_screens(pairs: dict, generator: random.Random, each: int, size: int = 12) -> list[Screen]:
    """Translated UI strings as screens, named outright in their own language or in English, and the reverse."""
    roles = ["button", "list item", "icon button", "switch, off", "tab", "link", "text", "checkbox", "menu item", ""]
    screens = []
    for language, own in sorted(pairs.items()):
        for number in range(each):
            some = generator.sample(own, size)
            shown = "en" if generator.random() < 0.35 else language
            labels = [english if shown == "en" else text for english, text in some]
            candidates = []
            for label in labels:
                role, _, state = generator.choice(roles).partition(", ")
                parts = {"label": label, "role": role, "state": state}
                candidates.append(Candidate(parts, join_parts(parts)))
            screen = Screen(f"corpus-{language}-{number}", "corpus", "corpus", candidates, weight=0.7)
            for index, (english, text) in enumerate(some):
                spoken = language if shown == "en" else generator.choice([language, language, "en"])
                named = text if spoken == language else english
                right = frozenset(i for i, pair in enumerate(some) if pair[0].lower() == english.lower() or pair[1] == text)
                screen.asks.append(Ask([generator.choice(TEMPLATES[spoken]).format(named)], right, "named", spoken))
            screens.append(screen)
    return screens


def named_asks(screen: Screen, generator: random.Random, count: int) -> list[Ask]:
    """Widgets of a real screen called by their own label."""
    labelled = [c for c in screen.candidates if c.skill == "click" and 2 <= len(c.parts["label"]) <= 40]
    asks = []
    for candidate in generator.sample(labelled, min(count, len(labelled))):
        label = candidate.parts["label"]
        right = frozenset(i for i, c in enumerate(screen.candidates) if c.parts["label"] == label and c.skill == "click")
        language = "zh" if re.search("[\u4e00-\u9fff]", label) and generator.random() < 0.7 else "en"
        asks.append(Ask([generator.choice(TEMPLATES[language]).format(label)], right, "named", language))
    return asks
