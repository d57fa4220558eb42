import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTransport, HttpTransport } from '@art/gateway/engine-port';

import { closeAfterwards } from '../close-afterwards.fixture.ts';
import { byteModel } from '../tokens/models.fixture.ts';
import { chat, type Exchanged } from './generate-harness.fixture.ts';
import { type MockEngine, startMockSglang, startMockVllmCompletions } from './mock-engines.fixture.ts';
import { tokenEngine } from './token-engine.ts';

const ids = (text: string): number[] => [...Array.from(text, (letter) => letter.charCodeAt(0) + 2), 1];
const user = { role: 'user', content: 'Which?' };
const http = new HttpTransport({ maxConnections: 4 });
const opened: EngineTransport[] = [];
let transports: Record<'sglang' | 'vllm', EngineTransport>;
beforeAll(async () => {
  const open = async (engine: 'sglang' | 'vllm'): Promise<EngineTransport> => {
    const transport = await tokenEngine({
      engine,
      checkpoint: byteModel,
      renderThreads: 1,
      cumulative: true,
    })(http);
    opened.push(transport);
    return transport;
  };
  transports = { sglang: await open('sglang'), vllm: await open('vllm') };
}, 60_000);
afterAll(async () => {
  await Promise.all(opened.map((transport) => transport.close()));
  await http.close();
});

const engines = [
  ['SGLang', 'sglang', startMockSglang, 'input_ids'],
  ['vLLM completions', 'vllm', startMockVllmCompletions, 'prompt'],
] as const;

it.each(engines.flatMap((engine) => [false, true].map((stream) => [...engine, stream] as const)))(
  '%s gives several answers, any of which can be continued, stream %5$s',
  async (_name, flavour, start, promptMember, stream) => {
    const engine: MockEngine = await start();
    closeAfterwards(() => engine.close());
    engine.answer = () => ({ ids: ids('That.') });
    const sessionId = `${flavour} ${String(stream)}`;
    const ask = (messages: unknown[], n?: number): Promise<Exchanged> =>
      chat(transports[flavour], { messages, stream, n }, { baseUrl: engine.url, flavour, sessionId });
    const { captured } = await ask([user], 2);
    expect(captured?.choices.map((choice) => choice.problems)).toEqual([[], []]);
    for (const choice of captured!.choices) expect(Array.from(choice.tokenIds)).toEqual(ids('That.'));
    expect(captured?.usage.completion).toBe(2 * ids('That.').length);
    const [{ body }] = engine.calls.slice(-1) as [MockEngine['calls'][number]];
    const first = body[promptMember] as number[];
    expect(Array.from(captured!.promptTokenIds)).toEqual(first);
    // One id for all of them would be refused.
    expect(body).not.toHaveProperty('rid');
    await ask([user, { role: 'assistant', content: 'That.' }, user]);
    const next = engine.calls.at(-1)!.body[promptMember] as number[];
    expect(next.slice(0, first.length + 6)).toEqual([...first, ...ids('That.')]);
    expect(engine.calls.map((call) => call.path)).not.toContain('/abort_request');
  },
);

it('an answer that was not asked for fails the call', async () => {
  const engine = await startMockSglang();
  closeAfterwards(() => engine.close());
  engine.answer = () => ({ ids: ids('x') });
  const transport = await tokenEngine({
    engine: 'sglang',
    checkpoint: byteModel,
    renderThreads: 1,
  })({
    async send(request) {
      const reply = await http.send(request);
      const chunks: Uint8Array[] = [];
      for await (const chunk of reply.body) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      return { ...reply, body: bytesOf(request.path === '/generate' ? `[${text},${text}]` : text) };
    },
    close: () => Promise.resolve(),
  });
  closeAfterwards(() => transport.close());
  const exchanged = await chat(transport, { messages: [user] }, { baseUrl: engine.url });
  expect(exchanged.status).toBe(502);
  expect(exchanged.text).toContain('engine_bad_reply');
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}
