import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { AgentCoreRLAppOptions } from '../app-options.ts';
import type { RequestContext } from '../request/request-context.ts';
import {
  invocation,
  resultKey,
  rip,
  sessionHeader,
  sessionId,
  target,
  testApp,
  type TestApp,
} from '../test-app.fixture.ts';

let stateDir: string;
let made: TestApp;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'art-rip-'));
});

afterEach(async () => {
  await made.app.close();
  await rm(stateDir, { recursive: true, force: true });
});

function app(
  process: (request: Record<string, unknown>, context: RequestContext) => unknown,
  options: AgentCoreRLAppOptions = {},
): void {
  made = testApp({ stateDir, invocationHandler: { process }, ...options });
}

async function send(
  payload: unknown,
  headers: Record<string, string> = sessionHeader,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await made.app.inject(invocation(payload, headers));
  return { status: answer.statusCode, body: answer.json() };
}

const idle = (): Promise<void> => vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(0));

describe('an invocation of RIP', () => {
  it('runs the handler once in the foreground and answers with its result', async () => {
    const process = vi.fn((request: object, { invocation: named, rollout }: RequestContext) => ({
      request,
      named,
      rollout,
    }));
    app(process);
    const state = {
      version: 1,
      invocation_id: 'inv-1',
      status: 'completed',
      result: { request: { prompt: 'hi' }, named: { id: 'inv-1', background: false } },
    };
    expect(await send(rip('start', 'inv-1', { prompt: 'hi' }))).toEqual({ status: 200, body: state });
    expect((await send(rip('start', 'inv-1', { prompt: 'other' }, true))).body).toEqual(state);
    expect((await send(rip('get', 'inv-1'))).body).toEqual(state);
    expect(process).toHaveBeenCalledTimes(1);
  });

  it('runs it in the background, and is busy until the end is recorded', async () => {
    const handler = Promise.withResolvers<unknown>();
    app(() => handler.promise);
    const running = { version: 1, invocation_id: 'inv-1', status: 'in_progress' };
    expect((await send(rip('start', 'inv-1', {}, true))).body).toEqual(running);
    expect((await send(rip('get', 'inv-1'))).body).toEqual(running);
    expect(await made.app.getCurrentPingStatus()).toBe('HealthyBusy');
    handler.resolve(null);
    await idle();
    expect((await send(rip('get', 'inv-1'))).body).toEqual({ ...running, status: 'completed', result: null });
  });

  it('keeps its records where the Python toolkit has them', async () => {
    app(() => 'done');
    await send(rip('start', 'inv-1'));
    await send(rip('start', 'inv-2'), {});
    for (const [session, id] of [
      [sessionId, 'inv-1'],
      ['', 'inv-2'],
    ] as const) {
      const folder = join(stateDir, createHash('sha256').update(session).digest('hex'), id);
      const read = async (name: string): Promise<unknown> =>
        JSON.parse(await readFile(join(folder, name), 'utf8'));
      expect(await read('started.json')).toEqual({ version: 1, invocation_id: id, status: 'in_progress' });
      expect(await read('result.json')).toEqual({
        version: 1,
        invocation_id: id,
        status: 'completed',
        result: 'done',
      });
    }
  });

  it('stores the document of `_rollout` first, and names its place in every reply', async () => {
    app(() => ({ rewards: [0, 1] }));
    const place = { s3_bucket: target.s3_bucket, result_key: resultKey };
    const started = await send(rip('start', 'inv-1', { _rollout: target }, true));
    expect(started.body).toEqual({ version: 1, invocation_id: 'inv-1', status: 'in_progress', ...place });
    await idle();
    expect(await made.stored(resultKey)).toMatchObject({ rewards: [0, 1], status_code: 200 });
    expect((await send(rip('get', 'inv-1'))).body).toEqual({
      version: 1,
      invocation_id: 'inv-1',
      status: 'completed',
      result: { rewards: [0, 1], reward: 1 },
      ...place,
    });
  });

  it('runs once under 200 concurrent starts, foreground and background', async () => {
    const handler = Promise.withResolvers<unknown>();
    const process = vi.fn(() => handler.promise);
    app(process);
    const starts = Array.from({ length: 200 }, (_, index) =>
      send(rip('start', 'inv-1', { index }, index % 2 === 0)),
    );
    await vi.waitFor(() => expect(process).toHaveBeenCalled());
    handler.resolve('once');
    const states = (await Promise.all(starts)).map(({ body }) => body);
    expect(process).toHaveBeenCalledTimes(1);
    for (const [index, state] of states.entries()) {
      expect(state['status']).toBe(index % 2 === 0 ? 'in_progress' : 'completed');
      if (index % 2 === 1) expect(state['result']).toBe('once');
    }
    expect((await send(rip('start', 'inv-1'))).body).toMatchObject({ status: 'completed', result: 'once' });
    expect(process).toHaveBeenCalledTimes(1);
  });

  it('is one of its session: the same id in another one runs on its own, also at the same time', async () => {
    app(
      async (_request, context) => context.headers['x-amzn-bedrock-agentcore-runtime-session-id'] ?? 'none',
    );
    const other = { 'x-amzn-bedrock-agentcore-runtime-session-id': 'other' };
    const states = await Promise.all(
      [sessionHeader, other, {}].map((headers) => send(rip('start', 'same'), headers)),
    );
    expect(states.map(({ body }) => body['result'])).toEqual([sessionId, 'other', 'none']);
    expect((await send(rip('get', 'same'), other)).body['result']).toBe('other');
  });

  it('continues when the connection of its foreground start is lost', async () => {
    const handler = Promise.withResolvers<unknown>();
    const started = Promise.withResolvers<AbortSignal>();
    app((_request, { signal }) => {
      started.resolve(signal);
      return handler.promise;
    });
    const url = await made.app.listen({ port: 0, host: '127.0.0.1' });
    const controller = new AbortController();
    const request = fetch(`${url}/invocations`, {
      method: 'POST',
      headers: sessionHeader,
      body: JSON.stringify(rip('start', 'inv-1')),
      signal: controller.signal,
    });
    const signal = await started.promise;
    controller.abort();
    await expect(request).rejects.toThrow(/abort/);
    const waiting = send(rip('start', 'inv-1'));
    handler.resolve('kept');
    expect((await waiting).body).toMatchObject({ status: 'completed', result: 'kept' });
    expect(signal.aborted).toBe(false);
  });

  it('is refused with the reason before anything is recorded', async () => {
    const process = vi.fn();
    app(process, {
      invocationHandler: { process, requestSchema: z.strictObject({ prompt: z.string() }) as never },
    });
    const badEnvelope = await send({ ...rip('start', 'inv-1'), _agentcore_runtime: { version: 2 } });
    expect(badEnvelope).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('version') as string },
    });
    const badPayload = await send(rip('start', 'inv-1', { prompt: 5 }));
    expect(badPayload).toMatchObject({ status: 400, body: { error: 'Invalid request body format' } });
    const badConfig = await send(rip('start', 'inv-1', { prompt: 'x', _config: { base_url: 5 } }));
    expect(badConfig).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("'base_url'") as string },
    });
    const badId = await send(rip('get', '../../etc'));
    expect(badId.status).toBe(400);
    expect(process).not.toHaveBeenCalled();
    expect(await readdir(stateDir)).toEqual([]);
    expect((await send(rip('get', 'inv-1'))).body['status']).toBe('not_found');
    // What was refused may come again in order.
    expect((await send(rip('start', 'inv-1', { prompt: 'x', _config: {} }))).body['status']).toBe(
      'completed',
    );
  });

  it('is answered with 500 and the reason where nothing can be recorded, and does not run', async () => {
    const process = vi.fn();
    await writeFile(join(stateDir, 'file'), '');
    app(process, { stateDir: join(stateDir, 'file', 'state') });
    const answer = await made.app.inject(invocation(rip('start', 'inv-1')));
    expect([answer.statusCode, answer.headers['x-art-error-code']]).toEqual([500, 'ART_STATE_DIR']);
    expect(process).not.toHaveBeenCalled();
    await expect(made.app.listen({ port: 0, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'ART_STATE_DIR',
    });
  });

  it('is interrupted where its process died, and is not run again', async () => {
    const process = vi.fn(() => new Promise(() => undefined));
    app(process, { terminationGraceMs: 0 });
    await send(rip('start', 'inv-1', {}, true));
    await vi.waitFor(() => expect(process).toHaveBeenCalled());
    const dead = made;
    app(process);
    const interrupted = { version: 1, invocation_id: 'inv-1', status: 'interrupted' };
    expect((await send(rip('get', 'inv-1'))).body).toEqual(interrupted);
    expect((await send(rip('start', 'inv-1', {}, true))).body).toEqual(interrupted);
    expect((await send(rip('start', 'inv-1'))).body).toEqual(interrupted);
    expect(process).toHaveBeenCalledTimes(1);
    await dead.app.close();
  });

  it('that ends when it is told to leaves its result, and one that does not is interrupted', async () => {
    app(
      ({ stubborn }, { signal }) => {
        if (stubborn === true) return new Promise(() => undefined);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('in time'), { once: true });
        });
      },
      { terminationGraceMs: 50 },
    );
    await send(rip('start', 'good', {}, true));
    const waiting = send(rip('start', 'stubborn', { stubborn: true }));
    await vi.waitFor(() => expect(made.app.getAsyncTaskInfo().activeCount).toBe(2));
    await made.app.close();
    expect((await waiting).body['status']).toBe('interrupted');
    app(() => 'new');
    expect((await send(rip('get', 'good'))).body).toMatchObject({ status: 'completed', result: 'in time' });
    expect((await send(rip('get', 'stubborn'))).body['status']).toBe('interrupted');
  });

  it('that takes longer than maxRolloutMs ends with an error', async () => {
    app(() => new Promise(() => undefined), { maxRolloutMs: 20 });
    expect((await send(rip('start', 'inv-1'))).body).toMatchObject({
      status: 'completed',
      error: expect.stringContaining('maxRolloutMs') as string,
    });
  });
});

