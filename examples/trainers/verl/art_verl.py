"""verl on rollouts of TypeScript agents: rows become `AgentLoopOutput`s, and what verl's own worker makes of those."""

import asyncio

import numpy as np
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput, AgentLoopWorker


def to_outputs(groups):
    """An `AgentLoopOutput` for each row, group after group."""
    return [AgentLoopOutput(**row) for group in groups for row in group["rows"]]


def to_batch(outputs, rollout_config, tokenizer):
    """The `DataProto` that verl's trainer gets of its agent loops: prompts, responses, masks, `rollout_log_probs`, `rm_scores`, `uid`.

    rollout_config: `actor_rollout_ref.rollout`, of which `prompt_length` and `response_length` are used.
    """
    # Its constructor starts what has no part in this: engines, tools, reward workers.
    worker = AgentLoopWorker.__new__(AgentLoopWorker)
    worker.rollout_config, worker.tokenizer, worker.processor = rollout_config, tokenizer, None
    worker.reward_loop_worker_handles, worker.distillation_enabled, worker.mm_processor_kwargs = None, False, {}

    async def padded():
        return [await worker._agent_loop_postprocess(output, False, raw_prompt=None) for output in outputs]

    batch = worker._postprocess(asyncio.run(padded()))
    # verl's advantages are over the rows of one uid: the rollouts of one input.
    batch.non_tensor_batch["uid"] = np.array([output.extra_fields["uid"] for output in outputs], dtype=object)
    return batch
