"""How sure a repaired field is: the table of `crates/tend/src/calibration.rs`, and how well it holds.

    cargo run --release -p wrapwright-bench --bin mutations -- --kinds paths --split development --at-least 0 --said said.tsv
    cargo xtask changes --part made --at-least 0 --split development --said lists.tsv
    python3 bench/calibrate.py said.tsv lists.tsv

Each line of a file is a field that was repaired after a synthetic redesign: site, redesign, wrapper, field, score, how sure
it was said to be, and whether at least nine of ten values were right. The share of right fields is fitted as a function of the score
that never falls (pool adjacent violators), then read off at fixed scores. For the check, the sites of each vertical are judged
by a table that was fitted without them; a family of lists, such as courts, counts as a vertical.
"""

import sys
from collections import defaultdict

POINTS = [i / 20 for i in range(21)]


def read(path):
    with open(path) as lines:
        for line in lines:
            site, redesign, wrapper, _field, score, sure, right = line.rstrip("\n").split("\t")
            # The same fields again, with a smaller profile.
            if "profile" not in wrapper:
                yield site.split("-")[0], site, float(score), float(sure), right == "true"


def fit(cases):
    """Blocks of (mean score, right, all), the share of right ones never falling."""
    blocks = []
    for score, right in sorted(cases):
        blocks.append([score, float(right), 1])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            score, right, count = blocks.pop()
            last = blocks[-1]
            blocks[-1] = [(last[0] * last[2] + score * count) / (last[2] + count), last[1] + right, last[2] + count]
    return blocks


def table(cases):
    """The share of right ones at each point, by Laplace's rule so that nothing is ever certain."""
    blocks = [(score, (right + 1) / (count + 2)) for score, right, count in fit(cases)]
    shares, least = [], 0.0
    for point in POINTS:
        below = [block for block in blocks if block[0] <= point] or [(0.0, 0.0)]
        above = [block for block in blocks if block[0] > point] or [(1.0, below[-1][1])]
        (x0, y0), (x1, y1) = below[-1], above[0]
        share = y0 if x1 <= x0 else y0 + (y1 - y0) * (point - x0) / (x1 - x0)
        least = max(least, share)
        shares.append(least)
    return shares


def translated(shares, score):
    at = min(int(score * 20), 19)
    return shares[at] + (shares[at + 1] - shares[at]) * (score * 20 - at)


def show(title, pairs):
    print(f"\n{title}\n\n| said | fields | right |\n|---|--:|--:|")
    buckets = defaultdict(list)
    for said, right in pairs:
        buckets[min(int(said * 10 + 1e-9), 9)].append(right)
    for at in sorted(buckets):
        print(f"| {at / 10:.1f}–{(at + 1) / 10:.1f} | {len(buckets[at])} | {sum(buckets[at]) / len(buckets[at]):.3f} |")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cases = [case for path in sys.argv[1:] for case in read(path)]
    if not cases:
        sys.exit("the files have no fields")
    sites = {site for _, site, *_ in cases}
    print(f"{len(cases)} fields of {len(sites)} sites, {sum(case[4] for case in cases)} of them right")
    show("As the program said it", [(sure, right) for _, _, _, sure, right in cases])
    checked = []
    for vertical in sorted({case[0] for case in cases}):
        shares = table([(score, right) for family, _, score, _, right in cases if family != vertical])
        checked += [(translated(shares, score), right) for family, _, score, _, right in cases if family == vertical]
    show("By tables that were fitted without the vertical", checked)
    shares = table([(score, right) for _, _, score, _, right in cases])
    print("\nThe table, for scores of 0, 0.05, …, 1:\n")
    print(", ".join(f"{share:.2f}" for share in shares))


main()
