"""TRL 1.16.0: the sample that a rollout worker puts into the trainer's buffer."""

from dataclasses import dataclass


@dataclass
class RolloutSample:
    prompt: list
    completion: list
    input_ids: list
    completion_mask: list
    old_log_probs: list
    advantage: float
    model_version: int
    group_id: int
    metrics: dict
    enqueued_at: float | None = None
