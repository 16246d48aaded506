"""Contrastive tuning: an instruction shall lie nearer to the right widget's text than to the others of its screen.

    python tune.py --model <distilled folder> --shared ../shared --texts <folder> --pairs pairs.tsv \
        --output <folder> --minutes 55

`--texts` holds training.jsonl, the candidate texts of the real screens as Tapwright writes them.
Resumes from <output>/tune.pt. One JSON line a report, also in <output>/metrics.jsonl. `--processes` of one thread each;
`--minutes` are of a process's own processor time, so that other work on the machine slows a run but does not shorten it;
with `--device cuda` they are of the clock, measuring included, there is one process, and nothing is kept to resume from.
With `--teacher`, whole models whose opinion of every candidate of a step is learned beside the labels (their mean, for several).
A model that was tuned before goes on with `--fresh` (what it has not seen is shown whole) and `--review` (of the rest a share).
"""

import argparse
import collections
import json
import random
import time
from dataclasses import replace
from pathlib import Path

import torch
import torch.nn.functional as F

import overlap
import sources
from corpus import LANGUAGES
from encoder import Encoder, Rows, Step, embed, optimizer, schedule
from peers import Peers
from screens import (GEOMETRIC, Screen, corpus_screens, lexicon_screens, named_asks, read_mini, read_real)

TEMPERATURE = 0.05
SMOOTHING = 0.05
ACROSS = 0.25  # weight of the loss over the whole batch's candidates
ALIGN = 0.4  # weight of the translation pairs that keep the languages together
ALIGN_PAIRS = 112
TRANSLATED = 0.2  # share of English screens whose labels are shown in another language, as far as the corpus has them
STEP_TEXTS = 300  # a process
TAUGHT = 0.7  # share of the teachers' opinion in the loss, where there are any
MAX_CANDIDATES = 70


def read_training(arguments) -> dict:
    """Everything there is now; extra files may arrive between epochs."""
    shared, extra = arguments.shared, [Path(__file__).parent / "data"]
    labels = sources.read_lines(shared / "training/labels.jsonl")
    labels += sources.read_all(extra, "instructions*.jsonl")
    lexicon = [shared / "training/lexicon", *extra]
    files = [path for folder in lexicon for path in sorted(folder.glob("mini*.jsonl"))]
    files += [path for folder in arguments.extra_minis for path in sorted(folder.glob("*.jsonl"))]
    minis = [{**line, "fresh": path.stem in arguments.fresh} for path in files for line in sources.read_lines(path)]
    runs = [screen for folder in arguments.extra_labels for screen in read_exported(folder, shared)]
    return {"real": read_real(arguments.texts / "training.jsonl", labels, training=True), "runs": runs, "mini": read_mini(minis),
            "english": sources.read_all(lexicon, "en_*.jsonl"), "many": sources.read_all(lexicon, "multi*.jsonl")}


def read_exported(folder: Path, shared: Path) -> list[Screen]:
    """Screens of runs: `labels.jsonl` as `tapwright train export` wrote it, `texts.jsonl` as `train texts` did, and no
    screen that the development set knows."""
    if not (folder / "texts.jsonl").exists():
        raise SystemExit(f"{folder} has no texts.jsonl: tapwright train texts --data {folder}/labels.jsonl --output {folder}/texts.jsonl")
    near = overlap.find_exported(shared, folder)
    labels = [label for label in sources.read_lines(folder / "labels.jsonl") if label["screen"] not in near]
    screens = [s for s in read_real(folder / "texts.jsonl", labels, training=True) if s.name not in near]
    return [replace(screen, fresh=True) for screen in screens]


def split(real: list[Screen], near: dict) -> tuple[list, list]:
    """Training and validation screens. The validation apps are those that the development set also shows, which must
    not be trained on anyway, and every twentieth other app."""
    packages = sorted({screen.group for screen in real if screen.name not in near})
    aside = set(packages[7::20])
    kept = [s for s in real if s.name not in near and s.group not in aside]
    return kept, [s for s in real if s.name in near or s.group in aside]


def batches(screens: list[Screen], generator: random.Random, wanted: int):
    """Shuffled screens in steps of about `wanted` texts."""
    some, texts = [], 0
    for screen in generator.sample(screens, len(screens)):
        some.append(screen)
        texts += min(len(screen.candidates), MAX_CANDIDATES) + len(screen.asks)
        if texts >= wanted:
            yield some
            some, texts = [], 0
    if some:
        yield some


