"""prime-rl on rollouts of TypeScript agents: rows become its `TrainingSample`s, which `prepare_batch` packs for the trainer."""

import base64

from prime_rl.transports.rollouts.types import RoutedExperts, TrainingSample


def to_sample(row):
    """A `TrainingSample` of a row in the format `prime-rl`."""
    experts = row["routed_experts"]
    if experts is not None:
        experts = RoutedExperts(base64.b64decode(experts["data"]), experts["shape"], experts["dtype"])
    return TrainingSample(**{**row, "routed_experts": experts})


def collect_samples(collect, inputs, rollouts, *, request_id, version, env_name="art", **request):
    """The samples of a step, and its groups, which are to be acknowledged when a checkpoint has them.

    Advantages are in the samples; a group that is not usable has none.
    """
    groups = collect.step(
        inputs, rollouts, request_id=request_id, policy_version=version, row_format="prime-rl", env_name=env_name, **request
    )
    return [to_sample(row) for group in groups for row in group["rows"]], groups
