import { isJsonObject } from '@art/protocol';

import { type EngineTransport, isMissingRoute } from '@art/gateway/engine-port';
import { objectMembers } from '@art/json-bytes';
import { askEngine } from './ask-engine.ts';
import { bridgeByRendering } from './bridge-by-rendering.ts';
import { CallRefusal } from '../calls/call-refusal.ts';
import { EngineRefused } from '../sampling/engine-refused.ts';
import { parseEngineJson } from '../calls/read-body.ts';
import type { RenderedPrompt, Tokenization } from './tokenization.ts';

/**
 * Has vLLM render prompts on `/v1/chat/completions/render`, which takes a call as it is and knows the model's own template,
 * tools and defaults. Engines without it (before 0.18; after 0.29 only where they are started with `--enable-scale-out`)
 * tokenise the messages another way.
 */
export function engineRendering(http: EngineTransport, otherwise: Tokenization): Tokenization {
  const lacking = new Set<string>();
  const tokenization: Tokenization = {
    ...otherwise,
    bridge: (request, at) => bridgeByRendering(tokenization, request, at),
    async render(call, at) {
      if (lacking.has(at.baseUrl)) return otherwise.render(call, at);
      const reply = await askEngine(http, at, `${at.apiPath}/chat/completions/render`, call.text());
      if (reply.status === 200) return readRendered(Buffer.from(reply.body));
      if (!isMissingRoute(reply)) throw new EngineRefused(reply);
      lacking.add(at.baseUrl);
      return otherwise.render(call, at);
    },
  };
  return tokenization;
}

function readRendered(body: Buffer): RenderedPrompt {
  // The first releases answered with the conversation and its prompts.
  if (body.subarray(0, 1).toString() === '[') {
    const [, prompts] = parseEngineJson(body.toString()) as unknown[];
    const prompt: unknown = Array.isArray(prompts) ? prompts[0] : undefined;
    return { ids: readIds(isJsonObject(prompt) ? prompt['prompt_token_ids'] : undefined) };
  }
  const { byName } = tryMembers(body) ?? { byName: undefined };
  const rendered = new Map<string, string>();
  for (const [name, member] of byName ?? []) {
    if (name === 'token_ids') continue;
    rendered.set(name, body.toString('utf8', member.valueStart, member.valueEnd));
  }
  const ids = byName?.get('token_ids');
  const text = ids && body.toString('utf8', ids.valueStart, ids.valueEnd);
  return { ids: readIds(text === undefined ? undefined : parseEngineJson(text)), rendered };
}

function tryMembers(body: Buffer): ReturnType<typeof objectMembers> {
  try {
    return objectMembers(body);
  } catch {
    return undefined;
  }
}

function readIds(value: unknown): Int32Array {
  if (Array.isArray(value) && value.length > 0 && value.every((id) => Number.isInteger(id))) {
    return Int32Array.from(value as number[]);
  }
  const message = 'The engine’s /chat/completions/render gave no token ids.';
  throw new CallRefusal(message, undefined, undefined, { status: 502, code: 'render_failed' });
}
