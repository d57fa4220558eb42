import {
  vllmChat as chatReply,
  vllmChatEvent,
  vllmChatStart,
  vllmCompletion,
  vllmUsageEvent,
  type VllmToken,
} from '@art/tooling/vllm-shapes';
import { prepareCall } from './prepare-call.fixture.ts';
import type { InjectionPlan, ReadPlan, PreparedCall } from './prepare-call.ts';

/** Sampled tokens of one choice. */
export interface Sampled {
  ids: number[];
  logprobs: number[];
  texts: string[];
  finishReason: string;
}

/** A call of an agent as the engine gets it; `body` without messages has one. */
export function preparedCall(
  body: Readonly<Record<string, unknown>> = {},
  plan: Partial<ReadPlan & InjectionPlan> = {},
): PreparedCall {
  const endpoint = plan.endpoint ?? 'chat';
  const content = endpoint === 'chat' ? { messages: [{ role: 'user', content: 'Hi' }] } : { prompt: 'Hi' };
  const prepared = prepareCall(Buffer.from(JSON.stringify({ model: 'm', ...content, ...body })), {
    flavour: 'vllm',
    endpoint,
    addLogprobs: true,
    addTokenIds: true,
    model: undefined,
    samplingParams: {},
    ...plan,
  });
  if (prepared === undefined) throw new Error('the body is no JSON object');
  return prepared;
}

/** Some tokens; the texts are the ids, so that every text is known by its place. */
export function sampled(count: number, seed = 0): Sampled {
  const numbers = Array.from({ length: count }, (_, index) => index + seed * 1000);
  return {
    ids: numbers.map((number) => 10 + number * 7),
    logprobs: numbers.map((number) => -Math.fround(((number % 97) + 1) / 31)),
    texts: numbers.map((number) => `t${number} `),
    finishReason: 'stop',
  };
}

function contentOf(choice: Sampled): string {
  return choice.texts.join('');
}

function chatLogprobs(choice: Sampled, from = 0, to = choice.ids.length): unknown {
  return {
    content: choice.logprobs.slice(from, to).map((logprob, index) => ({
      token: choice.texts[from + index],
      logprob,
      bytes: [...Buffer.from(choice.texts[from + index] ?? '')],
      top_logprobs: [],
    })),
  };
}

function completed(choices: readonly Sampled[]): number {
  return choices.reduce((sum, choice) => sum + choice.ids.length, 0);
}

function usage(prompt: number, choices: readonly Sampled[]): object {
  const completion = completed(choices);
  return { prompt_tokens: prompt, total_tokens: prompt + completion, completion_tokens: completion };
}

/** A whole chat reply of vLLM. */
export function vllmChat(prompt: readonly number[], choices: readonly Sampled[]): object {
  const counts = { promptTokens: prompt.length, completionTokens: completed(choices) };
  return chatReply(
    head,
    choices.map((choice, index) => ({
      index,
      content: contentOf(choice),
      logprobs: tokensOf(choice),
      finishReason: choice.finishReason,
      tokenIds: choice.ids,
    })),
    { ...counts, promptTokenIds: prompt },
  );
}

const head = { id: 'chatcmpl-1', model: 'm', created: 1 };

function tokensOf({ ids, texts, logprobs }: Sampled): VllmToken[] {
  return ids.map((id, at) => ({ id, text: texts[at] ?? '', logprob: logprobs[at] ?? null }));
}

/** The same as an agent gets it that asked for nothing. */
export function plainChat(prompt: readonly number[], choices: readonly Sampled[]): object {
  const reply = vllmChat(prompt, choices) as Record<string, unknown>;
  for (const name of ['prompt_token_ids', 'prompt_text', 'prompt_logprobs', 'kv_transfer_params'])
    delete reply[name];
  for (const choice of reply['choices'] as Record<string, unknown>[])
    for (const name of ['logprobs', 'stop_reason', 'token_ids', 'routed_experts']) delete choice[name];
  return reply;
}

