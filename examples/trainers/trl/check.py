"""Shows whose logprobs TRL's loss takes for those of the policy that sampled.

    python check.py POLICY_FOLDER

One update for each of four cases, on rollouts that are made up: TRL's own trainer and ours, with the logprobs of the policy itself
and with ones that are 1.0 too high. Where the loss uses them, the ratio of the second is exp(-1), which is clipped. Prints JSON.
"""

import json
import sys
import tempfile

import torch
from art_trl import ArtGRPOTrainer
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, GRPOTrainer


def clipped(make, moved_by):
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(sys.argv[1], padding_side="left")

    def rollouts(prompts, trainer):
        prompt, completions = [0, 1], torch.randint(0, 8, (len(prompts), 4))
        tokens = torch.cat([torch.tensor([prompt] * len(prompts)), completions], dim=1)
        with torch.no_grad():
            logits = trainer.model(input_ids=tokens).logits[:, 1:-1]
        logprobs = logits.log_softmax(-1).gather(-1, completions[..., None]).squeeze(-1)
        return {
            "prompt_ids": [prompt] * len(prompts),
            "completion_ids": completions.tolist(),
            "logprobs": (logprobs + moved_by).tolist(),
            "env_mask": [[1] * 4] * len(prompts),
            "reward": [float(index % 2) for index in range(len(prompts))],
        }

    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(
            output_dir=folder, use_cpu=True, bf16=False, per_device_train_batch_size=8, num_generations=4, max_steps=1,
            num_iterations=2, beta=0.0, logging_steps=1, save_strategy="no", report_to=[], disable_tqdm=True,
        )  # fmt: skip
        trainer = make(
            model=model, processing_class=tokenizer, reward_funcs=lambda reward, **_: reward, args=config,
            train_dataset=Dataset.from_list([{"prompt": "{}"}] * 8), rollout_func=rollouts,
        )  # fmt: skip
        trainer.train()
        return next(entry["clip_ratio/region_mean"] for entry in trainer.state.log_history if "clip_ratio/region_mean" in entry)


if __name__ == "__main__":
    cases = {"stock": GRPOTrainer, "art": ArtGRPOTrainer}
    print(json.dumps({name: {"exact": clipped(make, 0.0), "moved": clipped(make, 1.0)} for name, make in cases.items()}))
