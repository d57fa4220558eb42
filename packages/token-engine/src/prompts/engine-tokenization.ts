import { isJsonObject } from '@art/protocol';
import { ApiError, isMissingRoute } from '@art/gateway/engine-port';
import { objectMembers, writeObject } from '@art/json-bytes';

import { engineFault } from '../calls/call-errors.ts';
import { type CalledEngine, EngineRefused, tokenIdsJson } from '../calls/called-engine.ts';
import { parseEngineJson } from '../calls/read-body.ts';
import { bridgeByRendering } from './bridge-by-rendering.ts';
import type { RenderedPrompt, Tokenization } from './tokenization.ts';

/**
 * With the engine's `/tokenize` and `/detokenize`, for checkpoints without a tokenizer.json. Text does not come token by
 * token.
 */
export const engineTokenization: Tokenization = {
  countTokens: () => Promise.resolve(undefined),
  async render(call, engine) {
    const { tokens } = await ask(engine, '/tokenize', [
      ['model', JSON.stringify(call.model)],
      ['messages', `[${call.messages.join(',')}]`],
      ['add_generation_prompt', 'true'],
      ['add_special_tokens', 'false'],
      ['tools', call.tools],
      ['chat_template_kwargs', call.templateArguments],
    ]);
    if (Array.isArray(tokens) && tokens.every((id) => typeof id === 'number')) {
      return { ids: Int32Array.from(tokens) };
    }
    throw tokenizeFailed(
      'The engine’s /tokenize gave no token ids for messages. Give the gateway a checkpoint with a tokenizer.json.',
      502,
    );
  },
  bridge: (request, engine) => bridgeByRendering(engineTokenization, request, engine),
  async decode(ids, options, { call, engine }) {
    if (ids.length === 0) return '';
    const reply = await ask(engine, '/detokenize', [
      ['model', JSON.stringify(call.model)],
      ['tokens', tokenIdsJson(ids)],
      ['skip_special_tokens', String(options.skipSpecialTokens ?? false)],
    ]);
    const text = reply['prompt'] ?? reply['text'];
    return typeof text === 'string' ? text : '';
  },
  streamDecoder: () => undefined,
  tokenText: (id) => `token_id:${id}`,
  stopTokenIds: new Set(),
  specialTokenIds: new Set(),
  close: () => Promise.resolve(),
};

async function ask(
  engine: CalledEngine,
  path: string,
  members: readonly (readonly [name: string, text: string | undefined])[],
): Promise<Record<string, unknown>> {
  const { status, body } = await engine.ask(path, writeObject(members));
  const text = body.toString();
  const value = status === 200 ? tryJson(text) : undefined;
  if (isJsonObject(value)) return value;
  const isOfTheCall = status >= 400 && status < 500 && status !== 404;
  throw tokenizeFailed(
    `The engine did not answer ${path} (${status}): ${text.slice(0, 300)}`,
    isOfTheCall ? status : 502,
  );
}

function tokenizeFailed(message: string, status: number): ApiError {
  return new ApiError({ status, message, code: 'tokenize_failed' });
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Has vLLM render prompts on `/v1/chat/completions/render`, which takes a call as it is and knows the model's own template,
 * tools and defaults. Engines without it (before 0.18; after 0.29 only where they are started with `--enable-scale-out`)
 * tokenise the messages another way.
 */
export function engineRendering(): Tokenization {
  const lacking = new Set<string>();
  const tokenization: Tokenization = {
    ...engineTokenization,
    bridge: (request, engine) => bridgeByRendering(tokenization, request, engine),
    async render(call, engine) {
      if (!lacking.has(engine.baseUrl)) {
        const answer = await engine.ask(`${engine.apiPath}/chat/completions/render`, call.text());
        if (answer.status === 200) return readRendered(answer.body);
        if (!isMissingRoute(answer)) throw new EngineRefused(answer);
        lacking.add(engine.baseUrl);
      }
      return engineTokenization.render(call, engine);
    },
  };
  return tokenization;
}

function readRendered(body: Buffer): RenderedPrompt {
  const rendered = new Map<string, string>();
  for (const [name, member] of membersOf(body) ?? []) {
    rendered.set(name, body.toString('utf8', member.valueStart, member.valueEnd));
  }
  const ids = readIds(parseEngineJson(rendered.get('token_ids') ?? 'null'));
  rendered.delete('token_ids');
  return { ids, rendered };
}

function membersOf(body: Buffer): NonNullable<ReturnType<typeof objectMembers>>['byName'] | undefined {
  try {
    return objectMembers(body)?.byName;
  } catch {
    return undefined;
  }
}

function readIds(value: unknown): Int32Array {
  if (Array.isArray(value) && value.length > 0 && value.every((id) => Number.isInteger(id))) {
    return Int32Array.from(value as number[]);
  }
  throw engineFault('The engine’s /chat/completions/render gave no token ids.', 'render_failed');
}
