"""Reads rollouts as the field's trainers do, with their own code wherever the published toolkit ships it.

On stdin: a bucket and keys of stored documents; an agent and payloads for what it answers over RIP. On stdout: for each of
them and each reader the value, or the name of the error that it raised.
"""

import argparse
import ast
import asyncio
import json
import math
import sys
import uuid
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3

from agentcore_rl_toolkit.backends.slime.integration.rewards import normalize_episode_rewards
from agentcore_rl_toolkit.rollout_session.agentcore_http_session import to_dump as http_to_dump
from agentcore_rl_toolkit.rollout_session.agentcore_s3_session import to_dump
from agentcore_rl_toolkit.runtime import AgentCoreHttpClient, InvocationError


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


def http_session_dump(result):
    dump = http_to_dump(result)
    return {"reward": dump.reward, "failure": dump.failure_reason(), "metrics": dump.metrics}


# Who reads stored documents, and who reads what an agent answered over RIP.
READERS = {
    "stored": {"session": session_dump, "rllm": rllm},
    "answered": {
        "session": http_session_dump,
        "verl": shipped_function("backends/verl/agent_loop.py", "_extract_agent_reward"),
        "slime": shipped_function("backends/slime/integration/rollout.py", "_agent_reward"),
        "tinker": shipped_function("backends/tinker_api/train.py", "agent_reward"),
        "sagemaker": shipped_function("backends/experimental/sagemaker/rollout.py", "_extract_reward"),
    },
}


def outcome(reader, document):
    try:
        return {"value": reader(document)}
    except Exception as error:
        return {"raises": type(error).__name__}


def group_advantages(results):
    """slime's own normalisation over the rewards that its reader takes from one group."""
    slime = READERS["answered"]["slime"]
    samples = [
        SimpleNamespace(group_index=0, rollout_id=n, index=n, get_reward_value=lambda _, r=r: slime(r))
        for n, r in enumerate(results)
    ]
    args = argparse.Namespace(
        advantage_estimator="grpo", rewards_normalization=True, grpo_std_normalization=False
    )
    return normalize_episode_rewards(args, samples)[1]


async def answers(runtime_arn, payloads):
    """What an agent answers over RIP: a result, or the error that keeps trainers from reading one."""
    found = []
    async with AgentCoreHttpClient(runtime_arn) as client:
        for payload in payloads:
            session_id = str(uuid.uuid4())
            task = {**payload, "_config": {"base_url": "http://127.0.0.1:9/v1", "model_id": "m", "api_key": session_id}}
            try:
                found.append({"result": await client.invoke(task, session_id=session_id)})
            except InvocationError as error:
                found.append({"error": str(error)})
            await client.stop_session(session_id)
    return found


def readings(kind, value):
    return {name: outcome(reader, value) for name, reader in READERS[kind].items()}


request = json.load(sys.stdin)
s3 = boto3.client("s3")
documents = [json.load(s3.get_object(Bucket=request["bucket"], Key=key)["Body"]) for key in request["keys"]]
answered = asyncio.run(answers(request["runtime_arn"], request["payloads"]))
json.dump(
    {
        "stored": [readings("stored", document) for document in documents],
        "answered": [a if "error" in a else readings("answered", a["result"]) for a in answered],
        "advantages": group_advantages([answered[n]["result"] for n in request["group"]]),
    },
    sys.stdout,
)