class Prepared:
    """The texts and targets of one step."""

    def __init__(self, screens: list[Screen], generator: random.Random, dictionaries: dict):
        self.texts, self.queries, self.asks, self.rows, self.weights = [], [], [], [], []
        self.ranges = []
        for screen in screens:
            asks = [a for a in screen.asks if a.right and (a.ease < 0.9 or generator.random() < 0.4)]
            if screen.kind == "real":
                asks += named_asks(screen, generator, 3)
            if not asks:
                continue
            if len(asks) > 60:
                asks = generator.sample(asks, 60)
            wanted = set().union(*(a.right for a in asks))
            shown = list(range(len(screen.candidates)))
            if len(shown) > MAX_CANDIDATES * 2:
                others = [i for i in shown if i not in wanted]
                shown = sorted(wanted | set(generator.sample(others, MAX_CANDIDATES)))
            # Widgets with one text are one candidate: right when any of them is.
            own, place, members = [], {}, []
            varied, translations = {}, {}
            if screen.kind in ("real", "mini") and generator.random() < TRANSLATED:
                translations = dictionaries[generator.choice(LANGUAGES)]
            for index in shown:
                candidate = screen.candidates[index]
                text = varied.setdefault(candidate.text, candidate.varied(generator, translations))
                if text not in place:
                    place[text] = len(own)
                    own.append(text)
                    members.append(set())
                members[place[text]].add(index)
            start = len(self.texts)
            self.texts += own
            for ask in asks:
                query = ask.queries[0] if len(ask.queries) == 1 or generator.random() < 0.34 else generator.choice(ask.queries[1:])
                self.queries.append(query)
                self.asks.append(ask)
                self.rows.append([start + i for i, m in enumerate(members) if m & ask.right])
                self.ranges.append((start, len(self.texts)))
                self.weights.append(screen.weight)

    def scores(self, vectors: torch.Tensor) -> torch.Tensor:
        """Of every query with every candidate of the step."""
        candidates, queries = vectors[:len(self.texts)], vectors[len(self.texts):len(self.texts) + len(self.queries)]
        return queries @ candidates.T / TEMPERATURE

    def loss(self, vectors: torch.Tensor, taught: torch.Tensor | None = None) -> torch.Tensor:
        """Of the labels, and of what teachers think of every pair (`taught`, their scores)."""
        scores = self.scores(vectors)
        right = torch.zeros(scores.shape, dtype=torch.bool)
        same = torch.zeros_like(right)
        for index, (rows, (start, end)) in enumerate(zip(self.rows, self.ranges)):
            right[index, rows] = True
            same[index, start:end] = True
        right, same, weights = right.to(scores.device), same.to(scores.device), torch.tensor(self.weights, device=scores.device)
        own = scores.masked_fill(~same, -1e4).log_softmax(1)
        hit = torch.logsumexp(own.masked_fill(~right, -1e4), 1)
        for ask, chance in zip(self.asks, hit.detach().exp().tolist()):
            ask.ease = chance
        spread = own.masked_fill(~same, 0.0).sum(1) / same.sum(1)
        near = -((1 - SMOOTHING) * hit + SMOOTHING * spread)
        # Among all screens of the step; texts equal to a right one elsewhere are not wrong.
        text_number = {text: number for number, text in enumerate(dict.fromkeys(self.texts))}
        numbers = torch.tensor([text_number[text] for text in self.texts], device=scores.device)
        equal = (right.float() @ F.one_hot(numbers, len(text_number)).float())[:, numbers] > 0
        far = -torch.logsumexp(scores.masked_fill(equal & ~right, -1e4).log_softmax(1).masked_fill(~right, -1e4), 1)
        labelled = near + ACROSS * far
        if taught is not None:
            wanted = taught.masked_fill(~same, -1e4).softmax(1)
            apart = (wanted * (wanted.clamp_min(1e-9).log() - own)).sum(1)
            everywhere = F.kl_div(scores.log_softmax(1), taught.log_softmax(1), reduction="none", log_target=True).sum(1)
            labelled = (1 - TAUGHT) * labelled + TAUGHT * (apart + ACROSS * everywhere)
        return (labelled * weights).sum() / weights.sum()


