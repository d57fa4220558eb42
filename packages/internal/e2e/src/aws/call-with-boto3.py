"""Calls AgentCore and S3 with boto3 as it comes, and prints what came back, by name of the call."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.exceptions import ClientError

request = json.load(sys.stdin)
session_id, bucket = request["session_id"], request["bucket"]
agentcore = boto3.client("bedrock-agentcore")
s3 = boto3.client("s3")
runtime = {"agentRuntimeArn": request["arn"], "runtimeSessionId": session_id}


def failure(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return [error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]]
    return None


def invoke():
    answer = agentcore.invoke_agent_runtime(**runtime, payload=json.dumps({"prompt": "grüße"}))
    return {
        "status": answer["statusCode"],
        "session_id": answer["runtimeSessionId"],
        "content_type": answer["contentType"],
        "seen": json.loads(answer["response"].read()),
    }


def command():
    body = {"command": "/bin/sh -c 'echo grüße; echo oops >&2; exit 3'", "timeout": 20}
    events = [event["chunk"] for event in agentcore.invoke_agent_runtime_command(**runtime, body=body)["stream"]]
    output = {"stdout": "", "stderr": ""}
    for event in events:
        for name, text in event.get("contentDelta", {}).items():
            output[name] += text
    return {**output, "first": list(events[0]), "stop": events[-1]["contentStop"]}


def agent_card():
    return agentcore.get_agent_card(**runtime)["agentCard"]


def stop():
    return [
        agentcore.stop_runtime_session(**runtime)["ResponseMetadata"]["HTTPStatusCode"],
        failure(agentcore.stop_runtime_session, **runtime),
    ]


def put_get_head():
    key, body = "exp 1/é&+%7?#/日本.json", '{"text": "grüße"}'.encode() * 1_000
    put = s3.put_object(Bucket=bucket, Key=key, Body=body, ContentType="application/json")
    got = s3.get_object(Bucket=bucket, Key=key)
    head = s3.head_object(Bucket=bucket, Key=key)
    return {
        "same": got["Body"].read() == body,
        "etags": len({put["ETag"], got["ETag"], head["ETag"]}),
        "content_type": head["ContentType"],
        "length": head["ContentLength"] - len(body),
        "listed": [item["Key"] for item in s3.list_objects_v2(Bucket=bucket, Prefix="exp 1/é&")["Contents"]] == [key],
    }


def missing():
    where = {"Bucket": bucket, "Key": "not/there.json"}
    return [failure(s3.head_object, **where), failure(s3.get_object, **where)]


def large():
    body = b"0123456789" * 1_000_000
    s3.put_object(Bucket=bucket, Key="large", Body=body)
    return s3.get_object(Bucket=bucket, Key="large")["Body"].read() == body


def wrong_checksum():
    return failure(s3.put_object, Bucket=bucket, Key="wrong", Body=b"{}", ChecksumCRC32="AAAAAA==")


def pages():
    keys = sorted((f"pages/{n % 7}/é{n}.json" for n in range(1_050)), key=str.encode)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: s3.put_object(Bucket=bucket, Key=key, Body=b"{}"), keys))
    found = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix="pages/")
    sizes, listed = [], []
    for page in found:
        sizes.append(page["KeyCount"])
        listed += [item["Key"] for item in page["Contents"]]
    after = s3.list_objects_v2(Bucket=bucket, Prefix="pages/", StartAfter=keys[1_000], MaxKeys=3)
    return {
        "sizes": sizes,
        "in_order": listed == keys,
        "after": [item["Key"] for item in after["Contents"]] == keys[1_001:1_004],
    }


def race():
    def put(n):
        return failure(s3.put_object, Bucket=bucket, Key="race", Body=str(n).encode(), IfNoneMatch="*")

    with ThreadPoolExecutor(20) as pool:
        refusals = list(pool.map(put, range(20)))
    winner = s3.get_object(Bucket=bucket, Key="race")["Body"].read()
    return {
        "winners": refusals.count(None),
        "refusals": sorted({tuple(refusal) for refusal in refusals if refusal}),
        "kept": refusals[int(winner)] is None,
    }


CALLS = [invoke, command, agent_card, stop, put_get_head, missing, large, wrong_checksum, pages, race]
json.dump({call.__name__: call() for call in CALLS}, sys.stdout)
