import { ManualClock } from '@art/ground/testing';
import { isRunning } from '@art/tooling/is-running';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '@art/tooling/eventually';
import type { LocalRuntime } from '../start-local-runtime.ts';
import type { LocalRuntimeOptions } from '../local-runtime-options.ts';
import { type RawReply, rawConnect, rawRequest } from '@art/tooling/raw-http';
import { type FaultyLocal, invoke, newSessionId, startWithPlan } from './faulty-runtime.fixture.ts';
import { FaultInjection, type FaultRule } from './index.ts';

type Rule = Omit<FaultRule, 'when'> & { when?: Partial<FaultRule['when']> };

function startFaulty(
  operation: FaultRule['when']['operation'],
  { when, ...rule }: Rule,
  options: Partial<LocalRuntimeOptions> = {},
): Promise<FaultyLocal> {
  const rules = [{ ...rule, when: { operation, ...when } }];
  return startWithPlan({ seed: 1, rules }, options);
}

const portOf = (local: LocalRuntime): number => Number(new URL(local.endpoint).port);
const put = (local: LocalRuntime, key: string, body: string, headers = {}): Promise<RawReply> =>
  rawRequest(portOf(local), 'PUT', `/bucket/${key}`, headers, body);
const get = (local: LocalRuntime, key: string): Promise<RawReply> =>
  rawRequest(portOf(local), 'GET', `/bucket/${key}`);
const listed = async (local: LocalRuntime, query = ''): Promise<string[]> => {
  const { body } = await rawRequest(portOf(local), 'GET', `/bucket?list-type=2${query}`);
  return [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1] ?? '');
};
const once = (fault: FaultRule['fault']): Rule => ({ fault, count: 1 });

describe('S3 errors', () => {
  it.each([
    [403, 'AccessDenied'],
    [404, 'NoSuchKey'],
    [409, 'ConditionalRequestConflict'],
    [412, 'PreconditionFailed'],
    [500, 'InternalError'],
    [503, 'SlowDown'],
  ])('%i look like S3, before anything is stored', async (status, code) => {
    await using local = await startFaulty('s3_put', once({ kind: 'error', status, retryAfterMs: 1 }));
    const refused = await put(local, 'k', 'one');
    expect(refused).toMatchObject({
      status,
      headers: { 'retry-after': '1', 'content-type': 'application/xml' },
    });
    expect(refused.body).toContain(`<Code>${code}</Code>`);
    expect((await get(local, 'k')).status).toBe(404);
    expect((await put(local, 'k', 'one')).status).toBe(200);
    expect(local.faults.injected()).toMatchObject([
      { operation: 's3_put', bucket: 'bucket', key: 'k', status, moment: 'before', outcome: 'done' },
    ]);
  });

  it('may come although the object was stored', async () => {
    await using local = await startFaulty('s3_put', once({ kind: 'error', status: 500, moment: 'after' }));
    expect((await put(local, 'k', 'one')).status).toBe(500);
    expect((await get(local, 'k')).body).toBe('one');
  });

  it('have no body for HEAD', async () => {
    await using local = await startFaulty('s3_head', once({ kind: 'error', status: 503 }));
    const head = await rawRequest(portOf(local), 'HEAD', '/bucket/k');
    expect(head).toMatchObject({ status: 503, body: '' });
  });
});