def reviewed(screens: list[Screen], share: float, generator: random.Random) -> list[Screen]:
    """All that is new to the model, and so many of the others that it does not forget them."""
    return [screen for screen in screens if share >= 1 or screen.fresh or generator.random() < share]


def align_loss(left: torch.Tensor, right: torch.Tensor, english: list[str]) -> torch.Tensor:
    """Translations against their English texts, both ways."""
    scores = left @ right.T / TEMPERATURE
    same = torch.tensor([[a == b for b in english] for a in english])
    same.fill_diagonal_(False)
    scores = scores.masked_fill(same.to(scores.device), -1e4)
    goal = torch.arange(len(left), device=left.device)
    return 0.5 * (F.cross_entropy(scores, goal) + F.cross_entropy(scores.T, goal)) + 2 * (1 - (left * right).sum(1)).mean()


def evaluate(encoder: Encoder, screens: list[Screen], full: bool = False, misses: list | None = None, peers=None) -> dict:
    """hit@1 and hit@3 among the candidates of the ask's skill, in the product's own texts, by style and language."""
    if peers:
        screens = screens[peers.rank::peers.size]
    texts = [c.text for s in screens for c in s.candidates] + [a.queries[0] for s in screens for a in s.asks]
    if full:
        texts += [query for s in screens for a in s.asks for query in a.queries[1:]]
    unique = list(dict.fromkeys(texts))
    place = {text: index for index, text in enumerate(unique)}
    vectors = embed(encoder, unique)
    counts = collections.defaultdict(lambda: [0, 0, 0])

    def count(keys, rank):
        for key in keys:
            entry = counts[key]
            entry[0] += 1
            entry[1] += rank < 1
            entry[2] += rank < 3

    for screen in screens:
        for ask in screen.asks:
            if ask.skill not in GEOMETRIC or screen.kind == "real" and ask.skill == "scroll":
                continue
            rivals = [i for i, c in enumerate(screen.candidates) if c.skill == ask.skill or screen.kind != "real"]
            if not rivals:
                count(["all", f"style {ask.style}"], 99)
                continue
            matrix = vectors[[place[screen.candidates[i].text] for i in rivals]]

            def rank_of(query):
                scores = matrix @ vectors[place[query]]
                order = sorted(range(len(rivals)), key=lambda j: -float(scores[j]))
                return next((rank for rank, j in enumerate(order) if rivals[j] in ask.right), 99), order

            rank, order = rank_of(ask.queries[0])
            count(["all", f"style {ask.style}", "english" if ask.language == "en" else "others", f"skill {ask.skill}"], rank)
            if full:
                count([f"code {ask.language}"], rank)
                if len(ask.queries) > 1:
                    count(["uat, action"], rank)
                    count(["uat, whole sentence"], rank_of(ask.queries[1])[0])
                    count(["uat, action. result"], rank_of(ask.queries[2])[0])
            if misses is not None and rank > 0:
                misses.append({"id": ask.name, "screen": screen.name, "style": ask.style, "query": ask.queries[0],
                               "chosen": screen.candidates[rivals[order[0]]].text,
                               "right": [screen.candidates[i].text for i in sorted(ask.right)][:3], "rank": rank})
    if peers:
        counts = peers.add_counts(counts)
    return {key: {"n": n, "hit@1": round(one / n, 4), "hit@3": round(three / n, 4)} for key, (n, one, three) in sorted(counts.items())}


def brief(figures: dict) -> dict:
    return {key: [v["n"], v["hit@1"], v["hit@3"]] for key, v in figures.items()}


class Average:
    """A running mean of the weights."""

    def __init__(self, encoder: Encoder, every: int, keep: float):
        self.every, self.keep = every, keep
        self.dense = {key: value.detach().clone() for key, value in encoder.dense.items()}
        self.words = encoder.words.clone()

    @torch.no_grad()
    def update(self, encoder: Encoder, step: int) -> None:
        if step % self.every:
            return
        for key, value in encoder.dense.items():
            self.dense[key].lerp_(value.detach(), 1 - self.keep)
        self.words.lerp_(encoder.words, 1 - self.keep)

    @torch.no_grad()
    def swap(self, encoder: Encoder) -> None:
        for key, value in encoder.dense.items():
            held = value.detach().clone()
            value.copy_(self.dense[key])
            self.dense[key] = held
        encoder.words, self.words = self.words, encoder.words


