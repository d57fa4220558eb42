import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import type { EngineBed } from './engine-bed.ts';
import { modelId } from './engine-cases.ts';
import { capturedOf } from './play-case.ts';
import { sampledTokens } from '@art/tooling/sampled-tokens';
import type { SampledTokens } from '@art/tooling/vllm-recording';

export interface ManyCalls {
  tokens: SampledTokens[];
  /** Sessions whose captures are not what the engine sent. */
  differing: string[];
  seconds: number;
}

const atATime = 64;

/** Calls of all wires, many at a time, a session each: what was captured against what the engine sent. */
export async function playManyCalls({ proxy }: EngineBed, count: number): Promise<ManyCalls> {
  const gateway = await startGateway({ port: 0, logLevel: 'silent', workers: [{ url: proxy.url }] });
  try {
    const control = new GatewayClient({ url: gateway.url });
    const captured = new Map<number, SampledTokens[]>();
    proxy.take();
    const startedMs = performance.now();
    let next = 0;
    const agent = async (): Promise<void> => {
      for (let call = next++; call < count; call = next++) {
        const { path, body } = callOf(call);
        const sessionId = `call-${call}`;
        await control.createSession({ sessionId });
        const reply = await fetch(`${gateway.url}/sessions/${sessionId}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        if (!reply.ok) throw new Error(`Expected call ${call} to succeed: ${await reply.text()}`);
        await reply.text();
        captured.set(call, capturedOf(await control.captures(sessionId)));
        await control.deleteSession(sessionId);
        if (call % 1_000 === 999) console.log(`${call + 1} of ${count} calls`);
      }
    };
    await Promise.all(Array.from({ length: atATime }, agent));
    const seconds = (performance.now() - startedMs) / 1_000;
    const sent = new Map(
      proxy
        .take()
        .filter(({ method }) => method === 'POST')
        .map((exchange) => [callIn(exchange.request), sampledTokens([exchange])]),
    );
    const differing = [...captured].filter(
      ([call, tokens]) => JSON.stringify(tokens) !== JSON.stringify(sent.get(call)),
    );
    if (sent.size !== count) throw new Error(`Expected ${count} calls at the engine, got ${sent.size}.`);
    return {
      tokens: [...sent.values()].flat(),
      differing: differing.map(([call]) => `call-${call}`),
      seconds,
    };
  } finally {
    await gateway.close();
  }
}

/** Which call a request to the engine is: its text says so. */
function callIn(request: unknown): number {
  return Number(/Call (\d+):/.exec(JSON.stringify(request))?.[1]);
}

function callOf(call: number): { path: string; body: object } {
  const stream = call % 2 === 1;
  const content = `Call ${call}: ${'word '.repeat(call % 13)}🙂`;
  const messages = [{ role: 'user', content }];
  const shared = { model: modelId, stream, temperature: 1 };
  const max_tokens = 1 + (call % 8);
  switch (call % 10) {
    case 0:
    case 1:
      return { path: '/v1/completions', body: { ...shared, prompt: content, max_tokens } };
    case 2:
    case 3:
      return { path: '/v1/messages', body: { ...shared, messages, max_tokens } };
    case 4:
    case 5:
      return { path: '/v1/responses', body: { ...shared, input: content, max_output_tokens: max_tokens } };
    case 6:
    case 7:
      return { path: '/v1/chat/completions', body: { ...shared, messages, max_tokens, n: 2 } };
    default:
      return { path: '/v1/chat/completions', body: { ...shared, messages, max_tokens } };
  }
}
