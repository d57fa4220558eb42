import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessage,
} from 'openai/resources/chat/completions';
import { expect, it } from 'vitest';
import { chatCompletion, chatCompletionChunks } from './chat-completion.ts';
import type { ChatRequest } from './chat-request.ts';
import type { ScriptedReply } from './choose-reply.ts';

const tools = [{ type: 'function', function: { name: 'calculator' } }];
const asked = { return_token_ids: true, logprobs: true };
const request: ChatRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'How many? 🙂' }],
  tools,
  stream_options: { include_usage: true },
  ...asked,
};
const call: ScriptedReply = {
  kind: 'call',
  content: 'Step 1:\n 2 * 3. ',
  callId: 'call_1',
  expression: '2 * 3',
};
const reply: ScriptedReply = { kind: 'give_up', content: 'No idea. ü' };

type WithTokens<Whole> = Whole & {
  prompt_token_ids?: number[];
  choices: { token_ids?: number[]; logprobs: { content: { logprob: number }[] } | null }[];
};

function whole(from: ChatRequest, said: ScriptedReply): WithTokens<ChatCompletion> {
  return chatCompletion(from, said) as WithTokens<ChatCompletion>;
}

it.each([call, reply])('gives the same ids and logprobs in one piece and in parts: $kind', (said) => {
  const one = whole(request, said);
  const parts = [...chatCompletionChunks(request, said)] as WithTokens<ChatCompletionChunk>[];
  const choices = parts.flatMap((part) => part.choices);
  const ids = one.choices[0]!.token_ids!;
  expect(parts[0]!.prompt_token_ids).toEqual(one.prompt_token_ids);
  expect(choices.flatMap((choice) => choice.token_ids)).toEqual(ids);
  expect(choices.flatMap((choice) => choice.logprobs!.content)).toEqual(one.choices[0]!.logprobs!.content);
  expect(one.choices[0]!.logprobs!.content).toHaveLength(ids.length);
  for (const { logprob } of one.choices[0]!.logprobs!.content) expect(logprob).toBeLessThan(0);
  expect(one.usage).toMatchObject({
    prompt_tokens: one.prompt_token_ids!.length,
    completion_tokens: ids.length,
  });
  expect(parts.at(-1)!.usage).toEqual(one.usage);
});

it('goes on in a prompt from the very tokens that it sampled', () => {
  const first = whole(request, call);
  const message: ChatCompletionMessage = first.choices[0]!.message;
  const messages = [
    ...request.messages,
    JSON.parse(JSON.stringify(message)) as ChatRequest['messages'][number],
    { role: 'tool', tool_call_id: 'call_1', content: '6' },
  ];
  const second = whole({ ...request, messages }, reply);
  const before = [...first.prompt_token_ids!, ...first.choices[0]!.token_ids!];
  expect(second.prompt_token_ids!.slice(0, before.length)).toEqual(before);
});

it('tells nothing of tokens to who does not ask', () => {
  const { return_token_ids: _ids, logprobs: _logprobs, ...plain } = request;
  for (const answer of [chatCompletion(plain, call), ...chatCompletionChunks(plain, call)]) {
    expect(JSON.stringify(answer)).not.toMatch(/token_ids|"logprob"/);
  }
});
