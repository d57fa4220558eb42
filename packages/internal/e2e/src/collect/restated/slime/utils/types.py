"""slime at commit 624b824a8: the fields of `Sample` that a rollout function fills, and what `from_dict` makes of a dict."""

from dataclasses import dataclass, field, fields
from enum import Enum


class Status(Enum):
    PENDING = "pending"
    COMPLETED = "completed"
    TRUNCATED = "truncated"
    ABORTED = "aborted"
    FAILED = "failed"


@dataclass
class Sample:
    group_index: int | None = None
    index: int | None = None
    rollout_id: int | None = None
    prompt: str | list = ""
    tokens: list[int] = field(default_factory=list)
    response: str = ""
    response_length: int = 0
    label: str | None = None
    reward: float | dict | None = None
    loss_mask: list[int] | None = None
    weight_versions: list[str] = field(default_factory=list)
    rollout_log_probs: list[float] | None = None
    remove_sample: bool = False
    status: Status = Status.PENDING
    metadata: dict = field(default_factory=dict)
    session_id: str | None = None

    @staticmethod
    def from_dict(data):
        # `status` is required there, and names that it does not know become attributes.
        known = {item.name for item in fields(Sample)}
        sample = Sample(**{**{name: value for name, value in data.items() if name in known}, "status": Status(data["status"])})
        for name in data.keys() - known:
            setattr(sample, name, data[name])
        return sample
