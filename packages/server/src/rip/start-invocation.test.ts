import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentCoreRLAppOptions } from '../app-options.ts';
import type { RequestContext } from '../context/request-context.ts';
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
});
