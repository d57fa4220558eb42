"""Calls the job runtime with boto3's own client, as its service model has it, and prints what came of each call."""

import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

given = json.load(sys.stdin)
client = boto3.client(
    "sagemakerjobruntime",
    endpoint_url=given["endpoint"],
    region_name="us-west-2",
    config=Config(retries={"total_max_attempts": 1}),
)
outcomes = []
for operation, arguments in given["calls"]:
    if "Body" in arguments:
        arguments["Body"] = json.dumps(arguments["Body"]).encode()
    try:
        reply = getattr(client, operation)(JobArn=given["job_arn"], **arguments)
        body = reply["Body"].read().decode() if "Body" in reply else None
        outcomes.append({"status": reply["ResponseMetadata"]["HTTPStatusCode"], "type": reply.get("ContentType"), "body": body})
    except ClientError as error:
        modeled = getattr(client.exceptions, error.response["Error"]["Code"], None)
        outcomes.append({
            "status": error.response["ResponseMetadata"]["HTTPStatusCode"],
            "error": error.response["Error"]["Code"],
            "modeled": modeled is not None and isinstance(error, modeled),
            "message": error.response.get("Message") or error.response["Error"].get("Message"),
        })
print(json.dumps(outcomes))
