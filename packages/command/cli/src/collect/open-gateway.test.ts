import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CleanupStack } from '@art/ground';
import { vllmChat } from '@art/tooling/vllm-shapes';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import type { CollectOptions } from './collect-options.ts';
import { openGateway } from './open-gateway.ts';

const hello = { role: 'user', content: 'hello' };
const answer = { role: 'assistant', content: 'hi' };

/** An engine that says "hi", and which of its paths were asked for. */
async function startEngine(): Promise<{ url: string; paths: Set<string> }> {
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    paths.add(request.url!);
    response.setHeader('content-type', 'application/json');
    const choice = {
      index: 0,
      content: 'hi',
      logprobs: [{ id: 7, text: 'hi', logprob: -0.5 }],
      finishReason: 'stop',
    };
    const counts = { promptTokens: 2, completionTokens: 1, promptTokenIds: [1, 2] };
    const head = { id: 'a', model: 'policy', created: 1 };
    response.end(JSON.stringify(vllmChat(head, [{ ...choice, tokenIds: [7] }], counts)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

it.each([true, false])(
  '--cumulative-token-mode %s reaches the gateway of its own',
  async (cumulativeTokenMode) => {
    const engine = await startEngine();
    await using parts = new CleanupStack();
    const options = { baseUrl: engine.url, cumulativeTokenMode } as CollectOptions;
    const { options: gateway } = await openGateway(
      options,
      { env: {}, cwd: '.' },
      parts,
      await temporaryFolder(),
    );
    for (const messages of [[hello], [hello, answer, hello]]) {
      const body = JSON.stringify({ model: 'policy', messages });
      const reply = await fetch(`${gateway.url}/sessions/one/v1/chat/completions`, { method: 'POST', body });
      expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
    }
    // Only who continues from tokens asks what the template writes behind them.
    expect(engine.paths.has('/tokenize')).toBe(cumulativeTokenMode);
  },
);

it('--reach session goes to the rollouts, with its own gateway or another', async () => {
  const engine = await startEngine();
  await using parts = new CleanupStack();
  const own = { baseUrl: engine.url, reach: 'session' } as CollectOptions;
  const opened = await openGateway(own, { env: {}, cwd: '.' }, parts, await temporaryFolder());
  expect(opened.options.reach).toBe('session');
  const named = { gateway: opened.options.url, reach: 'session' } as CollectOptions;
  expect((await openGateway(named, { env: {}, cwd: '.' }, parts, 'unused')).options.reach).toBe('session');
});

it('refuses --cumulative-token-mode for a gateway that runs already', async () => {
  await using parts = new CleanupStack();
  const options = { gateway: 'http://127.0.0.1:9', cumulativeTokenMode: true } as CollectOptions;
  await expect(openGateway(options, { env: {}, cwd: '.' }, parts, 'unused')).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringContaining('art gateway --cumulative-token-mode') as string,
  });
});
