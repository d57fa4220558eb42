"""Holds bodies of UpdateAgentRuntime against the model of AWS's own SDK; prints the complaint about each, empty where there is none."""

import json
import sys

import botocore.session
from botocore.validate import ParamValidator

model = botocore.session.get_session().get_service_model("bedrock-agentcore-control")
shape = model.operation_model("UpdateAgentRuntime").input_shape
reports = [ParamValidator().validate({"agentRuntimeId": "agent-abcdefghij", **body}, shape) for body in json.load(sys.stdin)]
print(json.dumps([report.generate_report() for report in reports]))
