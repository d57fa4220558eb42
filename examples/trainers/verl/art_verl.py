"""verl on rollouts of TypeScript agents: rows become `AgentLoopOutput`s, and what verl's own worker makes of those."""

import asyncio

import numpy as np
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput, AgentLoopWorker
from verl.trainer.ppo.core_algos import AdvantageEstimator
from verl.trainer.ppo.v1.utils import compute_advantage_for_multi_trajectories


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


def row_keys(outputs):
    """A key `{uid}_{session}_{index}` for each row, by which verl's V1 trainer knows the rows of one rollout; the last has the highest index."""
    sessions, counts, keys = {}, {}, []
    for output in outputs:
        rollout = output.extra_fields["trajectory_id"]
        session, index = sessions.setdefault(rollout, len(sessions)), counts.get(rollout, 0)
        counts[rollout] = index + 1
        keys.append(f"{output.extra_fields['uid']}_{session}_{index}")
    return keys


def with_advantages(batch, outputs, norm_adv_by_std_in_grpo=True):
    """`batch` with GRPO's `advantages` and `returns`: a rollout counts once in its group, however many rows it has.

    In place of `compute_advantage`, which counts rows. It is what verl's V1 trainer calls.
    """
    batch.batch["token_level_rewards"] = batch.batch["rm_scores"]
    return compute_advantage_for_multi_trajectories(
        batch, row_keys(outputs), AdvantageEstimator.GRPO, norm_adv_by_std_in_grpo=norm_adv_by_std_in_grpo
    )
