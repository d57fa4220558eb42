import { describe, expect, it } from 'vitest';
import { overflowFailure, readContextOverflow } from './context-overflow.ts';

const vllm =
  "This model's maximum context length is 4096 tokens. However, your prompt contains 5000 input tokens, which exceeds this limit even without any output tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=5000)";

describe('an engine that says that the prompt does not fit', () => {
  it.each<[string, number | undefined, number | undefined]>([
    [vllm, 5000, 4096],
    [
      "This model's maximum context length is 4096 tokens. However, your prompt contains at least 9 input tokens",
      9,
      4096,
    ],
    ["Input length (5000) exceeds model's maximum context length (4096).", 5000, 4096],
    ['The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 5000, 4096],
    ["The input (5000 tokens) is longer than the model's context length (4096 tokens).", 5000, 4096],
    [
      "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 4200 tokens: 4000 tokens from the input messages and 200 tokens for the completion.",
      4000,
      4096,
    ],
    ['request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it', 5000, 4096],
    ['prompt length 5000 should not exceed max_seq_len 4096', 5000, 4096],
    [
      '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 1 `max_new_tokens`',
      5000,
      undefined,
    ],
    ['prompt is too long: 5000 tokens > 4096 maximum', 5000, 4096],
    ['Input is too long for requested model.', undefined, undefined],
    ['The input token count (5000) exceeds the maximum number of tokens allowed (4096).', 5000, 4096],
    ['max_tokens must be at least 1, got 0.', undefined, undefined],
    ['Your input exceeds the context window of this model.', undefined, undefined],
  ])('%s', (words, promptTokens, contextTokens) => {
    const overflow = readContextOverflow(400, words, undefined);
    expect(overflow).toEqual({ words, promptTokens, contextTokens });
    const chat = overflowFailure('chat', overflow!);
    expect(chat).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' });
    expect(chat.message).toMatch(/maximum context length/i);
    expect(overflowFailure('responses', overflow!)).toMatchObject({
      param: 'input',
      code: 'context_length_exceeded',
    });
    expect(overflowFailure('messages', overflow!).message).toMatch(/^prompt is too long/);
  });
});

it.each<[number, string, number | undefined]>([
  [400, 'max_tokens must be at least 1, got 0.', 0],
  [
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 4096 tokens and your request has 20 input tokens (9000 > 4096 - 20).",
    9000,
  ],
  [400, 'Unknown model', undefined],
  [429, 'Rate limit reached: too many tokens', undefined],
  [503, vllm, undefined],
])('takes %d %s for something else', (status, words, asked) => {
  expect(readContextOverflow(status, words, asked)).toBeUndefined();
});