describe('S3 connections', () => {
  it.each([
    ['before', 404],
    ['after', 200],
  ] as const)('are reset %s the object is stored', async (moment, status) => {
    await using local = await startFaulty('s3_put', once({ kind: 'reset', moment }));
    expect((await put(local, 'k', 'one')).status).toBeNaN();
    expect((await get(local, 'k')).status).toBe(status);
  });

  it('stall for good, and nobody else waits', async () => {
    await using local = await startFaulty('s3_get', once({ kind: 'drop' }));
    await put(local, 'k', 'one');
    const { socket, received, ended } = await rawConnect(portOf(local));
    socket.write('GET /bucket/k HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await eventually(() => expect(local.faults.injected()).toHaveLength(1));
    expect((await get(local, 'k')).body).toBe('one');
    expect(received()).toBe('');
    socket.destroy();
    await ended;
  });

  it('carry bodies slowly, in both directions', async () => {
    await using local = await startFaulty(['s3_put', 's3_get'], { fault: { kind: 'delay', ms: 1 } });
    local.faults.setPlan({
      seed: 1,
      rules: [
        { when: { operation: ['s3_put', 's3_get'] }, fault: { kind: 'slow_body', bytesPerSecond: 10_000 } },
      ],
    });
    const body = 'x'.repeat(2_500);
    const startedMs = performance.now();
    expect((await put(local, 'k', body)).status).toBe(200);
    expect((await get(local, 'k')).body).toBe(body);
    // 250 ms each; timers may be early by less than a millisecond a step.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(490);
  });
});

describe('wrong listings', () => {
  it('miss a stored key for a while', async () => {
    let nowMs = 0;
    await using local = await startFaulty(
      's3_put',
      { when: { keyPrefix: 'late/' }, fault: { kind: 'hide_from_lists', forMs: 500 } },
      { clock: { nowMs: () => nowMs } },
    );
    await put(local, 'early', '1');
    for (const name of ['a', 'b', 'c']) await put(local, `late/${name}`, '1');
    await put(local, 'zuletzt', '1');
    expect(await listed(local)).toEqual(['early', 'zuletzt']);
    // A page that has only hidden keys must not end the listing.
    expect(await listed(local, '&max-keys=1&start-after=early')).toEqual(['zuletzt']);
    expect((await get(local, 'late/a')).body).toBe('1');
    nowMs = 499;
    expect(await listed(local)).toHaveLength(2);
    nowMs = 500;
    expect(await listed(local)).toHaveLength(5);
  });

  it('name a key that cannot be read yet', async () => {
    let nowMs = 0;
    await using local = await startFaulty('s3_put', once({ kind: 'hide_from_reads', forMs: 500 }), {
      clock: { nowMs: () => nowMs },
    });
    await put(local, 'k', 'one');
    expect(await listed(local)).toEqual(['k']);
    expect((await get(local, 'k')).body).toContain('<Code>NoSuchKey</Code>');
    expect((await rawRequest(portOf(local), 'HEAD', '/bucket/k')).status).toBe(404);
    // It is there all the same: the first writer has won.
    expect((await put(local, 'k', 'two', { 'if-none-match': '*' })).status).toBe(412);
    nowMs = 500;
    expect((await get(local, 'k')).body).toBe('one');
  });

  it('end with the plan', async () => {
    await using local = await startFaulty('s3_put', { fault: { kind: 'hide_from_lists', forMs: 600_000 } });
    await put(local, 'k', 'one');
    expect(await listed(local)).toEqual([]);
    local.faults.setPlan(undefined);
    expect(await listed(local)).toEqual(['k']);
  });
});

describe('a store that accepts and forgets', () => {
  it('answers 200 and keeps nothing', async () => {
    await using local = await startFaulty('s3_put', { fault: { kind: 'forget' }, nth: [1, 3] });
    const forgotten = await put(local, 'k', 'one', { 'if-none-match': '*' });
    expect(forgotten.status).toBe(200);
    expect(forgotten.headers['etag']).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await get(local, 'k')).status).toBe(404);
    await put(local, 'k', 'two');
    // It judges like the real one, and leaves alone what is there.
    expect((await put(local, 'k', 'three', { 'if-none-match': '*' })).status).toBe(412);
    expect((await get(local, 'k')).body).toBe('two');
    expect(local.endpointLog().map((entry) => 'outcome' in entry && entry.outcome)).toEqual([
      'forgotten',
      'stored',
      'refused',
    ]);
    expect(local.faults.injected().map(({ outcome }) => outcome)).toEqual(['done', 'missed']);
  });

  it('may forget later, but never what another has written since', async () => {
    const clock = new ManualClock();
    const faults = new FaultInjection({
      seed: 1,
      rules: [{ when: { operation: 's3_put' }, fault: { kind: 'forget', afterMs: 60_000 }, nth: [1, 2] }],
    });
    await using local = await startWithPlan(undefined, {
      faults: { attach: (runtime) => faults.attach({ ...runtime, clock }) },
    });
    await put(local, 'gone', 'one');
    await put(local, 'kept', 'one');
    await put(local, 'kept', 'two');
    clock.advance(60_000);
    await eventually(() =>
      expect(faults.injected().map(({ outcome }) => outcome)).toEqual(['done', 'missed']),
    );
    expect((await get(local, 'gone')).status).toBe(404);
    expect((await get(local, 'kept')).body).toBe('two');
  });
});

