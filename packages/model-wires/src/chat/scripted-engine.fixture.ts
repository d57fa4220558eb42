import type { WireTranslation, WireTranslationOptions } from './wire-translation.ts';

/** What a scripted engine is to say, as the chat wire has it. */
export interface ScriptedAnswer {
  reasoning?: string;
  content?: string | null;
  toolCalls?: readonly { id: string; name: string; arguments: string }[];
  finishReason?: string;
  stopReason?: string;
  usage?: Record<string, unknown>;
}

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** A whole chat reply in vLLM's shape. */
export function chatReply(answer: ScriptedAnswer): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'engine-model',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.content ?? null,
          reasoning_content: answer.reasoning ?? null,
          tool_calls: (answer.toolCalls ?? []).map(toolCall),
        },
        logprobs: null,
        finish_reason: answer.finishReason ?? (answer.toolCalls === undefined ? 'stop' : 'tool_calls'),
        ...(answer.stopReason === undefined ? {} : { stop_reason: answer.stopReason }),
      },
    ],
    usage: answer.usage ?? usage,
  });
}

/** The same answer as chunks, its texts in pieces of `size` characters. */
export function chatChunks(answer: ScriptedAnswer, size = 3): string[] {
  const deltas: Record<string, unknown>[] = [{ role: 'assistant', content: '' }];
  for (const text of pieces(answer.reasoning ?? '', size)) deltas.push({ reasoning_content: text });
  for (const text of pieces(answer.content ?? '', size)) deltas.push({ content: text });
  for (const [index, call] of (answer.toolCalls ?? []).entries()) {
    deltas.push({
      tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    for (const text of pieces(call.arguments, size)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: text } }] });
    }
  }
  const finish = answer.finishReason ?? (answer.toolCalls === undefined ? 'stop' : 'tool_calls');
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
    chunk([
      {
        index: 0,
        delta: {},
        finish_reason: finish,
        ...(answer.stopReason === undefined ? {} : { stop_reason: answer.stopReason }),
      },
    ]),
    chunk([], answer.usage ?? usage),
  ];
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

function toolCall(call: { id: string; name: string; arguments: string }): Record<string, unknown> {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
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
