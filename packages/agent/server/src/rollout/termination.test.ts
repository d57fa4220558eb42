import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryResultStore, type ResultStore } from '@art/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { invocation, resultKey, target, testApp, type TestApp } from '../test-app.fixture.ts';

let made: TestApp;

afterEach(() => made.app.close());

const terminated = { status_code: 503, stop_reason: 'terminated', result_key: resultKey };

async function start(): Promise<void> {
  const answer = await made.app.inject(invocation({ _rollout: target }));
  expect(answer.statusCode).toBe(200);
  await new Promise(setImmediate);
}

describe('closing while a rollout runs', () => {
  it('stores a terminated document for a handler that stops when it is told to', async () => {
    made = testApp({
      rolloutHandler: {
        process: async (_request, { signal }) => {
          await once(new EventTarget(), 'never', { signal });
          return {};
        },
      },
    });
    await start();
    await made.app.close();
    expect(await made.stored(resultKey)).toMatchObject(terminated);
  });

  it('stores one for a handler that does not', async () => {
    made = testApp({
      terminationGraceMs: 0,
      rolloutHandler: { process: () => new Promise<object>(() => undefined) },
    });
    await start();
    await made.app.close();
    expect(await made.stored(resultKey)).toMatchObject({ ...terminated, payload: { _rollout: target } });
  });

  it('takes the result of a handler that finishes within the grace', async () => {
    made = testApp({
      rolloutHandler: {
        process: async (_request, { signal }) => {
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
          return { rewards: 1 };
        },
      },
    });
    await start();
    await made.app.close();
    expect(await made.stored(resultKey)).toMatchObject({ status_code: 200, rewards: 1 });
    expect(made.lines.map((line) => line['message'])).toContainEqual(
      expect.stringContaining('returned after it was asked to stop, and its result counts'),
    );
  });

  it.each([
    { cutOff: 'the call of its model', called: 'model', further: false, counts: false },
    { cutOff: 'the call of a tool', called: 'tool', further: false, counts: true },
    { cutOff: 'a call of its model that it then made again', called: 'model', further: true, counts: true },
  ])('of a handler that lost $cutOff and returned takes the result: $counts', async (given) => {
    const open = async () => {
      const server = createServer((_request, response) => void response.write('data: {'));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      return { url, server };
    };
    const streaming = Promise.withResolvers<void>();
    const model = await open();
    const tool = await open();
    const { called, further, counts } = given;
    made = testApp({
      terminationGraceMs: 6_000,
      rolloutHandler: {
        process: async (_request, { signal }) => {
          const answer = await fetch(called === 'model' ? model.url : tool.url, { signal });
          streaming.resolve();
          await answer.text().catch(() => undefined);
          if (further) {
            model.server.once('request', (_again, response) => response.end('}'));
            await (await fetch(model.url)).text();
          }
          return { rewards: 1 };
        },
      },
    });
    const answer = await made.app.inject(invocation({ _rollout: { ...target, base_url: model.url } }));
    expect(answer.statusCode).toBe(200);
    await streaming.promise;
    await made.app.close();
    expect(await made.stored(resultKey)).toMatchObject(counts ? { rewards: 1 } : terminated);
    for (const { server } of [model, tool]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('stores a terminated document for a rollout that was still being checked, and does not begin it', async () => {
    const gate = Promise.withResolvers<ResultStore>();
    const store = new MemoryResultStore();
    const process = vi.fn(() => ({ rewards: 1 }));
    const resultStore = vi.fn(() => gate.promise);
    made = testApp({ rolloutHandler: { process }, resultStore });
    const answering = made.app.inject(invocation({ _rollout: target }));
    await vi.waitFor(() => expect(resultStore).toHaveBeenCalled());
    const closing = made.app.close();
    gate.resolve(store);
    expect((await answering).json()).toMatchObject({ status: 'processing' });
    await vi.waitFor(async () => {
      const text = await store.get({ bucket: 'results', key: resultKey });
      expect(JSON.parse(text ?? 'null')).toMatchObject(terminated);
    });
    expect(process).not.toHaveBeenCalled();
    await closing;
  });

  it('drops what a handler returns after its document was stored', async () => {
    const gate = Promise.withResolvers<object>();
    made = testApp({ terminationGraceMs: 0, rolloutHandler: { process: () => gate.promise } });
    await start();
    await made.app.close();
    gate.resolve({ rewards: 1 });
    await vi.waitFor(() => {
      expect(made.lines.map((line) => line['message'])).toContainEqual(expect.stringContaining('is dropped'));
    });
    expect(await made.stored(resultKey)).toMatchObject(terminated);
  });

  it('waits for a save that is under way, and does not overwrite it', async () => {
    made = testApp({ terminationGraceMs: 0, rolloutHandler: { process: () => ({ rewards: 1 }) } });
    const original = made.store.put.bind(made.store);
    const gate = Promise.withResolvers<void>();
    const spy = vi.spyOn(made.store, 'put').mockImplementation(async (...args) => {
      await gate.promise;
      return original(...args);
    });
    await start();
    await vi.waitFor(() => expect(spy).toHaveBeenCalledOnce());
    const closing = made.app.close();
    // Behind the timer of the grace, which close has just set: the save ends only after the grace has.
    setTimeout(() => gate.resolve(), 1);
    await closing;
    expect(await made.stored(resultKey)).toMatchObject({ status_code: 200, rewards: 1 });
    expect(spy).toHaveBeenCalledOnce();
  });

  it('takes nothing more on, and closes once', async () => {
    const gate = Promise.withResolvers<object>();
    made = testApp({ rolloutHandler: { process: () => gate.promise } });
    await start();
    const closing = made.app.close();
    const answer = await made.app.inject(invocation({ _rollout: { ...target, input_id: 'in2' } }));
    expect([answer.statusCode, answer.body]).toEqual([503, '{"error":"The agent process is being stopped"}']);
    expect((await made.app.inject('/ping')).json()).toMatchObject({ status: 'HealthyBusy' });
    gate.resolve({ rewards: 1 });
    expect(made.app.close()).toBe(closing);
    await closing;
  });
});
