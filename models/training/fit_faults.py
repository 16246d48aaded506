"""Fit the model of faults: whose fault it is that a case did not pass (docs/learning.md).

    python fit_faults.py PLAYS… --written PLAYS… --output ../../src/pipeline/verdict/faults.json.gz
    python fit_faults.py PLAYS… --test OTHER…     # what the model says of runs of apps that it was not fitted to

PLAYS are files of `tapwright gym play`, `--written` those of apps that people wrote. A run counts that did not pass and whose fault is
known: a clean run is the agent's fault, and one of a case that cannot be carried out is the case's; a run with a planted bug is the app's,
where the agent passes the same case on the same device without the bug. All other runs say nothing of whose fault it was. The threshold is
the least at which at most `--false` of the clean runs of apps that were left out are called *failed*, of generated apps and of written ones.
Needs numpy and scikit-learn.
"""

import argparse
import gzip
import json

import numpy
from sklearn.ensemble import ExtraTreesClassifier

TREES, LEAVES, FOLDS = 150, 63, 10


def read(paths):
    """Runs of files; the first line of each is a header."""
    for path in paths:
        with open(path) as lines:
            header = json.loads(next(lines))
            assert "agent" in json.dumps(header), f"{path}: no file of `gym play`"
            for line in lines:
                run = json.loads(line)
                yield run.get("run", run)


def bugs(run):
    return [switch for switch in run["switches"] if ":bug." in switch]


class Runs:
    """Runs whose fault is known, and how many there are of each kind."""

    def __init__(self, paths):
        every = list(read(paths))
        right = {self.place(run) for run in every if not bugs(run) and run["ending"] == "right"}
        # A planted bug that nothing shows is told by nobody: the case passes, and must.
        planted = [run for run in every if bugs(run) and run["expected"] == "failed"]
        self.clean = sum(not bugs(run) for run in every)
        self.certain_false = sum(not bugs(run) and run["verdict"] == "failed" and not run.get("signs") for run in every)
        self.planted = len(planted)
        self.told_of_planted = sum(run["verdict"] == "failed" for run in planted)
        self.reached = sum(self.place(run) in right for run in planted)
        # Verdicts that need no judgement: crashes, and errors that the app tells.
        self.certain = sum(self.place(run) in right and run["verdict"] == "failed" and not run.get("signs") for run in planted)
        known = [run for run in every if run.get("signs")]
        self.runs = [run for run in known if not bugs(run)]
        self.runs += [run for run in known if bugs(run) and run["expected"] == "failed" and self.place(run) in right]
        self.label = numpy.array([bool(bugs(run)) for run in self.runs])
        self.app = numpy.array([run["package"] for run in self.runs])

    @staticmethod
    def place(run):
        others = tuple(sorted(switch for switch in run["switches"] if ":bug." not in switch))
        return run["suite"], run["case"], run["device"], run["seed"], others

    def rows(self, names):
        return numpy.array([[run["signs"].get(name, 0.0) for name in names] for run in self.runs], numpy.float32)


def fit(rows, label, seed=1):
    """Trees whose splits are drawn: of few runs, these err least on apps they have not seen."""
    forest = ExtraTreesClassifier(TREES, max_leaf_nodes=LEAVES, min_samples_leaf=4, max_features=0.3, random_state=seed, n_jobs=2)
    return forest.fit(rows, label)


def left_out(runs, names):
    """The probability of each run, by a forest that has seen no run of its app."""
    rows = runs.rows(names)
    apps = sorted(set(runs.app))
    assert len(apps) >= 4, f"{len(apps)} apps are too few to leave some out; play more suites"
    order = numpy.random.default_rng(1).permutation(len(apps))
    fold = {apps[at]: place % min(FOLDS, len(apps)) for place, at in enumerate(order)}
    folds = numpy.array([fold[app] for app in runs.app])
    said = numpy.zeros(len(rows))
    for one in set(folds):
        rest = folds != one
        said[~rest] = fit(rows[rest], runs.label[rest]).predict_proba(rows[~rest])[:, 1]
    return said


