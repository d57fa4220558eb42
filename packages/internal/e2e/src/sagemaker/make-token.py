"""Prints the bearer token that sagemaker-core makes."""

import json
import os

os.environ["AWS_SESSION_TOKEN"] = "a+/b=c d"

from rft_handler import generate_token  # noqa: E402

print(json.dumps({"token": generate_token(region="us-west-2")}))
