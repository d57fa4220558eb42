"""Tinker on rollouts of TypeScript agents: rows become `Datum`s for its policy losses."""

import tinker
from tinker import types


def to_datum(row):
    """A `Datum` of a row in the format `tinker`."""
    tokens = row["model_input"]["chunks"][0]["tokens"]
    inputs = {
        name: types.TensorData(data=tensor["data"], dtype=tensor["dtype"], shape=tensor["shape"])
        for name, tensor in row["loss_fn_inputs"].items()
    }
    return types.Datum(model_input=types.ModelInput.from_ints(tokens), loss_fn_inputs=inputs)


def step(collect, training: "tinker.TrainingClient", inputs, rollouts, *, request_id, version, learning_rate, **request):
    """One step of GRPO: collect, forward and backward, update. Returns the groups; acknowledge them when a checkpoint has them."""
    groups = collect.step(inputs, rollouts, request_id=request_id, policy_version=version, row_format="tinker", **request)
    data = [to_datum(row) for group in groups for row in group["rows"]]
    backward = training.forward_backward(data, loss_fn="importance_sampling")
    update = training.optim_step(types.AdamParams(learning_rate=learning_rate))
    backward.result()
    update.result()
    return groups
