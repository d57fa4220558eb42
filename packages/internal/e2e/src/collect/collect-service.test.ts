import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ManualClock } from '@art/ground/testing';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { checkRolloutRows, type TrainingRow } from '@art/trajectories';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, collect, type CollectEvent, startCollectBed } from './collect-bed.fixture.ts';

const four = [0, 1, 2, 3].map((n) => ({ n }));

async function until(
  stream: AsyncGenerator<CollectEvent>,
  isLast: (event: CollectEvent) => boolean,
): Promise<CollectEvent[]> {
  const events: CollectEvent[] = [];
  for await (const event of stream) {
    if (event.event === 'progress') continue;
    events.push(event);
    if (isLast(event)) break;
  }
  return events;
}

const atEnd = (event: CollectEvent): boolean => event.event === 'end' || event.event === 'error';

describe('a request', () => {
  it('gives each group once, with outcomes, rewards, advantages and checked rows', async () => {
    const { agents, gateway, engine, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const inputs = [{ n: 1, turns: 2 }, { n: 2, fails: true }, { n: 3 }];
    const body = {
      request_id: 'a',
      inputs,
      rollouts_per_input: 3,
      policy_version: 7,
      sampling: { top_k: 5, temperature: 0.7 },
      sampling_defaults: { top_p: 0.9 },
    };
    const events = await until(collect(url, body), atEnd);
    expect(events[0]).toMatchObject({ event: 'accepted', request_id: 'a', resumed: false, groups: 3 });
    const groups = events.filter(({ event }) => event === 'group').toSorted((a, b) => a.index - b.index);
    expect(groups.map(({ id, kind, usable }) => ({ id, kind, usable }))).toEqual([
      { id: 'a-0', kind: 'complete', usable: true },
      { id: 'a-1', kind: 'failed', usable: false },
      { id: 'a-2', kind: 'complete', usable: true },
    ]);
    expect(groups[0]).toMatchObject({
      policy_version: 7,
      weight_versions: { oldest: 7, newest: 7 },
      rewards: [1, 1, 1],
      advantages: [0, 0, 0],
    });
    const members = groups[1]!['members'] as { status: string }[];
    expect(members.find(({ status }) => status === 'masked')).toMatchObject({
      outcome: 'agent_error',
      error: { code: 'ART_AGENT_ERROR', message: expect.any(String) as string },
      reward: null,
      weight: 0,
    });
    const rows = groups[0]!['rows'] as TrainingRow[];
    const byRollout = Map.groupBy(rows, (row) => row.rollout_id);
    for (const own of byRollout.values()) checkRolloutRows(own);
    expect(byRollout.size).toBe(3);
    expect(new Set(groups[0]!['row_members'] as number[])).toEqual(new Set([0, 1, 2]));
    for (const { request } of engine.calls)
      expect(request).toMatchObject({ top_k: 5, temperature: 0.7, top_p: 0.9 });
    expect(await gateway.weightVersion()).toBe(7);
    expect(events.at(-1)).toMatchObject({ event: 'end', state: 'settled', settled: 3, not_started: [] });
    expect([...agents.runs.values()].every((runs) => runs === 1)).toBe(true);
  });

  it('continues where rollouts have another number of rewards than turns', async () => {
    const { startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const body = {
      request_id: 'credit',
      inputs: [{ n: 1, turns: 2 }, { n: 2 }],
      rollouts_per_input: 2,
      advantages: { credit: 'turn' },
    };
    const events = await until(collect(url, body), atEnd);
    const groups = events.filter(({ event }) => event === 'group').toSorted((a, b) => a.index - b.index);
    expect(groups.map(({ rows }) => (rows as unknown[]).length)).toEqual([0, 2]);
    const wrong = {
      reason: 'turn_rewards',
      problem: expect.stringMatching(/each of 2 turns .* got 1/) as string,
    };
    expect(groups[0]!['without_rows']).toMatchObject([wrong, wrong]);
    expect(events.at(-1)).toMatchObject({ event: 'end', settled: 2 });
  });

  it('tells once of an engine whose model cuts sampling, in what the trainer left open', async () => {
    const { directory, gateway, notices, startSidecar } = await startCollectBed();
    const config = JSON.stringify({ temperature: 0.6, top_k: 20 });
    await writeFile(join(directory, 'generation_config.json'), config);
    const server = createServer((request, response) => {
      const models = { data: [{ id: 'other', owned_by: 'vllm', root: directory }] };
      response.statusCode = ['/v1/models', '/health'].includes(request.url!) ? 200 : 404;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(models));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await gateway.addWorker({ url, modelName: 'other' });
    const isKnown = async (): Promise<boolean> =>
      (await gateway.workers()).some((worker) => worker.model_sampling?.['top_k'] === 20);
    await vi.waitFor(async () => expect(await isKnown()).toBe(true));
    const sidecar = await startSidecar();
    for (const id of ['a', 'b']) {
      const body = {
        request_id: id,
        inputs: [{ n: 1 }],
        rollouts_per_input: 1,
        sampling: { temperature: 1 },
      };
      await until(collect(sidecar.url, body), atEnd);
    }
    expect(notices).toEqual([expect.stringMatching(/sets top_k 20 for .*--generation-config vllm/)]);
  });

  it('comes again under its id: what was not acknowledged, with the same ids, and nothing runs again', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const body = { request_id: 'b', inputs: four, rollouts_per_input: 2 };
    const first = (await until(collect(url, body), atEnd)).filter(({ event }) => event === 'group');
    const acknowledged = await call(url, 'POST', '/requests/b/acknowledge', { groups: ['b-0', 'b-2'] });
    expect(acknowledged).toMatchObject({ status: 200, body: { acknowledged: 2 } });
    expect((await call(url, 'POST', '/requests/b/acknowledge', { groups: ['b-0'] })).body).toEqual({
      acknowledged: 0,
    });
    const again = (await until(collect(url, body), atEnd)).filter(({ event }) => event === 'group');
    expect(again.map(({ id }) => id).toSorted()).toEqual(['b-1', 'b-3']);
    for (const group of again) expect(group).toEqual(first.find(({ id }) => id === group.id));
    await call(url, 'POST', '/requests/b/acknowledge', { groups: ['b-1', 'b-3'] });
    // A trainer without its checkpoint would take the silence for a step without rollouts.
    expect(await call(url, 'POST', '/groups', body)).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'ART_COLLECT_ACKNOWLEDGED',
          message: expect.stringContaining('another request_id') as string,
        },
      },
    });
    expect(agents.runs.size).toBe(8);
  });

  it('continues with the version that was announced last, in a sidecar and a gateway that have started anew', async () => {
    const bed = await startCollectBed();
    const before = await bed.startSidecar();
    const body = { request_id: 'v', inputs: [{ n: 0 }, { n: 1, hold: true }], rollouts_per_input: 1 };
    const seen = until(collect(before.url, { ...body, policy_version: 7 }), atEnd);
    await vi.waitFor(() => expect(bed.agents.started).toContain(1));
    await call(before.url, 'POST', '/continue', { policy_version: 9 });
    await before.service.close('leave');
    await seen;
    const gateway = await startGateway({ port: 0, logLevel: 'silent' });
    onTestFinished(() => gateway.close());
    const after = await bed.startSidecar({}, gateway.url);
    const goesOn = collect(after.url, { ...body, policy_version: 7 });
    await until(goesOn, ({ event }) => event === 'accepted');
    expect(await new GatewayClient({ url: gateway.url }).weightVersion()).toBe(9);
    await call(after.url, 'DELETE', '/requests/v');
  });

  it('is taken over by a second reader, who gets everything', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const body = { request_id: 'c', inputs: [{ n: 0 }, { n: 1, hold: true }], rollouts_per_input: 1 };
    const earlier = collect(url, body);
    await until(earlier, () => true);
    const readers = [until(collect(url, body), atEnd), undefined];
    await vi.waitFor(() => expect(agents.started).toContain(1));
    readers[1] = until(collect(url, body), atEnd);
    expect((await readers[0]!).at(-1)).toMatchObject({ event: 'error', code: 'ART_COLLECT_TAKEN_OVER' });
    agents.release();
    const ids = (await readers[1]).filter(({ event }) => event === 'group').map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['c-0', 'c-1']);
    expect(agents.runs.size).toBe(2);
  });

  it('continues in another sidecar, which takes the sessions over', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const before = await startSidecar();
    const body = { request_id: 'd', inputs: [{ n: 0 }, { n: 1, hold: true }], rollouts_per_input: 2 };
    const seen = until(collect(before.url, body), atEnd);
    await vi.waitFor(() => expect(agents.started).toHaveLength(4));
    await before.service.close('leave');
    const told = await seen;
    expect(told.at(-1)).toMatchObject({ event: 'error', code: 'ART_COLLECT_STOPPING' });
    const after = await startSidecar();
    expect((await call(after.url, 'GET', '/requests')).body).toMatchObject([
      { request_id: 'd', state: 'resting' },
    ]);
    const rest = until(collect(after.url, body), atEnd);
    agents.release();
    const ids = (await rest).filter(({ event }) => event === 'group').map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['d-0', 'd-1']);
    expect([...agents.runs.values()]).toEqual([1, 1, 1, 1]);
  });

  it('is refused where it is wrong, changed or cancelled, before anything is sent', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const right = { request_id: 'e', inputs: [{ n: 0 }], rollouts_per_input: 1 };
    const refused = async (body: object): Promise<unknown> => {
      const { status, body: told } = await call(url, 'POST', '/groups', body);
      return { status, code: (told['error'] as { code: string }).code };
    };
    const invalid = { status: 400, code: 'ART_INVALID_OPTION' };
    expect(await refused({})).toEqual(invalid);
    expect(await refused({ ...right, inputs: [] })).toEqual(invalid);
    expect(await refused({ ...right, inputs: [1] })).toEqual(invalid);
    expect(await refused({ ...right, rollouts_per_input: 0 })).toEqual(invalid);
    expect(await refused({ ...right, row_format: 'pickle' })).toEqual(invalid);
    expect(await refused({ ...right, request_id: '../up' })).toEqual(invalid);
    expect(await refused({ ...right, advantages: { scale: 'much' } })).toEqual(invalid);
    expect(await refused({ ...right, temperature: 1 })).toEqual(invalid);
    expect(await call(url, 'DELETE', '/requests/unknown')).toMatchObject({ status: 404 });
    expect(agents.runs.size).toBe(0);

    await until(collect(url, right), atEnd);
    const changed = await refused({ ...right, rollouts_per_input: 2 });
    expect(changed).toEqual({ status: 409, code: 'ART_COLLECT_REQUEST_CHANGED' });
    expect(await call(url, 'DELETE', '/requests/e')).toMatchObject({ status: 200 });
    expect(await refused(right)).toEqual({ status: 410, code: 'ART_COLLECT_CANCELLED' });
  });

  it('ends at its deadline and names the inputs that never began', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const clock = new ManualClock();
    const { url } = await startSidecar({}, undefined, clock);
    const inputs = [{ n: 0 }, { n: 1, hold: true }, { n: 2 }];
    const limits = { max_concurrent_sessions: 1, deadline_ms: 600_000 };
    const body = { request_id: 'f', inputs, rollouts_per_input: 1, ...limits };
    const ending = until(collect(url, body), atEnd);
    const timeGoesBy = setInterval(() => clock.advance(20), 20);
    onTestFinished(() => clearInterval(timeGoesBy));
    await vi.waitFor(() => expect(agents.started).toContain(1));
    clock.advance(limits.deadline_ms);
    const events = await ending;
    const kinds = events.flatMap(({ event, index, kind }) => (event === 'group' ? [[index, kind]] : []));
    expect(kinds).toEqual([
      [0, 'complete'],
      [1, 'failed'],
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'end', state: 'settled', not_started: [2] });
  });
});

