"""slime on rollouts of TypeScript agents: `--rollout-function-path art_slime.generate_rollout`.

Copy this file and `art_collect.py` to where slime's ray actors import from. Environment:

    ART_COLLECT_URL      where `art collect` listens (default http://127.0.0.1:9292)
    ART_COLLECT_TOKEN    its token, if it asks for one
    ART_COLLECT_RUN      name of the training run, part of every request's id (default slime)

The prompt of each sample of the dataset is the payload of the agent: a JSON object, or JSON text. slime's own SGLang router is the
engine: start `art collect --base-url http://ROUTER_IP:ROUTER_PORT`, and slime's weight updates reach it as ever.
"""

import json
import os
import statistics

from art_collect import ArtCollect, CheckpointTracker
from slime.rollout.base_types import RolloutFnTrainOutput
from slime.utils.types import Sample

_collect = ArtCollect(
    os.environ.get("ART_COLLECT_URL", "http://127.0.0.1:9292"), token=os.environ.get("ART_COLLECT_TOKEN")
)
_run = os.environ.get("ART_COLLECT_RUN", "slime")
_tracker = None


def generate_rollout(args, rollout_id, data_source, evaluation=False):
    """A group for each group of the data source. Every sample that was asked for is there, with all its rows: what failed has `remove_sample`."""
    if evaluation:
        raise NotImplementedError("Evaluate with `art eval`, or leave --eval-interval out: this function trains only.")
    _acknowledge(args, rollout_id)
    asked = data_source.get_samples(args.rollout_batch_size)
    size = len(asked[0])
    sampling = {"temperature": args.rollout_temperature, "top_p": args.rollout_top_p, "max_tokens": args.rollout_max_response_len}
    groups = _collect.step(
        [_payload(samples[0]) for samples in asked],
        size,
        request_id=f"{_run}-{rollout_id}",
        policy_version=rollout_id,
        row_format="slime",
        sampling=sampling,
    )
    settled = {group["index"]: group for group in groups}
    samples = [_fill(own, settled.get(index)) for index, own in enumerate(asked)]
    if any(len(own) > len(group) for own, group in zip(samples, asked)) and not _normalizes_by_rollout(args):
        raise ValueError("A rollout forked into several rows: start slime with --custom-reward-post-process-path art_slime.normalize_rewards")
    rewards = [reward for group in groups for reward in group["rewards"] if reward is not None]
    metrics = {
        "art/reward": sum(rewards) / max(1, len(rewards)),
        "art/failed": sum(sample.remove_sample for group in samples for sample in group),
    }
    return RolloutFnTrainOutput(samples=samples, metrics=metrics)


def normalize_rewards(args, samples):
    """For `--custom-reward-post-process-path`: a reward for each rollout, not for each row, in the mean and deviation of its group.

    slime's own rule wants as many rows of every group. Each row of a rollout gets the rollout's number; what failed gets 0 and is not counted.
    """
    groups = {}
    for sample in samples:
        if not sample.remove_sample:
            groups.setdefault(sample.group_index, {})[sample.rollout_id] = sample.reward
    rewards = []
    for sample in samples:
        known = list(groups.get(sample.group_index, {}).values())
        if sample.remove_sample or len(known) < 2:
            rewards.append(0.0)
            continue
        deviation = statistics.stdev(known) if args.grpo_std_normalization else 1.0
        rewards.append((sample.reward - statistics.fmean(known)) / (deviation + (1e-6 if args.grpo_std_normalization else 0.0)))
    return [sample.reward for sample in samples], rewards


def _acknowledge(args, rollout_id):
    """What the newest checkpoint of `--save` has. Without checkpoints, what slime has surely trained on: it may ask one step ahead."""
    global _tracker
    folder = getattr(args, "save", None)
    if folder is None:
        covered = rollout_id - 2
    else:
        _tracker = _tracker or CheckpointTracker(folder)
        # One that it was started from has all before its first step.
        covered = _tracker.step if _tracker.step is not None else (getattr(args, "start_rollout_id", None) or 0) - 1

    def is_covered(request_id):
        run, _, step = request_id.rpartition("-")
        return run == _run and step.isdecimal() and int(step) <= covered

    _collect.acknowledge_requests(is_covered)


def _normalizes_by_rollout(args):
    return getattr(args, "custom_reward_post_process_path", None) is not None


def _payload(sample):
    return json.loads(sample.prompt) if isinstance(sample.prompt, str) else sample.prompt


def _fill(asked, group):
    """The rows of each sample that was asked for, under slime's own numbers: several of a rollout that forked, one inert of one that failed."""
    rows = [[] for _ in asked]
    mean = 0.0
    if group is not None:
        mean = group["mean_reward"] or 0.0
        reward_of = {member["member"]: member["reward"] for member in group["members"]}
        for member, row in zip(group["row_members"], group["rows"]):
            rows[member].append({**row, "reward": reward_of[member]})
    return [_sample(own, row) for own, member in zip(asked, rows) for row in member or [_inert(mean)]]


def _inert(reward):
    """Holds the place of a rollout that failed: two tokens that do not train, and the mean of its group, which so stays as it is."""
    return {
        "tokens": [0, 0],
        "response_length": 1,
        "loss_mask": [0],
        "rollout_log_probs": [0.0],
        "reward": reward,
        "remove_sample": True,
        "status": "aborted",
    }


def _sample(asked, row):
    # slime's rollout_id is an integer; ours, the session, is text.
    sample = Sample.from_dict({name: value for name, value in row.items() if name != "rollout_id"})
    sample.group_index, sample.index = asked.group_index, asked.index
    sample.rollout_id = asked.index if asked.rollout_id is None else asked.rollout_id
    sample.prompt, sample.label = asked.prompt, asked.label
    sample.metadata = {**asked.metadata, **sample.metadata}
    return sample
