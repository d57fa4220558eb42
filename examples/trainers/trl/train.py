"""Learns the two-turn lookup of examples/learn with TRL, through `art collect`, on a real vLLM. Run by `pnpm engines`.

    python train.py --collect URL --engine URL --policy FOLDER --out FOLDER [--updates N] [--stock]
"""

import argparse
import json
import os
import random
import urllib.request

import torch
from art_collect import ArtCollect
from art_trl import ArtGRPOTrainer, ArtRollouts, art_reward
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, GRPOTrainer

WORDS = ["ba", "de", "fi", "go", "ka", "le", "mi", "no"]


def lookups(seed, steps):
    """Every word is a key once and a value once in each step, and no key is its own value."""
    draw = random.Random(seed)
    for _ in range(steps):
        distance = draw.randint(1, len(WORDS) - 1)
        for index, key in enumerate(WORDS):
            yield {"prompt": json.dumps({"key": key, "value": WORDS[(index + distance) % len(WORDS)]})}


def post_to(engine, path, body):
    request = urllib.request.Request(engine + path, json.dumps(body).encode(), {"content-type": "application/json"})
    urllib.request.urlopen(request, timeout=60).read()


def weights_loader(engine, folder):
    """Saves the weights where vLLM, on this machine, reads them."""

    def load(model, version):
        model.save_pretrained(folder)
        post_to(engine, "/collective_rpc", {"method": "reload_weights", "kwargs": {"weights_path": folder}})
        post_to(engine, "/reset_prefix_cache", {})

    return load


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("collect", "engine", "policy", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stock", action="store_true", help="TRL's own trainer, which does not use the engine's logprobs")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.manual_seed(args.seed)
    rollouts = ArtRollouts(
        ArtCollect(args.collect),
        run=f"trl-{args.seed}",
        load_weights=weights_loader(args.engine, os.path.join(os.path.abspath(args.out), "weights")),
        sampling={"temperature": 1},
    )
    config = GRPOConfig(
        output_dir=args.out,
        use_cpu=True,
        bf16=False,
        per_device_train_batch_size=128,
        num_generations=16,
        max_completion_length=64,
        max_steps=args.updates,
        num_iterations=2,
        learning_rate=2e-3,
        lr_scheduler_type="constant",
        adam_beta2=0.999,
        epsilon=0.2,
        epsilon_high=0.28,
        beta=0.0,
        # One advantage for each rollout, whatever its length, over all tokens that train.
        loss_type="dapo",
        shuffle_dataset=False,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        seed=args.seed,
    )
    make = GRPOTrainer if args.stock else ArtGRPOTrainer
    trainer = make(
        model=AutoModelForCausalLM.from_pretrained(args.policy, dtype=torch.float32),
        processing_class=AutoTokenizer.from_pretrained(args.policy, padding_side="left"),
        reward_funcs=art_reward,
        args=config,
        train_dataset=Dataset.from_list(list(lookups(args.seed, args.updates))),
        rollout_func=rollouts,
        callbacks=[rollouts],
    )
    trainer.train()
    with open(os.path.join(args.out, "log.jsonl"), "w") as file:
        for entry in trainer.state.log_history:
            file.write(json.dumps(entry) + "\n")
