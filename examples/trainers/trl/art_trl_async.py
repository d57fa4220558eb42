"""TRL's `AsyncGRPOTrainer` on rollouts of TypeScript agents. Copy this file and `art_collect.py` beside your training script."""

import contextlib
import queue
import threading
import time

import numpy as np
from art_collect import CollectError
from transformers import TrainerCallback
from trl.experimental.async_grpo.async_rollout_worker import RolloutSample

# TRL takes samples ahead of the step that trains on them: one micro-batch, and the sample that did not fit into it.
_STEPS_AHEAD = 2


class ArtRolloutWorker(TrainerCallback):
    """A `rollout_worker` that samples with `art collect`, and the callback by which the sidecar learns what need not be sent again.

    collect          an `ArtCollect`; its `reconnect_s` is how long a sidecar that is gone is waited for
    run              name of the training run; a run that is started again under it gets the groups that it had not acknowledged
    payloads         payloads of the agent, a group for each; in the same order whenever the run is started again
    size             rollouts of a group
    groups_per_step  groups that a step trains on: samples of a step divided by `size`
    max_staleness    that of `AsyncGRPOConfig`
    request          further fields of `POST /groups`, such as `sampling`; `advantages` is TRL's own rule unless given

    At most `max(max_staleness, 1) * groups_per_step` groups are started and not yet taken by the trainer, who gets them in the order in
    which they began: it waits for a slow one rather than throw long rollouts away. Every row of a rollout is a sample with the rollout's
    advantage; where rollouts fork a step takes fewer groups, and TRL drops what grew too old unless `groups_per_step` is smaller.
    Groups are acknowledged when a checkpoint is saved that has them, or after their step where none ever is.
    """

    def __init__(self, collect, run, payloads, size, groups_per_step, max_staleness=4, **request):
        self.rollout_buffer, self.metrics_queue = _Buffer(self), queue.Queue()
        self._collect, self._run, self._size, self._max_staleness = collect, run, size, max_staleness
        self._request = {"advantages": {"scale": "population"}, **request, "row_format": "art"}
        self._payloads, self._lock = enumerate(payloads), threading.Lock()
        self._admitted = max(max_staleness, 1) * groups_per_step
        self._permits = threading.Semaphore(self._admitted)
        self._version, self._step = 0, 0
        self._open, self._rows_left = set(), {}
        self._finished, self._next = {}, 0  # by index, what waits for groups that began before it
        self._taken = []  # (group, step before which its last row was taken)
        self._old_in_a_row, self._last_group_at, self._exhausted = 0, None, False
        self._error, self._stopped, self._ended = None, False, False

    # The protocol of TRL

    def start(self):
        self._last_group_at = time.monotonic()
        for _ in range(self._admitted):
            threading.Thread(target=self._work, name="art-rollouts", daemon=True).start()

    def update_model_version(self, model_version):
        self._version = model_version

    def check_health(self, stale_after_s):
        self.raise_if_failed()
        silent_s = time.monotonic() - (self._last_group_at or time.monotonic())
        if self._exhausted and not self._open:
            raise RuntimeError("art collect: the payloads are over before the training is. Give more, or a smaller max_steps.")
        if silent_s > stale_after_s:
            raise RuntimeError(f"art collect: no group for {silent_s:.0f} s, with {len(self._open)} under way.")

    def stop(self):
        self._stopped = True
        for _ in range(self._admitted):
            self._permits.release()
        if not self._ended:
            return  # The same run continues with what is under way when it is started again.
        for request_id in list(self._open):
            try:
                self._collect.cancel(request_id)
            except (CollectError, OSError):
                pass  # It ended by itself meanwhile, or the sidecar is gone and its sessions with it.

    # The callback

    def on_step_end(self, args, state, control, **_):
        self._step = state.global_step
        if args.save_strategy == "no":
            self._acknowledge()

    def on_save(self, args, state, control, **_):
        self._acknowledge()

    def on_train_end(self, args, state, control, **_):
        self._ended = True

    # What the threads and the buffer call

    def raise_if_failed(self):
        if self._error is not None:
            raise RuntimeError(f"art collect: {self._error}") from self._error
        # Thrown away one after the other they would keep the trainer waiting for ever.
        if self._old_in_a_row > self._admitted:
            raise RuntimeError(
                f"art collect: {self._old_in_a_row} groups in a row were sampled more than {self._max_staleness} versions ago. Is the version "
                "announced (`ArtWeightTransfer`)? Else make groups_per_step or the rollouts smaller."
            )

    def row_taken(self, sample):
        group, left = self._rows_left[sample.group_id]
        if left > 1:
            self._rows_left[sample.group_id] = (group, left - 1)
            return
        del self._rows_left[sample.group_id]
        self._done(group)

    def _work(self):
        while True:
            self._permits.acquire()
            with self._lock:
                index, payload = next(self._payloads, (None, None)) if not self._stopped else (None, None)
            if index is None:
                self._exhausted = not self._stopped
                return
            request_id = f"{self._run}-{index}"
            self._open.add(request_id)
            try:
                self._sample(index, payload, request_id)
            except Exception as error:  # noqa: BLE001, TRL's thread raises it
                self._error = self._error or error
                return
            finally:
                self._open.discard(request_id)

    def _sample(self, index, payload, request_id):
        started_at, finished = self._version, None
        try:
            for finished in self._collect.groups([payload], self._size, request_id=request_id, **self._request):
                pass
        except CollectError as error:
            # An earlier process has trained on it, or gave it up.
            if error.code not in ("ART_COLLECT_ACKNOWLEDGED", "ART_COLLECT_CANCELLED"):
                raise
        with self._lock:
            self._finished[index] = (finished, started_at)
            while self._next in self._finished:
                self._put(self._next, *self._finished.pop(self._next))
                self._next += 1

    def _put(self, index, group, started_at):
        self._last_group_at = time.monotonic()
        if group is None:
            self._permits.release()
            return
        members = {member["member"]: member for member in group["members"]}
        rewards = [reward for reward in group["rewards"] if reward is not None]
        samples = [
            _sample_of(row, members[member]["reward"], rewards, _oldest_version(row, started_at), index)
            for member, row in zip(group["row_members"], group["rows"])
        ]
        fresh = [sample for sample in samples if self._version - sample.model_version <= self._max_staleness]
        if not fresh:
            self._old_in_a_row += 1 if samples else 0
            self._done(group)
            return
        self._old_in_a_row = 0
        self._rows_left[index] = (group, len(fresh))
        for sample in fresh:
            sample.enqueued_at = time.time()
            self.rollout_buffer.put(sample)

    def _done(self, group):
        self._taken.append((group, self._step))
        self._permits.release()

    def _acknowledge(self):
        covered = [group for group, step in self._taken if step <= self._step - _STEPS_AHEAD]
        if covered:
            with _ending():
                self._collect.acknowledge(covered)
            self._taken = [(group, step) for group, step in self._taken if step > self._step - _STEPS_AHEAD]


