"""Grows the English vocabulary: word pieces for the other languages, learned from the corpus, with starting rows.

    python vocabulary.py --model <English MPNet folder> --pairs pairs.tsv --shared ../shared --output <folder>

The output is a Hugging Face MPNet folder. English text keeps its tokens: a new Latin piece that would be used in any
English word of the corpus is dropped. A new row starts as the mean of the rows of the English pieces it translates to
(IBM model 1 over the pairs), scaled to an ordinary row's length.
"""

import argparse
import collections
import json
import re
import unicodedata
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

import sources

# New pieces per group of languages that share a script (and so a vocabulary).
GROUPS = {
    "chinese": (("zh", "zh-TW"), 5500), "japanese": (("ja",), 2850), "korean": (("ko",), 3800),
    "cyrillic": (("ru", "uk"), 3800), "arabic": (("ar", "fa"), 3550), "hebrew": (("he",), 1950),
    "hindi": (("hi",), 1950), "bengali": (("bn",), 1750), "thai": (("th",), 2100), "greek": (("el",), 1750),
    "vietnamese": (("vi",), 950), "romance": (("es", "pt", "fr", "it", "ro"), 3200),
    "germanic": (("de", "nl", "sv"), 2200), "slavic": (("pl", "cs"), 1950), "turkish": (("tr",), 1150),
    "hungarian": (("hu",), 1150), "indonesian": (("id",), 800),
}
LATIN = ("vietnamese", "romance", "germanic", "slavic", "turkish", "hungarian", "indonesian")
WORD_LIMIT = 200
COMMON_HAN = 1900  # these form words; the others stand alone, which saves their second (continuing) piece
COMMON_HANGUL = 900
HAN = r"\p{Han}"
# Accents are dropped from Latin and Greek only, and not those that tell Vietnamese words apart (hook, dot below, horn).
ACCENTS = "[\u0300-\u0308\u030a-\u030c\u0327\u0328]+"
POINTS = "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670]+"  # Hebrew and Arabic vowel signs


def normalizer() -> dict:
    """Lower case; accents dropped from Latin and Greek; Indic signs, kana marks and Hangul stay whole."""
    return {"type": "Sequence", "normalizers": [
        {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": False, "strip_accents": False,
         "lowercase": True},
        {"type": "NFD"},
        {"type": "Replace", "pattern": {"Regex": "(?<=[\\p{Latin}\\p{Greek}\u0323\u031b])" + ACCENTS}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": POINTS}, "content": ""},
        {"type": "NFC"},
    ]}


def splitter(common: str) -> dict:
    """Words at white space and punctuation; each rare character alone; Han, Hiragana and Katakana runs apart."""
    rare = f"(?![{common}])[{HAN}\\p{{Hangul}}]"
    runs = f"{HAN}+|\\p{{Hiragana}}+|[\\p{{Katakana}}ー]+"
    return {"type": "Sequence", "pretokenizers": [
        {"type": "BertPreTokenizer"},
        {"type": "Split", "pattern": {"Regex": rare}, "behavior": "Isolated", "invert": False},
        {"type": "Split", "pattern": {"Regex": runs}, "behavior": "Isolated", "invert": False},
    ]}


def with_front(tokenizer: dict, common: str) -> dict:
    """The tokenizer file with our normaliser and splitter in front of its word pieces."""
    model = {**tokenizer["model"], "max_input_chars_per_word": WORD_LIMIT}
    return {**tokenizer, "normalizer": normalizer(), "pre_tokenizer": splitter(common), "model": model}


def is_han(character: str) -> bool:
    return "CJK" in unicodedata.name(character, "")


def is_hangul(character: str) -> bool:
    return "HANGUL SYLLABLE" in unicodedata.name(character, "")


def common_characters(texts: dict[str, list[str]], normalise) -> tuple[str, dict[str, list[str]]]:
    """The frequent Han and Hangul characters, and every other one seen at least twice, by language group."""
    common, others = "", {}
    for group, test, limit in (("chinese", is_han, COMMON_HAN), ("japanese", is_han, 700), ("korean", is_hangul, COMMON_HANGUL)):
        counts = collections.Counter()
        for language in GROUPS[group][0]:
            own = collections.Counter(c for text in texts[language] for c in normalise(text) if test(c))
            total = sum(own.values())
            for character, count in own.items():
                counts[character] += count / total
        ordered = [character for character, _ in counts.most_common()]
        common += "".join(c for c in ordered[:limit] if c not in common)
        others[group] = ordered[limit:]
    return common, others


def learn_pieces(texts: list[str], front: Tokenizer, size: int) -> list[str]:
    """Word pieces of these texts, most useful first."""
    learner = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=WORD_LIMIT))
    learner.normalizer, learner.pre_tokenizer = front.normalizer, front.pre_tokenizer
    trainer = trainers.WordPieceTrainer(vocab_size=size, min_frequency=3, show_progress=False, special_tokens=["[UNK]"],
                                        continuing_subword_prefix="##")
    learner.train_from_iterator(texts, trainer)
    return [piece for piece, _ in sorted(learner.get_vocab().items(), key=lambda item: item[1]) if piece != "[UNK]"]


