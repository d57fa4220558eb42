import { MemoryResultStore } from '@art/store';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { NotificationTrouble } from './notification-options.ts';
import { s3Event } from './recording-sqs.fixture.ts';
import { withNotifications, type NotifiedResultStore } from './with-notifications.ts';

// Pauses without their random share.
vi.mock(import('@art/ground'), async (importOriginal) => {
  const ground = await importOriginal();
  return {
    ...ground,
    growingPauseMs: (failures, growth) => ground.growingPauseMs(failures, { ...growth, random: () => 1 }),
  };
});

const range = { bucket: 'b', prefix: '' };

interface Receive {
  waitSeconds: number;
  atMs: number;
  signal: AbortSignal;
  resolve: (messages: Message[]) => void;
  reject: (error: Error) => void;
}

/** A client whose receives the test answers; deletions succeed at once. */
function scriptedClient(): { client: SQSClient; receives: Receive[]; deletes: number } {
  const script = {
    receives: [] as Receive[],
    deletes: 0,
    client: {
      send: (
        command: { input: { WaitTimeSeconds?: number } },
        { abortSignal }: { abortSignal: AbortSignal },
      ) => {
        if (command.input.WaitTimeSeconds === undefined) {
          script.deletes += 1;
          return Promise.resolve({});
        }
        const { promise, resolve, reject } = Promise.withResolvers<{ Messages: Message[] }>();
        script.receives.push({
          waitSeconds: command.input.WaitTimeSeconds,
          atMs: performance.now(),
          signal: abortSignal,
          resolve: (messages) => resolve({ Messages: messages }),
          reject,
        });
        return promise;
      },
    } as unknown as SQSClient,
  };
  return script;
}

function storeOn(client: SQSClient, onTrouble: (trouble: NotificationTrouble) => void): NotifiedResultStore {
  const store = withNotifications(new MemoryResultStore(), {
    queueUrl: 'https://sqs.us-west-2.amazonaws.com/111122223333/q',
    client,
    receivers: 1,
    onTrouble,
    onWarning: () => {},
  });
  onTestFinished(() => store.close());
  return store;
}

async function openWatch(): Promise<{
  script: ReturnType<typeof scriptedClient>;
  store: NotifiedResultStore;
  keys: string[];
  troubles: NotificationTrouble[];
  watch: Awaited<ReturnType<NotifiedResultStore['watch']>>;
}> {
  const script = scriptedClient();
  const troubles: NotificationTrouble[] = [];
  const keys: string[] = [];
  const store = storeOn(script.client, (trouble) => troubles.push(trouble));
  const opening = store.watch(range, (key) => keys.push(key));
  await vi.advanceTimersByTimeAsync(0);
  script.receives[0]!.resolve([]);
  const watch = await opening;
  await vi.advanceTimersByTimeAsync(0);
  return { script, store, keys, troubles, watch };
}

const outage = (): Error =>
  Object.assign(new Error('down'), { name: 'ServiceUnavailable', $metadata: { httpStatusCode: 503 } });
