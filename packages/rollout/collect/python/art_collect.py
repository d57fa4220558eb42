"""Client of `art collect`: groups of rollouts of TypeScript agents, for a trainer in Python. Standard library only.

    collect = ArtCollect("http://127.0.0.1:9292")
    for group in collect.groups([{"prompt": "2 + 3"}], 8, request_id="step-1", policy_version=1, row_format="trl"):
        train(group["rows"])
        collect.acknowledge([group])

A request is named by its id for ever. A sender that repeats it, after a broken connection or the death of either side, continues with
it: groups that were not acknowledged come again with the id that they had, acknowledged ones never do. Choose ids that a
restarted trainer chooses again (`run7-step-12`), and acknowledge what a checkpoint has seen.
"""

import http.client
import json
import os
import time
import urllib.parse

__all__ = ["ArtCollect", "CheckpointTracker", "CollectError"]

# The sidecar is being replaced, or the one before it, on another machine, still counts as alive for some seconds.
_PASSING = ("ART_COLLECT_STOPPING", "ART_JOURNAL_LOCKED")


class CollectError(Exception):
    """What the sidecar refused or could not do. `code` is stable; `status` is that of HTTP, or None within a stream."""

    def __init__(self, code, message, status=None):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.status = status


class ArtCollect:
    """One sidecar. Safe to share between threads: every call has a connection of its own.

    url            where `art collect` listens
    token          what ART_COLLECT_TOKEN is there, if it is set
    reconnect_s    how long a sidecar that cannot be reached, or whose request another one holds, is tried again, in seconds; 0 does not
    silence_s      how long a stream may be silent before it counts as broken; the sidecar gives a sign of life every 10 s
    """

    def __init__(self, url="http://127.0.0.1:9292", token=None, reconnect_s=120.0, silence_s=60.0):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError(f"Expected url to be http://host:port, got {url!r}.")
        self._parts, self._token = parts, token
        self._reconnect_s, self._silence_s = reconnect_s, silence_s

    def groups(self, inputs, rollouts_per_input, on_event=None, **options):
        """Yields each group as it settles: a dict with `id`, `index`, `input`, `kind`, `rewards`, `advantages`, `members`, `rows`.

        options: the other fields of `POST /groups`; give a `request_id`, or the request cannot be taken up by a later process.
        on_event: told of everything else that the stream says (`accepted`, `progress`, `end`).
        A broken connection is taken up again for `reconnect_s`, then it is a `ConnectionError`; no group is yielded twice by one call. Leaving the loop early leaves the request
        as it is: send it again, or cancel it. A request of which every group was acknowledged before is `ART_COLLECT_ACKNOWLEDGED`.
        """
        inputs = list(inputs)
        body = {"inputs": inputs, "rollouts_per_input": rollouts_per_input, **options}
        seen = set()
        was_accepted = False
        broken_since = None
        while True:
            try:
                for event in self._stream("/groups", body):
                    was_accepted = True
                    # "accepted" alone is no progress: another sidecar may still hold the request.
                    if event["event"] in ("group", "progress"):
                        broken_since = None
                    if event["event"] == "group":
                        if event["id"] in seen:
                            continue
                        seen.add(event["id"])
                        event["input"] = inputs[event["index"]]
                        yield event
                        continue
                    if event["event"] == "error" and event["code"] not in _PASSING:
                        raise CollectError(event["code"], event["message"])
                    # A request that was named by the sidecar keeps its name when it is sent again.
                    body.setdefault("request_id", event.get("request_id"))
                    if on_event is not None:
                        on_event(event)
                    if event["event"] == "end":
                        return
                    if event["event"] == "error":
                        problem = CollectError(event["code"], event["message"])
                        break
                else:
                    problem = ConnectionError("the stream ended before the request did")
            except (OSError, http.client.HTTPException) as error:
                problem = error
            except CollectError as error:
                if error.code == "ART_COLLECT_ACKNOWLEDGED" and was_accepted:
                    return  # Only the end was lost: whoever reads here has acknowledged meanwhile.
                if error.status != 503:
                    raise
                problem = error
            broken_since = broken_since or time.monotonic()
            if time.monotonic() - broken_since >= self._reconnect_s:
                raise self._lost(problem)
            time.sleep(0.5)

    def step(self, inputs, rollouts_per_input, **options):
        """All groups of a training step, by `index`: `groups` for trainers that train on a step as a whole.

        Raises where the step would train on less than was asked for without anybody knowing: `ART_COLLECT_ACKNOWLEDGED` where a
        part of it was acknowledged before, `ART_COLLECT_NO_ROWS` where no rollout of it has rows.
        """
        tell = options.pop("on_event", None)

        def on_event(event):
            if event["event"] == "accepted" and event["acknowledged"] > 0:
                raise CollectError(
                    "ART_COLLECT_ACKNOWLEDGED",
                    f"{event['acknowledged']} groups of request {event['request_id']!r} were acknowledged before and do not come again. "
                    "Start the trainer from the checkpoint that has them, or give its run another name.",
                )
            if tell is not None:
                tell(event)

        groups = list(self.groups(inputs, rollouts_per_input, on_event=on_event, **options))
        if not any(group["row_members"] for group in groups):
            errors = [member["error"] for group in groups for member in group["members"] if member["error"] is not None]
            errors = [f"{error['code']}: {error['message']}" for error in errors]
            errors += [one["problem"] for group in groups for one in group["without_rows"] if "problem" in one]
            why = errors[0] if errors else "nothing that was captured trains; see `without_rows`"
            raise CollectError("ART_COLLECT_NO_ROWS", f"No rollout of the step has rows to train on. The first says {why}")
        return sorted(groups, key=lambda group: group["index"])

    def acknowledge(self, groups):
        """Tells that groups, or their ids, are done with: they are never sent again. Returns how many were new to the sidecar."""
        ids = [group if isinstance(group, str) else group["id"] for group in groups]
        by_request = {}
        for group_id in ids:
            by_request.setdefault(group_id.rpartition("-")[0], []).append(group_id)
        return sum(
            self._call("POST", f"/requests/{urllib.parse.quote(request_id)}/acknowledge", {"groups": own})["acknowledged"]
            for request_id, own in by_request.items()
        )

    def acknowledge_requests(self, is_covered):
        """Acknowledges all groups of the requests whose id `is_covered` says, whichever process sent them: what a checkpoint has."""
        for request in self.requests():
            request_id = request["request_id"]
            if request["state"] == "settled" and is_covered(request_id):
                self.acknowledge([f"{request_id}-{index}" for index in range(request["groups"])])

    def cancel(self, request_id):
        """Gives a request up for ever. Returns when its sessions were stopped."""
        self._call("DELETE", f"/requests/{urllib.parse.quote(request_id)}")

    def drain(self, deadline_s=None):
        """Lets no further group begin and waits for those that have. Returns how many are still open: 0, unless the time was up."""
        body = {} if deadline_s is None else {"deadline_ms": deadline_s * 1000}
        return self._call("POST", "/drain", body)["open_groups"]

    def resume(self, policy_version=None):
        """Ends a drain. `policy_version`: that of the weights that the engine has now."""
        self._call("POST", "/continue", {} if policy_version is None else {"policy_version": policy_version})

    def requests(self):
        """What the sidecar knows of all requests: `request_id`, `state`, `groups`, `settled`, `acknowledged`, ..."""
        return self._call("GET", "/requests")

    def _call(self, method, path, body=None):
        since = time.monotonic()
        while True:
            try:
                connection, response = self._send(method, path, body, timeout=None)
                with connection:
                    return _decoded(response.read())
            except (OSError, http.client.HTTPException, CollectError) as problem:
                if isinstance(problem, CollectError) and problem.status != 503:
                    raise
                # All of these calls may be made twice.
                if time.monotonic() - since >= self._reconnect_s:
                    raise self._lost(problem)
                time.sleep(0.5)

    def _lost(self, problem):
        if isinstance(problem, CollectError):
            return problem
        lost = ConnectionError(f"no art collect at {self._parts.geturl()}: {problem}")
        lost.__cause__ = problem
        return lost

    def _stream(self, path, body):
        connection, response = self._send("POST", path, body, timeout=self._silence_s)
        with connection:
            for line in response:
                if not line.endswith(b"\n"):
                    return
                yield _decoded(line)

    def _send(self, method, path, body, timeout):
        https = self._parts.scheme == "https"
        make = http.client.HTTPSConnection if https else http.client.HTTPConnection
        connection = make(self._parts.hostname, self._parts.port, timeout=timeout)
        headers = {} if body is None else {"content-type": "application/json"}
        if self._token is not None:
            headers["authorization"] = f"Bearer {self._token}"
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, self._parts.path.rstrip("/") + path, data, headers)
            response = connection.getresponse()
            if response.status >= 400:
                raise _refusal(response.status, response.read())
            return _Closing(connection), response
        except BaseException:
            connection.close()
            raise


