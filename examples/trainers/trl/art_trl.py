"""TRL's `GRPOTrainer` on rollouts of TypeScript agents. Copy this file and `art_collect.py` beside your training script."""

import copy
import json
import logging

from transformers import TrainerCallback
from trl import GRPOTrainer

log = logging.getLogger("art_trl")


class ArtRollouts(TrainerCallback):
    """A `rollout_func`, and the callback by which the sidecar learns what need not be sent again.

    collect        an `ArtCollect`
    run            name of the training run; a run that is started again under it gets the groups that it had not acknowledged
    load_weights   `load_weights(model, version)` puts the model into the engine; called before each generation
    request        further fields of `POST /groups`, such as `sampling`

    Each prompt of the dataset is the payload of the agent, as JSON text. `global_step` names the request and the policy's version.
    Groups are acknowledged when a checkpoint is saved, or, where none ever is, after the step that trained on them: a trainer that starts
    again without the checkpoint that has them is refused (`ART_COLLECT_ACKNOWLEDGED`), and needs another `run`.
    """

    def __init__(self, collect, run, load_weights, **request):
        self._collect, self._run, self._load_weights, self._request = collect, run, load_weights, request
        self._pending = []

    def __call__(self, prompts, trainer):
        size, step = trainer.num_generations, trainer.state.global_step
        self._load_weights(trainer.accelerator.unwrap_model(trainer.model), step)
        inputs = [json.loads(prompt) for prompt in prompts[::size]]
        # Raises where the groups were acknowledged before, or none has rows: inert rows alone would look like a step.
        groups = self._collect.step(
            inputs, size, request_id=f"{self._run}-step-{step}", policy_version=step, row_format="trl", **self._request
        )
        self._pending += groups
        settled = {group["index"]: group for group in groups}
        members = [member for index in range(len(inputs)) for member in _members(settled.get(index), size)]
        pad = trainer.processing_class.pad_token_id
        members = [member or _inert(pad) for member in members]
        return {name: [member[name] for member in members] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask", "reward")}

    def on_step_end(self, args, state, control, **_):
        if args.save_strategy == "no":
            self._acknowledge()

    def on_save(self, args, state, control, **_):
        self._acknowledge()

    def _acknowledge(self):
        if self._pending:
            self._collect.acknowledge(self._pending)
            self._pending = []


def art_reward(reward, **_):
    """The reward that the agent gave. None, which keeps a rollout out of its group's mean, for one that failed."""
    return reward


class ArtGRPOTrainer(GRPOTrainer):
    """Takes the engine's own logprobs for those of the policy that sampled.

    Without `use_vllm`, which samples by itself and knows no agents, TRL 1.16 computes them anew with the trainer's weights and leaves
    what `rollout_func` returned unused: the importance ratio then misses whatever engine and trainer disagree about, and rollouts
    of older weights.
    """

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        # TRL repeats the dict of each prompt, and `reward` is written into it.
        output["old_per_token_logps"] = output["sampling_per_token_logps"]
        return output


def _members(group, size):
    """One sequence for each member, None for one that failed."""
    members = [None] * size
    if group is None:
        return members
    rows = group["rows"]
    for place, member in enumerate(group["row_members"]):
        row = {name: rows[name][place] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask")}
        earlier = members[member]
        if earlier is not None:
            log.warning("%s: member %d has several rows; TRL takes one, the one with most tokens to train on", group["id"], member)
        if earlier is None or sum(row["env_mask"]) > sum(earlier["env_mask"]):
            members[member] = row
    for member in group["members"]:
        if members[member["member"]] is not None:
            members[member["member"]]["reward"] = member["reward"]
    return members


def _inert(pad):
    """Holds the place of a rollout that failed: nothing of it trains, and TRL leaves a reward of None out of the group's mean."""
    return copy.deepcopy({"prompt_ids": [pad], "completion_ids": [pad], "logprobs": [0.0], "env_mask": [0], "reward": None})
