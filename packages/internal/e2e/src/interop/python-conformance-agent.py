"""The published AgentCoreRuntimeApp around the handler that the conformance list of RIP asks for."""

import asyncio
import os
from collections import Counter, defaultdict

from agentcore_rl_toolkit import AgentCoreRuntimeApp

app = AgentCoreRuntimeApp(state_dir=os.environ["STATE_DIR"])
counts = Counter()
releases = defaultdict(asyncio.Event)


@app.entrypoint
async def handler(payload: dict):
    if "until" in payload:
        await releases[payload["until"]].wait()
    match payload.get("do"):
        case "echo":
            return payload
        case "value":
            return payload.get("value")
        case "release":
            releases[payload["key"]].set()
            return None
        case "count":
            counts[payload["key"]] += 1
            return counts[payload["key"]]
        case "fail":
            raise RuntimeError(payload["message"])
        case "nan":
            return {"deep": [float("nan")]}
        case "circular":
            ring = []
            ring.append(ring)
            return ring
        case unknown:
            raise ValueError(f"unknown script {unknown}")


app.run(port=int(os.environ["PORT"]), host="127.0.0.1")
