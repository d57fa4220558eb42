"""Writes the golden documents beside this file with Python's own json module: python3 write-golden.py"""

import json
import math
import pathlib

HERE = pathlib.Path(__file__).parent

PAYLOAD = {
    "prompt": "Natalia sold 48 clips \u2014 caf\u00e9, \u4e2d\u6587, \U0001f600",
    "_rollout": {
        "exp_id": "run/step-1",
        "input_id": "item-7",
        "s3_bucket": "results",
        "base_url": "http://127.0.0.1:9000/v1",
        "sampling_params": {"temperature": 0.7, "top_p": 0.95},
    },
}


def reserved(result):
    return {
        **result,
        "input_id": "item-7",
        "s3_bucket": "results",
        "result_key": "run/step-1/item-7/0a1b2c3d-0000-4000-8000-000000000001.json",
        "payload": PAYLOAD,
    }


DOCUMENTS = {
    # Equal to the byte when written again: no floats that only look like integers.
    "success": reserved(
        {
            "rewards": [0.25, 1],
            "empty_list": [],
            "empty_object": {},
            "nested": [[1, [2, {"a": None}]], True, False],
            "text": 'quote " backslash \\ slash / tab \t newline \n bell \x07 delete \x7f',
            "status_code": 200,
            "stop_reason": "end_turn",
        }
    ),
    "error": reserved(
        {
            "status_code": 500,
            "stop_reason": "division by zero",
            "traceback": 'Traceback (most recent call last):\n  File "agent.py", line 3, in main\nZeroDivisionError: division by zero\n',
        }
    ),
    # Readable only by a tolerant reader.
    "non-finite": reserved({"rewards": math.nan, "scores": [math.inf, -math.inf, 1e400, -0.0], "status_code": 200}),
    "big-integers": reserved({"rewards": 1.0, "ids": [2**53, 2**53 + 1, -(2**64), 10**30], "ratio": 0.1 + 0.2}),
}

for name, document in DOCUMENTS.items():
    (HERE / f"{name}.json").write_text(json.dumps(document, indent=2))
