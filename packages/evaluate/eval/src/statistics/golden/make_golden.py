"""Writes golden.json: 200 random runs and what numpy, scipy and statsmodels say of them.

    uv run --with numpy --with scipy --with statsmodels make_golden.py
"""

import json
import pathlib

import numpy as np
import statsmodels.api as sm
from scipy.special import comb
from scipy.stats import norm, t, ttest_1samp
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

random = np.random.default_rng(20260131)


def pass_at_k(n, c, k):
    """The published estimator of HumanEval."""
    if n - c < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


def one_run(number):
    is_binary = number % 2 == 0
    is_single = number % 4 == 0
    tasks = int(random.integers(2, 14))
    skill = random.beta(1.5, 1.0, tasks) * (number % 10 != 0)
    clusters = []
    for at in range(tasks):
        size = 1 if is_single else int(random.integers(1, 6))
        scores = random.random(size) < skill[at] if is_binary else np.round(random.normal(skill[at], 0.4, size), 3)
        clusters.append([float(score) for score in scores])
    flat = np.concatenate([np.array(scores) for scores in clusters])
    groups = np.concatenate([[at] * len(scores) for at, scores in enumerate(clusters)])
    kwds = {"cov_type": "cluster", "cov_kwds": {"groups": groups}} if not is_single else {}
    fit = sm.OLS(flat, np.ones(len(flat))).fit(**kwds)
    run = {
        "clusters": [[int(score) if is_binary else score for score in scores] for scores in clusters],
        "mean": float(fit.params[0]),
        "standardError": float(fit.bse[0]),
    }
    if is_binary:
        share, error = run["mean"], run["standardError"]
        if is_single:
            count = len(flat)
        else:
            sizes = np.array([len(scores) for scores in clusters])
            fewest = sizes.sum() ** 2 / (sizes**2).sum()
            count = fewest
            if 0 < share < 1:
                certain = norm.ppf(0.975) / t.ppf(0.975, tasks - 1)
                alike = share * (1 - share) / error**2 if error > 0 else np.inf
                count = max(fewest, min(len(flat), alike) * certain**2)
        low, high = proportion_confint(share * count, count, alpha=0.05, method="wilson")
        run["wilson"] = [float(low), float(high)]
        k = int(random.integers(1, 5))
        able = [scores for scores in clusters if len(scores) >= k]
        run["k"] = k
        run["passAt"] = [pass_at_k(len(scores), int(sum(scores)), k) for scores in able]
        run["passPower"] = [float(comb(sum(scores), k) / comb(len(scores), k)) for scores in able]
        first, second = (int(count) for count in random.integers(0, 30, 2))
        table = [[5, first], [second, 7]]
        run["mcnemar"] = [first, second, float(mcnemar(table, exact=True).pvalue)]
    else:
        run["quantile"] = [float(np.quantile(flat, share)) for share in (0.5, 0.95)]
        low, high = t.interval(0.95, tasks - 1, loc=run["mean"], scale=run["standardError"])
        run["t"] = [float(low), float(high)]
        differences = [np.mean(scores) - 0.4 for scores in clusters]
        result = ttest_1samp(differences, 0)
        interval = result.confidence_interval(0.95)
        run["tTest"] = [float(result.pvalue), float(interval.low), float(interval.high)]
    return run


if __name__ == "__main__":
    runs = [one_run(number) for number in range(200)]
    lines = ",\n".join(json.dumps(run) for run in runs)
    pathlib.Path(__file__).with_name("golden.json").write_text(f"[\n{lines}\n]\n")