it('gives back a result of 100 MB, from memory and from its record, through the thread of the pings', async () => {
  const text = 'x'.repeat(100_000_000);
  app(() => ({ text }));
  const url = await made.app.listen({ port: 0, host: '127.0.0.1' });
  for (const operation of ['start', 'get'] as const) {
    const answer = await fetch(`${url}/invocations`, {
      method: 'POST',
      headers: sessionHeader,
      body: JSON.stringify(rip(operation, 'inv-1')),
    });
    const state = (await answer.json()) as { result: { text: string } };
    expect(state.result.text === text).toBe(true);
  }
});

describe('one handler for all wires', () => {
  it('is told what the trainer wants used, from `_config` as from `_rollout`, and the payload keeps it', async () => {
    const seen: unknown[] = [];
    app((request, { rollout }) => {
      seen.push(rollout, request);
      return { reward: 1 };
    });
    const config = {
      base_url: 'http://gw/v1',
      model_id: 'm',
      api_key: 'key-123456',
      sampling_params: { top_p: 1 },
      turns: 3,
    };
    await send(rip('start', 'inv-1', { _config: config }));
    await send({ _rollout: { ...target, ...config } });
    await idle();
    const expected = {
      baseUrl: 'http://gw/v1',
      modelId: 'm',
      apiKey: 'key-123456',
      samplingParams: { top_p: 1 },
    };
    expect(seen[0]).toEqual({ ...expected, target: undefined, raw: config });
    expect(seen[1]).toEqual({ _config: config });
    expect(seen[2]).toMatchObject({ ...expected, raw: { ...target, ...config } });
  });

  it('answers plain requests, streams included, runs RIP, and stores rollouts', async () => {
    app(() => ({ rewards: 1 }));
    expect((await send({ prompt: 'hi' })).body).toEqual({ rewards: 1 });
    expect((await send(rip('start', 'inv-1', { prompt: 'hi' }))).body['result']).toEqual({ rewards: 1 });
    expect((await send(rip('start', 'inv-2', { _config: {} }))).body['result']).toEqual({
      rewards: 1,
      reward: 1,
    });
    expect((await send({ _rollout: target })).body['status']).toBe('processing');
    await idle();
    expect(await made.stored(resultKey)).toMatchObject({ rewards: 1, status_code: 200 });
  });

  it('gives way to a rolloutHandler for `_rollout` and `_config` only', async () => {
    app(() => 'production', { rolloutHandler: { process: () => ({ reward: 2 }) } });
    expect((await send(rip('start', 'plain'))).body['result']).toBe('production');
    expect((await send(rip('start', 'config', { _config: {} }))).body['result']).toEqual({ reward: 2 });
    expect((await send(rip('start', 'rollout', { _rollout: target }))).body['result']).toEqual({ reward: 2 });
    expect(await made.stored(resultKey)).toMatchObject({ reward: 2, rewards: 2 });
  });

  it('may be a rolloutHandler alone, which keeps the wire of the Python toolkit for plain requests', async () => {
    made = testApp({ stateDir, rolloutHandler: { process: () => ({ rewards: 1 }) } });
    expect((await send({ prompt: 'hi' })).body).toEqual({ status: 'processing' });
    expect((await send(rip('start', 'inv-1'))).body['result']).toEqual({ rewards: 1 });
  });

  it('runs in the background under ids of its own with `background`, but for `_rollout`', async () => {
    app(({ prompt }) => `got ${String(prompt)}`, { background: true });
    const { body } = await send({ prompt: 'hi' });
    expect(body).toEqual({ version: 1, invocation_id: expect.any(String) as string, status: 'in_progress' });
    await idle();
    expect((await send(rip('get', String(body['invocation_id'])))).body['result']).toBe('got hi');
    expect((await send({ _rollout: target })).body['status']).toBe('processing');
    expect((await send(rip('start', 'inv-1', { prompt: 'now' }))).body['result']).toBe('got now');
    // As for the Python toolkit, only objects are wrapped.
    expect((await send([1])).status).toBe(400);
  });
});

