"""What SkyRL's JAX backend takes of PEFT, which brings PyTorch with it: the file beside an adapter."""

import json
import os


class LoraConfig:
    def __init__(self, base_model_name_or_path=None, r=8, lora_alpha=8, **_):
        self.fields = {
            "peft_type": "LORA",
            "base_model_name_or_path": base_model_name_or_path,
            "r": r,
            "lora_alpha": lora_alpha,
        }

    def save_pretrained(self, folder):
        with open(os.path.join(folder, "adapter_config.json"), "w") as file:
            json.dump(self.fields, file)