/** The events of a chat stream of vLLM, `[DONE]` included: each token of each choice in its own event, interleaved. */
export function vllmChatEvents(prompt: readonly number[], choices: readonly Sampled[]): string[] {
  const events = choices.map((_, index) =>
    vllmChatStart(head, { index, promptTokenIds: index === 0 ? prompt : undefined }),
  );
  const longest = Math.max(...choices.map((choice) => choice.ids.length));
  for (let at = 0; at < longest; at += 1) {
    for (const [index, choice] of choices.entries()) {
      const token = tokensOf(choice)[at];
      if (token === undefined) continue;
      events.push(
        vllmChatEvent(head, {
          index,
          delta: { content: token.text },
          logprobs: [token],
          finishReason: at === choice.ids.length - 1 ? choice.finishReason : null,
          tokenIds: [token.id],
        }),
      );
    }
  }
  events.push(vllmUsageEvent(head, 'chat.completion.chunk', prompt.length, completed(choices)));
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
}

/** The events that an agent gets that asked for nothing special. */
export function plainChatEvents(choices: readonly Sampled[]): string {
  return vllmChatEvents([1], choices)
    .filter((event) => !event.includes('"choices":[],'))
    .map((event) => {
      if (event.includes('[DONE]')) return event;
      const value = JSON.parse(event.slice(6)) as { choices: Record<string, unknown>[] };
      for (const choice of value.choices) {
        delete choice['logprobs'];
        delete choice['token_ids'];
        delete choice['stop_reason'];
      }
      delete (value as Record<string, unknown>)['prompt_token_ids'];
      delete (value as Record<string, unknown>)['prompt_text'];
      return `data: ${JSON.stringify(value)}\n\n`;
    })
    .join('');
}

/** A whole chat reply of SGLang with `return_token_ids`. */
export function sglangChat(prompt: readonly number[], choices: readonly Sampled[]): object {
  return {
    id: 'r1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: choices.map((choice, index) => ({
      index,
      message: { role: 'assistant', content: contentOf(choice), reasoning_content: null, tool_calls: null },
      logprobs: chatLogprobs(choice),
      finish_reason: choice.finishReason,
      matched_stop: null,
      prompt_token_ids: prompt,
      token_ids: choice.ids,
    })),
    usage: usage(prompt.length, choices),
    metadata: { weight_version: '7' },
  };
}

/** The events of a chat stream of SGLang: the ids come once, in the `sglext` of an event before the last. */
export function sglangChatEvents(prompt: readonly number[], choices: readonly Sampled[]): string[] {
  const head = { id: 'r1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const nothing = { role: null, content: null, reasoning_content: null, tool_calls: null };
  const events: object[] = [];
  for (const [index, choice] of choices.entries()) {
    const part = (delta: object, rest: object): object => ({
      ...head,
      choices: [{ index, delta: { ...nothing, ...delta }, ...rest, matched_stop: null }],
      usage: null,
    });
    events.push(part({ role: 'assistant', content: '' }, { logprobs: null, finish_reason: null }));
    for (const [at, content] of choice.texts.entries()) {
      events.push(part({ content }, { logprobs: chatLogprobs(choice, at, at + 1), finish_reason: null }));
    }
    events.push(part({}, { logprobs: null, finish_reason: choice.finishReason }));
  }
  const ids = { input_ids: prompt, output_ids: choices.map((choice) => choice.ids) };
  events.push({ ...head, choices: [], usage: null, sglext: ids });
  events.push({ ...head, choices: [], usage: usage(prompt.length, choices) });
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'];
}

/** A whole completions reply of vLLM. */
export function vllmCompletions(prompt: readonly number[], choices: readonly Sampled[]): object {
  return vllmCompletion(
    { ...head, id: 'cmpl-1' },
    choices.map((choice, index) => ({
      index,
      text: contentOf(choice),
      logprobs: tokensOf(choice),
      finishReason: choice.finishReason,
      tokenIds: choice.ids,
      promptTokenIds: prompt,
    })),
    { promptTokens: prompt.length, completionTokens: completed(choices) },
  );
}

export function bytesOf(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
