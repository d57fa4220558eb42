"""Makes a Qwen3 of 19 million random weights for a tokenizer that is in the folder already.

    python make_model.py FOLDER SEED
"""

import sys

import torch
from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM

if __name__ == "__main__":
    folder, seed = sys.argv[1:]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(int(seed))
    end = tokenizer.eos_token_id
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            head_dim=32,
            max_position_embeddings=4096,
            # vLLM 0.32 keeps the old output matrix when it loads new weights of a model that shares it with the input.
            tie_word_embeddings=False,
            # At the usual 0.02 all tokens of so small a model are equally likely, and nothing would tell two weights apart.
            initializer_range=0.2,
            bos_token_id=None,
            eos_token_id=end,
            pad_token_id=end,
        )
    )
    model.save_pretrained(folder)
