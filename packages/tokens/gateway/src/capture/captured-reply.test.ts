import { describe, expect, it } from 'vitest';
import { captureStatus } from './captured-reply.ts';
import { captureReply } from './capture-reply.ts';
import { bytesOf, preparedCall, sampled, vllmChat } from './engine-replies.fixture.ts';

interface Reply {
  prompt_token_ids?: unknown;
  choices: { [name: string]: unknown; logprobs?: { content: { logprob?: unknown }[] } | null }[];
  usage: Record<string, unknown> | null;
}

function problemsOf(change: (reply: Reply) => void, body: Record<string, unknown> = {}): readonly string[] {
  const reply = vllmChat([1, 2, 3], [sampled(4)]) as Reply;
  change(reply);
  const { captured } = captureReply(bytesOf(reply), preparedCall(body));
  const [choice] = captured.choices;
  if (choice === undefined) throw new Error('no choice was read');
  expect(captureStatus(choice, captured)).toBe(choice.problems.length > 0 ? 'incomplete' : 'complete');
  return choice.problems;
}

const kindOf = (problem: string): string => problem.split(':', 1)[0]!;
const first = (reply: Reply): Reply['choices'][number] => reply.choices[0] as Reply['choices'][number];
const logprobs = (reply: Reply): { logprob?: unknown }[] => first(reply).logprobs?.content ?? [];

describe('the checks of a capture', () => {
  it('find nothing in a true one', () => {
    expect(problemsOf(() => {})).toEqual([]);
  });

  it('take what vLLM writes for minus infinity', () => {
    expect(problemsOf((reply) => (logprobs(reply)[1] = { logprob: -9999 }))).toEqual([]);
  });

  it('do without counts that the engine does not give', () => {
    expect(problemsOf((reply) => (reply.usage = null))).toEqual([]);
  });

  it.each<[string, (reply: Reply) => void]>([
    ['no_token_ids', (reply) => delete first(reply)['token_ids']],
    ['no_prompt_token_ids', (reply) => delete reply.prompt_token_ids],
    ['no_logprobs', (reply) => (first(reply).logprobs = null)],
    ['token_id', (reply) => (first(reply)['token_ids'] = [1, null, 3, 4])],
    ['token_id', (reply) => (reply.prompt_token_ids = [1, 2.5, 3])],
    ['logprob', (reply) => (logprobs(reply)[2] = { logprob: null })],
    ['logprob', (reply) => (logprobs(reply)[0] = {})],
    ['logprob', (reply) => (logprobs(reply)[3] = { logprob: 0.001 })],
    ['logprob_count', (reply) => logprobs(reply).pop()],
    ['completion_count', (reply) => (reply.usage = { prompt_tokens: 3, completion_tokens: 5 })],
    ['prompt_count', (reply) => (reply.usage = { prompt_tokens: 2, completion_tokens: 4 })],
    ['no_finish_reason', (reply) => (first(reply)['finish_reason'] = null)],
    ['no_finish_reason', (reply) => (first(reply)['finish_reason'] = '')],
    ['aborted', (reply) => (first(reply)['finish_reason'] = 'abort')],
    ['aborted', (reply) => (first(reply)['finish_reason'] = 'cancelled')],
    ['aborted', (reply) => (first(reply)['finish_reason'] = 'timeout')],
  ])('find %s', (kind, change) => {
    const problems = problemsOf(change);
    expect(problems.map(kindOf)).toEqual([kind]);
  });

  it('keep a null among the logprobs in its place', () => {
    const reply = vllmChat([1], [sampled(3)]) as Reply;
    logprobs(reply)[1] = { logprob: null };
    const { captured } = captureReply(bytesOf(reply), preparedCall());
    const [a, b, c] = sampled(3).logprobs;
    expect([...(captured.choices[0]?.logprobs ?? [])]).toEqual([a, Number.NaN, c]);
    expect(b).not.toBeNaN();
  });

  it('find a choice that did not come', () => {
    expect(problemsOf(() => {}, { n: 2 }).map(kindOf)).toEqual(['choice_count']);
  });
});
