import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvocationRecords, recordFiles, type RecordFiles } from './invocation-records.ts';
import { Invocations, type ReadyInvocation, stateText } from './invocations.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-invocations-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const name = { sessionId: 's', invocationId: 'inv-1' };
const done = stateText(name, { status: 'completed', result: 1 });
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** Invocations whose handlers end when the test says so. */
function made(files: Partial<RecordFiles> = {}): {
  invocations: Invocations;
  begin: ReturnType<typeof vi.fn<() => Promise<ReadyInvocation>>>;
  discard: ReturnType<typeof vi.fn<() => void>>;
  end: (record?: string) => Promise<void>;
} {
  const invocations = new Invocations(new InvocationRecords(root, { ...recordFiles, ...files }));
  const ends = Promise.withResolvers<(record?: string) => Promise<void>>();
  const discard = vi.fn();
  const begin = vi.fn(async () => ({
    members: {},
    discard,
    begin: (conclude: (record: string | undefined) => Promise<void>) => ends.resolve(conclude),
  }));
  return { invocations, begin, discard, end: async (record) => (await ends.promise)(record) };
}

async function status(reply: Promise<string | Buffer>): Promise<unknown> {
  return (JSON.parse(String(await reply)) as Record<string, unknown>)['status'];
}

describe('invocations', () => {
  it('are recorded before they begin and before anybody is answered', async () => {
    const write = Promise.withResolvers<void>();
    const { invocations, begin, end } = made({
      write: async (...args) => {
        await write.promise;
        await recordFiles.write(...args);
      },
    });
    const began = vi.fn();
    begin.mockImplementationOnce(async () => ({ members: {}, discard: vi.fn(), begin: began }));
    const answered = vi.fn();
    const start = invocations.start(name, begin, { wait: false }).then(answered);
    await vi.waitFor(() => expect(begin).toHaveBeenCalled());
    await new Promise(setImmediate);
    expect(began).not.toHaveBeenCalled();
    expect(answered).not.toHaveBeenCalled();
    write.resolve();
    await start;
    expect(began).toHaveBeenCalledOnce();
    void end;
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
      const { invocations, begin, end } = made({
        read: async (path) => {
          if (isOwnRead) return recordFiles.read(path);
          reads += 1;
          const read = reads;
          isOwnRead = true;
          if (read === startBefore) await invocations.start(name, begin, { wait: false });
          isOwnRead = false;
          const found = await recordFiles.read(path);
          if (read === endAfter) await end(done);
          return found;
        },
      });
      const answer = status(invocations.get(name));
      expect(['completed', told]).toContain(await answer);
      if (reads < endAfter) await end(done);
      expect(await status(invocations.get(name))).toBe('completed');
    },
  );

  it('that could not be prepared leave no trace, and keep nobody else from starting', async () => {
    const { invocations, begin, end } = made();
    const refuse = async (): Promise<never> => {
      await new Promise(setImmediate);
      throw new Error('bad payload');
    };
    const first = invocations.start(name, refuse, { wait: false });
    const second = invocations.start(name, begin, { wait: false });
    await expect(first).rejects.toThrow('bad payload');
    expect(await status(second)).toBe('in_progress');
    expect(begin).toHaveBeenCalledOnce();
    await end(done);
  });
});

it('keeps nothing in memory of what has ended', async () => {
  const invocations = new Invocations(
    new InvocationRecords(root, { read: async () => undefined, write: async () => undefined }),
  );
  const collect = collector();
  let before = 0;
  for (let index = 0; index < 2_000; index += 1) {
    const each = { sessionId: 's', invocationId: `inv-${index}` };
    const begin = async (): Promise<ReadyInvocation> => ({
      members: {},
      discard: () => undefined,
      begin: (conclude) => {
        // A text of its own, as records are.
        const result = Buffer.alloc(50_000, 97 + (index % 26)).toString('latin1');
        void conclude(stateText(each, { status: 'completed', result }));
      },
    });
    await invocations.start(each, begin, { wait: true });
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
    const { invocations, begin, discard } = made({ write: () => Promise.reject(full) });
    await expect(invocations.start(name, begin, { wait: true })).rejects.toMatchObject({
      code: 'ART_STATE_DIR',
      message: expect.stringContaining('ENOSPC') as string,
    });
    expect(discard).toHaveBeenCalledOnce();
    expect(await status(invocations.get(name))).toBe('not_found');
  });

  it('at its end is an error to everybody who waits, and never a result', async () => {
    let isFull = false;
    const { invocations, begin, end } = made({
      write: (...args) => (isFull ? Promise.reject(full) : recordFiles.write(...args)),
    });
    const waiting = [1, 2].map(() => invocations.start(name, begin, { wait: true }));
    const verdicts = Promise.allSettled(waiting);
    await vi.waitFor(() => expect(begin).toHaveBeenCalled());
    isFull = true;
    await expect(end(done)).rejects.toMatchObject({ code: 'ART_STATE_DIR' });
    for (const verdict of await verdicts)
      expect(verdict).toMatchObject({ status: 'rejected', reason: { code: 'ART_STATE_DIR' } });
    expect(await status(invocations.get(name))).toBe('interrupted');
    expect(await status(invocations.start(name, begin, { wait: true }))).toBe('interrupted');
    expect(begin).toHaveBeenCalledOnce();
  });
});
