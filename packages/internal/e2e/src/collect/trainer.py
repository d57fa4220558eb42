"""A trainer of tests: collects a request, writes each group's id as it comes, acknowledges what it is told to, and waits."""

import json
import sys
import time

from art_collect import ArtCollect, CollectError

task = json.loads(sys.argv[1])
collect = ArtCollect(task["url"], token=task.get("token"), reconnect_s=60)


def say(**fields):
    print(json.dumps(fields), flush=True)


try:
    options = task["request"]
    for group in collect.groups(options.pop("inputs"), options.pop("rollouts_per_input"), on_event=lambda event: say(**event), **options):
        say(event="group", id=group["id"], n=group["input"]["n"], rewards=group["rewards"], rows=group["rows"])
        if group["input"]["n"] in task.get("acknowledge", []):
            say(event="acknowledged", count=collect.acknowledge([group]))
        if group["input"]["n"] == task.get("stay_after"):
            time.sleep(600)
except CollectError as error:
    say(event="refused", code=error.code, status=error.status)
for call, arguments in task.get("calls", []):
    say(event=call, result=getattr(collect, call)(*arguments))
