"""The published AgentCoreRLApp around a handler that does what its payload says, as scripted-agent.ts does on ours."""

import asyncio
import copy
import os

from agentcore_rl_toolkit import AgentCoreRLApp

app = AgentCoreRLApp()


@app.rollout_entrypoint
async def handler(payload: dict):
    match payload["do"]:
        case "return":
            # A copy: the app writes the payload into what it is given, which would then contain itself.
            return copy.deepcopy(payload["value"])
        case "sleep":
            await asyncio.sleep(payload["ms"] / 1_000)
            return {"rewards": 1}
        case "throw":
            raise RuntimeError("the tool failed")
        case "nan":
            return {"rewards": [1, float("nan")]}
        case "infinity":
            return {"rewards": float("inf"), "lowest": float("-inf")}
        case "list":
            return [1, 2]
        case unknown:
            raise ValueError(f"unknown script {unknown}")


app.run(port=int(os.environ["PORT"]), host="127.0.0.1")
