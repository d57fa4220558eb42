import { isMissingRoute } from '@art/gateway/engine-port';
import { objectMembers } from '@art/json-bytes';
import { engineFault } from '../calls/call-errors.ts';
import { EngineRefused } from '../calls/engine-refused.ts';
import { parseEngineJson } from '../calls/read-body.ts';
import { bridgeByRendering } from './bridge-by-rendering.ts';
import { engineTokenization } from './engine-tokenization.ts';
import type { RenderedPrompt, Tokenization } from './tokenization.ts';

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
