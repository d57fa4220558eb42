"""Runs the glue of a trainer against a sidecar, and prints what that trainer would get. Arguments: trainer, URL of the sidecar."""

import asyncio
import dataclasses
import json
import os
import queue
import socket
import struct
import sys
import tempfile
import threading
import time
from functools import partial
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


def slime_forks():
    os.environ["ART_COLLECT_URL"] = url
    from art_slime import generate_rollout, normalize_rewards
    from slime.utils.types import Sample

    task = {"n": 1, "turns": 2, "forks": True}
    asked = [[Sample(group_index=5, index=10 + place, prompt=json.dumps(task)) for place in range(2)]]

    def generate(step, path):
        args = SimpleNamespace(
            rollout_batch_size=1, rollout_temperature=1, rollout_top_p=1, rollout_max_response_len=32, custom_reward_post_process_path=path
        )
        return generate_rollout(args, step, SimpleNamespace(get_samples=lambda _: asked)).samples

    try:
        generate(0, None)
    except ValueError as error:
        refusal = str(error)
    samples = generate(1, "art_slime.normalize_rewards")[0]
    # A rollout of two rows, one of one, one that failed.
    group = [
        Sample(group_index=0, rollout_id=1, reward=1.0),
        Sample(group_index=0, rollout_id=1, reward=1.0),
        Sample(group_index=0, rollout_id=2, reward=0.0),
        Sample(group_index=0, rollout_id=3, reward=0.5, remove_sample=True),
    ]
    return {
        "samples": [{**dataclasses.asdict(sample), "status": sample.status.value} for sample in samples],
        "refusal": refusal,
        "centred": normalize_rewards(SimpleNamespace(grpo_std_normalization=False), group),
        "scaled": normalize_rewards(SimpleNamespace(grpo_std_normalization=True), group),
    }


def trl_async():
    from art_collect import ArtCollect
    from art_trl_async import ArtRolloutWorker, ArtWeightTransfer

    task = {"n": 1, "turns": 2, "forks": True}
    silent = SimpleNamespace(save_strategy="no")

    def worker_of(run, payloads, **options):
        return ArtRolloutWorker(ArtCollect(url, reconnect_s=0), run, payloads, size=2, groups_per_step=1, **options)

    def failure(act):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                act()
            except queue.Empty:
                pass
            except RuntimeError as error:
                return str(error)
            time.sleep(0.05)

    def transfer_to(version, worker):
        transfer = ArtWeightTransfer(ArtCollect(url), lambda weights, _: list(weights))
        for number in range(version):
            transfer.pause()
            transfer.send_weights(iter([("w", 1)]))
            transfer.resume()
            worker.update_model_version(number + 1)

    worker = worker_of("async", [task] * 6, max_staleness=2)
    transfer_to(1, worker)
    worker.start()
    samples = [worker.rollout_buffer.get(timeout=30) for _ in range(8)]
    # Two groups were taken; two more may come, and none begins after these before one of them is taken.
    while worker.rollout_buffer.qsize() < 8:
        worker.raise_if_failed()
        time.sleep(0.05)
    begun = len(ArtCollect(url).requests())
    acked = []
    for step in (1, 2):
        worker.on_step_end(silent, SimpleNamespace(global_step=step), None)
        acked.append(acknowledged(url))
    worker.stop()
    # The same run, started again: what was trained on does not come again.
    again = worker_of("async", [task] * 6, max_staleness=9)
    again.update_model_version(1)
    again.start()
    groups = sorted({again.rollout_buffer.get(timeout=30).group_id for _ in range(16)})
    over = failure(lambda: again.check_health(300))
    old = worker_of("old", [task] * 50, max_staleness=1)
    old.update_model_version(9)
    old.start()
    too_old = failure(lambda: old.rollout_buffer.get(timeout=0.1))
    old.stop()

    def gone(lost_url):
        """How it is told by those who may meet it first: the thread that samples, the step that acknowledges, the new weights."""
        lost = ArtCollect(lost_url, reconnect_s=0)
        sampling = ArtRolloutWorker(lost, "gone", [task], size=2, groups_per_step=1)
        sampling.start()
        again._collect = lost
        acknowledge = partial(again.on_step_end, silent, SimpleNamespace(global_step=9), None)
        announce = ArtWeightTransfer(lost, lambda weights, _: list(weights)).resume
        return [failure(lambda: sampling.check_health(300)), failure(acknowledge), failure(announce)]

    return {
        "samples": [{**dataclasses.asdict(sample), "enqueued_at": None} for sample in samples],
        "begun": begun,
        "acknowledged": acked,
        "again": groups,
        "failures": {"over": over, "old": too_old},
        "gone": {name: [lost_url, gone(lost_url)] for name, lost_url in lost_sidecars().items()},
    }


def lost_sidecars():
    """URLs at which a connection ends in every way in which one can."""
    answers = {
        "reset": None,
        "silence": b"",
        "half of an answer": b'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"event":',
        "half of a chunk": b'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n40\r\n{"event":',
        "half of a text without a length": b'HTTP/1.0 200 OK\r\n\r\n{"event":\n',
        "a proxy's answer": b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 3\r\n\r\n<p>",
        "a server that is closing": b'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 31\r\n\r\n{"error":"Service Unavailable"}',
    }

    def serve(listener, answer):
        while True:
            connection, _ = listener.accept()
            # What is not read turns every end into a reset.
            read = connection.makefile("rb")
            length = 0
            while (line := read.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            read.read(length)
            read.close()
            if answer is None:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                connection.sendall(answer)
            connection.close()

    urls = {"refused": "http://127.0.0.1:9"}
    for name, answer in answers.items():
        listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=serve, args=(listener, answer), daemon=True).start()
        urls[name] = f"http://127.0.0.1:{listener.getsockname()[1]}"
    return urls


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


print(json.dumps({"slime": slime, "slime-forks": slime_forks, "trl": trl, "trl-async": trl_async, "rllm": rllm, "prime-rl": prime_rl}[trainer]()))
