"""Runs the reference implementation of GEPA with all of its defaults on a program behind HTTP, and prints what it decided.

Its random numbers are given: those of another implementation, so that both can come to the same decisions.
"""

import inspect
import json
import sys
import urllib.request
from types import SimpleNamespace

import gepa
import gepa.api
from gepa.core.adapter import EvaluationBatch

given = json.load(sys.stdin)


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


class Numbers:
    """The two methods of random.Random that the reference calls."""

    def __init__(self, numbers):
        self.numbers = iter(numbers)

    def shuffle(self, items):
        for at in range(len(items) - 1, 0, -1):
            other = int(next(self.numbers) * (at + 1))
            items[at], items[other] = items[other], items[at]

    def choice(self, items):
        return items[int(next(self.numbers) * len(items))]


class Program:
    propose_new_texts = None

    def evaluate(self, batch, candidate, capture_traces=False):
        answers = post(given["program_url"], {"tasks": batch, "prompts": candidate})
        return EvaluationBatch(
            outputs=answers,
            scores=[answer["score"] for answer in answers],
            trajectories=answers if capture_traces else None,
        )

    def make_reflective_dataset(self, candidate, eval_batch, components_to_update):
        examples = [
            {"Generated Outputs": answer["text"], "Feedback": "\n".join(answer["remarks"])}
            for answer in eval_batch.trajectories
        ]
        return {name: examples for name in components_to_update}


class Decisions:
    def __init__(self):
        self.iterations = []

    def on_candidate_selected(self, event):
        self.iterations.append({"parent": event["candidate_idx"], "verdict": None})

    def on_minibatch_sampled(self, event):
        self.iterations[-1]["tasks"] = event["minibatch_ids"]

    def on_evaluation_end(self, event):
        whose = "childScores" if event["candidate_idx"] is None else "parentScores"
        self.iterations[-1][whose] = event["scores"]

    def on_evaluation_skipped(self, event):
        self.iterations[-1]["verdict"] = {"all_scores_perfect": "perfect"}[event["reason"]]

    def on_proposal_end(self, event):
        ((name, text),) = event["new_instructions"].items()
        self.iterations[-1].update(prompt=name, text=text)

    def on_candidate_accepted(self, event):
        self.iterations[-1].update(verdict="accepted", candidate=event["new_candidate_idx"])

    def on_candidate_rejected(self, event):
        self.iterations[-1]["verdict"] = "rejected"


def reflect(message):
    body = {"model": given["reflect_model"], "messages": [{"role": "user", "content": message}]}
    return post(f"{given['reflect_url']}/chat/completions", body)["choices"][0]["message"]["content"]


gepa.api.random = SimpleNamespace(Random=lambda seed: Numbers(given["numbers"]))
decisions = Decisions()
result = gepa.optimize(
    seed_candidate=given["prompts"],
    trainset=given["training"],
    valset=given["validation"],
    adapter=Program(),
    reflection_lm=reflect,
    max_metric_calls=given["max_metric_calls"],
    callbacks=[decisions],
    logger=SimpleNamespace(log=lambda message: None),
)
defaults = {name: option.default for name, option in inspect.signature(gepa.optimize).parameters.items()}
print(
    json.dumps(
        {
            "iterations": decisions.iterations,
            "candidates": [
                {"prompts": prompts, "parent": parents[0], "scores": list(scores.values())}
                for prompts, parents, scores in zip(result.candidates, result.parents, result.val_subscores)
            ],
            "fronts": [sorted(front) for front in result.per_val_instance_best_candidates.values()],
            "best": result.best_idx,
            "rollouts": result.total_metric_calls,
            "defaults": {name: default for name, default in defaults.items() if default is not inspect.Parameter.empty},
        }
    )
)
