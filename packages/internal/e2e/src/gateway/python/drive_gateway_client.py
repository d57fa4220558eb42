"""Calls every method of rllm-model-gateway's two clients and prints what they answered, as JSON."""

import asyncio
import inspect
import json
import sys

import httpx
import openai
from rllm_model_gateway import AsyncGatewayClient, GatewayClient

given = json.load(sys.stdin)
gateway_url, engine_url = given["gateway_url"], given["engine_url"]


class Recorder:
    """Passes calls on to a client, whichever of the two it is, and notes their names."""

    def __init__(self, client):
        self._client = client
        self.called = set()

    async def __call__(self, name, *args, **kwargs):
        self.called.add(name)
        answer = getattr(self._client, name)(*args, **kwargs)
        return await answer if inspect.isawaitable(answer) else answer

    def uncalled(self):
        names = {name for name, _ in inspect.getmembers(type(self._client), inspect.isfunction)}
        return sorted(name for name in names - self.called if not name.startswith("_"))


async def status_of(call, *args):
    try:
        await call(*args)
    except httpx.HTTPStatusError as error:
        return error.response.status_code
    return None


async def drive(call, prefix):
    seen = {"health": await call("health")}
    worker_id = await call("add_worker", engine_url, weight=2)
    seen["workers"] = [w.model_dump() for w in await call("list_workers") if w.worker_id == worker_id]
    unused = await call("add_worker", "http://127.0.0.1:9", api_path="/v2", model_name="other-model")
    seen["unused"] = [w.model_dump() for w in await call("list_workers") if w.worker_id == unused]
    await call("remove_worker", unused)
    seen["workers_left"] = len(await call("list_workers"))
    seen["remove_unknown"] = await status_of(call, "remove_worker", "nobody")

    named = await call("create_session", f"{prefix}/task:1", metadata={"task": "t", "nested": {"n": 1}})
    again = await call("create_session", f"{prefix}/task:1")
    random = await call("create_session")
    seen["sessions"] = [named, again, len(random) >= 16]
    seen["unknown_session"] = await status_of(call, "get_session_info", f"{prefix}-nobody")
    seen["no_traces"] = await call("get_session_traces", random)

    base_url = await call("get_session_url", named)
    with openai.OpenAI(base_url=base_url, api_key="EMPTY", max_retries=0) as agent:
        for n in range(3):
            agent.chat.completions.create(model="mock-model", messages=[{"role": "user", "content": f"turn {n}"}])
    seen["flushed"] = await call("flush", timeout=5.0)
    traces = await call("get_session_traces", named)
    seen["captures"] = [trace.model_dump() for trace in traces]
    seen["limited"] = [t.trace_id for t in await call("get_session_traces", named, limit=2)] == [
        t.trace_id for t in traces[:2]
    ]
    seen["since_future"] = await call("get_session_traces", named, since=traces[-1].timestamp + 60)
    seen["one"] = (await call("get_trace", traces[1].trace_id)) == traces[1]
    seen["unknown_trace"] = await status_of(call, "get_trace", "nobody")
    seen["info"] = await call("get_session_info", named)
    listed = await call("list_sessions")
    seen["listed"] = [s["session_id"] for s in listed if s["session_id"].startswith(prefix)]
    seen["listed_limit"] = len(await call("list_sessions", limit=1))
    seen["listed_future"] = len(await call("list_sessions", since=traces[-1].timestamp + 60))
    seen["deleted"] = [await call("delete_session", named), await call("delete_session", named)]
    seen["after"] = await call("get_session_traces", named)
    await call("remove_worker", worker_id)
    await call("close")
    return {**seen, "uncalled": call.uncalled()}


async def both():
    with GatewayClient(gateway_url) as client:
        sync = await drive(Recorder(client), "sync")
    async with AsyncGatewayClient(gateway_url) as client:
        asynchronous = await drive(Recorder(client), "async")
    return {"sync": sync, "async": asynchronous}


print(json.dumps(asyncio.run(both())))
