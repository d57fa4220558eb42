import { EventEmitter } from 'node:events';
import type { GatewayClient } from '@art/gateway-client';
import type { SessionSocket } from '@art/protocol';
import type { TrainingRow } from '@art/trajectories';
import { ArtError } from '@art/ground';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { RolloutClient } from '../client/rollout-client.ts';
import type { RolloutClientOptions } from '../client/rollout-client-options.ts';
import type { Group } from '../groups/group.ts';
import {
  ScriptedGroupRuntime,
  documentWith,
  placeOverrides,
} from '../groups/scripted-group-runtime.fixture.ts';
import { capturedRollouts } from '../records/captured-rollouts.ts';
import { inFakeTime } from '../in-fake-time.fixture.ts';
import { MemoryJournal } from '../recording/memory-journal.fixture.ts';
import { MortalRuntime } from '../recording/mortal-runtime.fixture.ts';
import { ScriptedRuntime } from '../scripted-runtime.fixture.ts';
import { FakeGateway, gatewayError } from './fake-gateway.fixture.ts';
import type { TrajectoryGateway } from './gateway-options.ts';

let runtime: ScriptedRuntime;
let gateway: FakeGateway;
let warnings: string[];
const clients: RolloutClient[] = [];

function clientOn(options: Partial<RolloutClientOptions> = {}): RolloutClient {
  const client = new RolloutClient({
    runtime,
    store: runtime.store,
    bucket: 'b',
    expId: 'e',
    gateway,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  clients.push(client);
  return client;
}

/** The `_rollout` config that a send contained. */
function configOf(send: number): Record<string, unknown> {
  const { _rollout } = JSON.parse(runtime.sends[send]!.body) as { _rollout: Record<string, unknown> };
  return _rollout;
}

beforeEach(() => {
  vi.useFakeTimers();
  runtime = new ScriptedRuntime();
  gateway = new FakeGateway();
  warnings = [];
});
afterEach(async () => {
  runtime.clearTimers();
  for (const client of clients.splice(0)) await inFakeTime(client.close());
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** Makes no session until so much time has passed. */
function downFor(outageMs: number): FakeGateway['failing'] {
  const upAtMs = Date.now() + outageMs;
  return (call) =>
    call === 'create' && Date.now() < upAtMs
      ? { error: gatewayError('ART_GATEWAY_UNREACHABLE'), when: 'before' }
      : undefined;
}

// A bye before any welcome: its type, no stream, the length of its text.
const refusal = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 2]), Buffer.from('no')]);

const failedText = '{"status_code": 500, "stop_reason": "x"}';

