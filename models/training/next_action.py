"""Trains the next-action model on decisions in words.

    python next_action.py --encoder work/restored --minutes 60 --output work/next [--examples gym.jsonl …] [--measure dev.jsonl …]

`--examples` and `--measure` are files of `tapwright eval decisions --examples`: the first are trained on, the second only measured.
Every tenth imagined episode is kept aside and measured, too. `--minutes` are of the clock. One JSON line a report.
"""

import argparse
import collections
import copy
import json
import random
import time
from pathlib import Path

import torch

import readings
from encoder import Encoder, schedule
from next_action_model import MOVES, Batch, Lower, NextAction, segments

BATCH_TOKENS = 3200


def batches(some: list, lower: Lower, generator: random.Random):
    """Readings of like length together."""
    size = {id(r): sum(len(lower.known[text, kind]) for kind, _, text in segments(r)) for r in some}
    order = sorted(some, key=lambda r: (size[id(r)] // 12, generator.random()))
    groups, group, longest = [], [], 0
    for reading in order:
        longest = max(longest, min(640, size[id(reading)]))
        if group and longest * (len(group) + 1) > BATCH_TOKENS:
            groups.append(group)
            group, longest = [], min(640, size[id(reading)])
        group.append(reading)
    groups.append(group)
    generator.shuffle(groups)
    return groups


def varied(reading: readings.Reading, generator: random.Random) -> readings.Reading:
    """What surrounds the instruction is left out now and then: a case may have one step only."""
    if generator.random() < 0.7:
        return reading
    other = copy.copy(reading)
    other.before, other.after = "", ""
    return other


@torch.no_grad()
def measure(model: NextAction, lower: Lower, some: list) -> dict:
    model.eval()
    lower.learn([(text, kind) for r in some for kind, _, text in segments(r)])
    count = collections.Counter()
    for group in batches(some, lower, random.Random(1)):
        batch = Batch(group, lower)
        scores, right = batch.scores(model), batch.right()
        best, chance = scores.argmax(1), scores.softmax(1)[:, batch.widgets]
        for at, reading in enumerate(group):
            is_right, over = bool(right[at, best[at]]), "done" in reading.moves
            count["all"] += 1
            count["right"] += is_right
            kind = "done" if over else "touch" if reading.right else "move"
            count[kind] += 1
            count[f"{kind} right"] += is_right
            if not over:
                count["open"] += 1
                count["open, called done"] += int(chance[at] > 0.5)
            if kind == "touch":
                order = scores[at, :batch.widgets].argsort(descending=True)
                count["touch among widgets"] += bool(right[at, order[0]])
                count["touch in three"] += bool(right[at, order[:3]].any())
    model.train()
    share = lambda one, of: round(count[one] / max(1, count[of]), 3)
    return {"n": count["all"], "right": share("right", "all"), "done": [count["done"], share("done right", "done")],
            "touch": [count["touch"], share("touch right", "touch"), share("touch among widgets", "touch"), share("touch in three", "touch")],
            "move": [count["move"], share("move right", "move")], "open, called done": share("open, called done", "open")}


def optimizer(model: NextAction, rate: float) -> torch.optim.Optimizer:
    old = list(model.layers.values())
    new = [value for name, value in model.named_parameters() if not name.startswith("layers.") and value is not model.across]
    groups = [{"params": old, "factor": 1.0}, {"params": new, "factor": 4.0}, {"params": [model.across], "factor": 60.0, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), weight_decay=0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", type=Path, required=True, help="folder of restore.py")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a model of an earlier run to go on from")
    parser.add_argument("--episodes", type=Path, nargs="*", default=[], help="more files of episodes than those in data/")
    parser.add_argument("--examples", type=Path, nargs="*", default=[])
    parser.add_argument("--measure", type=Path, nargs="*", default=[])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--texts", type=Path, help="labelled real screens: training.jsonl of `tapwright train texts`")
    parser.add_argument("--shared", type=Path, help="with --texts: where the labels are")
    parser.add_argument("--mini-asks", type=int, default=1, help="of each imagined screen, an epoch")
    parser.add_argument("--real-asks", type=int, default=3, help="of each real screen, an epoch")
    parser.add_argument("--repeat", type=int, default=1, help="how often an epoch shows each episode")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=3)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    generator = random.Random(arguments.seed)
    arguments.output.mkdir(parents=True, exist_ok=True)
    begun = time.time()

    def report(**values) -> None:
        line = json.dumps({"seconds": round(time.time() - begun), **values})
        print(line, flush=True)
        with (arguments.output / "metrics.jsonl").open("a") as log:
            log.write(line + "\n")

    encoder = Encoder(arguments.encoder)
    lower, model = Lower(encoder), NextAction(encoder)
    if arguments.start:
        model.load_state_dict(torch.load(arguments.start))
    average = copy.deepcopy(model)
    everything = readings.read_episodes([*sorted(readings.DATA.glob("episodes_*.jsonl")), *arguments.episodes])
    aside = [r for episode in everything[::10] for r in episode]
    told = [r for at, episode in enumerate(everything) if at % 10 for r in episode]
    minis = readings.read_minis(sorted(readings.DATA.glob("mini_*.jsonl")))
    real = readings.read_real(arguments.texts, arguments.shared) if arguments.texts else []
    examples = [r for path in arguments.examples for r in readings.read_examples(path, path.stem)]
    measured = {path.stem: readings.read_examples(path, path.stem) for path in arguments.measure}
    measured = {"episodes": aside, **{name: random.Random(5).sample(some, min(400, len(some))) for name, some in measured.items()}}
    report(episodes=len(told), aside=len(aside), minis=len(minis), real=len(real), examples=len(examples), measured={name: len(some) for name, some in measured.items()})
    # What the encoder can do alone, before any part has looked at another.
    report(step=0, **{name: measure(average, lower, held) for name, held in measured.items()})
    steps, total = optimizer(model, arguments.rate), arguments.minutes * 60
    number, running, said, epoch = 0, 0.0, time.time(), 0
    trained = None
    while trained is None or time.time() - trained < total:
        some = told * arguments.repeat + examples + [r for line in minis for r in readings.of_mini(line, generator, arguments.mini_asks)]
        some += [r for screen in real for r in readings.of_real(screen, generator, arguments.real_asks)]
        some = [varied(r, generator) for r in some]
        lower.learn([(text, kind) for r in some for kind, _, text in segments(r)])
        if trained is None:
            report(known_texts=len(lower.known))
            trained = time.time()
        for group in batches(some, lower, generator):
            spent = (time.time() - trained) / total
            if spent >= 1:
                break
            batch = Batch(group, lower)
            scores, right = batch.scores(model), batch.right()
            usable = right.any(1)
            if not usable.any():
                continue
            hit = torch.logsumexp(scores.log_softmax(1).masked_fill(~right, -1e4), 1)
            loss = -(hit * usable).sum() / usable.sum()
            steps.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for part in steps.param_groups:
                part["lr"] = schedule(spent, arguments.rate) * part["factor"]
            steps.step()
            number += 1
            with torch.no_grad():
                keep = min(0.99, number / (number + 10))
                for mean, value in zip(average.parameters(), model.parameters()):
                    mean.lerp_(value, 1 - keep)
            running = 0.98 * running + 0.02 * float(loss.detach()) if running else float(loss.detach())
            if time.time() - said > 120:
                said = time.time()
                report(step=number, epoch=epoch, spent=round(spent, 3), loss=round(running, 3))
        epoch += 1
        report(step=number, epoch=epoch, **{name: measure(average, lower, held) for name, held in measured.items()})
        torch.save(average.state_dict(), arguments.output / "model.pt.new")
        (arguments.output / "model.pt.new").rename(arguments.output / "model.pt")


if __name__ == "__main__":
    main()
