"""The published Python toolkit in its default options, alone in a process. Task and result are JSON, as for the others."""

import asyncio
import json
import resource
import sys
import time

from agentcore_rl_toolkit import RolloutClient

task = json.load(sys.stdin)
payloads = [{"n": n} for n in range(task["rollouts"])]
outcomes = {}


def count(ok):
    name = "ok" if ok else "failed"
    outcomes[name] = outcomes.get(name, 0) + 1


def run_batch(client):
    for item in client.run_batch(payloads, task["maxConcurrentSessions"], timeout=task["timeoutMs"] / 1000):
        count(item.success)


async def run_batch_async(client):
    async for item in client.run_batch_async(
        payloads, task["maxConcurrentSessions"], timeout=task["timeoutMs"] / 1000
    ):
        count(item.success)


async def gather(client):
    room = asyncio.Semaphore(task["maxConcurrentSessions"])

    async def run(payload):
        async with room:
            try:
                future = await client.invoke_async(payload)
                await future.result_async(timeout=task["timeoutMs"] / 1000)
                count(True)
            except Exception:
                count(False)

    await asyncio.gather(*(run(payload) for payload in payloads))


def peak_rss_bytes():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


variant = {"run_batch": run_batch, "run_batch_async": run_batch_async, "gather": gather}[sys.argv[1]]
start_rss = peak_rss_bytes()
start_cpu = time.process_time()
started = time.monotonic()
rollout_client = RolloutClient(
    agent_runtime_arn=task["agentRuntimeArn"],
    s3_bucket=task["bucket"],
    exp_id=task["expId"],
    tps_limit=task["tpsLimit"],
    # What its documentation asks for: at least the number of concurrent requests.
    max_pool_connections=min(512, task["maxConcurrentSessions"]),
)
running = variant(rollout_client)
if running is not None:
    asyncio.run(running)
print(
    json.dumps(
        {
            "outcomes": outcomes,
            "cpuMs": (time.process_time() - start_cpu) * 1000,
            "wallMs": (time.monotonic() - started) * 1000,
            "startRssBytes": start_rss,
            "peakRssBytes": peak_rss_bytes(),
            "memory": [],
        }
    )
)
