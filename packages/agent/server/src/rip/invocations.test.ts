import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestContext } from '../request/request-context.ts';
import type { RolloutJob } from '../rollout/rollout-run.ts';
import { RolloutRuns } from '../rollout/rollout-runs.ts';
import { AsyncTasks } from '../ping/async-tasks.ts';
import { InvocationRecords, recordFiles, type RecordFiles } from './invocation-records.ts';
import { Invocations } from './invocations.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-invocations-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const name = { sessionId: 's', invocationId: 'inv-1' };
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

function job(process: () => unknown, release: () => void = () => undefined): RolloutJob {
  const controller = new AbortController();
  const { signal } = controller;
  const log = { error: () => undefined };
  return {
    name: 'test',
    context: { sessionId: 's', signal, log } as unknown as RequestContext,
    controller,
    process,
    destination: undefined,
    secrets: { scrubber: undefined, release },
  };
}

function invocationsOn(files: RecordFiles, tasks = new AsyncTasks()): Invocations {
  return new Invocations(new InvocationRecords(root, files), new RolloutRuns(tasks));
}

/** Invocations of one handler, which ends when the test says so. */
function made(files: Partial<RecordFiles> = {}): {
  invocations: Invocations;
  process: ReturnType<typeof vi.fn<() => unknown>>;
  prepare: ReturnType<typeof vi.fn<() => Promise<RolloutJob>>>;
  release: ReturnType<typeof vi.fn<() => void>>;
  end: () => Promise<void>;
} {
  const tasks = new AsyncTasks();
  const handler = Promise.withResolvers<unknown>();
  const process = vi.fn(() => handler.promise);
  const release = vi.fn<() => void>();
  return {
    invocations: invocationsOn({ ...recordFiles, ...files }, tasks),
    process,
    prepare: vi.fn(async () => job(process, release)),
    release,
    end: async () => {
      handler.resolve(1);
      await vi.waitFor(() => expect(tasks.busy).toBe(false));
    },
  };
}

async function status(reply: Promise<string | Buffer>): Promise<unknown> {
  return (JSON.parse(String(await reply)) as Record<string, unknown>)['status'];
}

describe('invocations', () => {
  it('are recorded before they begin and before anybody is answered', async () => {
    const write = Promise.withResolvers<void>();
    const { invocations, prepare, process, end } = made({
      write: async (...args) => {
        await write.promise;
        await recordFiles.write(...args);
      },
    });
    const answered = vi.fn();
    const start = invocations.start(name, prepare, { wait: false }).then(answered);
    await vi.waitFor(() => expect(prepare).toHaveBeenCalled());
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(process).not.toHaveBeenCalled();
    expect(answered).not.toHaveBeenCalled();
    write.resolve();
    await start;
    await end();
    expect(process).toHaveBeenCalledOnce();
  });

  it.each([
    { startBefore: 1, endAfter: 1, told: 'completed' },
    { startBefore: 1, endAfter: 2, told: 'in_progress' },
    { startBefore: 2, endAfter: 2, told: 'not_found' },
  ])(
    'that start and end while they are asked for are told rightly: %j',
    async ({ startBefore, endAfter, told }) => {
      let reads = 0;
      let isOwnRead = false;
      const { invocations, prepare, end } = made({
        read: async (path) => {
          if (isOwnRead) return recordFiles.read(path);
          reads += 1;
          const read = reads;
          isOwnRead = true;
          if (read === startBefore) await invocations.start(name, prepare, { wait: false });
          isOwnRead = false;
          const found = await recordFiles.read(path);
          if (read === endAfter) await end();
          return found;
        },
      });
      const answer = status(invocations.get(name));
      expect(['completed', told]).toContain(await answer);
      if (reads < endAfter) await end();
      expect(await status(invocations.get(name))).toBe('completed');
    },
  );

  it('that could not be prepared leave no trace, and keep nobody else from starting', async () => {
    const { invocations, prepare, end } = made();
    const refuse = async (): Promise<never> => {
      await new Promise(setImmediate);
      throw new Error('bad payload');
    };
    const first = invocations.start(name, refuse, { wait: false });
    const second = invocations.start(name, prepare, { wait: false });
    await expect(first).rejects.toThrow('bad payload');
    expect(await status(second)).toBe('in_progress');
    expect(prepare).toHaveBeenCalledOnce();
    await end();
  });
});

it('keeps nothing in memory of what has ended', async () => {
  const invocations = invocationsOn({ read: async () => undefined, write: async () => undefined });
  const collect = collector();
  let before = 0;
  for (let index = 0; index < 2_000; index += 1) {
    const each = { sessionId: 's', invocationId: `inv-${index}` };
    // A text of its own, as records are.
    const prepare = async (): Promise<RolloutJob> =>
      job(() => Buffer.alloc(50_000, 97 + (index % 26)).toString('latin1'));
    await invocations.start(each, prepare, { wait: true });
    if (index === 200) before = collect();
  }
  // Kept, it would be 90 MB.
  expect(collect() - before).toBeLessThan(10_000_000);
});

/** Collects garbage and tells the bytes that are left. */
function collector(): () => number {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  return () => {
    gc();
    return process.memoryUsage().heapUsed;
  };
}

describe('a full disk', () => {
  it('keeps an invocation from starting', async () => {
    const { invocations, prepare, release } = made({ write: () => Promise.reject(full) });
    await expect(invocations.start(name, prepare, { wait: true })).rejects.toMatchObject({
      code: 'ART_STATE_DIR',
      message: expect.stringContaining('ENOSPC') as string,
    });
    expect(release).toHaveBeenCalledOnce();
    expect(await status(invocations.get(name))).toBe('not_found');
  });

  it('closes the tunnel of one that it keeps from starting', async () => {
    const { invocations, prepare } = made({ write: () => Promise.reject(full) });
    const close = vi.fn(async () => undefined);
    const tunnelled = async (): Promise<RolloutJob> => ({
      ...(await prepare()),
      tunnel: { unanswered: undefined, close },
    });
    await expect(invocations.start(name, tunnelled, { wait: true })).rejects.toThrow('ENOSPC');
    expect(close).toHaveBeenCalledOnce();
  });

  it('at its end is an error to everybody who waits, and never a result', async () => {
    let isFull = false;
    const { invocations, prepare, end } = made({
      write: (...args) => (isFull ? Promise.reject(full) : recordFiles.write(...args)),
    });
    const waiting = [1, 2].map(() => invocations.start(name, prepare, { wait: true }));
    const verdicts = Promise.allSettled(waiting);
    await vi.waitFor(() => expect(prepare).toHaveBeenCalled());
    isFull = true;
    await end();
    for (const verdict of await verdicts)
      expect(verdict).toMatchObject({ status: 'rejected', reason: { code: 'ART_STATE_DIR' } });
    expect(await status(invocations.get(name))).toBe('interrupted');
    expect(await status(invocations.start(name, prepare, { wait: true }))).toBe('interrupted');
    expect(prepare).toHaveBeenCalledOnce();
  });
});
