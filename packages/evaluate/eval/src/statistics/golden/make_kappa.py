"""Writes kappa.json: 120 random pairs of raters, and what scikit-learn and statsmodels say of them.

    uv run --with scikit-learn --with statsmodels make_kappa.py
"""

import json
import math
import pathlib
import warnings

import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

warnings.simplefilter("ignore")
random = np.random.default_rng(20260202)
runs = []
for number in range(120):
    categories = int(random.integers(1, 6))
    size = int(random.integers(1, 60))
    first = random.integers(0, categories, size)
    second = np.where(random.random(size) < random.random(), first, random.integers(0, categories, size))
    # Categories are known by the values that any of both used, as scikit-learn knows them.
    used = sorted({*first.tolist(), *second.tolist()})
    pairs = [[used.index(a), used.index(b)] for a, b in zip(first.tolist(), second.tolist())]
    run = {"pairs": pairs}
    for weights in (None, "linear", "quadratic"):
        kappa = float(cohen_kappa_score(first, second, weights=weights))
        run[weights or "none"] = None if math.isnan(kappa) else kappa
    if len(used) > 1 and run["none"] is not None:
        table = np.zeros((len(used), len(used)))
        for a, b in pairs:
            table[a][b] += 1
        error = float(cohens_kappa(table).std_kappa)
        run["standardError"] = None if math.isnan(error) else error
    runs.append(run)
pathlib.Path(__file__).with_name("kappa.json").write_text(json.dumps(runs) + "\n")
