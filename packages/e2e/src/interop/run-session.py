"""Runs one rollout through the toolkit's AgentCoreS3Session, the way its verl backend does: warm-up, run, shutdown."""

import asyncio
import json
import sys

from agentcore_rl_toolkit.aws_tools.agentcore_tools import close_shared_agentcore_clients
from agentcore_rl_toolkit.aws_tools.persistent_dict import NullPersister, PersistentDict
from agentcore_rl_toolkit.rollout_session.agentcore_s3_session import AgentCoreS3Session


async def main(request):
    state = PersistentDict({}, persister=NullPersister())
    async with AgentCoreS3Session(request["session_id"], state, **request["session"]) as session:
        await session.setup(request["task"])
        dump = await session.run(request["task"])
    await close_shared_agentcore_clients()
    return {"dump": dump.model_dump(), "successful": dump.is_successful(), "result_key": state.get("result_key")}


json.dump(asyncio.run(main(json.load(sys.stdin))), sys.stdout)
