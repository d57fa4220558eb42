"""rllm on rollouts of TypeScript agents: an engine in place of its `RemoteAgentFlowEngine`.

    from art_collect import ArtCollect
    from art_rllm import ArtEngine
    trainer.agent_workflow_engine = ArtEngine(ArtCollect("http://127.0.0.1:9292"), run="run7")

`trainer` is rllm's `UnifiedTrainer`. It has the methods that rllm's backends call, `set_training_step` and `execute_tasks`. A task is the payload of the agent, a dict.
Steps carry the engine's own token ids and logprobs.
"""

import asyncio

from art_collect import CheckpointTracker
from rllm.types import Episode, Step, Trajectory


class ArtEngine:
    """Rollouts of one training run.

    checkpoints    the folder of rllm's checkpoints (`trainer.default_local_dir` with verl, `training.default_local_dir` with Tinker):
                   groups are acknowledged when one has them. Without it, after the steps that trained on them
    request        further fields of `POST /groups`, such as `sampling`
    """

    def __init__(self, collect, run, checkpoints=None, **request):
        self._collect, self._run, self._request = collect, run, request
        self._tracker = None if checkpoints is None else CheckpointTracker(checkpoints)
        self._calls = 0
        self.set_training_step(0)

    def set_training_step(self, step, mode="train", epoch=0):
        self.current_step, self.current_mode, self.current_epoch = step, mode, epoch
        self._calls = 0

    async def execute_tasks(self, tasks, task_ids=None, is_validation=False, **_):
        """An episode for each task, in their order. Tasks of one id, which rllm repeats, are one group."""
        task_ids = list(task_ids or range(len(tasks)))
        places = {}
        for place, task_id in enumerate(task_ids):
            places.setdefault(task_id, []).append(place)
        sizes = {len(own) for own in places.values()}
        if len(sizes) != 1:
            raise ValueError(f"Expected as many rollouts of each task, got {sorted(sizes)}.")
        await asyncio.to_thread(self._collect.acknowledge_requests, self._is_covered)
        self._calls += 1
        kind = "val" if is_validation else "train"
        groups = await asyncio.to_thread(
            lambda: self._collect.step(
                [tasks[own[0]] for own in places.values()],
                sizes.pop(),
                request_id=f"{self._run}-{kind}-{self.current_step}-{self._calls}",
                policy_version=self.current_step,
                row_format="rllm",
                **self._request,
            )
        )
        episodes = [None] * len(tasks)
        for group in groups:
            task_id, own = list(places.items())[group["index"]]
            # One trajectory for each member with rows, in the order of the members.
            trajectories = dict(zip(dict.fromkeys(group["row_members"]), group["rows"]))
            for member in group["members"]:
                place, number = own[member["member"]], member["member"]
                episodes[place] = _episode(f"{task_id}:{number}", tasks[place], member, trajectories.get(number))
        for place, task_id in enumerate(task_ids):
            if episodes[place] is None:
                episodes[place] = _episode(f"{task_id}:{places[task_id].index(place)}", tasks[place], None, None)
        return episodes

    def _is_covered(self, request_id):
        """Whether a checkpoint has what came of a request. Nothing trains on those of a validation, which need none."""
        for kind in ("train", "val"):
            prefix = f"{self._run}-{kind}-"
            step = request_id.removeprefix(prefix).partition("-")[0]
            if not request_id.startswith(prefix) or not step.isdecimal():
                continue
            if self._tracker is None or kind == "val":
                return int(step) < self.current_step
            return self._tracker.step is not None and int(step) <= self._tracker.step
        return False

    def shutdown(self):
        pass


def _episode(uid, task, member, trajectory):
    reward = None if member is None else member["reward"]
    trajectories = []
    if trajectory is not None:
        steps = [Step(**step) for step in trajectory["steps"]]
        trajectories.append(Trajectory(name=trajectory["name"], task=task, steps=steps, reward=reward))
    # A rollout that failed has no trajectory: rllm leaves it out, where a reward of 0 would teach.
    metadata = {} if member is None else {"session_id": member["session_id"], "outcome": member["outcome"]}
    if member is not None and member["error"] is not None:
        metadata["error"] = member["error"]
    steps = sum(len(trajectory.steps) for trajectory in trajectories)
    return Episode(
        id=uid,
        task=task,
        is_correct=(reward or 0) >= 1,
        session_id=metadata.get("session_id"),
        trajectories=trajectories,
        metrics={"empty": int(steps == 0), "steps_collected": steps},
        metadata=metadata,
    )
