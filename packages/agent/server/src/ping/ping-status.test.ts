import type { PingReply } from '@art/protocol';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentCoreRLApp } from '../agentcore-rl-app.ts';
import { testApp } from '../test-app.fixture.ts';
import { AsyncTasks } from './async-tasks.ts';
import { PingStatusDecision } from './ping-status.ts';

let tasks: AsyncTasks;
let nowMs: number;
const warn = vi.fn<(message: string, error?: unknown) => void>();

function decision(): PingStatusDecision {
  return new PingStatusDecision(tasks, { warn, nowMs: () => nowMs });
}

beforeEach(() => {
  tasks = new AsyncTasks();
  nowMs = 1_795_248_827_900;
  warn.mockReset();
});

describe('PingStatusDecision', () => {
  it('reports background work, in whole seconds that move only with the status', async () => {
    const ping = decision();
    expect(await ping.report()).toEqual({ status: 'Healthy', time_of_last_update: 1_795_248_827 });
    nowMs += 60_000;
    expect(await ping.report()).toEqual({ status: 'Healthy', time_of_last_update: 1_795_248_827 });
    const id = tasks.add('work');
    expect(await ping.report()).toEqual({ status: 'HealthyBusy', time_of_last_update: 1_795_248_887 });
    nowMs += 60_000;
    expect(await ping.report()).toEqual({ status: 'HealthyBusy', time_of_last_update: 1_795_248_887 });
    tasks.complete(id);
    expect(await ping.report()).toEqual({ status: 'Healthy', time_of_last_update: 1_795_248_947 });
  });

  it('goes by the reported status: work that a forced status hides moves nothing', async () => {
    const ping = decision();
    ping.force('HealthyBusy');
    const forced = await ping.report();
    nowMs += 5_000;
    tasks.add('work');
    expect(await ping.report()).toEqual(forced);
    ping.clearForced();
    expect(await ping.report()).toEqual(forced);
    ping.force('Healthy');
    expect(await ping.report()).toEqual({ status: 'Healthy', time_of_last_update: 1_795_248_832 });
  });

  it.each([
    ['sync', () => 'HealthyBusy' as const],
    ['async', async () => 'HealthyBusy' as const],
  ])(
    'takes the answer of a %s handler before background work, after a forced status',
    async (_name, handler) => {
      const ping = decision();
      ping.setHandler(handler);
      expect((await ping.report()).status).toBe('HealthyBusy');
      ping.force('Healthy');
      expect((await ping.report()).status).toBe('Healthy');
    },
  );

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['answers something else', () => 'Fine' as never],
  ])('goes by background work when the handler %s', async (_name, handler) => {
    const ping = decision();
    ping.setHandler(handler);
    tasks.add('work');
    expect((await ping.report()).status).toBe('HealthyBusy');
    expect(warn).toHaveBeenCalledOnce();
  });

  it('overrules a handler that says Healthy while a rollout runs, with one warning', async () => {
    const ping = decision();
    ping.setHandler(() => 'Healthy');
    const work = tasks.add('work');
    expect((await ping.report()).status).toBe('Healthy');
    const rollout = tasks.add('rollout', {}, true);
    for (let asked = 0; asked < 3; asked += 1) expect((await ping.report()).status).toBe('HealthyBusy');
    expect(warn).toHaveBeenCalledOnce();
    tasks.complete(rollout);
    expect((await ping.report()).status).toBe('Healthy');
    tasks.complete(work);
  });

  it('does not wait for a handler that hangs, and leaves no timer', async () => {
    vi.useFakeTimers();
    const ping = decision();
    ping.setHandler(() => new Promise(() => undefined));
    const report = ping.report();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await report).status).toBe('Healthy');
    expect(warn).toHaveBeenCalledOnce();
    ping.setHandler(async () => 'HealthyBusy' as const);
    await ping.report();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('has the time of the session, and not that of the health checks before it', async () => {
    vi.useFakeTimers({ now: nowMs, toFake: ['Date'] });
    const app = new AgentCoreRLApp({
      config: { logging: { enabled: false } },
      invocationHandler: { process: () => 'done' },
    });
    const time = async () => (await app.inject('/ping')).json<PingReply>().time_of_last_update;
    expect(await time()).toBe(1_795_248_827);
    vi.setSystemTime(nowMs + 86_400_000);
    expect(await time()).toBe(1_795_248_827);
    await app.inject({ method: 'POST', url: '/invocations', payload: {} });
    expect(await time()).toBe(1_795_335_227);
    vi.setSystemTime(nowMs + 90_000_000);
    await app.inject({ method: 'POST', url: '/invocations', payload: {} });
    expect(await time()).toBe(1_795_335_227);
    vi.useRealTimers();
    await app.close();
  });

  it('refuses a status that there is not', () => {
    expect(() => decision().force('Busy' as never)).toThrow(/'Healthy' or 'HealthyBusy', got "Busy"/);
  });
});

describe('GET /ping', () => {
  it('awaits the handler of the app and is not logged', async () => {
    const { app, lines } = testApp({ pingHandler: async () => 'HealthyBusy' as const });
    const answer = await app.inject('/ping');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({
      status: 'HealthyBusy',
      time_of_last_update: expect.toSatisfy(Number.isSafeInteger) as number,
    });
    expect(lines).toEqual([]);
    await app.close();
  });

  it('follows the tasks and the forced status of the app', async () => {
    const { app } = testApp();
    const status = async (): Promise<unknown> =>
      (await app.inject('/ping')).json<{ status: string }>().status;
    const id = app.addAsyncTask('work');
    expect(await status()).toBe('HealthyBusy');
    app.forcePingStatus('Healthy');
    expect(await status()).toBe('Healthy');
    app.clearForcedPingStatus();
    expect(await status()).toBe('HealthyBusy');
    app.completeAsyncTask(id);
    app.ping(() => 'HealthyBusy');
    expect(await app.getCurrentPingStatus()).toBe('HealthyBusy');
    await app.close();
  });
});
