"""The logprobs that PyTorch gives to tokens: what an engine says is compared with them.

    python score.py FOLDER

Reads lines {"token_ids": [...], "prompt_length": n} and answers each with the list of the logprobs behind the prompt.
"""

import json
import sys

import torch
from transformers import AutoModelForCausalLM

if __name__ == "__main__":
    model = AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32)
    with torch.no_grad():
        for line in sys.stdin:
            row = json.loads(line)
            token_ids = torch.tensor([row["token_ids"]])
            start = row["prompt_length"]
            logits = model(input_ids=token_ids).logits[0, start - 1 : -1]
            sampled = token_ids[0, start:, None]
            print(json.dumps(logits.log_softmax(-1).gather(-1, sampled).squeeze(-1).tolist()), flush=True)
