"""Makes the policy that is to learn: a Qwen3 of 118,000 random weights, and a tokenizer of 24 tokens.

    python make_policy.py FOLDER SEED WORD...

The words, of two letters each, are what the task is about. The tokenizer has a token for each of them, for each of their
letters, and four marks: the policy can write a word as one token or as two, as large models can.
"""

import sys

import torch
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

MARKS = ["<|user|>", "<|assistant|>", "<|tool|>", "<|end|>"]
CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def make_tokenizer(words):
    letters = sorted({letter for word in words for letter in word})
    vocabulary = {text: token_id for token_id, text in enumerate([*letters, *words, *MARKS])}
    # vLLM encodes text of its own when it starts: letters that are not here have to become something.
    model = models.BPE(vocabulary, merges=[tuple(word) for word in words], unk_token="<|end|>")
    tokenizer = Tokenizer(model)
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        additional_special_tokens=MARKS,
        eos_token="<|end|>",
        pad_token="<|end|>",
        chat_template=CHAT_TEMPLATE,
    )


def make_model(tokenizer, seed):
    torch.manual_seed(seed)
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
            max_position_embeddings=256,
            # vLLM 0.32 keeps the old output matrix when it loads new weights of a model that shares it with the input.
            tie_word_embeddings=False,
            # The usual 0.02 makes so small a model start too flat: it learns many times slower.
            initializer_range=0.1,
            bos_token_id=None,
            eos_token_id=end,
            pad_token_id=end,
        )
    )
    # The two begin alike: the task is to say words that were read.
    model.lm_head.weight.data.copy_(model.model.embed_tokens.weight.data)
    return model


if __name__ == "__main__":
    folder, seed, *words = sys.argv[1:]
    tokenizer = make_tokenizer(words)
    model = make_model(tokenizer, int(seed))
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    print(f"{sum(weight.numel() for weight in model.parameters())} weights, {len(tokenizer)} tokens")
