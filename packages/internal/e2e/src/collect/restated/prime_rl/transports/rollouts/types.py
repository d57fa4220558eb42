"""prime-rl at commit 559b44772: `TrainingSample`, whose lists are all as long as `token_ids`."""

from dataclasses import dataclass


@dataclass
class RoutedExperts:
    data: bytes
    shape: list[int]
    dtype: str


@dataclass
class TrainingSample:
    token_ids: list[int]
    mask: list[bool]
    logprobs: list[float]
    temperatures: list[float]
    env_name: str
    routed_experts: RoutedExperts | None = None
    advantages: list[float] | None = None
