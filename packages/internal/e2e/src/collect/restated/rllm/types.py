"""rllm at commit 9beb6e0: the fields of `Step`, `Trajectory` and `Episode` that a rollout engine fills."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Step:
    id: str = ""
    reward: float = 0.0
    done: bool = False
    prompt_ids: list[int] = field(default_factory=list)
    response_ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    routing_matrices: list[str] | None = None
    chat_completions: list[dict] = field(default_factory=list)
    weight_version: int | None = None


@dataclass
class Trajectory:
    name: str = "agent"
    task: Any = None
    steps: list[Step] = field(default_factory=list)
    reward: float | None = None


@dataclass
class Episode:
    id: str = ""
    task: Any = None
    termination_reason: Any = None
    is_correct: bool = False
    session_id: str | None = None
    trajectories: list[Trajectory] = field(default_factory=list)
    metrics: dict = field(default_factory=dict)
    metadata: dict = field(default_factory=dict)