def threshold_for(said, label, clean, false):
    """The least threshold at which at most the share `false` of all clean runs is called failed."""
    worst = sorted(said[~label], reverse=True)
    allowed = int(false * clean)
    return float(numpy.nextafter(numpy.float32(worst[allowed]), numpy.float32(1))) if allowed < len(worst) else 0.5


def told(name, said, runs, threshold):
    """What a model says of runs, in a line."""
    label = runs.label
    wrong, right = int((said[~label] >= threshold).sum()) + runs.certain_false, int((said[label] >= threshold).sum())
    pairs = [(said[label][:, None] > said[~label][None, :]).mean() + 0.5 * (said[label][:, None] == said[~label][None, :]).mean()]
    bins = numpy.minimum((said * 10).astype(int), 9)
    error = sum(abs(said[bins == one].mean() - label[bins == one].mean()) * (bins == one).sum() for one in set(bins)) / len(said)
    reached = runs.reached - runs.certain
    print(
        f"{name}: clean runs called failed {wrong} of {runs.clean} ({100 * wrong / max(runs.clean, 1):.1f} %); "
        f"planted bugs told {right} of {reached} where the agent passes without the bug ({100 * right / max(reached, 1):.1f} %), "
        f"{right + runs.certain} of {runs.planted} in all; area under the curve {pairs[0]:.3f}, calibration error {error:.3f}"
    )
    for rate in (0.01, 0.02, 0.03, 0.05):
        at = threshold_for(said, label, runs.clean, rate)
        print(f"    at {100 * rate:.0f} % of the clean runs: {int((said[label] >= at).sum())} of {reached} (threshold {at:.3f})")


def tree(one):
    """A tree in arrays: children are further on than their node; the leaf N is the child -1 - N."""
    shape = one.tree_
    share = [float(value[0][1] / value[0].sum()) for value in shape.value]
    written = {"input": [], "threshold": [], "left": [], "right": [], "share": [], "leaf": []}

    def place(node):
        if shape.children_left[node] < 0:
            written["leaf"].append(float(f"{share[node]:.5g}"))
            return -len(written["leaf"])
        at = len(written["input"])
        written["input"].append(int(shape.feature[node]))
        written["threshold"].append(float(numpy.float32(shape.threshold[node])))
        written["share"].append(float(f"{share[node]:.5g}"))
        written["left"].append(0)
        written["right"].append(0)
        written["left"][at] = place(shape.children_left[node])
        written["right"][at] = place(shape.children_right[node])
        return at

    place(0)
    return written


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plays", nargs="+")
    parser.add_argument("--written", nargs="*", default=[], help="runs of apps that people wrote")
    parser.add_argument("--false", type=float, default=0.01, help="share of clean runs that may be called failed")
    parser.add_argument("--test", nargs="*", default=[])
    parser.add_argument("--output")
    args = parser.parse_args()
    runs, written = Runs(args.plays + args.written), Runs(args.written)
    names = sorted({name for run in runs.runs for name in run["signs"]})
    said = left_out(runs, names)
    people = numpy.isin(runs.app, list(set(written.app)))
    groups = [(~people, runs.clean - written.clean), (people, written.clean)]
    threshold = max(threshold_for(said[of], runs.label[of], clean, args.false) for of, clean in groups if of.any())
    model = fit(runs.rows(names), runs.label)
    print(f"{len(runs.runs)} runs of {len(set(runs.app))} apps, {int(runs.label.sum())} of them the app's fault; threshold {threshold:.3f}")
    told("in sample", model.predict_proba(runs.rows(names))[:, 1], runs, threshold)
    told("app left out", said, runs, threshold)
    if args.written:
        told("app left out, written ones", said[people], written, threshold)
    for path in args.test:
        other = Runs([path])
        told(path, model.predict_proba(other.rows(names))[:, 1], other, threshold)
    if args.output:
        trees = [tree(one) for one in model.estimators_]
        text = json.dumps({"signs": names, "threshold": threshold, "trees": trees}, separators=(",", ":"))
        with open(args.output, "wb") as file:
            # Without a time in it the same runs make the same file.
            file.write(gzip.compress(text.encode(), 9, mtime=0))
        print(f"{args.output}: {len(trees)} trees")


if __name__ == "__main__":
    main()
