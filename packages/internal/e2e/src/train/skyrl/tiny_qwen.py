"""Writes a random Qwen3 of 120,640 weights with a tokenizer of letters, without PyTorch."""

import json
import os
import sys

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, decoders, models

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
random = np.random.default_rng(0)
marks = ["<|user|>", "<|assistant|>", "<|end|>"]
words = [*map(chr, range(97, 123)), *" .?!0123456789", *marks]
vocabulary = {token: at for at, token in enumerate(words)}
tokenizer = Tokenizer(models.BPE(vocabulary, merges=[], unk_token="<|end|>"))
tokenizer.decoder = decoders.Fuse()
tokenizer.add_special_tokens(marks)
tokenizer.save(f"{folder}/tokenizer.json")


def write(name, content):
    with open(f"{folder}/{name}", "w") as file:
        json.dump(content, file)


template = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
write(
    "tokenizer_config.json",
    {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|end|>", "pad_token": "<|end|>", "model_max_length": 512, "chat_template": template},
)
size, hidden, inner, layers, heads, head = len(words), 64, 128, 2, 4, 32
end = vocabulary["<|end|>"]
write(
    "config.json",
    {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": size,
        "hidden_size": hidden,
        "intermediate_size": inner,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": heads,
        "head_dim": head,
        "max_position_embeddings": 512,
        "tie_word_embeddings": False,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "attention_bias": False,
        "attention_dropout": 0.0,
        "initializer_range": 0.1,
        "dtype": "float32",
        "torch_dtype": "float32",
        "eos_token_id": end,
        "pad_token_id": end,
        "bos_token_id": None,
        "use_sliding_window": False,
    },
)


def normal(*shape):
    return (random.standard_normal(shape) * 0.1).astype(np.float32)


def ones(length):
    return np.ones(length, np.float32)


tensors = {"model.embed_tokens.weight": normal(size, hidden), "model.norm.weight": ones(hidden)}
tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"].copy()
for layer in range(layers):
    at = f"model.layers.{layer}."
    for kind in "qkv":
        tensors[f"{at}self_attn.{kind}_proj.weight"] = normal(heads * head, hidden)
    tensors[f"{at}self_attn.o_proj.weight"] = normal(hidden, heads * head)
    tensors[f"{at}self_attn.q_norm.weight"] = ones(head)
    tensors[f"{at}self_attn.k_norm.weight"] = ones(head)
    tensors[f"{at}mlp.gate_proj.weight"] = normal(inner, hidden)
    tensors[f"{at}mlp.up_proj.weight"] = normal(inner, hidden)
    tensors[f"{at}mlp.down_proj.weight"] = normal(hidden, inner)
    tensors[f"{at}input_layernorm.weight"] = ones(hidden)
    tensors[f"{at}post_attention_layernorm.weight"] = ones(hidden)
save_file(tensors, f"{folder}/model.safetensors", metadata={"format": "pt"})
