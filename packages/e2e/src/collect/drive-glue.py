"""Runs the glue of a trainer against a sidecar, and prints what that trainer would get. Arguments: trainer, URL of the sidecar."""

import asyncio
import dataclasses
import json
import os
import sys
from types import SimpleNamespace

trainer, url = sys.argv[1:]
# The second input fails in every rollout of it.
inputs = [{"n": 1}, {"n": 2, "fails": True}]


def slime():
    os.environ["ART_COLLECT_URL"] = url
    from art_slime import generate_rollout
    from slime.utils.types import Sample

    def get_samples(count):
        numbered = [
            [Sample(group_index=group, index=2 * group + place, prompt=json.dumps(task), label="l") for place in range(2)]
            for group, task in enumerate(inputs)
        ]
        return numbered[:count]

    args = SimpleNamespace(
        rollout_batch_size=2, rollout_temperature=0.7, rollout_top_p=0.9, rollout_max_response_len=32
    )
    outputs = [generate_rollout(args, step, SimpleNamespace(get_samples=get_samples)) for step in range(2)]
    plain = [{**dataclasses.asdict(sample), "status": sample.status.value} for group in outputs[0].samples for sample in group]
    return {"samples": plain, "metrics": outputs[0].metrics}


def rllm():
    from art_collect import ArtCollect
    from art_rllm import ArtEngine

    engine = ArtEngine(ArtCollect(url), run="rllm")
    engine.set_training_step(3)
    tasks, ids = [inputs[0], inputs[0], inputs[1], inputs[1]], ["x", "x", "y", "y"]
    episodes = asyncio.run(engine.execute_tasks(tasks, ids))
    asyncio.run(engine.execute_tasks(tasks, ids, is_validation=True))
    return [dataclasses.asdict(episode) for episode in episodes]


def prime_rl():
    from art_collect import ArtCollect
    from art_prime_rl import collect_samples, to_sample

    samples, groups = collect_samples(ArtCollect(url), inputs, 2, request_id="prime", version=1, env_name="sums")
    ArtCollect(url).acknowledge(groups)
    experts = {"data": "AAECAw==", "shape": [1, 1, 1], "dtype": "int32"}
    routed = to_sample({**dataclasses.asdict(samples[0]), "routed_experts": experts}).routed_experts
    return {"samples": [dataclasses.asdict(sample) for sample in samples], "experts": list(routed.data)}


print(json.dumps({"slime": slime, "rllm": rllm, "prime-rl": prime_rl}[trainer]()))
