"""Rollouts as the toolkit's trainers run them: its RolloutGateway in this process, its HTTP session, an agent of somebody else."""

import asyncio
import dataclasses
import json
import sys
import uuid

from agentcore_rl_toolkit.aws_tools.agentcore_tools import close_shared_agentcore_clients
from agentcore_rl_toolkit.aws_tools.persistent_dict import NullPersister, PersistentDict
from agentcore_rl_toolkit.rollout_gateway import RolloutGateway
from agentcore_rl_toolkit.rollout_gateway.render import ParsedOutput
from agentcore_rl_toolkit.rollout_gateway.server import ThreadedGatewayServer
from agentcore_rl_toolkit.rollout_gateway.trajectory import TurnRecord
from agentcore_rl_toolkit.rollout_session.factory import make_session
from agentcore_rl_toolkit.runtime import client as runtime_client

# Python looks every ten seconds.
runtime_client.POLL_INTERVAL = 0.05

END = 256


class ByteRenderer:
    """A token for each byte, and one at the end of each message."""

    async def render(self, messages, *, tools=None, add_generation_prompt=True):
        ids = []
        for message in messages:
            ids += [*f"{message['role']}:{message['content']}".encode(), END]
        return ids + [*b"assistant:"] if add_generation_prompt else ids

    def get_stop_sequences(self):
        return [END]

    def parse(self, output_ids, *, tools_schema=None):
        return ParsedOutput(reasoning="", text=bytes(i for i in output_ids if i != END).decode(), tool_uses=[])


class CountingBackend:
    """Says how many tokens it was given."""

    async def generate(self, *, prompt_ids, sampling_params, session_id=None, image_data=None, video_data=None):
        ids = [*f"{len(prompt_ids)} tokens".encode(), END]
        return TurnRecord(list(prompt_ids), ids, "stop", [-0.5] * len(ids))


async def rollout(job, runtime_arn):
    gateway = RolloutGateway(
        backend=CountingBackend(), renderer=ByteRenderer(), history_mode=job["history_mode"], adapters=["openai"]
    )
    server = ThreadedGatewayServer(gateway, host="127.0.0.1")
    server.start()
    try:
        sid = str(uuid.uuid4())
        gateway.create_session(sid, max_context_tokens=job.get("max_context_tokens", 0))
        backend = "agentcore_rl_toolkit.rollout_session.agentcore_http_session.AgentCoreHttpSession"
        config = {"backend": backend, "agentcore_runtime_arn": runtime_arn}
        async with make_session(sid, config, PersistentDict({}, persister=NullPersister())) as session:
            task = {**job["payload"], "_config": {"base_url": server.base_url, "model_id": "policy", "api_key": sid}}
            await session.setup(task)
            dump = await session.run(task)
        records = await gateway.finish_session(sid)
        return {"dump": dump.model_dump(), "records": [described(record) for record in records]}
    finally:
        server.shutdown()


def described(record):
    fields = dataclasses.asdict(record)
    return {name: fields[name] for name in ("token_ids", "loss_mask", "logprobs")}


async def main(request):
    results = [await rollout(job, request["runtime_arn"]) for job in request["rollouts"]]
    await close_shared_agentcore_clients()
    return results


for line in sys.stdin:
    print(json.dumps(asyncio.run(main(json.loads(line)))), flush=True)