describe('the flow of work', () => {
  it('stops every session of a cancelled request', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const body = { request_id: 'g', inputs: [{ n: 0, hold: true }], rollouts_per_input: 3 };
    const events = until(collect(url, body), atEnd);
    await vi.waitFor(() => expect(agents.started).toHaveLength(3));
    expect((await call(url, 'DELETE', '/requests/g')).status).toBe(200);
    expect(new Set(agents.stops).size).toBe(3);
    expect((await events).at(-1)).toMatchObject({ event: 'error', code: 'ART_COLLECT_CANCELLED' });
  });

  it('holds new groups back while it is drained, and continues with the new version', async () => {
    const { agents, gateway, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const inputs = [{ n: 0, hold: true }, { n: 1 }, { n: 2 }];
    const limits = { max_concurrent_sessions: 1, policy_version: 1 };
    const body = { request_id: 'h', inputs, rollouts_per_input: 1, ...limits };
    const events = until(collect(url, body), atEnd);
    await vi.waitFor(() => expect(agents.started).toEqual([0]));
    const hasty = await call(url, 'POST', '/drain', { deadline_ms: 50 });
    expect(hasty.body).toEqual({ drained: false, open_groups: 1 });
    agents.release();
    expect((await call(url, 'POST', '/drain')).body).toEqual({ drained: true, open_groups: 0 });
    expect(agents.started).toEqual([0]);
    expect((await call(url, 'GET', '/requests')).body).toMatchObject([{ open_groups: 0, draining: true }]);
    await call(url, 'POST', '/continue', { policy_version: 2 });
    const groups = (await events).filter(({ event }) => event === 'group');
    expect(groups.map(({ weight_versions: versions }) => versions)).toEqual([
      { oldest: 1, newest: 1 },
      { oldest: 2, newest: 2 },
      { oldest: 2, newest: 2 },
    ]);
    expect(await gateway.weightVersion()).toBe(2);
  });

  it('begins no group beyond those that may be open or not acknowledged', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const body = { request_id: 'i', inputs: four, rollouts_per_input: 1, max_unacknowledged_groups: 2 };
    const stream = collect(url, body);
    const ids: string[] = [];
    let signs = 0;
    for await (const event of stream) {
      if (event.event === 'group') ids.push(event.id);
      // Three signs of life after two groups, and no third: nothing moves until something is acknowledged.
      if (event.event === 'progress' && ids.length === 2 && (signs += 1) === 3) {
        expect(agents.started).toEqual([0, 1]);
        await call(url, 'POST', '/requests/i/acknowledge', { groups: ids });
      }
      if (event.event === 'end') break;
    }
    expect(ids).toHaveLength(4);
  });

  it('takes nothing while nobody reads', async () => {
    const { agents, startSidecar } = await startCollectBed();
    const { url } = await startSidecar();
    const inputs = Array.from({ length: 40 }, (_, n) => ({ n }));
    const body = { request_id: 'j', inputs, rollouts_per_input: 1, max_concurrent_sessions: 2 };
    await until(collect(url, body), ({ event }) => event === 'group');
    let before = -1;
    await vi.waitFor(
      () => {
        const now = agents.started.length;
        const isQuiet = now === before;
        before = now;
        expect(isQuiet).toBe(true);
      },
      { interval: 400 },
    );
    expect(agents.started.length).toBeLessThan(20);
    const rest = await until(collect(url, body), atEnd);
    expect(rest.at(-1)).toMatchObject({ event: 'end', settled: 40 });
    expect(agents.runs.size).toBe(40);
  });
});

it('asks for its token', async () => {
  const { startSidecar } = await startCollectBed();
  const { url } = await startSidecar({ token: 'secret' });
  expect(await call(url, 'GET', '/requests')).toMatchObject({
    status: 401,
    body: { error: { code: 'ART_COLLECT_DENIED' } },
  });
  const answer = await fetch(`${url}/requests`, { headers: { authorization: 'Bearer secret' } });
  expect(await answer.json()).toEqual([]);
});
