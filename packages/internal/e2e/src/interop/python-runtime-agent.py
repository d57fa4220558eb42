"""The published AgentCoreRuntimeApp (RIP) around a handler that does what its payload says, as scripted-agent.ts does on ours."""

import asyncio
import os
import sys
import threading

from agentcore_rl_toolkit import AgentCoreRuntimeApp

app = AgentCoreRuntimeApp(state_dir=os.environ.get("STATE_DIR"))
runs = 0
# What invocations that wait at the gate wait for.
gate = asyncio.Event()
# Set once an invocation was answered. Handlers run in a thread of their own.
answered = threading.Event()


class TellsAnswer:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        await self.app(scope, receive, send)
        if scope.get("path") == "/invocations":
            answered.set()


app.add_middleware(TellsAnswer)


@app.entrypoint
async def handler(payload: dict):
    global runs
    runs += 1
    match payload["do"]:
        case "reward":
            return {"reward": 1, "echo": payload.get("value")}
        case "return":
            return payload["value"]
        case "runs":
            return {"reward": 1, "runs": runs}
        case "gate":
            await gate.wait()
            return {"reward": 1, "runs": runs}
        case "open":
            gate.set()
            return {"reward": 1}
        case "sleep":
            await asyncio.sleep(payload["ms"] / 1_000)
            return {"reward": 1}
        case "throw":
            raise RuntimeError("the tool failed")
        case "nan":
            return {"reward": float("nan")}
        case "exit":
            # Only once the answer is out, where it does not wait for this: a death in the middle of the work.
            await asyncio.to_thread(answered.wait, 5)
            print("last words", file=sys.stderr, flush=True)
            os._exit(9)
        case unknown:
            raise ValueError(f"unknown script {unknown}")


app.run(port=int(os.environ["PORT"]), host="127.0.0.1")