describe('a rollout with a gateway', () => {
  it('gets its own session, and what it sampled comes with reward and outcome', async () => {
    const client = clientOn();
    const future = await inFakeTime(client.invoke({}, { inputId: 'q1' }));
    const { sessionId } = future;
    expect(configOf(0)).toMatchObject({ base_url: gateway.baseUrlOf(sessionId) });
    expect(configOf(0)).not.toHaveProperty('api_key');
    expect(gateway.sessions.get(sessionId)?.input).toMatchObject({ rolloutId: sessionId, groupId: 'q1' });
    const trajectory = await inFakeTime(future.trajectory());
    expect(trajectory).toMatchObject({
      sessionId,
      groupId: 'q1',
      reward: 1,
      outcome: { kind: 'ok' },
      summary: {
        turns: 2,
        answeredTurns: 2,
        parallelTurns: 0,
        sampledTokens: 2,
        trainedTokens: 2,
        maskedTurns: [],
        unfinishedCalls: 0,
        failedCalls: 2,
      },
    });
    expect(trajectory.rows).toMatchObject([
      { rollout_id: sessionId, group_id: 'q1', reward: 1, metadata: { outcome: 'ok' } },
    ]);
    await inFakeTime(future.trajectory());
    expect(gateway.calls.map(({ call }) => call)).toEqual(['create', 'finish']);
  });

  it('is finished without anybody asking for it, so that late calls are refused', async () => {
    const client = clientOn();
    const future = await inFakeTime(client.invoke({}));
    await inFakeTime(future.result());
    await inFakeTime(client.close());
    expect(gateway.sessions.get(future.sessionId)?.finish).toMatchObject({ reward: 1 });
  });

  it.each([
    [0, 'infra_error'],
    [10, 'infra_error'],
    [0, 'ok'],
  ])('ends %d ms after the agent has refused its socket, as %s', async (afterMs, kind) => {
    let dials = 0;
    const openSocket = async (): Promise<SessionSocket> => {
      const socket: SessionSocket & EventEmitter = Object.assign(new EventEmitter(), {
        send: () => setTimeout(() => socket.emit('message', refusal, true), afterMs),
        close: () => {},
        terminate: () => {},
      });
      dials += 1;
      return socket;
    };
    const client = clientOn({
      runtime: Object.assign(runtime, { openSocket }),
      gateway: Object.assign(gateway, { reach: 'session' as const }),
    });
    // What is there when the agent refuses counts, though nobody was to look for it yet.
    const script = { storeAfterMs: kind === 'ok' ? 0 : 600_000 };
    const began = Date.now();
    const future = await inFakeTime(client.invoke({ script }));
    const outcome = await inFakeTime(future.outcome());
    expect(outcome.kind).toBe(kind);
    if (kind !== 'ok') expect(outcome).toMatchObject({ error: { code: 'ART_REACH_REFUSED' } });
    expect([dials, Date.now() - began < 5_000]).toEqual([1, true]);
  });

  it('tells the agent the key of its session', async () => {
    gateway.apiKey = 'sk-1';
    await inFakeTime(clientOn().invoke({ n: 1 }));
    expect(configOf(0)).toMatchObject({ api_key: 'sk-1', base_url: expect.any(String) as string });
    expect(JSON.parse(runtime.sends[0]!.body)).toMatchObject({ n: 1 });
  });

  it('has no reward where its document has none, which is not 0', async () => {
    const future = await inFakeTime(clientOn().invoke({ script: { text: '{"status_code": 200}' } }));
    const { reward, rows } = await inFakeTime(future.trajectory());
    expect([reward, rows[0]?.reward]).toEqual([undefined, null]);
  });

  it.each([
    ['a handler that failed', { text: failedText }, undefined, 'agent_error'],
    [
      'an outage of its infrastructure',
      { text: '{"status_code": 503, "stop_reason": "infrastructure_error"}' },
      undefined,
      'infra_error',
    ],
    ['a deadline', { storesNothing: true }, 200, 'timeout'],
  ])('is dropped after %s', async (_name, script, timeoutMs, kind) => {
    const client = clientOn();
    const future = await inFakeTime(client.invoke({ script }));
    const trajectory = await inFakeTime(future.trajectory({ timeoutMs }));
    expect(trajectory).toMatchObject({ rows: [], summary: undefined, outcome: { kind } });
    await inFakeTime(client.close());
    expect(gateway.sessions.size).toBe(0);
    expect(gateway.countOf('finish')).toBe(0);
  });

  it('is dropped when it is cancelled, the client is closed or the batch is left', async () => {
    const client = clientOn();
    const script = { storesNothing: true };
    const future = await inFakeTime(client.invoke({ script }));
    await inFakeTime(future.cancel());
    await inFakeTime(client.invoke({ script }));
    const batch = client.runBatch([{}, { script }, { script }], { maxConcurrentSessions: 3 });
    const first = await inFakeTime(batch.next());
    await inFakeTime(batch.return(undefined));
    await inFakeTime(client.close());
    expect([...gateway.sessions.keys()]).toEqual([first.value!.sessionId]);
    expect(gateway.countOf('create')).toBe(5);
  });

  it('is created again after broken connections, and taken for its own where the answer was lost', async () => {
    let creations = 0;
    gateway.failing = (call) => {
      if (call !== 'create') return undefined;
      creations += 1;
      const error = gatewayError('ART_GATEWAY_UNREACHABLE');
      if (creations === 1) return { error, when: 'before' };
      return creations === 2 ? { error, when: 'after' } : undefined;
    };
    gateway.apiKey = 'sk-2';
    const future = await inFakeTime(clientOn().invoke({}));
    expect(configOf(0)).toMatchObject({ api_key: 'sk-2' });
    expect((await inFakeTime(future.trajectory())).rows).toHaveLength(1);
    expect(gateway.calls.map(({ call }) => call)).toEqual(['create', 'create', 'create', 'status', 'finish']);
  });

  it('waits for a gateway that is down, and says so once', async () => {
    gateway.failing = downFor(50_000);
    const items = await inFakeTime(
      Array.fromAsync(clientOn().runBatch([{}, {}, {}], { maxConcurrentSessions: 3 })),
    );
    expect(items.map(({ outcome, attempt }) => [outcome.kind, attempt])).toEqual([
      ['ok', 0],
      ['ok', 0],
      ['ok', 0],
    ]);
    expect(warnings).toEqual([expect.stringContaining('wait for the model gateway')]);
    // 0.25 s, doubled up to 5 s: a gateway that comes back is not met by a storm.
    expect(gateway.countOf('create')).toBeLessThan(3 * 16);
  });

  it('gets a further attempt, by default, where the gateway was down for too long', async () => {
    gateway.failing = downFor(70_000);
    const [item] = await inFakeTime(Array.fromAsync(clientOn().runBatch([{}], { maxConcurrentSessions: 1 })));
    expect(item).toMatchObject({
      outcome: { kind: 'ok' },
      attempt: 1,
      attempts: [
        { outcome: { kind: 'infra_error', error: { code: 'ART_GATEWAY_UNREACHABLE' } } },
        { outcome: { kind: 'ok' } },
      ],
    });
    expect(runtime.sends).toHaveLength(1);
  });

  it('is an infra_error and not late where its own time is over before the gateway is back', async () => {
    gateway.failing = downFor(15_000);
    const batch = clientOn().runBatch([{}], { maxConcurrentSessions: 1, timeoutMs: 10_000 });
    const [item] = await inFakeTime(Array.fromAsync(batch));
    expect(item).toMatchObject({
      outcome: { kind: 'ok' },
      attempts: [
        { outcome: { kind: 'infra_error', error: { code: 'ART_GATEWAY_UNREACHABLE' } } },
        { outcome: { kind: 'ok' } },
      ],
    });
  });

  it('is an infra_error, with nothing started, where the gateway stays down', async () => {
    gateway.failing = downFor(Infinity);
    const client = clientOn();
    await expect(inFakeTime(client.invoke({}))).rejects.toMatchObject({ code: 'ART_GATEWAY_UNREACHABLE' });
    const batch = client.runBatch([{}], { maxConcurrentSessions: 1 });
    const [item] = await inFakeTime(Array.fromAsync(batch));
    expect(item).toMatchObject({
      attempt: 2,
      outcome: { kind: 'infra_error', error: { code: 'ART_GATEWAY_UNREACHABLE' } },
    });
    expect((await item!.trajectory()).rows).toEqual([]);
    expect([runtime.sends, runtime.stops]).toEqual([[], []]);
  });

  it('is rejected at once where the gateway refuses', async () => {
    gateway.failing = (call) =>
      call === 'create' ? { error: gatewayError('ART_GATEWAY_DENIED', 401), when: 'before' } : undefined;
    const [item] = await inFakeTime(Array.fromAsync(clientOn().runBatch([{}], { maxConcurrentSessions: 1 })));
    expect(item).toMatchObject({ attempt: 0, outcome: { kind: 'rejected' } });
    expect(gateway.countOf('create')).toBe(1);
  });

  it('does not touch a session of that name that is somebody else’s', async () => {
    const sessionId = 's'.repeat(40);
    await inFakeTime(gateway.createTrajectory({ sessionId, metadata: { attempt_id: 'other' } }));
    const client = clientOn();
    await expect(inFakeTime(client.invoke({}, { sessionId }))).rejects.toMatchObject({
      code: 'ART_GATEWAY_CONFLICT',
    });
    await inFakeTime(client.close());
    expect(gateway.sessions.get(sessionId)?.finish).toBeUndefined();
    expect(gateway.countOf('delete')).toBe(0);
    expect(runtime.sends).toEqual([]);
  });

  it('can be asked again for rows that the gateway could not give at first', async () => {
    let isDown = true;
    gateway.failing = (call) =>
      call === 'finish' && isDown ? { error: gatewayError('ART_GATEWAY_TIMEOUT'), when: 'after' } : undefined;
    const future = await inFakeTime(clientOn().invoke({}));
    await expect(inFakeTime(future.trajectory())).rejects.toMatchObject({ code: 'ART_GATEWAY_TIMEOUT' });
    expect(await inFakeTime(future.result())).toMatchObject({ rewards: 1 });
    expect(warnings.some((warning) => warning.includes(future.sessionId))).toBe(true);
    isDown = false;
    expect((await inFakeTime(future.trajectory())).rows).toHaveLength(1);
  });

  it('warns of a session that could not be dropped', async () => {
    gateway.failing = (call) =>
      call === 'delete' ? { error: gatewayError('ART_GATEWAY_TIMEOUT'), when: 'before' } : undefined;
    const future = await inFakeTime(clientOn().invoke({ script: { storesNothing: true } }));
    await inFakeTime(future.cancel());
    expect(warnings).toEqual([expect.stringContaining(future.sessionId)]);
  });

  it('has a session for each attempt, of which the failed ones are dropped', async () => {
    const client = clientOn();
    const script = { failures: [503, 503, 503] };
    let attempts = 0;
    const batch = client.runBatch([{}], {
      maxConcurrentSessions: 1,
      retry: { lost: 1 },
      overrides: () => ({ attempt: attempts++ }),
    });
    const invoke = runtime.invoke.bind(runtime);
    runtime.invoke = (request, options) => {
      const payload = JSON.parse(request.body) as { _rollout: { attempt: number } };
      const body = JSON.stringify({ ...payload, script: payload._rollout.attempt === 0 ? script : {} });
      return invoke({ ...request, body }, options);
    };
    const [item] = await inFakeTime(Array.fromAsync(batch));
    expect(item).toMatchObject({ attempt: 1, outcome: { kind: 'ok' } });
    expect((await item!.trajectory()).rows).toMatchObject([{ rollout_id: item!.sessionId }]);
    expect([...gateway.sessions.keys()]).toEqual([item!.sessionId]);
    expect(gateway.countOf('create')).toBe(2);
  });

  it('leaves items plain objects', async () => {
    const [item] = await inFakeTime(Array.fromAsync(clientOn().runBatch([{}], { maxConcurrentSessions: 1 })));
    expect(structuredClone(item)).toEqual(item);
    expect(Object.keys(item!)).not.toContain('trajectory');
  });
});

