"""Runs the glue of a trainer against a sidecar, and prints what that trainer would get. Arguments: trainer, URL of the sidecar."""

import asyncio
import dataclasses
import json
import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

trainer, url = sys.argv[1:]
# The second input fails in every rollout of it.
inputs = [{"n": 1}, {"n": 2, "fails": True}]


def acknowledged(url):
    from art_collect import ArtCollect

    return [request["request_id"] for request in ArtCollect(url).requests() if request["state"] == "done"]


def slime():
    os.environ["ART_COLLECT_URL"] = url
    from art_collect import CollectError
    from art_slime import generate_rollout
    from slime.utils.types import Sample

    def get_samples(count):
        numbered = [
            [Sample(group_index=group, index=2 * group + place, prompt=json.dumps(task), label="l") for place in range(2)]
            for group, task in enumerate(inputs)
        ]
        return numbered[:count]

    with tempfile.TemporaryDirectory() as folder:
        args = SimpleNamespace(
            rollout_batch_size=2, rollout_temperature=0.7, rollout_top_p=0.9, rollout_max_response_len=32, save=folder, start_rollout_id=0
        )

        def generate(step):
            return generate_rollout(args, step, SimpleNamespace(get_samples=get_samples))

        # Megatron's, of a run before this one in the same folder.
        tracker = Path(folder, "latest_checkpointed_iteration.txt")
        tracker.write_text("40")
        first, states = generate(0), []
        for step, saved in ((1, None), (2, "1"), (3, None)):
            if saved is not None:
                tracker.write_text(saved)
            generate(step)
            states.append(acknowledged(url))
        try:
            # A trainer that has lost its checkpoint asks for what it had trained on.
            generate(0)
        except CollectError as error:
            refusal = str(error)
    plain = [{**dataclasses.asdict(sample), "status": sample.status.value} for group in first.samples for sample in group]
    return {"samples": plain, "metrics": first.metrics, "acknowledged": states, "refusal": refusal}


def trl():
    from art_collect import ArtCollect, CollectError
    from art_trl import ArtRollouts

    trainer = SimpleNamespace(
        num_generations=2,
        state=SimpleNamespace(global_step=0),
        accelerator=SimpleNamespace(unwrap_model=lambda model: model),
        model=None,
        processing_class=SimpleNamespace(pad_token_id=0),
    )
    prompts = [json.dumps(task) for task in inputs for _ in range(2)]

    def started():
        return ArtRollouts(ArtCollect(url), "trl", lambda model, version: None)

    rollouts = started()
    batch = rollouts(prompts, trainer)
    # It dies before a checkpoint is saved, and starts again: the same groups.
    again = started()(prompts, trainer)
    rollouts.on_save(None, None, None)
    try:
        # It starts again without the checkpoint.
        started()(prompts, trainer)
    except CollectError as error:
        return {"batch": batch, "is_same": again == batch, "refusal": str(error)}


def rllm():
    from art_collect import ArtCollect
    from art_rllm import ArtEngine

    tasks, ids = [inputs[0], inputs[0], inputs[1], inputs[1]], ["x", "x", "y", "y"]
    with tempfile.TemporaryDirectory() as folder:
        engine = ArtEngine(ArtCollect(url), run="rllm", checkpoints=folder)
        engine.set_training_step(3)
        episodes = asyncio.run(engine.execute_tasks(tasks, ids))
        asyncio.run(engine.execute_tasks(tasks, ids, is_validation=True))
        engine.set_training_step(4)
        asyncio.run(engine.execute_tasks(tasks, ids))
        before = acknowledged(url)
        Path(folder, "latest_checkpointed_iteration.txt").write_text("3")
        asyncio.run(engine.execute_tasks(tasks, ids))
    return {
        "episodes": [dataclasses.asdict(episode) for episode in episodes],
        "acknowledged": [before, acknowledged(url)],
    }


def prime_rl():
    from art_collect import ArtCollect, CollectError
    from art_prime_rl import collect_samples, to_sample

    samples, groups = collect_samples(ArtCollect(url), inputs, 2, request_id="prime", version=1, env_name="sums")
    failing = [inputs[1]]
    try:
        collect_samples(ArtCollect(url), failing, 2, request_id="failing", version=1)
    except CollectError as error:
        refusal = str(error)
    ArtCollect(url).acknowledge(groups)
    experts = {"data": "AAECAw==", "shape": [1, 1, 1], "dtype": "int32"}
    routed = to_sample({**dataclasses.asdict(samples[0]), "routed_experts": experts}).routed_experts
    return {"samples": [dataclasses.asdict(sample) for sample in samples], "experts": list(routed.data), "refusal": refusal}


print(json.dumps({"slime": slime, "trl": trl, "rllm": rllm, "prime-rl": prime_rl}[trainer]()))