const message = (key: string): Message => ({
  MessageId: 'm',
  ReceiptHandle: 'r',
  Body: JSON.stringify(s3Event('b', key)),
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // Every timer is taken back on every path.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('the receiver', () => {
  it('comes back after 0.5, 1, 2, 4 s of an outage, speaks of it once, and once of its end', async () => {
    const { script, troubles, watch, keys, store } = await openWatch();
    for (let failure = 1; failure <= 4; failure += 1) {
      script.receives.at(-1)!.reject(outage());
      await vi.advanceTimersByTimeAsync(500 * 2 ** (failure - 1));
      expect(script.receives).toHaveLength(2 + failure);
      expect(watch.isWorking).toBe(failure < 3);
    }
    const pauses = script.receives
      .slice(1)
      .map(({ atMs }, index, all) => atMs - (all[index - 1]?.atMs ?? atMs));
    expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000]);
    expect(troubles).toMatchObject([
      { kind: 'failing', error: { code: 'ART_STORE_BUSY' }, failedReceives: 3 },
    ]);
    script.receives.at(-1)!.resolve([message('after.json')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(keys).toEqual(['after.json']);
    expect(watch.isWorking).toBe(true);
    expect(troubles[1]).toMatchObject({ kind: 'recovered', failedReceives: 4 });
    expect(troubles).toHaveLength(2);
    await store.close();
  });

  it('says nothing of a single broken connection', async () => {
    const { script, troubles, watch, store } = await openWatch();
    script.receives.at(-1)!.reject(outage());
    await vi.advanceTimersByTimeAsync(500);
    script.receives.at(-1)!.resolve([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watch.isWorking).toBe(true);
    expect(troubles).toEqual([]);
    await store.close();
  });

  it('gives up a long poll that is not answered 10 s after its end', async () => {
    const { script, store } = await openWatch();
    const silent = script.receives.at(-1)!;
    expect(silent.waitSeconds).toBe(20);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(silent.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(silent.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(script.receives.at(-1)).not.toBe(silent);
    await store.close();
  });

  it('does not spin on a queue that answers at once with nothing, or with what it leaves there', async () => {
    const { script, store } = await openWatch();
    for (const answer of [[], [{ MessageId: 'x', ReceiptHandle: 'r', Body: 'not ours' }]]) {
      const before = script.receives.length;
      script.receives.at(-1)!.resolve(answer);
      await vi.advanceTimersByTimeAsync(999);
      expect(script.receives).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(script.receives).toHaveLength(before + 1);
    }
    // What is ours is followed by the next poll at once, and so is a long poll that ended by itself.
    script.receives.at(-1)!.resolve([message('a.json')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(script.deletes).toBe(1);
    expect(script.receives).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(20_000);
    script.receives.at(-1)!.resolve([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(script.receives).toHaveLength(6);
    await store.close();
  });

  it('ends a pause between attempts when the last watch closes', async () => {
    const { script, watch } = await openWatch();
    script.receives.at(-1)!.reject(outage());
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(1);
    await watch.close();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(script.receives).toHaveLength(2);
  });

  it('neither reports nor deletes messages that come after the last watch was closed', async () => {
    const { script, watch, keys } = await openWatch();
    const poll = script.receives.at(-1)!;
    poll.resolve([message('late.json')]);
    await watch.close();
    expect(poll.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(keys).toEqual([]);
    expect(script.deletes).toBe(0);
  });

  it('asks a queue that refused again after a pause, and tells when it answers', async () => {
    const script = scriptedClient();
    const troubles: string[] = [];
    const store = storeOn(script.client, ({ kind }) => troubles.push(kind));
    const refused = store.watch(range, () => {});
    await vi.advanceTimersByTimeAsync(0);
    script.receives[0]!.reject(outage());
    await expect(refused).rejects.toMatchObject({ code: 'ART_STORE_BUSY' });
    await vi.advanceTimersByTimeAsync(499);
    await expect(store.watch(range, () => {})).rejects.toMatchObject({ code: 'ART_STORE_BUSY' });
    expect(script.receives).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    const opening = store.watch(range, () => {});
    await vi.advanceTimersByTimeAsync(0);
    script.receives[1]!.resolve([]);
    await opening;
    expect(troubles).toEqual(['failing', 'recovered']);
    await store.close();
  });

  it('is not stopped by a listener that throws', async () => {
    const { script, store } = await openWatch();
    const uncaught: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => uncaught.push(error));
    onTestFinished(() => {
      for (const listener of listeners) process.on('uncaughtException', listener);
    });
    const failure = new Error('thrown by the listener');
    await store.watch(range, () => {
      throw failure;
    });
    script.receives.at(-1)!.resolve([message('a.json')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(uncaught).toEqual([failure]);
    expect(script.deletes).toBe(1);
    expect(script.receives).toHaveLength(3);
    await store.close();
  });
});