describe('the secrets of an invocation', () => {
  const key = 'sk-planted"0123456789';

  it.each(['_config', '_rollout'])('in %s are neither recorded nor logged', async (name) => {
    app(({ fails }) => {
      if (fails === true) throw new Error(`Incorrect API key provided: ${key}`);
      return { reward: 1, [key]: { text: `x${key}y` } };
    });
    await send(rip('start', 'bad', { fails: true, [name]: { api_key: key } }));
    await send(rip('start', 'good', { [name]: { api_key: key } }));
    const [bad, good] = [await send(rip('get', 'bad')), await send(rip('get', 'good'))];
    expect(bad.body['error']).toBe('Incorrect API key provided: [redacted]');
    expect(good.body['result']).toEqual({ reward: 1, '[redacted]': { text: 'x[redacted]y' } });
    expect(made.lines).toContainEqual(
      expect.objectContaining({
        invocationId: 'bad',
        errorMessage: 'Incorrect API key provided: [redacted]',
      }),
    );
    const log = made.lines.map((line) => JSON.stringify(line)).join();
    expect(log).not.toContain('planted');
  });

  it('do not include a key that is the id of the session, as toolkit trainers have it', async () => {
    app((_request, { sessionId: id, log }) => {
      log.info('at work');
      return { reward: 1, id };
    });
    const { body } = await send(rip('start', 'inv-1', { _config: { api_key: sessionId } }));
    expect(body['result']).toEqual({ reward: 1, id: sessionId });
    expect(made.lines).toContainEqual(expect.objectContaining({ message: 'at work', sessionId }));
  });
});
