"""Computes a step in PyTorch from the checkpoint that we wrote, in float64, and says how far our gradients, weights and logprobs are from it."""

import json
import os
import sys

import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

given = json.load(sys.stdin)
model = AutoModelForCausalLM.from_pretrained(given["before"], dtype=torch.float32).double()
loss_name, bounds = given["loss"]["name"], (given["loss"].get("clipLow"), given["loss"].get("clipHigh"))

total = torch.zeros((), dtype=torch.float64)
logprob_gap = 0.0
for row, ours in zip(given["rows"], given["logprobs"]):
    tensor = lambda name: torch.tensor(row[name], dtype=torch.float64)
    logits = model(input_ids=torch.tensor([row["tokens"]])).logits[0]
    current = logits.log_softmax(-1).gather(-1, torch.tensor(row["targets"])[:, None]).squeeze(-1)
    logprob_gap = max(logprob_gap, (current.detach() - torch.tensor(ours, dtype=torch.float64)).abs().max().item())
    weights = tensor("weights")
    if loss_name == "cross_entropy":
        total = total - (weights * current).sum()
        continue
    ratio, advantages = (current - tensor("logprobs")).exp(), tensor("advantages")
    if loss_name == "importance_sampling":
        gain = ratio * advantages
    elif loss_name == "ppo":
        gain = torch.minimum(ratio * advantages, ratio.clamp(*bounds) * advantages)
    else:
        gain = ratio.clamp(*bounds).detach() * current * advantages
    total = total - (weights * gain).sum()

adam = given["adam"]
optimizer = torch.optim.AdamW(
    model.parameters(),
    lr=adam["learningRate"],
    betas=(float(adam["beta1"]), float(adam["beta2"])),
    eps=adam["eps"],
    weight_decay=adam["weightDecay"],
)
total.backward()
state, after = load_file(given["state"]), load_file(os.path.join(given["after"], "model.safetensors"))
gradient_gap = largest = 0.0
for name, parameter in model.named_parameters():
    # With beta1 = 0 the running mean is the gradient.
    ours = state[f"adam.mean.{name}"].double().view_as(parameter)
    largest = max(largest, parameter.grad.abs().max().item())
    gradient_gap = max(gradient_gap, (parameter.grad - ours).abs().max().item())
optimizer.step()
weight_gap = max((parameter.detach() - after[name].double()).abs().max().item() for name, parameter in model.named_parameters())
print(json.dumps({"loss": total.item(), "logprob_gap": logprob_gap, "gradient_gap": gradient_gap, "largest": largest, "weight_gap": weight_gap}))
