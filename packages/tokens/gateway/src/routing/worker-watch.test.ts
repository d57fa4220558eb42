import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HealthChecks } from './health-checks.ts';
import { WorkerFlavours } from './worker-flavours.ts';
import type { EngineFlavour } from '../engines/engine-profiles.ts';
import type { Worker } from './worker.ts';

const newWorker = (): Worker => ({
  workerId: '0',
  url: 'http://w0',
  apiPath: '/v1',
  modelName: undefined,
  weight: 1,
  givenFlavour: undefined,
  health: { kind: 'healthy', failures: 0 },
  modelSampling: undefined,
  activeCalls: 0,
  sessions: 0,
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('HealthChecks', () => {
  it('take a worker out after three failures and bring it back after one success', async () => {
    const worker = newWorker();
    const ask = vi.fn<() => Promise<boolean>>();
    const changed = vi.fn<(worker: Worker) => void>();
    const checks = new HealthChecks({
      intervalMs: 10_000,
      timeoutMs: 5_000,
      failuresUntilDead: 3,
      workers: () => [worker],
      ask,
      changed,
    });
    checks.start();
    checks.start();
    ask.mockResolvedValueOnce(false).mockRejectedValueOnce(new Error('refused'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(worker.health).toEqual({ kind: 'healthy', failures: 2 });
    ask.mockResolvedValueOnce(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(worker.health).toEqual({ kind: 'dead' });
    ask.mockResolvedValueOnce(false).mockResolvedValueOnce(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(worker.health).toEqual({ kind: 'healthy', failures: 0 });
    expect(ask).toHaveBeenCalledTimes(5);
    expect(changed).toHaveBeenCalledTimes(2);
    checks.stop();
    expect(vi.getTimerCount()).toBe(0);
    checks.start();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('HealthChecks by other settings', () => {
  const settings = { intervalMs: 1_000, timeoutMs: 30_500, failuresUntilDead: 1, changed: () => undefined };

  it('wait as long and forgive as much as they are told', async () => {
    const worker = newWorker();
    const ask = vi.fn<(worker: Worker, timeoutMs: number) => Promise<boolean>>().mockResolvedValue(false);
    const checks = new HealthChecks({ ...settings, workers: () => [worker], ask });
    checks.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ask.mock.calls[0]?.[1]).toBe(30_500);
    expect(worker.health).toEqual({ kind: 'dead' });
    checks.stop();
  });

  it('ask nobody at an interval of 0', () => {
    const checks = new HealthChecks({
      ...settings,
      intervalMs: 0,
      workers: () => [newWorker()],
      ask: () => Promise.resolve(false),
    });
    checks.start();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('WorkerFlavours', () => {
  it('asks once and remembers', async () => {
    const detect = vi.fn<() => Promise<EngineFlavour>>().mockResolvedValue('sglang');
    const flavours = new WorkerFlavours({ detect, waitMs: 1_000 });
    const worker = newWorker();
    expect(flavours.knownOf(worker)).toBeUndefined();
    expect(await Promise.all([flavours.of(worker), flavours.of(worker)])).toEqual(['sglang', 'sglang']);
    expect(flavours.of(worker)).toBe('sglang');
    expect(flavours.knownOf(worker)).toBe('sglang');
    expect(detect).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits no longer than the bound, and learns later', async () => {
    const { promise, resolve } = Promise.withResolvers<EngineFlavour>();
    const flavours = new WorkerFlavours({ detect: () => promise, waitMs: 1_000 });
    const worker = newWorker();
    const first = flavours.of(worker);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await first).toBe('vllm');
    resolve('trtllm');
    await promise;
    await vi.advanceTimersByTimeAsync(0);
    expect(flavours.of(worker)).toBe('trtllm');
  });

  it('asks again where nobody answered', async () => {
    const detect = vi
      .fn<() => Promise<EngineFlavour>>()
      .mockRejectedValueOnce(new Error('starting'))
      .mockResolvedValueOnce('sglang');
    const flavours = new WorkerFlavours({ detect, waitMs: 1_000 });
    const worker = newWorker();
    expect(await flavours.of(worker)).toBe('vllm');
    expect(await flavours.of(worker)).toBe('sglang');
    flavours.forget(worker);
    expect(flavours.knownOf(worker)).toBeUndefined();
  });

  it('does not ask where it is told', () => {
    const detect = vi.fn<() => Promise<EngineFlavour>>();
    const flavours = new WorkerFlavours({ detect, waitMs: 1_000 });
    expect(flavours.of({ ...newWorker(), givenFlavour: 'openai' })).toBe('openai');
    expect(detect).not.toHaveBeenCalled();
  });
});
