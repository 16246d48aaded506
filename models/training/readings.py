"""Decisions in words, as the next-action model reads them, from what people wrote and from what the product exports.

A reading is the form of `src/pipeline/reading.rs`: the instruction at work, what came before and comes after it, what was done for it so far,
the screen's title and its widgets. `right` are the widgets that may be touched next, by place, and `moves` what else is right (MOVES).
"""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import episodes
import overlap
import screens
import sources

DATA = Path(__file__).parent / "data"
# What can be done next beside touching a widget.
MOVES = ("done", "back", "scroll", "enter", "wait")
# What the first line of a file of `eval decisions --examples` must say.
DECISIONS, VERSION = "tapwright decisions", 1
EXPORTED = {"press_back": "back", "scroll": "scroll", "press_enter": "enter", "wait": "wait"}


@dataclass
class Reading:
    instruction: str
    title: str
    widgets: list
    past: list = field(default_factory=list)
    before: str = ""
    after: str = ""
    right: set = field(default_factory=set)
    moves: set = field(default_factory=set)
    source: str = ""
    app: str = ""
    language: str = "en"


def text_of(widget: list) -> str:
    """A widget of an imagined screen as the product writes it."""
    label, role = widget
    return f"{label} | {role}".strip(" |")


def of_episode(episode: dict, source: str) -> list:
    """Every moment; with the case's parameters where the instruction leaves values to them."""
    found, steps = [], episode["steps"]
    for moment in episode["moments"]:
        at = moment["step"]
        right = {action[1] for action in moment["right"] if len(action) > 1}
        moves = {action[0] for action in moment["right"] if len(action) == 1}
        found.append(Reading(
            instruction=steps[at], before=steps[at - 1] if at else "", after=steps[at + 1] if at + 1 < len(steps) else "",
            past=moment["did"], title=episode["screens"][moment["screen"]]["title"],
            widgets=[text_of(widget) for widget in episodes.widgets_now(episode, moment)],
            right=right, moves=moves, source=source, app=episode["app"], language=episode["lang"]))
    return found


def of_mini(line: dict, generator: random.Random, most: int) -> list:
    """Some asks of an imagined screen: nothing was done for them yet."""
    widgets = [text_of(widget) for widget in line["widgets"]]
    asks = [ask for ask in line["asks"] if ask[2] in ("click", "long_press", "input_text", "scroll")]
    found = []
    for ask in generator.sample(asks, min(most, len(asks))):
        instruction, index, skill = ask[:3]
        scrolls = skill == "scroll"
        right = set(index) if isinstance(index, list) else {index}
        found.append(Reading(instruction=instruction, title=line["screen"], widgets=widgets, right=set() if scrolls else right,
                             moves={"scroll"} if scrolls else set(), source="mini", app=line["screen"],
                             language=ask[3] if len(ask) > 3 else line.get("lang", "en")))
    return found


def of_real(screen: screens.Screen, generator: random.Random, most: int) -> list:
    """Some instructions of a real screen. A widget is a candidate of several skills, read once."""
    places = {}
    for candidate in screen.candidates:
        if candidate.skill != "scroll":
            places.setdefault((candidate.text, candidate.bounds), len(places))
    place = lambda at: places.get((screen.candidates[at].text, screen.candidates[at].bounds))
    found = []
    for ask in generator.sample(screen.asks, min(most, len(screen.asks))):
        right = set() if ask.skill == "scroll" else {place(at) for at in ask.right} - {None}
        if right or ask.skill == "scroll":
            found.append(Reading(instruction=ask.queries[0], title="", widgets=[text for text, _ in places], right=right,
                                 moves=set() if right else {"scroll"}, source="real", app=screen.group, language=ask.language))
    return found


def read_real(texts: Path, shared: Path) -> list:
    """The labelled real screens less those too near to a development screen; `texts` of `tapwright train texts`."""
    labels = sources.read_lines(shared / "training/labels.jsonl") + sources.read_lines(DATA / "instructions.jsonl")
    near = overlap.find(shared)
    return [screen for screen in screens.read_real(texts, labels, training=True) if screen.name not in near]


def of_line(line: dict, **more) -> Reading:
    """The reading of a line of `eval decisions --examples`."""
    names = ("instruction", "before", "after", "past", "title", "widgets")
    return Reading(**{name: line["reading"][name] for name in names}, app=line["app"], **more)


def of_example(line: dict, source: str) -> Reading | None:
    """A decision of `eval decisions --examples`; none where nothing of what was right is known to the model."""
    right, moves = set(), set()
    for option in line["options"]:
        if not option["right"]:
            continue
        name = option["what"].split(" ")[0]
        if option["is_done"]:
            moves.add("done")
        elif name in EXPORTED:
            moves.add(EXPORTED[name])
        elif option["widget"] is not None:
            right.add(option["widget"])
    if not right and not moves:
        return None
    return of_line(line, right=right, moves=moves, source=source)


def read_episodes(files: list) -> list:
    """The episodes of files, each a list of readings."""
    return [of_episode(episode, "episode") for path in files for episode in episodes.read(path)]


def read_minis(files: list) -> list:
    return [line for path in files for line in sources.read_lines(path)]


def decisions(path: Path) -> list:
    """The decisions of a file of `eval decisions --examples`, without the header that says which form they have."""
    with path.open(encoding="utf-8") as file:
        header = json.loads(next(file, "{}"))
        if (header.get("format"), header.get("version")) != (DECISIONS, VERSION):
            raise SystemExit(f"{path}: no header of {DECISIONS}, version {VERSION}: write it anew by `tapwright eval decisions DIR --examples FILE`")
        return [json.loads(line) for line in file]


def read_examples(path: Path, source: str) -> list:
    return [reading for reading in (of_example(line, source) for line in decisions(path)) if reading]
