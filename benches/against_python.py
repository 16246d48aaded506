"""Ranks a screen's candidates as usual Python programs do; run by `cargo bench --bench ranking -- --against-python`.

    against_python.py KIND MODEL THREADS [keep]

KIND is `sentence-transformers` (MODEL: a Hugging Face folder, as models/training/restore.py writes it) or `onnxruntime`
(MODEL: the folder with model.onnx and tokenizer.json). With `keep` a screen's vectors are kept for its further decisions. One
line on stdin is a round: `[{"texts": […], "asks": […]}, …]`; one line on stdout answers it: the milliseconds of each screen's
first decision, of every further one, and the place of the candidate nearest to each ask.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np


def sentence_transformers(model, threads):
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

    torch.set_num_threads(threads)
    words = Transformer(str(model), max_seq_length=128)
    encoder = SentenceTransformer(modules=[words, Pooling(words.get_embedding_dimension()), Normalize()], device="cpu")
    return lambda texts: encoder.encode(texts, batch_size=64, show_progress_bar=False)


def onnxruntime(model, threads):
    import onnxruntime as ort
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.enable_padding(pad_id=1, pad_token="<pad>")
    tokenizer.enable_truncation(128)
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    session = ort.InferenceSession(str(model / "model.onnx"), options, providers=["CPUExecutionProvider"])

    def encode(texts):
        encoded = tokenizer.encode_batch(texts)
        ids = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        vectors = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    return encode


def main():
    kind, model, threads, keep = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), "keep" in sys.argv[4:]
    encode = {"sentence-transformers": sentence_transformers, "onnxruntime": onnxruntime}[kind](model, threads)
    encode(["warming up", "everything that is made at the first call"])
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        first, further, best = [], [], []
        for screen in json.loads(line):
            kept = None
            for number, ask in enumerate(screen["asks"]):
                began = time.perf_counter()
                if kept is None or not keep:
                    vectors = encode([ask, *screen["texts"]])
                    asked, kept = vectors[0], vectors[1:]
                else:
                    asked = encode([ask])[0]
                order = np.argsort(-(kept @ asked), kind="stable")
                spent = (time.perf_counter() - began) * 1000
                (further if number else first).append(spent)
                best.append(int(order[0]))
        print(json.dumps({"first": first, "further": further, "best": best}), flush=True)


if __name__ == "__main__":
    main()
