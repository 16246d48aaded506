"""Teaches the grown model the other languages: a translation shall lie where the English model puts the English text.

    python distill.py --teacher <English MPNet> --student <grown MPNet> --pairs pairs.tsv --shared ../shared \
        --output <folder> --minutes 25

Prints one JSON line a report; resumes from <output>/distill.pt when it is there.
"""

import argparse
import collections
import json
import random
import time
from pathlib import Path

import torch
import torch.nn.functional as F

import sources
from corpus import LANGUAGES
from encoder import Encoder, Rows, Step, embed, optimizer, schedule
from peers import Peers

HELD_OUT = 1000
STRINGS = 45_000
BATCH = 192
TEMPERATURE = 0.05


class Pairs:
    """Translations by language of the best-covered English strings, and 1 000 held out."""

    def __init__(self, path: Path, shared: Path, seed: int):
        generator = random.Random(seed)
        by_english = collections.defaultdict(dict)
        for source, language, english, text in sources.read_pairs(path):
            by_english[english].setdefault(language, []).append(text)
        covered = sorted(by_english, key=lambda text: (-len(by_english[text]), text))
        self.held_out = sorted(generator.sample(covered[:12_000], HELD_OUT))
        hidden = {text.lower() for text in self.held_out}
        kept = [text for text in covered if text.lower() not in hidden][:STRINGS]
        self.by_language = {language: [] for language in LANGUAGES}
        for english in kept:
            for language, texts in by_english[english].items():
                self.by_language[language] += [(english, text) for text in texts]
        for entry in sources.read_all([shared / "training/lexicon"], "multi.jsonl"):
            english = entry["label"]["en"]
            for language in LANGUAGES:
                if language in entry["label"]:
                    self.by_language[language] += [(english, entry["label"][language])] * 4
        self.english = kept + sorted({t for l, t in sources.training_texts(shared) if l == "en"})
        self.test = {language: [(e, by_english[e][language][0]) for e in self.held_out if language in by_english[e]]
                     for language in LANGUAGES}

    def batch(self, generator: random.Random, size: int) -> list[tuple[str, str]]:
        return [generator.choice(self.by_language[generator.choice(LANGUAGES)]) for _ in range(size)]


def retrieval(encoder: Encoder, pairs: Pairs, teacher: dict, languages=LANGUAGES, limit: int = HELD_OUT) -> dict:
    """Share of held-out translations whose nearest of the held-out English texts is their own, by language."""
    strings = pairs.held_out
    english = embed(encoder, strings)
    place = {text: index for index, text in enumerate(strings)}
    result = {}
    for language in languages:
        test = pairs.test[language][:limit]
        nearest = (embed(encoder, [text for _, text in test]) @ english.T).argmax(1).tolist()
        result[language] = round(sum(strings[n].lower() == e.lower() for n, (e, _) in zip(nearest, test)) / len(test), 4)
    result["n"] = len(strings)
    drift = F.cosine_similarity(english, torch.stack([teacher[text] for text in strings])).mean()
    result["english_cosine"] = round(float(drift), 4)
    return result


def distillation_loss(step: Step, batch: list, english: list, teacher: dict) -> torch.Tensor:
    """Translations and English texts against the teacher's vectors of the English: cosine and in-batch contrast."""
    vectors = step.encode([text for _, text in batch] + english)
    targets = torch.stack([teacher[text] for text, _ in batch] + [teacher[text] for text in english]).to(vectors.device)
    apart = (1 - (vectors * targets).sum(1)).mean()
    translated, wanted = vectors[:len(batch)], targets[:len(batch)]
    scores = translated @ wanted.T / TEMPERATURE
    same = wanted @ wanted.T > 0.95
    same.fill_diagonal_(False)
    scores = scores.masked_fill(same, -1e4)
    return 8 * apart + 0.3 * F.cross_entropy(scores, torch.arange(len(batch), device=scores.device))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--student", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--rank", type=int, default=0, help="of the low-rank products that are tuned in the matrices' place; 0: all weights")
    parser.add_argument("--frozen-rows", type=int, default=0, help="so many word rows, from the first, stay as they are")
    parser.add_argument("--batch", type=int, default=BATCH)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(2)
    started = time.time()
    pairs = Pairs(arguments.pairs, arguments.shared, arguments.seed)
    teacher_model = Encoder(arguments.teacher, 0.0, arguments.device).eval()
    strings = list(dict.fromkeys(pairs.english + pairs.held_out + [e for own in pairs.by_language.values() for e, _ in own]))
    teacher = dict(zip(strings, embed(teacher_model, strings)))
    known = len(teacher_model.words)
    del teacher_model
    log = (arguments.output.parent / "distill.jsonl").open("a")

    def report(**values) -> None:
        line = json.dumps({"seconds": round(time.time() - started), **values})
        print(line, flush=True)
        log.write(line + "\n")
        log.flush()

    report(strings=len(strings), pairs=sum(map(len, pairs.by_language.values())))
    encoder = Encoder(arguments.student, 0.0, arguments.device, arguments.rank)
    encoder.eval()
    rates = torch.ones(len(encoder.words))
    rates[known:] = 6.0
    rates[:arguments.frozen_rows] = 0.0
    rows, dense = Rows(encoder.words, rates), optimizer(encoder, 0.01)
    generator, alone = random.Random(arguments.seed), Peers(0, 1, "")
    arguments.output.mkdir(parents=True, exist_ok=True)
    checkpoint, spent, steps = arguments.output / "distill.pt", 0.0, 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=False, map_location=encoder.device)
        encoder.dense.load_state_dict(state["dense"])
        encoder.words.copy_(state["words"])
        rows.load(state["rows"])
        dense.load_state_dict(state["optimizer"])
        spent, steps = state["spent"], state["steps"]
        generator.setstate(state["generator"])
    sample = ("zh", "ja", "ko", "es", "de", "ru", "ar", "hi", "th")
    report(step=steps, retrieval=retrieval(encoder, pairs, teacher, sample, 300))
    saved, told, running = time.time(), time.time(), 0.0
    budget = arguments.minutes * 60
    while spent < budget:
        began = time.time()
        rate = schedule(spent / budget, arguments.rate)
        batch = pairs.batch(generator, arguments.batch)
        english = generator.sample(pairs.english, arguments.batch // 4)
        step = Step(encoder)
        loss = distillation_loss(step, batch, english, teacher)
        step.finish(loss, dense, rows, lambda _: rate, alone, spent)
        steps += 1
        running = 0.98 * running + 0.02 * float(loss.detach()) if running else float(loss.detach())
        spent += time.time() - began
        if time.time() - told > 60:
            report(step=steps, spent=round(spent), loss=round(running, 4), rate=round(rate, 7))
            told = time.time()
        if time.time() - saved > 300:
            report(step=steps, retrieval=retrieval(encoder, pairs, teacher, sample, 300))
            torch.save({"dense": encoder.dense.state_dict(), "words": encoder.words, "rows": rows.state(),
                        "optimizer": dense.state_dict(), "spent": spent, "steps": steps,
                        "generator": generator.getstate()}, checkpoint)
            saved = told = time.time()
    encoder.save(arguments.output)
    report(step=steps, final=retrieval(encoder, pairs, teacher))


if __name__ == "__main__":
    main()
