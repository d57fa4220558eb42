import {
  vllmCallPiece,
  vllmCallStart,
  vllmChat,
  vllmChatEvent,
  vllmChatStart,
} from '@art/tooling/vllm-shapes';
import type { WireTranslation, WireTranslationOptions } from './wire-translation.ts';

/** The words of a scripted engine on the chat wire. */
export interface ScriptedAnswer {
  reasoning?: string;
  content?: string | null;
  toolCalls?: readonly { id: string; name: string; arguments: string }[];
  finishReason?: string;
  stopReason?: string;
  usage?: Record<string, unknown>;
}

const head = { id: 'chatcmpl-1', model: 'engine-model', created: 1 };
const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A whole chat reply of vLLM, to a call that asked for no tokens. */
export function chatReply(answer: ScriptedAnswer): string {
  const { content = null, reasoning = null, toolCalls = [] } = answer;
  const choice = { index: 0, content, reasoning, toolCalls, finishReason: finishOf(answer) };
  const reply = vllmChat(head, [{ ...choice, logprobs: null, tokenIds: null }], {
    promptTokenIds: null,
    promptTokens: 11,
    completionTokens: 7,
  }) as { choices: [object]; usage: object };
  const stop = answer.stopReason === undefined ? {} : { stop_reason: answer.stopReason };
  return JSON.stringify({
    ...reply,
    choices: [{ ...reply.choices[0], ...stop }],
    ...(answer.usage && { usage: answer.usage }),
  });
}

/** The same answer as chunks, its texts in pieces of `size` characters. */
export function chatChunks(answer: ScriptedAnswer, size = 3): string[] {
  const deltas: object[] = [];
  for (const text of pieces(answer.reasoning ?? '', size)) deltas.push({ reasoning: text });
  for (const text of pieces(answer.content ?? '', size)) deltas.push({ content: text });
  for (const [index, call] of (answer.toolCalls ?? []).entries()) {
    deltas.push(vllmCallStart(index, call.id, call.name));
    for (const text of pieces(call.arguments, size)) deltas.push(vllmCallPiece(index, text));
  }
  const last = vllmChatEvent(head, {
    index: 0,
    delta: {},
    logprobs: null,
    finishReason: finishOf(answer),
  }) as { choices: [object] };
  const stop = answer.stopReason === undefined ? {} : { stop_reason: answer.stopReason };
  return [
    JSON.stringify(vllmChatStart(head, { index: 0 })),
    ...deltas.map((delta) => JSON.stringify(vllmChatEvent(head, { index: 0, delta, logprobs: null }))),
    JSON.stringify({ ...last, choices: [{ ...last.choices[0], ...stop }] }),
    chunk([], answer.usage ?? usage),
  ];
}

function finishOf({ finishReason, toolCalls }: ScriptedAnswer): string {
  return finishReason ?? (toolCalls === undefined ? 'stop' : 'tool_calls');
}

export function chunk(choices: unknown[], chunkUsage?: unknown): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'engine-model',
    choices,
    ...(chunkUsage === undefined ? {} : { usage: chunkUsage }),
  });
}

function pieces(text: string, size: number): string[] {
  const characters = Array.from(text);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}

/** A `fetch` for a client of the agent's: translates each request and answers it from a script, in order. */
export function scriptedFetch(
  translate: (body: string, options?: WireTranslationOptions) => WireTranslation,
  answers: readonly ScriptedAnswer[],
  options: WireTranslationOptions = {},
): { fetch: typeof fetch; chatBodies: { messages: unknown[] }[] } {
  const chatBodies: { messages: unknown[] }[] = [];
  const scripted = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const translation = translate(init?.body as string, options);
    const answer = answers[chatBodies.length];
    chatBodies.push(JSON.parse(translation.chatBody) as { messages: unknown[] });
    if (answer === undefined) return Promise.reject(new Error('The script has no further answer.'));
    if (!translation.stream) {
      return new Response(translation.reply(chatReply(answer)), {
        headers: { 'content-type': 'application/json' },
      });
    }
    const stream = translation.openStream();
    const events = [...chatChunks(answer).map((json) => stream.push(json)), stream.finish()];
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch: scripted, chatBodies };
}
