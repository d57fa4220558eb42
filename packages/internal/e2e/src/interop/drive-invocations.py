"""Drives agents with the published AgentCoreHttpClient. Each line on stdin has the steps for one, what each gave is a line on stdout."""

import asyncio
import json
import sys

from agentcore_rl_toolkit.runtime import AgentCoreHttpClient, client as runtime_client
from agentcore_rl_toolkit.runtime.protocol import ENVELOPE_KEY

# Python looks every ten seconds.
runtime_client.POLL_INTERVAL = 0.05


async def start(client, step):
    choices = {name: step[name] for name in ("session_id", "invocation_id", "background") if name in step}
    answer = await client.invoke(step["payload"], **choices)
    if not step.get("background"):
        return answer
    return await (answer.status() if step.get("until") == "started" else answer.result(timeout=30))


async def together(client, step):
    """One start, sent many times at once."""
    return await asyncio.gather(*[start(client, step["step"]) for _ in range(step["times"])])


async def get(client, step):
    handle = client.get_invocation(session_id=step["session_id"], invocation_id=step["invocation_id"])
    return await (handle.status() if step.get("until") == "asked" else handle.result(timeout=30))


async def envelope(client, step):
    return await client._request(step["session_id"], {ENVELOPE_KEY: step["envelope"], **step.get("payload", {})})


async def stop(client, step):
    await client.stop_session(step["session_id"])


STEPS = {function.__name__: function for function in (start, together, get, envelope, stop)}


async def outcome(client, step):
    try:
        return {"value": await STEPS[step["kind"]](client, step)}
    except Exception as error:
        return {"raises": type(error).__name__, "message": str(error)}


async def main(request):
    outcomes = []
    async with AgentCoreHttpClient(request["runtime_arn"]) as starter:
        for step in request["steps"]:
            if step["kind"] != "get":
                outcomes.append(await outcome(starter, step))
                continue
            # What one client began, another one finds.
            async with AgentCoreHttpClient(request["runtime_arn"]) as other:
                outcomes.append(await outcome(other, step))
    return outcomes


for line in sys.stdin:
    print(json.dumps(asyncio.run(main(json.loads(line)))), flush=True)
