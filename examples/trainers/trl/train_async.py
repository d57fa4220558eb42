"""Learns the two-turn lookup of examples/learn with TRL's `AsyncGRPOTrainer`, through `art collect`, on a real vLLM. Run by `pnpm engines`.

    python train_async.py --collect URL --engine URL --policy FOLDER --out FOLDER [--updates N]
"""

import argparse
import json
import os
import shutil
from types import SimpleNamespace

import torch
from art_collect import ArtCollect
from art_trl_async import ArtRolloutWorker, ArtWeightTransfer
from datasets import Dataset
from safetensors.torch import save_file
from train import lookups, post_to
from transformers import AutoTokenizer
from trl.experimental.async_grpo import AsyncGRPOConfig, AsyncGRPOTrainer, async_grpo_trainer, packing


def run_on_cpu():
    """TRL 1.16 asks CUDA how fast it is, and takes its attention from a CUDA kernel. Both have an equivalent."""

    def attention(query, key, value, cu_q, cu_k, *_, softmax_scale, **__):
        out, repeat = [], query.shape[1] // key.shape[1]
        for q0, q1, k0, k1 in zip(cu_q[:-1], cu_q[1:], cu_k[:-1], cu_k[1:]):
            q, k, v = (x.transpose(0, 1) for x in (query[q0:q1], key[k0:k1], value[k0:k1]))
            rows, columns = torch.arange(q.shape[1])[:, None], torch.arange(k.shape[1])[None]
            mask = columns <= rows + k.shape[1] - q.shape[1]
            k, v = (x.repeat_interleave(repeat, dim=0) for x in (k, v))
            out.append(torch.nn.functional.scaled_dot_product_attention(q, k, v, mask, scale=softmax_scale).transpose(0, 1))
        return torch.cat(out)

    async_grpo_trainer.get_peak_flops_per_device = lambda *_, **__: 1e12
    packing._flash_attn = lambda: SimpleNamespace(flash_attn_varlen_func=attention)


def weights_loader(engine, policy, folder):
    """Saves the weights where vLLM, on this machine, reads them."""
    shutil.copytree(policy, folder, dirs_exist_ok=True)

    def load(weights, version):
        save_file({name: tensor.detach().clone().contiguous() for name, tensor in weights}, os.path.join(folder, "model.safetensors"))
        post_to(engine, "/collective_rpc", {"method": "reload_weights", "kwargs": {"weights_path": folder}})
        post_to(engine, "/reset_prefix_cache", {})

    return load


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("collect", "engine", "policy", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reconnect-s", type=float, default=120)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    run_on_cpu()
    size, groups_per_step, max_staleness = 16, 8, 2
    collect = ArtCollect(args.collect, reconnect_s=args.reconnect_s)
    payloads = [json.loads(example["prompt"]) for example in lookups(args.seed, args.updates + max_staleness + 3)]
    worker = ArtRolloutWorker(
        collect,
        run=f"trl-async-{args.seed}",
        payloads=payloads,
        size=size,
        groups_per_step=groups_per_step,
        max_staleness=max_staleness,
        sampling={"temperature": 1},
    )
    transfer = ArtWeightTransfer(collect, weights_loader(args.engine, args.policy, os.path.join(os.path.abspath(args.out), "weights")))
    config = AsyncGRPOConfig(
        output_dir=args.out,
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        per_device_train_batch_size=size * groups_per_step,
        num_generations=size,
        # Without one TRL asks its own vLLM how long a sequence may be.
        token_budget=0,
        max_staleness=max_staleness,
        max_steps=args.updates,
        learning_rate=2e-3,
        adam_beta2=0.999,
        epsilon=0.2,
        epsilon_high=0.28,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        seed=args.seed,
    )
    trainer = AsyncGRPOTrainer(
        model=args.policy,
        processing_class=AutoTokenizer.from_pretrained(args.policy, padding_side="left"),
        # TRL wants both; the agent has the prompts and gives the rewards.
        reward_funcs=lambda completions, **_: [0.0] * len(completions),
        train_dataset=Dataset.from_list([{"prompt": "{}"}] * len(payloads)),
        args=config,
        rollout_worker=worker,
        weight_transfer=transfer,
        callbacks=[worker],
    )
    trainer.train()
    with open(os.path.join(args.out, "log.jsonl"), "w") as file:
        for entry in trainer.state.log_history:
            file.write(json.dumps(entry) + "\n")