class ArtWeightTransfer:
    """A `weight_transfer` for any engine, and the one who announces each version: before the engine takes calls again.

    collect   an `ArtCollect`
    load      `load(weights, version)` brings the weights, an iterator of (name, tensor), into the engine
    pause     called before, and `resume` after: what the engine needs around it
    """

    def __init__(self, collect, load, pause=None, resume=None):
        self._collect, self._load, self._pause, self._resume, self._version = collect, load, pause, resume, 0

    def init_weight_transfer(self):
        pass

    def pause(self):
        if self._pause is not None:
            self._pause()

    def send_weights(self, iterator):
        self._load(iterator, self._version + 1)
        for _ in iterator:
            pass  # TRL's processes wait for each other at each of them.

    def resume(self):
        # TRL counts on after this call, and tells its worker only then.
        self._version += 1
        with _ending():
            self._collect.resume(policy_version=self._version)
        if self._resume is not None:
            self._resume()

    def destroy(self):
        pass


@contextlib.contextmanager
def _ending():
    """A sidecar that is gone ends the training in the same words, whichever thread meets it first."""
    try:
        yield
    except (CollectError, OSError) as error:
        raise RuntimeError(f"art collect: {error}") from error


class _Buffer(queue.Queue):
    """TRL asks for the worker's health only where its buffer is empty, which it never is where all samples are too old."""

    def __init__(self, worker):
        super().__init__()
        self._worker = worker

    def get(self, block=True, timeout=None):
        self._worker.raise_if_failed()
        sample = super().get(block, timeout)
        self._worker.row_taken(sample)
        return sample


def _sample_of(row, reward, rewards, version, group_id):
    prompt, mask = [0] * row["prompt_length"], row["loss_mask"]
    advantages = {advantage for advantage, trains in zip(row["advantages"], mask) if trains == 1}
    if len(advantages) > 1:
        raise ValueError(f"TRL has one advantage for a row, and row {row['row_id']} has {len(advantages)}: leave `credit` out of `advantages`.")
    return RolloutSample(
        prompt=[],
        completion=[],
        input_ids=np.array(row["token_ids"], dtype=np.int64),
        completion_mask=np.array(prompt + mask, dtype=np.int64),
        old_log_probs=np.array(prompt + row["logprobs"], dtype=np.float32),
        advantage=float(advantages.pop()) if advantages else 0.0,
        model_version=version,
        group_id=group_id,
        metrics={"reward": float(reward), "reward_std": float(np.std(rewards)), "rows": float(row["row_count"])},
    )


def _oldest_version(row, started_at):
    """The oldest weights that sampled something of a row. Where nobody said: those at its start."""
    told = []
    for span in row["turn_spans"]:
        between = span.get("weight_version_range") or {}
        versions = [span.get("weight_version"), between.get("oldest"), between.get("newest")]
        told += [version for version in versions if version is not None]
        told += [int(one["version"]) for one in span.get("weight_versions", []) if one["version"].isdecimal()]
    return min(told, default=started_at)
