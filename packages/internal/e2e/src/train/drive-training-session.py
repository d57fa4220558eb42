"""Drives training sessions with boto3's own clients, then with the client classes of AWS's own SDK, and prints what came of it."""

import json
import os
import sys

given = json.load(sys.stdin)
url = given["endpoint"]
os.environ["SAGEMAKER_TRAINING_SESSION_ENDPOINT"] = url
os.environ["SAGEMAKER_TRAINING_SESSION_RUNTIME_ENDPOINT"] = url

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

config = Config(retries={"total_max_attempts": 1})
control = boto3.client("sagemaker", endpoint_url=url, region_name="us-west-2", config=config)
runtime = boto3.client("sagemakertrainingsessionruntime", endpoint_url=url, region_name="us-west-2", config=config)


def outcome(call, *names):
    try:
        reply = call()
    except ClientError as error:
        modeled = getattr(runtime.exceptions, error.response["Error"]["Code"], None)
        return {"error": error.response["Error"]["Code"], "modeled": modeled is not None and isinstance(error, modeled)}
    for name in names:
        reply = reply[name]
    return reply


def wait(get, operation_id):
    while True:
        reply = get(**{session_argument: "s1", "operationId": operation_id})
        if reply["status"] not in ("Pending", "InProgress"):
            reply.pop("ResponseMetadata")
            return reply


members = runtime.meta.service_model.operation_model("ExecuteTrainingOperation").input_shape.members
session_argument = next(name for name in members if "ession" in name)

seen = {}
seen["missing"] = outcome(lambda: runtime.get_training_operation_result(**{session_argument: "nobody", "operationId": "x"}))
control.create_training_session(**given["create"])
status = lambda: control.describe_training_session(TrainingSessionName="s1")["TrainingSessionDetail"]["TrainingSessionStatus"]
seen["statuses"] = [status(), status(), status()]

execute = lambda number, operation: runtime.execute_training_operation(
    **{session_argument: "s1", "sequenceNumber": number, "clientToken": f"t-{number}", "operationConfig": operation}
)["operationId"]
first = execute(1, {"forwardBackward": given["pass"]})
seen["repeated"] = execute(1, {"forwardBackward": given["pass"]}) == first
second = execute(2, {"optimizerStep": {"adamParamsConfig": {"learningRate": 0.01}}})
saved = execute(3, {"saveWeights": {"description": "é"}})
seen["pass"] = wait(runtime.get_training_operation_result, first)
seen["step"] = wait(runtime.get_training_operation_result, second)
arn = wait(runtime.get_training_operation_result, saved)["operationResult"]["saveWeights"]["modelPackageArn"]
sampling = lambda operation: wait(
    runtime.get_sampling_operation_result,
    runtime.execute_sampling_operation(**{session_argument: "s1", "operationConfig": operation})["operationId"],
)
sampling({"loadWeightsForSampling": {"modelPackageArn": arn}})
seen["sample"] = sampling({"sample": {**given["sample"], "modelPackageArn": arn}})
seen["refused"] = outcome(lambda: runtime.execute_sampling_operation(
    **{session_argument: "s1", "operationConfig": {"computeLogprobs": {"prompt": given["sample"]["prompt"], "modelPackageArn": arn[:-1] + "99"}}}
))
control.stop_training_session(TrainingSessionName="s1")
seen["stopped_again"] = outcome(lambda: control.stop_training_session(TrainingSessionName="s1"))

# The client classes of sagemaker-train. Their names are private, and the version is pinned.
control.create_training_session(**{**given["create"], "TrainingSessionName": "s2"})
for _ in range(3):
    control.describe_training_session(TrainingSessionName="s2")
from sagemaker.train.training_session import AdamParams, Datum, SamplingParams
from sagemaker.train.training_session._clients import _runtime_client
from sagemaker.train.training_session.training_client import TrainingClient

client = TrainingClient("s2", _runtime_client("us-west-2"), base_model="x/y", service_client=None)
inputs = {"target_tokens": [2, 3, 4], "weights": [0.0, 1.0, 1.0], "logprobs": [0.0, -2.0, -2.0], "advantages": [0.0, 1.0, 1.0]}
datums = [Datum(prompt=[1, 2, 3], loss_fn_inputs=inputs)]
passed = client.forward_backward(datums, loss_fn="importance_sampling")
stepped = client.optim_step(AdamParams(learning_rate=1e-3))
passed.result()
stepped.result()
sampler = client.save_weights_and_get_sampling_client()
answer = sampler.sample([1, 2, 3], num_samples=2, sampling_params=SamplingParams(max_tokens=512, seed=1)).result()
seen["sdk_sequences"] = len(answer.sequences)
client._submitter.close()
print(json.dumps(seen))