describe('a session that dies while it stores', () => {
  it.each([
    ['before', 404],
    ['after', 200],
  ] as const)('%s its result is there', async (moment, status) => {
    await using local = await startFaulty('s3_put', {
      when: { agent: 'tiny', session: 1 },
      fault: { kind: 'kill', moment },
    });
    const [spared, struck] = [newSessionId(), newSessionId()];
    await invoke(local, spared);
    const { pid } = await invoke(local, struck);
    expect((await put(local, `exp/input/${spared}.json`, '{}')).status).toBe(200);
    const key = `exp/input/${struck}.json`;
    expect((await put(local, key, '{}')).status).toBeNaN();
    await eventually(() => expect(isRunning(pid as number)).toBe(false));
    expect((await get(local, key)).status).toBe(status);
    expect(local.faults.injected()).toMatchObject([
      { kind: 'kill', moment, sessionId: struck, key, outcome: 'done' },
    ]);
    await eventually(() => expect(local.metrics().liveSessions).toBe(1));
  });
});

describe('the endpoint log', () => {
  it('says who wrote what, and what was refused', async () => {
    await using local = await startWithPlan(undefined);
    const sessionId = newSessionId();
    const key = `exp/input/${sessionId}.json`;
    await put(local, key, '{"a":1}', { 'if-none-match': '*' });
    await put(local, key, '{"a":2}', { 'if-none-match': '*' });
    await rawRequest(portOf(local), 'DELETE', `/bucket/${key}`);
    await put(local, 'other', '{}');
    expect(local.endpointLog()).toMatchObject([
      {
        seq: 1,
        kind: 's3_write',
        bucket: 'bucket',
        key,
        sessionId,
        ifAbsent: true,
        outcome: 'stored',
        sizeBytes: 7,
      },
      { seq: 2, kind: 's3_write', key, sessionId, ifAbsent: true, outcome: 'refused' },
      { seq: 3, kind: 's3_delete', key, outcome: 'deleted' },
      { seq: 4, kind: 's3_write', key: 'other', sessionId: undefined, ifAbsent: false, outcome: 'stored' },
    ]);
  });

  it('is also there over HTTP, from a number on', async () => {
    await using local = await startFaulty('s3_put', once({ kind: 'error', status: 500 }), {
      endpointLogEntries: 2,
    });
    for (const key of ['a', 'b', 'c', 'd']) await put(local, key, '1');
    const read = async (path: string): Promise<unknown> =>
      JSON.parse((await rawRequest(portOf(local), 'GET', path)).body);
    expect(await read('/_art/log?after=1')).toMatchObject({ lastSeq: 3, entries: [{ seq: 2 }, { seq: 3 }] });
    expect(await read('/_art/log')).toEqual({
      lastSeq: 3,
      entries: JSON.parse(JSON.stringify(local.endpointLog())),
    });
    expect(await read('/_art/faults?after=0')).toMatchObject({ faults: [{ seq: 1, key: 'a' }] });
    expect(await read('/_art/faults?after=1')).toEqual({ faults: [] });
    expect((await rawRequest(portOf(local), 'GET', '/_art/log?after=x')).status).toBe(400);
  });
});

it('what a plan has pending keeps nothing alive', async () => {
  const local = await startFaulty('s3_put', { fault: { kind: 'forget', afterMs: 600_000 } });
  await put(local, 'k', 'one');
  await local.close();
  await vi.waitFor(() => expect(local.faults.injected()[0]?.outcome).toBe('missed'));
});
