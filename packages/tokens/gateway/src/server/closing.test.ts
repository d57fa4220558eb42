import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chatCall, closeAfterwards, testBench } from '../gateway-bench.fixture.ts';
import { answerAsVllm } from '../mock-engine.fixture.ts';
import { startGateway } from './start-gateway.ts';

const chat = '/sessions/one/v1/chat/completions';

describe('close', () => {
  it('waits for calls under way and refuses new ones', async () => {
    const { gateway, engine, call } = await testBench({ shutdownGraceMs: 60_000 });
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    const { promise: go, resolve: release } = Promise.withResolvers<void>();
    engine.answer = async (request, response) => {
      tellAsked();
      await go;
      await answerAsVllm(request, response);
    };
    const pending = call(chat, { body: chatCall });
    await asked;
    const closed = gateway.close();
    const refused = await call(chat, { body: chatCall });
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { error: { code: 'gateway_closing' } },
    ]);
    release();
    expect((await pending).status).toBe(200);
    await closed;
    await expect(call('/health')).rejects.toThrow('fetch failed');
    await gateway.close();
  });

  it('breaks off what takes too long', async () => {
    const { gateway, engine, call } = await testBench({ shutdownGraceMs: 0 });
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    engine.answer = () => tellAsked();
    const pending = call(chat, { body: chatCall });
    await asked;
    await gateway.close();
    const reply = await pending;
    expect([reply.status, await reply.json()]).toMatchObject([503, { error: { code: 'gateway_closing' } }]);
    await engine.last().dropped;
  });
});

describe('startGateway', () => {
  it('says that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    closeAfterwards(async () => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(startGateway({ port, logLevel: 'silent' })).rejects.toMatchObject({
      code: 'ART_PORT_TAKEN',
    });
  });

  it('keeps captures in a directory over a restart', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'art-gateway-'));
    closeAfterwards(() => rm(directory, { recursive: true, maxRetries: 10 }));
    const first = await testBench({ store: { directory } });
    await first.json('/sessions', { body: { session_id: 'one', sampling_params: { temperature: 0.5 } } });
    await first.json(chat, { body: chatCall });
    const captures = await first.json('/sessions/one/traces');
    await first.gateway.close();
    const second = await testBench({ store: { directory } });
    expect(await second.json('/sessions/one/traces')).toEqual(captures);
    await second.json(chat, { body: chatCall });
    expect(JSON.parse(second.engine.last().text)).toMatchObject({ temperature: 0.5 });
    await expect(startGateway({ port: 0, logLevel: 'silent', store: { directory } })).rejects.toMatchObject({
      code: 'ART_FOLDER_HELD',
    });
  });

  it('is closed by `await using`', async () => {
    let url: string;
    {
      await using gateway = await startGateway({ port: 0, logLevel: 'silent' });
      url = gateway.url;
      expect((await fetch(`${url}/health`)).status).toBe(200);
    }
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  });
});