def latin_words(texts: list[str], front: Tokenizer) -> list[str]:
    words = {word for text in texts
             for word, _ in front.pre_tokenizer.pre_tokenize_str(front.normalizer.normalize_str(text))}
    return sorted(word for word in words if word.isascii())


def latin_clashes(pieces: set[str], vocabulary: dict, words: list[str]) -> set[str]:
    """The new pieces that these English words would be cut into."""
    model = models.WordPiece({**vocabulary, **{piece: 10**6 + i for i, piece in enumerate(sorted(pieces))}},
                             unk_token="[UNK]", max_input_chars_per_word=WORD_LIMIT)
    return {token.value for word in words for token in model.tokenize(word) if token.id >= 10**6}


def choose_pieces(texts: dict, english: list[str], base: dict) -> tuple[list[str], str]:
    front = Tokenizer.from_str(json.dumps(with_front(base, "的")))
    common, others = common_characters(texts, front.normalizer.normalize_str)
    front = Tokenizer.from_str(json.dumps(with_front(base, common)))
    vocabulary, words = base["model"]["vocab"], latin_words(english, front)
    chosen = {}
    # Characters first, so that no word falls to [UNK] for one character: both forms of those that form words.
    singles = [c for c in common] + [f"##{c}" for c in common] + [c for group in others.values() for c in group]
    for group, (languages, size) in GROUPS.items():
        own = [text for language in languages for text in texts[language]]
        counts = collections.Counter(c for text in own for c in front.normalizer.normalize_str(text))
        letters = [c for c, n in counts.items() if n >= 5 and not c.isspace() and (c.isalpha() or unicodedata.category(c) in ("Mn", "Mc", "Nd", "Po"))
                   and not is_han(c) and not is_hangul(c)]
        singles += letters + [f"##{c}" for c in letters]
        learned = learn_pieces(own, front, size + 1200 + (4000 if group in ("chinese", "japanese", "korean") else 0))
        fresh = [p for p in learned if len(p.removeprefix("##")) > 1 and p not in vocabulary and p not in chosen]
        if group in LATIN:
            clashes = set()
            while True:
                fresh = [piece for piece in fresh if piece not in clashes]
                clashes = latin_clashes(set(fresh), vocabulary, words)
                if not clashes:
                    break
        kept = fresh[:size]
        chosen.update(dict.fromkeys(kept))
        print(f"{group}: {len(learned)} learned, {len(fresh)} new, {len(kept)} kept: {' '.join(kept[40:52])}", flush=True)
    singles = [piece for piece in dict.fromkeys(singles) if piece not in vocabulary]
    print(f"{len(singles)} single characters")
    everything = list(dict.fromkeys([*singles, *chosen]))
    while True:  # all Latin groups together once more
        clashes = latin_clashes(set(everything), vocabulary, words)
        if not clashes:
            return everything, common
        everything = [piece for piece in everything if piece not in clashes]


