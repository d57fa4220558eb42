"""Runs a rollout for each line on stdin through a session of the toolkit, bounded as its backends bound it: set-up, run, shutdown."""

import asyncio
import json
import sys

from agentcore_rl_toolkit.aws_tools.agentcore_tools import close_shared_agentcore_clients
from agentcore_rl_toolkit.aws_tools.persistent_dict import NullPersister, PersistentDict
from agentcore_rl_toolkit.concurrency.priority_assigner import LocalPriorityAssigner
from agentcore_rl_toolkit.concurrency.priority_semaphore import LocalPrioritySemaphore
from agentcore_rl_toolkit.rollout_session.factory import make_session
from agentcore_rl_toolkit.rollout_session.lifecycle import RolloutSessionBounds, run_rollout_with_bounds
from agentcore_rl_toolkit.runtime import client as runtime_client

# Python looks every ten seconds.
runtime_client.POLL_INTERVAL = 0.05


async def main(request):
    state = PersistentDict({}, persister=NullPersister())
    bounds = RolloutSessionBounds(
        container_semaphore=LocalPrioritySemaphore(4),
        rollout_semaphore=LocalPrioritySemaphore(4),
        container_priority_assigner=LocalPriorityAssigner(),
        rollout_priority_assigner=LocalPriorityAssigner(),
        container_setup_timeout=30,
        agent_run_timeout=30,
    )
    session = make_session(request["session_id"], request["session"], state)
    dump = await run_rollout_with_bounds(state, bounds, "group-1", session, request["task"])
    await close_shared_agentcore_clients()
    return {"dump": dump.model_dump(), "successful": dump.is_successful(), "result_key": state.get("result_key")}


for line in sys.stdin:
    print(json.dumps(asyncio.run(main(json.loads(line)))), flush=True)
