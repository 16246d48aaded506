"""Rewrites all-MiniLM-L6-v2 (BERT) as an MPNet checkpoint that computes exactly the same thing.

MPNet is BERT without token types, plus a relative-attention bias shared by all layers, with positions starting at the
padding index + 1. So: the vocabulary moves up by four to make room for MPNet's special tokens, position row i + 2 is
BERT's row i with token-type row 0 added, and the relative bias is zero until training fills it.

    python convert_minilm.py --source <folder of all-MiniLM-L6-v2> --output <folder>

The output is an ordinary Hugging Face MPNet folder (model.safetensors, config.json, tokenizer.json).
"""

import argparse
import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

SHIFT = 4  # <s> <pad> </s> <unk> come first
SPECIAL = {"<s>": "[CLS]", "<pad>": "[PAD]", "</s>": "[SEP]", "<unk>": "[UNK]"}
MASK = ("<mask>", "[MASK]")
BUCKETS = 32
MAX_TOKENS = 128  # written into the tokenizer; Tapwright's manifest overrides it

RENAMED = {
    "attention.self.query": "attention.attn.q",
    "attention.self.key": "attention.attn.k",
    "attention.self.value": "attention.attn.v",
    "attention.output.dense": "attention.attn.o",
    "attention.output.LayerNorm": "attention.LayerNorm",
    "intermediate.dense": "intermediate.dense",
    "output.dense": "output.dense",
    "output.LayerNorm": "output.LayerNorm",
}


def convert_weights(bert: dict, vocabulary: dict, heads: int, layers: int) -> dict:
    """MPNet's tensors, all float32, under MPNet's names."""
    words = bert["embeddings.word_embeddings.weight"]
    head = np.stack([words[vocabulary[token]] for token in SPECIAL.values()])
    tail = words[vocabulary[MASK[1]]][None]
    positions = bert["embeddings.position_embeddings.weight"]
    moved = np.zeros((positions.shape[0] + 2, positions.shape[1]), np.float32)
    moved[2:] = positions + bert["embeddings.token_type_embeddings.weight"][0]
    mpnet = {
        "embeddings.word_embeddings.weight": np.concatenate([head, words, tail]),
        "embeddings.position_embeddings.weight": moved,
        "embeddings.LayerNorm.weight": bert["embeddings.LayerNorm.weight"],
        "embeddings.LayerNorm.bias": bert["embeddings.LayerNorm.bias"],
        "encoder.relative_attention_bias.weight": np.zeros((BUCKETS, heads), np.float32),
    }
    for layer in range(layers):
        for old, new in RENAMED.items():
            for part in ("weight", "bias"):
                mpnet[f"encoder.layer.{layer}.{new}.{part}"] = bert[f"encoder.layer.{layer}.{old}.{part}"]
    return {name: np.ascontiguousarray(value, np.float32) for name, value in mpnet.items()}


def convert_tokenizer(bert: dict) -> dict:
    """The same WordPiece tokenizer with every id moved and MPNet's special tokens around a text."""
    old = bert["model"]["vocab"]
    vocabulary = {token: index for index, token in enumerate(SPECIAL)}
    vocabulary.update({token: index + SHIFT for token, index in old.items()})
    vocabulary[MASK[0]] = len(old) + SHIFT
    start, end = vocabulary["<s>"], vocabulary["</s>"]

    def special(token: str) -> dict:
        return {"id": vocabulary[token], "content": token, "single_word": False, "lstrip": token == MASK[0],
                "rstrip": False, "normalized": False, "special": True}

    def around(*sequences: str) -> list:
        template = [{"SpecialToken": {"id": "<s>", "type_id": 0}}]
        for index, sequence in enumerate(sequences):
            if index:
                template.append({"SpecialToken": {"id": "</s>", "type_id": 0}})
            template += [{"Sequence": {"id": sequence, "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}]
        return template

    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": MAX_TOKENS, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None,
                    "pad_id": vocabulary["<pad>"], "pad_type_id": 0, "pad_token": "<pad>"},
        # [UNK] keeps BERT's row: the model's own <unk> (id 3) is the same vector, but the ids stay a plain shift.
        "added_tokens": [special(token) for token in [*SPECIAL, "[UNK]", MASK[0]]],
        "normalizer": bert["normalizer"],
        "pre_tokenizer": bert["pre_tokenizer"],
        "post_processor": {
            "type": "TemplateProcessing",
            "single": around("A"),
            "pair": around("A", "B"),
            "special_tokens": {
                "<s>": {"id": "<s>", "ids": [start], "tokens": ["<s>"]},
                "</s>": {"id": "</s>", "ids": [end], "tokens": ["</s>"]},
            },
        },
        "decoder": bert["decoder"],
        "model": {**bert["model"], "vocab": vocabulary},
    }


def convert_config(bert: dict, vocabulary_size: int) -> dict:
    """A Hugging Face MPNetConfig."""
    kept = ("attention_probs_dropout_prob", "hidden_act", "hidden_dropout_prob", "hidden_size", "initializer_range",
            "intermediate_size", "layer_norm_eps", "num_attention_heads", "num_hidden_layers")
    return {
        "architectures": ["MPNetModel"],
        "model_type": "mpnet",
        **{key: bert[key] for key in kept},
        "max_position_embeddings": bert["max_position_embeddings"] + 2,
        "relative_attention_num_buckets": BUCKETS,
        "vocab_size": vocabulary_size,
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
    }


def write_json(path: Path, value: dict, indent: int | None) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()

    config = json.loads((arguments.source / "config.json").read_text())
    tokenizer = json.loads((arguments.source / "tokenizer.json").read_text())
    weights = convert_weights(load_file(arguments.source / "model.safetensors"), tokenizer["model"]["vocab"],
                              config["num_attention_heads"], config["num_hidden_layers"])
    arguments.output.mkdir(parents=True, exist_ok=True)
    save_file(weights, arguments.output / "model.safetensors", metadata={"format": "pt"})
    vocabulary_size = weights["embeddings.word_embeddings.weight"].shape[0]
    write_json(arguments.output / "config.json", convert_config(config, vocabulary_size), 2)
    write_json(arguments.output / "tokenizer.json", convert_tokenizer(tokenizer), None)
    print(f"{arguments.output}: {vocabulary_size} tokens, {sum(w.size for w in weights.values()) / 1e6:.1f} M weights")


if __name__ == "__main__":
    main()
