"""Writes golden.json beside this file: the rows that the Python toolkit's rollout gateway makes of random sessions.

    pip install --no-deps agentcore-rl-toolkit==0.2.0
    python3 write-golden.py
"""

import importlib.util
import json
import pathlib
import random
import sys
import types

HERE = pathlib.Path(__file__).parent
PACKAGE = "agentcore_rl_toolkit.rollout_gateway"


FOLDER = pathlib.Path(importlib.util.find_spec("agentcore_rl_toolkit").submodule_search_locations[0]) / "rollout_gateway"


def load(name):
    """Loads one module without the package's own imports, which want AWS clients and a web server."""
    for parent in ("agentcore_rl_toolkit", PACKAGE):
        sys.modules.setdefault(parent, types.ModuleType(parent)).__path__ = [str(FOLDER)]
    spec = importlib.util.spec_from_file_location(f"{PACKAGE}.{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


trace = load("trace")
trajectory = load("trajectory")


def random_session(rng):
    """Turns that go on from one another, come again, fork and drift; few texts and tokens, so that many are equal."""
    turns = []
    for index in range(rng.randint(1, 7)):
        before = rng.choice(turns) if turns and rng.random() < 0.85 else None
        if before is None:
            messages = [{"role": "user", "content": rng.choice(["q", "r"])}]
            prompt = [1, rng.randint(2, 3)]
        elif rng.random() < 0.2:
            messages, prompt = before["messages"], before["prompt"]
        else:
            echo = dict(before["response"])
            if rng.random() < 0.2:
                echo["content"] += " "
            messages = [*before["messages"], echo, {"role": "user", "content": rng.choice(["s", "t"])}]
            prompt = [*before["prompt"], *before["output"]]
            if rng.random() < 0.35:
                prompt[rng.randrange(len(prompt))] = 99
            prompt = prompt + [rng.randint(4, 6) for _ in range(rng.randint(0, 2))]
        turns.append(
            {
                "messages": messages,
                "response": {"role": "assistant", "content": rng.choice(["a", "b"])},
                "prompt": prompt,
                "output": [rng.randint(7, 9) for _ in range(rng.randint(0, 3))],
                "finish_reason": rng.choice(["stop", "stop", "length"]),
            }
        )
    return turns


def rows_of(manager, turns):
    for turn in turns:
        record = trajectory.TurnRecord(
            prompt_ids=turn["prompt"],
            output_ids=turn["output"],
            finish_reason=turn["finish_reason"],
            output_log_probs=[-token / 10 for token in turn["output"]],
        )
        manager.record_turn("s", turn=record, prompt_messages=turn["messages"], response_message=turn["response"])
    return [
        {
            "token_ids": row.token_ids,
            "loss_mask": row.loss_mask,
            "logprobs": row.logprobs,
            "reward": row.reward,
            "truncated": row.metadata["truncated"],
        }
        for row in manager.get_trajectory("s", base_sample=trace.BaseTrace(), reward=0.5)
    ]


if __name__ == "__main__":
    rng = random.Random(7)
    vectors = []
    for _ in range(60):
        turns = random_session(rng)
        vectors.append({"turns": turns, "rows": rows_of(trajectory.TrajectoryManager(), turns)})
    text = "[\n" + ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors) + "\n]\n"
    (HERE / "golden.json").write_text(text)
