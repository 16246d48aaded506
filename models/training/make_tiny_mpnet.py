"""Makes the 2-layer random MPNet the tests use: one set of weights, exported with the pooling in the graph and without.

    python make_tiny_mpnet.py --output ../../tests/fixtures/tiny-mpnet

Its tokenizer knows letters and digits only, so every text has tokens and the files stay small.
"""

import argparse
import json
import string
from pathlib import Path

import onnx

from make_random_mpnet_base import CONFIG, random_weights
from mpnet_graph import build

CHARACTERS = string.ascii_lowercase + string.digits
VOCABULARY = ["<s>", "<pad>", "</s>", "<unk>", *CHARACTERS, *(f"##{character}" for character in CHARACTERS), "<mask>"]
TINY = {**CONFIG, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "max_position_embeddings": 66, "vocab_size": len(VOCABULARY)}


def tokenizer() -> dict:
    ids = {token: index for index, token in enumerate(VOCABULARY)}

    def special(token: str) -> dict:
        return {"id": ids[token], "content": token, "single_word": False, "lstrip": False, "rstrip": False,
                "normalized": False, "special": True}

    def around(token: str) -> dict:
        return {"id": token, "ids": [ids[token]], "tokens": [token]}

    def piece(kind: str, name: str) -> dict:
        return {kind: {"id": name, "type_id": 0}}

    single = [piece("SpecialToken", "<s>"), piece("Sequence", "A"), piece("SpecialToken", "</s>")]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [special(token) for token in VOCABULARY if token.startswith("<")],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": single,
                           "pair": [*single, piece("Sequence", "B"), piece("SpecialToken", "</s>")],
                           "special_tokens": {"<s>": around("<s>"), "</s>": around("</s>")}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": ids},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    # Wider than usual, so that different texts get clearly different vectors.
    weights = random_weights(TINY, seed=11, spread=0.5)
    onnx.save(build(weights, TINY, quantized=False, pooling=True), output / "pooled.onnx")
    onnx.save(build(weights, TINY, quantized=False, pooling=False), output / "tokens.onnx")
    (output / "tokenizer.json").write_text(json.dumps(tokenizer()) + "\n")


if __name__ == "__main__":
    main()