describe('a client without a gateway', () => {
  it('says that there is nothing to be had', async () => {
    const client = clientOn({ gateway: undefined });
    const future = await inFakeTime(client.invoke({}));
    await expect(inFakeTime(future.trajectory())).rejects.toThrow('Expected `gateway`');
    const [item] = await inFakeTime(Array.fromAsync(client.runBatch([{}], { maxConcurrentSessions: 1 })));
    await expect(item!.trajectory()).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });
});

describe('groups with a gateway', () => {
  let groupRuntime: ScriptedGroupRuntime;
  beforeEach(() => {
    groupRuntime = new ScriptedGroupRuntime();
    runtime = groupRuntime;
  });

  async function soleGroup(options: object): Promise<Group> {
    const groups = clientOn().runGroups([{ n: 1 }], {
      rolloutsPerInput: 3,
      maxConcurrentSessions: 3,
      overrides: placeOverrides,
      inputId: () => 'q7',
      ...options,
    });
    const [group] = await inFakeTime(Array.fromAsync(groups));
    return group!;
  }

  it('have rows of the members with a reward, advantages filled in, and count the others', async () => {
    gateway.rowCount = 2;
    groupRuntime.scriptOf = ({ member }) => ({
      text: member === 2 ? failedText : documentWith([0, member === 0 ? 1 : 3]),
    });
    const group = await soleGroup({});
    const { rows, members, without } = await inFakeTime(group.rows());
    expect([members, without]).toEqual([2, [{ member: 2, reason: 'masked' }]]);
    expectTypeOf(rows).toEqualTypeOf<readonly TrainingRow[]>();
    expect(rows.map((row) => [row.group_id, row.reward, row.advantages])).toEqual([
      ['q7', null, [-1, 0, -1]],
      ['q7', 1, [-1, 0, -1]],
      ['q7', null, [1, 0, 1]],
      ['q7', 3, [1, 0, 1]],
    ]);
    expect(gateway.sessions.size).toBe(2);
    expect(() => structuredClone(group)).not.toThrow();
  });

  it('tell of each member what is known of its calls; what nobody saw is undefined', async () => {
    groupRuntime.scriptOf = ({ member }) => ({ text: member === 2 ? failedText : documentWith([member]) });
    const group = await soleGroup({});
    const silent = (): Promise<never> => Promise.reject(new Error('no captures today'));
    expect(await inFakeTime(capturedRollouts(group, silent))).toMatchObject([
      { id: 'q7#0', inputId: 'q7', outcome: 'ok', reward: 0, modelCalls: 2, failedCalls: 2, rows: [{}] },
      { id: 'q7#1', reward: 1, trainedTokens: 2, conversation: undefined },
      {
        id: 'q7#2',
        outcome: 'agent_error',
        error: { code: 'ART_AGENT_ERROR' },
        reward: null,
        modelCalls: undefined,
        failedCalls: undefined,
        rows: undefined,
      },
    ]);
    const [first] = await inFakeTime(capturedRollouts(group, () => Promise.resolve([])));
    expect(first!.conversation).toEqual({ messages: [], calls: [] });
  });

  it('give each turn its own advantages where the agent rewards each', async () => {
    const rewards = [
      [1, 0],
      [0, 1],
    ];
    groupRuntime.scriptOf = ({ member }) => ({ text: documentWith(rewards[member]!) });
    const group = await soleGroup({ rolloutsPerInput: 2, advantages: { credit: 'turn' } });
    const { rows } = await inFakeTime(group.rows());
    expect(rows.map((row) => row.advantages)).toEqual([
      [0, 0, -1],
      [0, 0, 0],
    ]);
  });

  it('give a failed handler its reward at the last turn', async () => {
    groupRuntime.scriptOf = ({ member }) => ({ text: member === 0 ? failedText : documentWith([1, 3]) });
    const group = await soleGroup({
      rolloutsPerInput: 2,
      fallback: { agent_error: { reward: -1 } },
      advantages: { credit: 'turn' },
    });
    const { rows } = await inFakeTime(group.rows());
    expect(rows.map((row) => row.advantages)).toEqual([
      [-2.5, 0, -2.5],
      [2.5, 0, 1.5],
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['too few', [1], /for each of 2 turns .* got 1\b/],
    ['too many', [1, 2, 3], /for each of 2 turns .* got 3\b/],
    ['one number', 1, /for each of 2 turns .* got 1, one number/],
    ['one that is none', [null, 1], /turn 0/],
  ])(
    'leave a rollout out of credit by turn that has %s rewards, and go on without it',
    async (_, given, message) => {
      groupRuntime.scriptOf = ({ member }) => ({
        text: documentWith(member === 1 ? given : [0, member === 0 ? 1 : 3]),
      });
      const group = await soleGroup({ advantages: { credit: 'turn' } });
      const { rows, members, without } = await inFakeTime(group.rows());
      expect(rows.map((row) => row.advantages)).toEqual([
        [-1, 0, -1],
        [1, 0, 1],
      ]);
      const problem = expect.stringMatching(message) as string;
      expect([members, without]).toEqual([2, [{ member: 1, reason: 'turn_rewards', problem }]]);
      const { sessionId } = group.members[1]!.attempts[0]!;
      expect(without[0]!.problem).toContain(JSON.stringify(sessionId));
    },
  );

  it('are of no use with credit by turn where too few rollouts have a reward for each turn', async () => {
    groupRuntime.scriptOf = ({ member }) => ({ text: documentWith(member === 0 ? [0, 1] : [1]) });
    const group = await soleGroup({ advantages: { credit: 'turn' } });
    expect(await inFakeTime(group.rows())).toMatchObject({
      rows: [],
      without: [{ reason: 'unusable_group' }, { reason: 'turn_rewards' }, { reason: 'turn_rewards' }],
    });
  });

  it('have nothing with credit by turn of calls that had no order', async () => {
    gateway.parallelTurns = 1;
    groupRuntime.scriptOf = () => ({ text: documentWith([0, 1]) });
    const group = await soleGroup({ advantages: { credit: 'turn' } });
    const { rows, without } = await inFakeTime(group.rows());
    expect([rows, without.map(({ reason }) => reason)]).toEqual([
      [],
      ['turn_rewards', 'turn_rewards', 'turn_rewards'],
    ]);
    expect(without[0]!.problem).toMatch(/1 of 2 that were made while another one/);
  });

  it('say of members of which nothing was chosen to train what there was', async () => {
    gateway.rowCount = 0;
    gateway.maskedTurns = [
      { trace_id: 't', reason: 'not_chosen', problems: ['label "critc", not "critic"'] },
    ];
    const { without } = await inFakeTime((await soleGroup({})).rows());
    expect(without[0]).toMatchObject({
      reason: 'not_chosen',
      problem: expect.stringMatching(/trains.*label "critc", not "critic"/) as string,
    });
  });

  it('lose no member to a gateway that restarts', async () => {
    gateway.failing = downFor(90_000);
    const group = await soleGroup({});
    expect(group).toMatchObject({ kind: 'complete', rewards: [1, 1, 1] });
  });

  it('keep what a failed handler sampled where the policy gives it a reward', async () => {
    groupRuntime.scriptOf = ({ member }) => ({ text: member === 0 ? failedText : documentWith(1) });
    const group = await soleGroup({
      fallback: { agent_error: { reward: -1 } },
      rewardRule: 'sum',
      advantages: { scale: 'population' },
    });
    const { rows } = await inFakeTime(group.rows());
    expect(rows.map((row) => row.reward)).toEqual([-1, 1, 1]);
    expect(rows.map((row) => row.advantages![0])).toEqual(group.advantages);
    expect(rows[0]!.metadata).toMatchObject({ outcome: 'agent_error' });
  });

  it('have no rows where they are not usable, nor of members that nobody captured or needed', async () => {
    groupRuntime.scriptOf = ({ member }) => ({ text: member === 0 ? documentWith(1) : failedText });
    const failed = await soleGroup({ fallback: { agent_error: 'drop' } });
    expect(await inFakeTime(failed.rows())).toEqual({
      rows: [],
      members: 0,
      without: [
        { member: 0, reason: 'unusable_group' },
        { member: 1, reason: 'dropped' },
        { member: 2, reason: 'dropped' },
      ],
    });
    gateway.rowCount = 0;
    groupRuntime.scriptOf = ({ member }) => ({ storeAfterMs: member === 2 ? 60_000 : 50 });
    const early = await soleGroup({ keepFirst: 2 });
    expect(await inFakeTime(early.rows())).toMatchObject({
      members: 0,
      without: [
        { member: 0, reason: 'nothing_captured' },
        { member: 1, reason: 'nothing_captured' },
        { member: 2, reason: 'surplus' },
      ],
    });
  });
});

describe.each([true, false])('a resumed batch whose agents tell repeats apart: %s', (speaksRip) => {
  it.each(Array.from({ length: 12 }, (_, lines) => lines + 2))(
    'killed at line %i, keeps the sessions of its rollouts and leaves none behind',
    async (lines) => {
      const journal = new MemoryJournal();
      const script = { speaksRip };
      const payloads = [
        { script: { ...script, storeAfterMs: 30 } },
        { script: { ...script, storeAfterMs: 400 } },
      ];
      const mortal = new MortalRuntime(runtime);
      const dead = new FakeGateway();
      // The gateway lives on; only what the dead process would have asked of it no longer reaches it.
      const asSeenByTheDead: TrajectoryGateway = new Proxy(gateway, {
        get: (target, name) => {
          const value: unknown = Reflect.get(mortal.isDead ? dead : target, name);
          return typeof value === 'function' ? value.bind(mortal.isDead ? dead : target) : value;
        },
      });
      journal.mostLines = lines;
      journal.onCrash = () => {
        mortal.isDead = true;
      };
      const first = new RolloutClient({
        runtime: mortal,
        store: runtime.store,
        bucket: 'b',
        expId: 'e',
        gateway: asSeenByTheDead,
        onWarning: () => undefined,
      });
      const acknowledged: string[] = [];
      const firstLife = (async () => {
        const options = { maxConcurrentSessions: 2, journal: { journal, runId: 'r' } };
        for await (const item of first.runBatch(payloads, options)) {
          if (mortal.isDead) break;
          acknowledged.push(item.sessionId);
        }
      })();
      firstLife.catch(() => undefined);
      for (let step = 0; step < 300 && !mortal.isDead; step += 1) await vi.advanceTimersByTimeAsync(10);
      journal.mostLines = Number.POSITIVE_INFINITY;
      const client = clientOn();
      const items = await inFakeTime(Array.fromAsync(client.resume({ journal, runId: 'r' }, payloads)));
      for (const item of items) {
        expect(item.outcome.kind).toBe('ok');
        expect((await inFakeTime(item.trajectory())).rows).toMatchObject([{ session_id: item.sessionId }]);
      }
      expect(Math.max(...runtime.handlerRuns.values())).toBe(1);
      const known = new Set([...items.map((item) => item.sessionId), ...acknowledged]);
      expect([...gateway.sessions.keys()].filter((sessionId) => !known.has(sessionId))).toEqual([]);
      for (const { finish } of gateway.sessions.values()) expect(finish).toMatchObject({ reward: 1 });
      vi.clearAllTimers();
    },
  );
});

describe('the gateway option', () => {
  it('takes an address and what sessions begin with', async () => {
    const created: unknown[] = [];
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation((_url, init) => {
      created.push(JSON.parse(init?.body as string));
      const reply = { session_id: 's', api_key: null, base_url: 'http://somewhere.else/v1' };
      return Promise.resolve(Response.json(reply, { status: 201 }));
    });
    try {
      const client = clientOn({
        gateway: {
          url: 'http://trainer:1/',
          agentUrl: 'http://agents:2',
          maxTurns: 3,
          samplingDefaults: { top_k: 1 },
          metadata: { run: 7 },
        },
      });
      const future = await inFakeTime(client.invoke({}, { inputId: 'q' }));
      expect(configOf(0)).toMatchObject({ base_url: `http://agents:2/sessions/${future.sessionId}/v1` });
      expect(fetched.mock.calls[0]![0]).toBe('http://trainer:1/trajectories');
      expect(created[0]).toMatchObject({
        session_id: future.sessionId,
        group_id: 'q',
        max_turns: 3,
        sampling_defaults: { top_k: 1 },
        metadata: { run: 7, attempt_id: expect.any(String) as string },
      });
      await inFakeTime(future.cancel());
    } finally {
      fetched.mockRestore();
    }
  });

  it.each([
    [{ gateway: 'http://x' }, 'gateway'],
    [{ gateway: { url: 'ftp://x' } }, 'url'],
    [{ gateway: { url: 'http://x', maxTurns: 0 } }, 'gateway.maxTurns'],
    [{ gateway: { url: 'http://x', mode: 'other' } }, 'gateway.mode'],
    [{ gateway: { url: 'http://x', agentUrl: '' } }, 'url'],
    [{ baseUrl: 'http://model' }, 'baseUrl'],
    [{ extraConfig: { base_url: 'http://model' } }, 'baseUrl'],
  ])('is refused: %j', (options, option) => {
    expect(() => clientOn(options as Partial<RolloutClientOptions>)).toThrow(option);
  });

  it('refuses overrides that lead agents past the gateway', async () => {
    const client = clientOn();
    for (const overrides of [{ baseUrl: 'http://model' }, { base_url: 'http://model' }]) {
      await expect(client.invoke({}, { overrides })).rejects.toSatisfy(
        (error: unknown) => ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION',
      );
    }
    expect(gateway.calls).toEqual([]);
  });

  it('takes a GatewayClient', () => {
    expectTypeOf<GatewayClient>().toExtend<TrajectoryGateway>();
  });
});
