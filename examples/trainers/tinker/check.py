"""Rows in the format `tinker`, JSON on stdin, through tinker's own types. Prints what they say. Run by `pnpm engines`."""

import json
import sys

from art_tinker import to_datum

data = [to_datum(row) for row in json.load(sys.stdin)]
print(json.dumps([
    {"tokens": datum.model_input.to_ints(), **{name: datum.loss_fn_inputs[name].tolist() for name in ("target_tokens", "logprobs", "advantages")}}
    for datum in data
]))  # fmt: skip
