"""Runs the scenarios of its input one after the other, each as a rollout of an agent with AWS's decorator."""

import json
import sys

import requests

from rft_handler import generate_token, make_inference_headers, sagemaker_rft_handler


def sample(metadata):
    headers = make_inference_headers(metadata)
    headers["Authorization"] = "Bearer " + generate_token(region="us-west-2")
    body = {"model": "default", "messages": [{"role": "user", "content": "hi"}]}
    response = requests.post(metadata["endpoint"] + "/v1/chat/completions", json=body, headers=headers, timeout=30)
    if response.status_code != 200:
        raise RuntimeError(response.text)


@sagemaker_rft_handler
def agent(payload):
    scenario = json.loads(payload["prompt"])
    if scenario.get("sample"):
        sample(payload["metadata"])
    if "throw" in scenario:
        raise RuntimeError(scenario["throw"])
    return scenario.get("value")


for payload in json.load(sys.stdin):
    try:
        agent(payload)
    except Exception:
        pass
print("{}")