def _decoded(answer):
    try:
        return json.loads(answer)
    except ValueError:  # Half of one: as good as none.
        raise http.client.HTTPException(f"an answer that is no JSON: {answer[:80]!r}") from None


def _refusal(status, answer):
    try:
        error = json.loads(answer)["error"]
        return CollectError(error["code"], error["message"], status)
    except (ValueError, LookupError, TypeError):
        # Nothing that a sidecar says: that of a proxy whose sidecar is gone, or another server.
        what = f"HTTP {status}: {answer[:80]!r}"
        return http.client.HTTPException(what) if status >= 500 else CollectError("unknown", what, status)


class CheckpointTracker:
    """Which step the newest checkpoint of a folder has, by the file that Megatron (slime), verl and rllm's backends write there.

    A file of an earlier run in the same folder says nothing of this one: only what is written from now on counts.
    """

    def __init__(self, folder):
        self._path = os.path.join(folder, "latest_checkpointed_iteration.txt")
        self._before = self._read()

    @property
    def step(self):
        """None before the first checkpoint of this process."""
        now = self._read()
        return None if now is None or now == self._before else now[1]

    def _read(self):
        try:
            with open(self._path) as file:
                return os.stat(self._path).st_mtime_ns, int(file.read().strip())
        except (OSError, ValueError):  # Not there yet, or "release", which is no step.
            return None


class _Closing:
    def __init__(self, connection):
        self._connection = connection

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()
