"""Imagined episodes: test cases led through imagined apps, decision by decision.

    python episodes.py data/episodes_*.jsonl                        checks them and counts what is in them
    python episodes.py data/episodes_*.jsonl --screens mini.jsonl   writes their touches as screens with asks, as tune.py reads them

A line of the input is one episode: `steps`, `screens` by name ({title, widgets: [[text, "role, state | position"]]}) and `moments`, one a
decision: the `step` at work, the `screen` with what differs `now`, what the step `did` so far, and all actions that are `right`. `tempting` are
widgets that share words with the step and are wrong. An error tells file, line and moment.
"""

import argparse
import collections
import json
from pathlib import Path

# Actions, each with its length: kind, widget, text.
ACTIONS = {"click": 2, "long_press": 2, "input_text": 3, "enter": 1, "scroll": 1, "back": 1, "wait": 1, "done": 1}
KEYS = ("app", "domain", "lang", "case", "params", "steps", "screens", "moments")
FEWEST_WIDGETS, MOST_WIDGETS = 3, 40


def refuse(where: str, why: object) -> None:
    raise SystemExit(f"{where}: {why}")


def check_screens(episode: dict, where: str) -> None:
    for name, screen in episode["screens"].items():
        if not isinstance(screen.get("title"), str):
            refuse(where, f"screen {name} has no title")
        if not FEWEST_WIDGETS <= len(screen["widgets"]) <= MOST_WIDGETS:
            refuse(where, f"screen {name} has {len(screen['widgets'])} widgets")
        for widget in screen["widgets"]:
            if len(widget) != 2 or not all(isinstance(part, str) for part in widget):
                refuse(where, f"screen {name}: {widget!r} is not [text, role]")


def check_moment(moment: dict, episode: dict, where: str) -> None:
    if moment["screen"] not in episode["screens"]:
        refuse(where, f"there is no screen {moment['screen']}")
    if not 0 <= moment["step"] < len(episode["steps"]):
        refuse(where, f"there is no step {moment['step']}")
    count = len(episode["screens"][moment["screen"]]["widgets"])
    if not moment["right"]:
        refuse(where, "nothing is right")
    for action in moment["right"]:
        if len(action) != ACTIONS.get(action[0]):
            refuse(where, f"{action} is no action")
    meant = [action[1] for action in moment["right"] if len(action) > 1]
    for index in [*meant, *moment.get("tempting", []), *map(int, moment.get("now", {}))]:
        if not 0 <= index < count:
            refuse(where, f"there is no widget {index}")


def read(path: Path) -> list[dict]:
    """The episodes of a file; stops with an error at the first that is broken."""
    episodes = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path}:{number}"
        try:
            episode = json.loads(line)
        except ValueError as error:
            refuse(where, error)
        for key in KEYS:
            if key not in episode:
                refuse(where, f"no {key}")
        check_screens(episode, where)
        for at, moment in enumerate(episode["moments"]):
            check_moment(moment, episode, f"{where}, moment {at}")
        steps = [moment["step"] for moment in episode["moments"]]
        if steps != sorted(steps):
            refuse(where, "the steps run backwards")
        ended = {moment["step"] for moment in episode["moments"] if ["done"] in moment["right"]}
        if missing := sorted(set(range(len(episode["steps"]))) - ended):
            refuse(where, f"steps {missing} are never done")
        episodes.append(episode)
    return episodes


def widgets_now(episode: dict, moment: dict) -> list:
    """The widgets of a moment's screen as they are then."""
    now = moment.get("now", {})
    return [now.get(str(at), widget) for at, widget in enumerate(episode["screens"][moment["screen"]]["widgets"])]


def asks(episode: dict) -> list[dict]:
    """A line as `mini_*.jsonl` have it for each moment in which one widget is right."""
    lines = []
    for moment in episode["moments"]:
        touches = [action for action in moment["right"] if len(action) > 1]
        if len(touches) != 1 or len(moment["right"]) != 1:
            continue
        skill, index = touches[0][:2]
        ask = [episode["steps"][moment["step"]], index, skill, episode["lang"]]
        title = episode["screens"][moment["screen"]]["title"]
        line = {"screen": title, "domain": episode["domain"], "lang": episode["lang"]}
        lines.append({**line, "widgets": widgets_now(episode, moment), "asks": [ask]})
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--screens", type=Path, help="write touches as screens with asks to this file")
    arguments = parser.parse_args()
    count = collections.Counter()
    lines = []
    for path in arguments.files:
        for episode in read(path):
            count["episodes"] += 1
            count[f"in {episode['lang']}"] += 1
            count["moments"] += len(episode["moments"])
            count.update(action[0] for moment in episode["moments"] for action in moment["right"])
            lines += asks(episode)
    if arguments.screens:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        arguments.screens.write_text(text, encoding="utf-8")
    print(", ".join(f"{number} {what}" for what, number in count.items()))


if __name__ == "__main__":
    main()
