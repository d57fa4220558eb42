import { Tokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import type { TrainerRow } from './learn.ts';
import { spoil, type Spoiling } from './spoil.ts';

// a, b, the word "ab", and a mark.
const tokenizer = new Tokenizer(
  {
    model: { type: 'BPE', vocab: { a: 0, b: 1, ab: 2, '<|end|>': 3 }, merges: [['a', 'b']] },
    added_tokens: [{ id: 3, content: '<|end|>', special: true }],
    decoder: { type: 'Fuse' },
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
  },
  {},
);

// Two turns: "ab" as two letters and the end mark, a bridge of two tokens, then "b".
const row: TrainerRow = {
  token_ids: [3, 2, 0, 1, 3, 2, 3, 1],
  prompt_length: 2,
  loss_mask: [1, 1, 1, 0, 0, 1],
  logprobs: [-1, -2, -3, 0, 0, -4],
  advantages: [0.5, 0.5, 0.5, 0, 0, 0.5],
};

function spoilt(kind: Spoiling): TrainerRow {
  return spoil(row, kind, tokenizer);
}

describe('spoil', () => {
  it('moves the logprobs, and nothing else', () => {
    expect(spoilt('shift-logprobs')).toEqual({ ...row, logprobs: [0, -1, -2, -3, 0, 0] });
  });

  it('moves all that belongs to a token, but not the tokens', () => {
    expect(spoilt('late-mask')).toEqual({
      ...row,
      loss_mask: [0, 1, 1, 1, 0, 0],
      logprobs: [0, -1, -2, -3, 0, 0],
      advantages: [0, 0.5, 0.5, 0.5, 0, 0],
    });
  });

  it('writes what was sampled as text and reads it again, each turn by itself', () => {
    expect(spoilt('retokenise')).toEqual({
      token_ids: [3, 2, 2, 2, 3, 1],
      prompt_length: 2,
      loss_mask: [1, 0, 0, 1],
      logprobs: [null, 0, 0, null],
      advantages: [0.5, 0, 0, 0.5],
    });
  });

  it('trains on every token but the first, and leaves what the engine did not sample to the trainer', () => {
    expect(spoilt('whole-loss')).toEqual({
      token_ids: row.token_ids,
      prompt_length: 1,
      loss_mask: [1, 1, 1, 1, 1, 1, 1],
      logprobs: [null, -1, -2, -3, null, null, -4],
      advantages: Array.from({ length: 7 }, () => 0.5),
    });
  });
});
