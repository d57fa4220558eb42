"""Reads result documents as the field's trainers do, with their own code wherever the published toolkit ships it.

On stdin: a bucket and keys. On stdout: for each key and reader the value, or the name of the error that it raised.
"""

import argparse
import ast
import json
import math
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3

from agentcore_rl_toolkit.backends.slime.integration.rewards import normalize_episode_rewards
from agentcore_rl_toolkit.rollout_session.agentcore_s3_session import to_dump


def shipped_function(module, name):
    """One function of a backend whose module cannot be imported here, because it needs the trainer itself (ray, torch)."""
    root = Path(find_spec("agentcore_rl_toolkit").origin).parent
    tree = ast.parse((root / module).read_text())
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    namespace = {"math": math, "Any": Any}
    exec(compile(ast.Module(found, []), module, "exec"), namespace)
    return namespace[name]


def session_dump(document):
    dump = to_dump(document)
    return {"reward": dump.reward, "failure": dump.failure_reason(), "metrics": dump.metrics}


def rllm(document):
    """Not in the toolkit and in no registry: the rule that rllm's AgentCore runtime applies, restated."""
    status = document.get("status_code")
    if status not in (None, 200):
        return {"finished": False, "error": document.get("stop_reason", "unknown remote error")}
    rewards = document.get("rewards")
    if isinstance(rewards, list):
        rewards = rewards[-1] if rewards else None
    return {"finished": True, "reward": rewards}


READERS = {
    "session": session_dump,
    "rllm": rllm,
    "verl": shipped_function("backends/verl/agent_loop.py", "_extract_agent_reward"),
    "slime": shipped_function("backends/slime/integration/rollout.py", "_agent_reward"),
    "tinker": shipped_function("backends/tinker_api/train.py", "agent_reward"),
    "sagemaker": shipped_function("backends/experimental/sagemaker/rollout.py", "_extract_reward"),
}


def outcome(reader, document):
    try:
        return {"value": reader(document)}
    except Exception as error:
        return {"raises": type(error).__name__}


def group_advantages(documents):
    """slime's own normalisation over the rewards that its reader takes from one group."""
    samples = [
        SimpleNamespace(group_index=0, rollout_id=n, index=n, get_reward_value=lambda _, d=d: READERS["slime"](d))
        for n, d in enumerate(documents)
    ]
    args = argparse.Namespace(
        advantage_estimator="grpo", rewards_normalization=True, grpo_std_normalization=False
    )
    return normalize_episode_rewards(args, samples)[1]


request = json.load(sys.stdin)
s3 = boto3.client("s3")
documents = [json.load(s3.get_object(Bucket=request["bucket"], Key=key)["Body"]) for key in request["keys"]]
json.dump(
    {
        "readings": [{name: outcome(reader, d) for name, reader in READERS.items()} for d in documents],
        "advantages": group_advantages([documents[n] for n in request["group"]]),
    },
    sys.stdout,
)
