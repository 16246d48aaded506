"""Fit the forest of the decision pipeline: trees that order what the weights have scored (docs/learning.md).

    python fit_forest.py DECISIONS… --weights ../../src/pipeline/policy/weights.toml --output ../../src/pipeline/policy/forest.json.gz
    python fit_forest.py TRAIN… --weights … --test OTHER…     # right decisions of others, by the weights and by the forest

DECISIONS are files of `tapwright gym examples` and `tapwright eval decisions --examples`. Ways on which the policy was let go astray
are learnt from and counted nowhere. Needs numpy and lightgbm.
"""

import argparse
import gzip
import json
import tomllib

import lightgbm
import numpy

# How far an option's value is below the greatest of all options: what stands out counts.
BELOW_MOST = ["asked", "look_meaning", "meaning", "named", "named_row", "new_words", "phrase_fit", "said", "verb_match"]
CONTEXT = ["the score", "the lead", "the rank", "the end's score", "options", "carries out", "is the end", "the top score"]
# Scores where there is no end among the options, and no other option.
NO_END, NO_OTHER = -2.0, -1.0
SETTINGS = {
    "objective": "rank_xendcg",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbose": -1,
    "seed": 1,
    "deterministic": True,
    "force_row_wise": True,
}


def read(paths):
    """Decisions of files; the first line of each is a header."""
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines:
            header = json.loads(next(lines))
            assert header.get("format") == "tapwright decisions", f"{path}: no file of decisions"
            yield from map(json.loads, lines)


def rows(decision, names, weights):
    """What the trees see of each open option, best score first, and whether it is right."""
    options = [option for option in decision["options"] if option["veto"] is None]
    values = numpy.array([[option["features"].get(name, 0.0) for name in names] for option in options], numpy.float32)
    if not options:
        return numpy.zeros((0, len(names) + len(CONTEXT) + len(BELOW_MOST)), numpy.float32), []
    score = values @ weights
    order = numpy.argsort(-score, kind="stable")
    options, values, score = [options[at] for at in order], values[order], score[order]
    top, second = score[0], score[1] if len(score) > 1 else NO_OTHER
    ends = [at for at, option in enumerate(options) if option["is_done"]]
    each = numpy.ones(len(options), numpy.float32)
    context = [
        score,
        score - numpy.where(score < top, top, second),
        numpy.arange(len(options)),
        each * (score[ends[0]] if ends else NO_END),
        each * len(options),
        [option["carries_out"] for option in options],
        [option["is_done"] for option in options],
        each * top,
    ]
    below = [values[:, names.index(name)].max() - values[:, names.index(name)] for name in BELOW_MOST]
    seen = numpy.column_stack([values, *context, *below]).astype(numpy.float32)
    return seen, [option["right"] for option in options]


def fit(decisions, names, weights, rounds):
    """A forest over the decisions that have a right option and another one."""
    seen = [rows(decision, names, weights) for decision in decisions]
    seen = [(values, right) for values, right in seen if any(right) and len(right) > 1]
    labels = numpy.concatenate([right for _, right in seen]).astype(int)
    data = lightgbm.Dataset(numpy.vstack([values for values, _ in seen]), labels, group=[len(right) for _, right in seen])
    return lightgbm.train(SETTINGS, data, rounds)


def tree(root):
    """A tree in arrays: children are further on than their node; the leaf N is the child -1 - N."""
    written = {"input": [], "threshold": [], "left": [], "right": [], "leaf": []}

    def place(node):
        if "leaf_value" in node:
            written["leaf"].append(float(f"{node['leaf_value']:.6g}"))
            return -len(written["leaf"])
        assert node["decision_type"] == "<=", node["decision_type"]
        at = len(written["input"])
        written["input"].append(node["split_feature"])
        # As the program reads it: a value that is no greater in 64 bits must not be greater in 32.
        written["threshold"].append(float(numpy.float32(node["threshold"])))
        written["left"].append(0)
        written["right"].append(0)
        written["left"][at] = place(node["left_child"])
        written["right"][at] = place(node["right_child"])
        return at

    place(root)
    return written


def judge(forest, decisions, names, weights):
    """How many decisions are right by the weights and by the forest, of how many."""
    by_weights = by_forest = count = 0
    for decision in decisions:
        if decision.get("astray"):
            continue
        seen, right = rows(decision, names, weights)
        count += 1
        if right:
            by_weights += right[0]
            by_forest += right[int(numpy.argmax(forest.predict(seen)))]
    return by_weights, by_forest, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decisions", nargs="+")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--test", nargs="*", default=[])
    parser.add_argument("--output")
    args = parser.parse_args()
    with open(args.weights, "rb") as file:
        table = tomllib.load(file)["weights"]
    names = list(table)
    weights = numpy.array(list(table.values()), numpy.float32)
    decisions = list(read(args.decisions))
    forest = fit(decisions, names, weights, args.rounds)
    for path in args.test:
        by_weights, by_forest, count = judge(forest, read([path]), names, weights)
        told = [f"{right} ({100 * right / count:.1f} %)" for right in (by_weights, by_forest)]
        print(f"{path}: of {count} decisions right by the weights {told[0]}, by the forest {told[1]}")
    if args.output:
        inputs = names + CONTEXT + [f"below_most {name}" for name in BELOW_MOST]
        trees = [tree(one["tree_structure"]) for one in forest.dump_model()["tree_info"]]
        text = json.dumps({"inputs": inputs, "trees": trees}, separators=(",", ":"))
        with open(args.output, "wb") as file:
            # Without a time in it the same decisions make the same file.
            file.write(gzip.compress(text.encode(), 9, mtime=0))
        print(f"{args.output}: {len(trees)} trees fitted to {len(decisions)} decisions")


if __name__ == "__main__":
    main()
