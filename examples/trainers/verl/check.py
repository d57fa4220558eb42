"""Groups in the format `verl`, JSON on stdin: to `DataProto`, advantage and policy loss by verl's own code. Run by `pnpm engines`."""

import json
import sys
from types import SimpleNamespace

import torch
from art_verl import to_batch, to_outputs, with_advantages
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast
from verl.trainer.ppo.core_algos import compute_policy_loss_vanilla
from verl.workers.config import ActorConfig

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE({"a": 0}, [])), pad_token="a")
groups = json.load(sys.stdin)
outputs = to_outputs(groups)
longest = SimpleNamespace(
    prompt_length=max(len(output.prompt_ids) for output in outputs),
    response_length=max(len(output.response_ids) for output in outputs),
)
data = with_advantages(to_batch(outputs, longest, tokenizer), outputs)
batch, mask = data.batch, data.batch["response_mask"]
advantages = batch["advantages"]
sampled = batch["rollout_log_probs"].requires_grad_(False)
current = sampled.clone().requires_grad_(True)
config = ActorConfig(strategy="fsdp", rollout_n=1, ppo_micro_batch_size_per_gpu=1, clip_ratio=0.2)
loss, _ = compute_policy_loss_vanilla(sampled, current, advantages, mask, config=config)
loss.backward()
print(json.dumps({
    "responses": [batch["responses"][place][: len(output.response_ids)].tolist() for place, output in enumerate(outputs)],
    "scores": batch["rm_scores"].sum(-1).tolist(),
    "advantages": [(advantages[place] * mask[place]).sum().item() / max(1, mask[place].sum().item()) for place in range(len(outputs))],
    "logprobs": [sampled[place][: len(output.response_ids)].tolist() for place, output in enumerate(outputs)],
    "loss": loss.item(),
    "gradient_outside_of_mask": (current.grad * (1 - mask)).abs().max().item(),
    "gradient": current.grad.abs().sum().item(),
}))  # fmt: skip