class Run:
    """One process of a tuning run."""

    def __init__(self, arguments: argparse.Namespace, peers: Peers):
        self.arguments, self.peers, self.started = arguments, peers, time.time()
        # Processes plan alike (the same seed) and vary apart.
        self.plan, self.generator = random.Random(arguments.seed), random.Random(1000 * arguments.seed + peers.rank)
        self.near = overlap.find(arguments.shared)
        self.by_language = collections.defaultdict(list)
        for _, language, english, text in sources.read_pairs(arguments.pairs):
            if len(english) <= 32 and language in LANGUAGES:
                self.by_language[language].append((english, text))
        self.dictionaries = {language: {english.lower(): text for english, text in own}
                             for language, own in self.by_language.items()}
        self.encoder = Encoder(arguments.model, 0.1, arguments.device, arguments.rank)
        self.encoder.train()
        self.teachers = [Encoder(folder, 0.0, arguments.device).eval() for folder in arguments.teacher]
        rates = torch.full((len(self.encoder.words),), 1.0)
        rates[:arguments.frozen_rows] = 0.0
        self.rows, self.dense = Rows(self.encoder.words, rates), optimizer(self.encoder, 0.01)
        self.average = Average(self.encoder, 8, 0.96)
        self.clock, self.spent, self.steps, self.epoch, self.eases = 0.0, 0.0, 0, 0, {}
        self.running, self.told = 0.0, time.time()
        self.checkpoint = arguments.output / "tune.pt"
        if self.checkpoint.exists():
            self.resume()

    def report(self, **values) -> None:
        if self.peers.rank:
            return
        line = json.dumps({"seconds": round(time.time() - self.started), **values}, ensure_ascii=False)
        print(line, flush=True)
        with (self.arguments.output / "metrics.jsonl").open("a") as log:
            log.write(line + "\n")

    def resume(self) -> None:
        state = torch.load(self.checkpoint, weights_only=False, map_location=self.encoder.device)
        self.encoder.dense.load_state_dict(state["dense"])
        self.encoder.words.copy_(state["words"])
        self.rows.load(state["rows"])
        self.dense.load_state_dict(state["optimizer"])
        self.average.dense, self.average.words = state["average"]
        self.spent, self.steps, self.epoch, self.eases = state["spent"], state["steps"], state["epoch"], state["eases"]
        self.clock = self.spent
        self.plan.setstate(state["plan"])

    def remember(self) -> None:
        """Between epochs, so that all processes resume alike."""
        if self.peers.rank or self.arguments.device == "cuda":
            return
        torch.save({"dense": self.encoder.dense.state_dict(), "words": self.encoder.words, "rows": self.rows.state(),
                    "optimizer": self.dense.state_dict(), "average": (self.average.dense, self.average.words),
                    "spent": self.spent, "steps": self.steps, "epoch": self.epoch, "eases": self.eases,
                    "plan": self.plan.getstate()}, self.checkpoint.with_suffix(".new"))
        self.checkpoint.with_suffix(".new").rename(self.checkpoint)

    def step(self, some: list[Screen]) -> None:
        began = time.process_time()
        count = self.arguments.align_pairs
        prepared = Prepared(some, self.generator, self.dictionaries)
        pairs = [self.generator.choice(self.by_language[self.generator.choice(LANGUAGES)]) for _ in range(count)]
        step, taught = Step(self.encoder), None
        if self.teachers:
            with torch.no_grad():
                shown = prepared.texts + prepared.queries
                taught = torch.stack([prepared.scores(Step(one).encode(shown)) for one in self.teachers]).mean(0)
        vectors = step.encode(prepared.texts + prepared.queries + [t for _, t in pairs] + [e for e, _ in pairs])
        tail = len(prepared.texts) + len(prepared.queries)
        aligned = align_loss(vectors[tail:tail + count], vectors[tail + count:], [e for e, _ in pairs])
        loss = prepared.loss(vectors, taught) if prepared.queries else 0 * aligned
        budget, peak = self.arguments.minutes * 60, self.arguments.rate
        clock = step.finish(loss + ALIGN * aligned, self.dense, self.rows, lambda spent: schedule(spent / budget, peak),
                            self.peers, self.spent)
        spent = time.time() - self.started if self.arguments.device == "cuda" else clock + time.process_time() - began
        self.clock, self.spent = clock, spent
        self.steps += 1
        self.average.update(self.encoder, self.steps)
        self.running = 0.97 * self.running + 0.03 * float(loss.detach()) if self.running else float(loss.detach())
        if time.time() - self.told > 60:
            self.told = time.time()
            self.report(step=self.steps, spent=round(self.spent), loss=round(self.running, 4),
                        align=round(float(aligned.detach()), 4), rate=round(schedule(clock / budget, peak), 7))

    def measure(self, validation: list[Screen], minis: list[Screen], **more) -> None:
        figures = {"validation": brief(evaluate(self.encoder, validation, peers=self.peers)),
                   "mini": brief(evaluate(self.encoder, minis, peers=self.peers))}
        self.report(step=self.steps, epoch=self.epoch, **more, **figures)

    def one_epoch(self) -> None:
        arguments = self.arguments
        data = self.peers.gather(read_training(arguments) if self.peers.rank == 0 else None)[0]  # files may be growing
        training, validation = split(data["real"], self.near)
        training += data["runs"]  # behind the split: validation stays what it was
        validation_mini = data["mini"][::40]
        minis = [screen for number, screen in enumerate(data["mini"]) if number % 40]
        for screen in training + minis:
            for ask in screen.asks:
                ask.ease = self.eases.get(ask.name, 0.0)
        mixed = training + minis + lexicon_screens(data["english"], data["many"], self.plan)
        mixed += corpus_screens(self.by_language, self.plan, arguments.corpus_screens)
        mixed = reviewed(mixed, arguments.review, self.plan)
        self.report(epoch=self.epoch, screens=len(mixed), asks=sum(len(s.asks) for s in mixed), real=len(training), runs=len(data["runs"]),
                    real_asks=sum(len(s.asks) for s in training), mini=len(minis),
                    mini_asks=sum(len(s.asks) for s in minis), near_duplicates=len(self.near))
        if not self.steps:
            self.measure(validation, validation_mini)
        turns = list(batches(mixed, self.plan, arguments.step_texts))
        turns = turns[:len(turns) // self.peers.size * self.peers.size]
        for some in turns[self.peers.rank::self.peers.size]:
            self.step(some)
            if self.clock >= arguments.minutes * 60:
                break
        for eases in self.peers.gather({ask.name: ask.ease for screen in training + minis for ask in screen.asks
                                        if ask.ease != self.eases.get(ask.name, 0.0)}):
            self.eases.update(eases)
        self.epoch += 1
        self.average.swap(self.encoder)
        self.measure(validation, validation_mini, averaged=True)
        if self.peers.rank == 0:
            self.encoder.save(arguments.output / f"epoch-{self.epoch}")
        self.average.swap(self.encoder)
        self.remember()

    def go(self) -> None:
        while self.clock < self.arguments.minutes * 60:
            self.one_epoch()


def work(rank: int, arguments: argparse.Namespace) -> None:
    torch.manual_seed(arguments.seed + rank)
    torch.set_num_threads(1)
    Run(arguments, Peers(rank, arguments.processes, str((arguments.output / "meeting").absolute()))).go()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--extra-labels", type=Path, action="append", default=[], help="folders of `tapwright train export`, with texts.jsonl")
    parser.add_argument("--extra-minis", type=Path, action="append", default=[], help="folders of imagined screens, *.jsonl")
    parser.add_argument("--minutes", type=float, default=55)
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--fresh", nargs="+", default=[], metavar="NAME",
                        help="files of imagined screens that the model has not seen, without .jsonl")
    parser.add_argument("--review", type=float, default=1.0, metavar="SHARE", help="of all other screens, shown in an epoch")
    parser.add_argument("--align-pairs", type=int, default=ALIGN_PAIRS, help="a step and process")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--corpus-screens", type=int, default=3, help="a language and epoch")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--rank", type=int, default=0, help="of the low-rank products that are tuned in the matrices' place; 0: all weights")
    parser.add_argument("--frozen-rows", type=int, default=0, help="so many word rows, from the first, stay as they are")
    parser.add_argument("--step-texts", type=int, default=STEP_TEXTS)
    parser.add_argument("--teacher", type=Path, nargs="*", default=[])
    arguments = parser.parse_args()
    if arguments.device == "cuda":
        arguments.processes = 1
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "meeting").unlink(missing_ok=True)
    if arguments.processes == 1:
        work(0, arguments)
    else:
        torch.multiprocessing.spawn(work, (arguments,), arguments.processes)


if __name__ == "__main__":
    main()