def starting_rows(tokenizer: Tokenizer, rows: np.ndarray, known: int, pairs: list, rounds: int = 4) -> np.ndarray:
    """The table with a row for every new piece: the English pieces it stands for, by IBM model 1."""
    total = tokenizer.get_vocab_size()
    result = np.zeros((total, rows.shape[1]), np.float32)
    result[:len(rows)] = rows
    usual = float(np.median(np.linalg.norm(rows[1000:], axis=1)))
    done = np.zeros(total, bool)
    weight_sum, mixed = np.zeros(total), np.zeros_like(result)
    for language in sorted({pair[1] for pair in pairs}):
        own = [(english, text) for _, spoken, english, text in pairs if spoken == language]
        english = tokenizer.encode_batch([e for e, _ in own], add_special_tokens=False)
        foreign = tokenizer.encode_batch([t for _, t in own], add_special_tokens=False)
        left, right, sentence = [], [], []
        for index, (e, f) in enumerate(zip(english, foreign)):
            for piece in set(f.ids):
                if piece >= known:
                    own_english = set(e.ids)
                    left += [piece] * len(own_english)
                    right += own_english
                    sentence += [index] * len(own_english)
        left, right, sentence = np.array(left), np.array(right), np.array(sentence)
        pair_key, pair_index = np.unique(left * total + right, return_inverse=True)
        group_key, group_index = np.unique(sentence * total + left, return_inverse=True)
        pair_left, pair_right = pair_key // total, pair_key % total
        chance = np.ones(len(pair_key))
        for _ in range(rounds):
            # Each foreign piece of a sentence shares itself among the sentence's English pieces by t(foreign | english).
            share = chance[pair_index]
            share = share / np.bincount(group_index, share)[group_index]
            expected = np.bincount(pair_index, share, minlength=len(pair_key))
            chance = expected / np.bincount(pair_right, expected, minlength=total)[pair_right]
        expected[expected < 0.02 * np.bincount(pair_left, expected, minlength=total)[pair_left]] = 0
        np.add.at(mixed, pair_left, expected[:, None].astype(np.float32) * rows[pair_right])
        weight_sum += np.bincount(pair_left, expected, minlength=total)
    done = weight_sum > 0
    done[:known] = False
    mixed[done] /= weight_sum[done, None]
    result[done] = mixed[done] / np.maximum(np.linalg.norm(mixed[done], axis=1, keepdims=True), 1e-6) * usual
    bare = [i for i in range(known, total) if not done[i]]
    random = np.random.default_rng(5)
    mean, spread = rows[1000:].mean(0), rows[1000:].std(0)
    result[bare] = mean + 0.5 * spread * random.standard_normal((len(bare), rows.shape[1]))
    print(f"{int(done.sum())} rows from translations, {len(bare)} at random")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    pairs = sources.read_pairs(arguments.pairs)
    texts = collections.defaultdict(list)
    for _, language, _, text in pairs:
        texts[language].append(text)
    english = sorted({pair[2] for pair in pairs})
    for language, text in sources.training_texts(arguments.shared):
        if language == "en":
            english.append(text)
        elif language in texts:
            texts[language] += [text] * 3
    base = json.loads((arguments.model / "tokenizer.json").read_text(encoding="utf-8"))
    pieces, common = choose_pieces(texts, english, base)

    tokenizer = with_front(base, common)
    vocabulary = dict(tokenizer["model"]["vocab"])
    known = len(vocabulary)
    vocabulary.update({piece: known + index for index, piece in enumerate(pieces)})
    tokenizer["model"] = {**tokenizer["model"], "vocab": vocabulary}
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False) + "\n", encoding="utf-8")
    grown = Tokenizer.from_str(json.dumps(tokenizer))
    grown.no_padding()
    grown.no_truncation()
    weights = load_file(arguments.model / "model.safetensors")
    name = "embeddings.word_embeddings.weight"
    weights[name] = starting_rows(grown, weights[name], known, pairs)
    save_file(weights, arguments.output / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((arguments.model / "config.json").read_text())
    config["vocab_size"] = len(vocabulary)
    (arguments.output / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    print(f"{len(vocabulary)} pieces, {sum(w.size for w in weights.values()) / 1e6:.2f} M weights")
    report(grown, Tokenizer.from_file(str(arguments.model / "tokenizer.json")), texts, english)


def report(grown: Tokenizer, old: Tokenizer, texts: dict, english: list[str]) -> None:
    old.no_padding()
    old.no_truncation()
    sample = english[::max(1, len(english) // 20000)]
    changed = [t for t, a, b in zip(sample, old.encode_batch(sample), grown.encode_batch(sample)) if a.ids != b.ids]
    print(f"en: {len(changed)} of {len(sample)} texts changed their tokens: {changed[:8]}")
    unknown = grown.token_to_id("[UNK]")
    for language, own in sorted(texts.items()):
        own = own[::max(1, len(own) // 3000)]
        encoded = grown.encode_batch(own, add_special_tokens=False)
        print(f"{language}: {np.mean([len(e.ids) for e in encoded]):.2f} tokens a text, "
              f"{100 * np.mean([unknown in e.ids for e in encoded]):.2f} % with an unknown")


if __name__ == "__main__":
    main()
