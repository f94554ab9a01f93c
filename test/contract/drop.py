"""Works the e-values of placement runs out anew, and asks what somebody gains who chooses when to stop.

    drop.py < cases.json

`cases.json` holds `series`, each with the `runs` (inbox, total) and the e-value `e` that the program gave. The
first part follows docs/adr/placement.md bet by bet, every change and every joining bet by itself, where the
program carries sums along. The second part uses the program's own numbers in `tree`, those of all sequences
of short runs: whatever the rate and the correlation (SciPy's beta-binomial), nobody who looks after each run
and stops when they like may expect more than their stake. Writes what differs; the last line is a count.
"""

import itertools
import json
import sys

import numpy as np
from scipy import stats

STAKES = (0.5, 0.9)
LEVELS = np.sin(np.linspace(0, np.pi / 2, 101)) ** 2
FROM_FIRST, HALF_BY = 0.75, 52


def left(nth):
    return HALF_BY / (HALF_BY + nth - 1)


def e_value(shares):
    shares = np.asarray(shares, dtype=float)
    length = len(shares)
    if length == 0:
        return 1.0
    lower, upper = LEVELS[:-1], LEVELS[1:]
    # Mean over stakes of the product over runs first..last-1, by interval.
    def above(first, last):
        factors = [1 + s * (shares[first:last, None] - upper) / upper for s in STAKES]
        return np.mean([f.prod(axis=0) for f in factors], axis=0)

    def below(first):
        factors = [1 + s * (lower - shares[first:, None]) / (1 - lower) for s in STAKES]
        return np.mean([f.prod(axis=0) for f in factors], axis=0)

    def before(last):
        """What the bets on the runs before a change after run `last` have become."""
        capital = FROM_FIRST * above(0, last)
        for joined in range(1, last):
            weight = (1 - FROM_FIRST) * (left(joined) - left(joined + 1))
            capital = capital + weight * above(joined, last)
        return capital + (1 - FROM_FIRST) * left(last)

    value = left(length) * before(length).min()
    for change in range(1, length):
        weight = left(change) - left(change + 1)
        value += weight * (before(change) * below(change)).min()
    return value


def best_stop(tree, chances, length, outcomes, runs=()):
    now = tree[json.dumps(list(runs), separators=(",", ":"))]
    if len(runs) == length:
        return now
    later = sum(
        chances[x] * best_stop(tree, chances, length, outcomes, runs + (x,)) for x in outcomes
    )
    return max(now, later)


cases = json.load(sys.stdin)
differ = []
for one in cases["series"]:
    want = e_value([x / n for x, n in one["runs"]])
    if abs(one["e"] - want) > 1e-9 * max(1, abs(want)):
        differ.append(f"{one['runs']}: {one['e']} and not {want}")

size, length, tree = cases["size"], cases["length"], cases["tree"]
outcomes = range(size + 1)
assert len(tree) == sum(len(outcomes) ** n for n in range(length + 1))
laws = 0
for rate, correlation in itertools.product((0.05, 0.3, 0.5, 0.7, 0.9, 0.97), (0, 0.1, 0.3, 0.7)):
    if correlation == 0:
        law = stats.binom(size, rate)
    else:
        both = 1 / correlation - 1
        law = stats.betabinom(size, rate * both, (1 - rate) * both)
    gained = best_stop(tree, [law.pmf(x) for x in outcomes], length, outcomes)
    laws += 1
    if gained > 1 + 1e-9:
        differ.append(f"rate {rate}, correlation {correlation}: stopping well is worth {gained}")

print("\n".join([*differ, f"{len(cases['series'])} e-values, {laws} laws, {len(differ)} differ"]))
sys.exit(1 if differ else 0)
