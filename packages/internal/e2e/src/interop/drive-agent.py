"""Drives agents with the published RolloutClient. Each line on stdin says what to do, a line on stdout what happened."""

import asyncio
import json
import os
import sys

import boto3
from agentcore_rl_toolkit import RolloutClient

QUICK_POLLS = {"initial_interval": 0.1, "max_interval": 0.5}


def invoke(client, job):
    future = client.invoke(job["payload"], **job.get("choices", {}))
    return described(future, future.result(timeout=60))


def invoke_async(client, job):
    async def run():
        future = await client.invoke_async(job["payload"], **job.get("choices", {}))
        return described(future, await future.result_async(timeout=60))

    return asyncio.run(run())


def run_batch(client, job):
    batch = client.run_batch(job["payloads"], job["max_concurrent_sessions"], timeout=60, **QUICK_POLLS)
    return [vars(item) for item in batch]


def run_batch_async(client, job):
    async def run():
        batch = client.run_batch_async(job["payloads"], job["max_concurrent_sessions"], timeout=60, **QUICK_POLLS)
        return [vars(item) async for item in batch]

    return asyncio.run(run())


def described(future, result):
    return {
        "result": result,
        "session_id": future.session_id,
        "input_id": future.input_id,
        "result_key": future.result_key,
        "done": future.done(),
        "stop_sent": future.cancelled,
    }


METHODS = {function.__name__: function for function in (invoke, invoke_async, run_batch, run_batch_async)}

for line in sys.stdin:
    request = json.loads(line)
    # Each test has an endpoint of its own; boto3's session remembers the first.
    os.environ.update(request["env"])
    boto3.setup_default_session()
    method = METHODS[request["method"]]
    print(json.dumps(method(RolloutClient(**request["client"]), request["job"])), flush=True)
