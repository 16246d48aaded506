"""What a next-action model is worth to the pipeline's policy: decisions that are right, by the weights of `unlikely` and `likely_done`.

    python weigh_next_action.py --encoder work/restored --model work/next/model.pt --weights ../../src/pipeline/policy/weights.toml FILES

FILES are of `tapwright eval decisions --examples`, the policy's left-astray decisions among them. All other weights stay as they are. The
features are computed as `src/pipeline/propose/likely.rs` does.
"""

import argparse
import math
import random
import tomllib
from pathlib import Path

import torch

from encoder import Encoder
from next_action import batches
from next_action_model import MOVES, Batch, Lower, NextAction, segments
from readings import EXPORTED, decisions, of_line

SPAN = 6.0
TRIED = {"unlikely": (0.0, -0.1, -0.2, -0.3, -0.4, -0.5, -0.7), "likely_done": (0.0, 0.1, 0.2, 0.4)}
LEAST_SCORE = 0.0


@torch.no_grad()
def answers(model: NextAction, lower: Lower, lines: list) -> list:
    """(logarithms of the widgets' chances, of the moves') a line."""
    some = [of_line(line) for line in lines]
    place = {id(reading): at for at, reading in enumerate(some)}
    lower.learn([(text, kind) for reading in some for kind, _, text in segments(reading)])
    found = [None] * len(some)
    for group in batches(some, lower, random.Random(1)):
        batch = Batch(group, lower)
        for at, (reading, scores) in enumerate(zip(group, batch.scores(model).log_softmax(1))):
            found[place[id(reading)]] = (scores[:batch.widgets][batch.shown[at]].tolist(), scores[batch.widgets:].tolist())
    return found


def mark(line: dict, widgets: list, moves: list) -> None:
    """Adds the two features to every option."""
    best = max(widgets + moves[1:])
    for option in line["options"]:
        if option["is_done"]:
            left = math.log(max(1 - math.exp(moves[0]), 1e-38))
            option["features"]["likely_done"] = max(-1.0, min(1.0, (moves[0] - left) / SPAN))
            continue
        name, widget = option["what"].split(" ")[0], option["widget"]
        if widget is not None:
            score = widgets[widget] if widget < len(widgets) else None
        else:
            score = moves[MOVES.index(EXPORTED[name])] if name in EXPORTED else None
        option["features"]["unlikely"] = 0.0 if score is None else max(0.0, min(1.0, (best - score) / SPAN))


def right(line: dict, weights: dict) -> bool:
    open_options = [option for option in line["options"] if option["veto"] is None]
    score = lambda option: sum(weights.get(name, 0.0) * value for name, value in option["features"].items())
    best = max(open_options, key=score, default=None)
    return best is not None and score(best) >= LEAST_SCORE and best["right"]


def is_alone_right(line: dict, widgets: list, moves: list) -> bool:
    """Whether what the model finds likeliest is right."""
    best = max(widgets + moves)
    for option in line["options"]:
        place = option["widget"]
        touches = not option["is_done"] and place is not None and place < len(widgets) and widgets[place] == best
        ends = option["is_done"] and moves[0] == best
        if option["right"] and (touches or ends):
            return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("files", type=Path, nargs="+")
    arguments = parser.parse_args()
    weights = tomllib.loads(arguments.weights.read_text())["weights"]
    encoder = Encoder(arguments.encoder)
    lower, model = Lower(encoder), NextAction(encoder).eval()
    model.load_state_dict(torch.load(arguments.model))
    for path in arguments.files:
        lines = decisions(path)
        alone = 0
        for line, (widgets, moves) in zip(lines, answers(model, lower, lines)):
            alone += is_alone_right(line, widgets, moves)
            mark(line, widgets, moves)
        print(f"{path.name}: {len(lines)} decisions, % right; the model alone, touches and ends only: {100 * alone / len(lines):.1f}")
        print("a row for each weight of `unlikely`, a column for each of `likely_done`")
        print("        " + "".join(f"{weight:8.1f}" for weight in TRIED["likely_done"]))
        for unlikely in TRIED["unlikely"]:
            shares = []
            for likely_done in TRIED["likely_done"]:
                tried = {**weights, "unlikely": unlikely, "likely_done": likely_done}
                shares.append(sum(right(line, tried) for line in lines) / len(lines))
            print(f"{unlikely:8.1f}" + "".join(f"{100 * share:8.1f}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
