"""One pass and one step with the official SDK, for rows that are given; prints what came of them."""

import json
import sys

import tinker
from tinker import types

given = json.load(sys.stdin)
client = tinker.ServiceClient(base_url=given["url"], api_key="tml-any")
training = client.create_lora_training_client(base_model=given["model"], rank=8, seed=1)


def tensor(values, dtype="float32"):
    return types.TensorData(data=values, dtype=dtype, shape=[len(values)])


data = [
    types.Datum(
        model_input=types.ModelInput.from_ints(row["tokens"]),
        loss_fn_inputs={
            "target_tokens": tensor(row["targets"], "int64"),
            "weights": tensor(row["weights"]),
            "logprobs": tensor(row["logprobs"]),
            "advantages": tensor(row["advantages"]),
        },
    )
    for row in given["rows"]
]
passed = training.forward_backward(data, "importance_sampling")
stepped = training.optim_step(types.AdamParams(**given["adam"]))
before = [list(output["logprobs"].data) for output in passed.result().loss_fn_outputs]
stepped.result()
after = training.forward_backward(data, "importance_sampling").result()
print(json.dumps({"before": before, "after": [list(output["logprobs"].data) for output in after.loss_fn_outputs]}))
