import { isJsonObject } from '@art/protocol';

import type { EngineTransport } from '@art/gateway/engine-port';
import { askEngine } from './ask-engine.ts';
import { bridgeByRendering } from './bridge-by-rendering.ts';
import { CallRefusal } from '../calls/call-refusal.ts';
import { tokenIdsJson } from '../calls/token-ids-json.ts';
import type { EngineAddress, Tokenization } from './tokenization.ts';

/**
 * With the engine's `/tokenize` and `/detokenize`, for checkpoints without a tokenizer.json. Text does not come token by
 * token.
 */
export function engineTokenization(http: EngineTransport): Tokenization {
  const ask = async (path: string, body: string, at: EngineAddress): Promise<Record<string, unknown>> => {
    const reply = await askEngine(http, at, path, body);
    const text = Buffer.from(reply.body).toString();
    const value = reply.status === 200 ? tryJson(text) : undefined;
    if (isJsonObject(value)) return value;
    const isOfTheCall = reply.status >= 400 && reply.status < 500 && reply.status !== 404;
    throw tokenizeFailed(
      `The engine did not answer ${path} (${reply.status}): ${text.slice(0, 300)}`,
      isOfTheCall ? reply.status : 502,
    );
  };
  const tokenization: Tokenization = {
    isLocal: false,
    async render(call, at) {
      const members = [
        `"model":${JSON.stringify(at.model)}`,
        `"messages":[${call.messages.join(',')}]`,
        '"add_generation_prompt":true',
        '"add_special_tokens":false',
      ];
      if (call.tools !== undefined) members.push(`"tools":${call.tools}`);
      if (call.templateArguments !== undefined) {
        members.push(`"chat_template_kwargs":${call.templateArguments}`);
      }
      const { tokens } = await ask('/tokenize', `{${members.join(',')}}`, at);
      if (Array.isArray(tokens) && tokens.every((id) => typeof id === 'number')) {
        return { ids: Int32Array.from(tokens) };
      }
      throw tokenizeFailed(
        'The engine’s /tokenize gave no token ids for messages. Give the gateway a checkpoint with a tokenizer.json.',
        502,
      );
    },
    bridge: (request, at) => bridgeByRendering(tokenization, request, at),
    async decode(ids, options, at) {
      if (ids.length === 0) return '';
      const members = [
        `"model":${JSON.stringify(at.model)}`,
        `"tokens":${tokenIdsJson(ids)}`,
        `"skip_special_tokens":${String(options.skipSpecialTokens ?? false)}`,
      ];
      const reply = await ask('/detokenize', `{${members.join(',')}}`, at);
      const text = reply['prompt'] ?? reply['text'];
      return typeof text === 'string' ? text : '';
    },
    streamDecoder: () => undefined,
    tokenText: (id) => `token_id:${id}`,
    stopTokenIds: new Set(),
    specialTokenIds: new Set(),
    close: () => Promise.resolve(),
  };
  return tokenization;
}

function tokenizeFailed(message: string, status: number): CallRefusal {
  return new CallRefusal(message, undefined, undefined, { status, code: 'tokenize_failed' });
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
