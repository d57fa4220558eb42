import { ArtError, copyJson, type ErrorCode } from '@art/ground';
import { MemoryResultStore, StoreError } from '@art/store';
import { fastify, type FastifyBaseLogger } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loggerOptions } from '../logging/logger-options.ts';
import { Redaction } from '../logging/redaction.ts';
import { lineCollector } from '../test-app.fixture.ts';
import { rolloutDocument } from '../document/rollout-document.ts';
import { type ResultDestination, storeResult, type StoreOutcome } from './store-result.ts';

let store: MemoryResultStore;
let lines: Record<string, unknown>[];
let log: FastifyBaseLogger;
let terminating: AbortController;
let outOfTime: AbortController;

const at = { bucket: 'results', key: 'e/i/s.json' };

beforeEach(() => {
  vi.useFakeTimers();
  store = new MemoryResultStore();
  const collector = lineCollector();
  lines = collector.lines;
  log = fastify(loggerOptions({ options: { stream: collector.stream } }, new Redaction())).log;
  terminating = new AbortController();
  outOfTime = new AbortController();
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

type Payload = Record<string, unknown>;

function destination(payload: Payload = { big: 12345678901234567890n }): ResultDestination {
  return {
    store,
    at,
    inputId: 'i',
    payload: copyJson(payload),
  };
}

function save({
  payload,
  unsavedHoldMs,
  onUnsaved,
}: {
  payload?: Payload;
  unsavedHoldMs?: number;
  onUnsaved?: (reason: string | undefined) => void;
} = {}): Promise<StoreOutcome> {
  const to = destination(payload);
  const document = rolloutDocument({ kind: 'returned', value: { rewards: 1, text: 'two\n  lines' } }, to);
  return storeResult(document, to, {
    log,
    unsavedHoldMs,
    onUnsaved,
    terminating: terminating.signal,
    outOfTime: outOfTime.signal,
  });
}

function failure(code: ErrorCode = 'ART_STORE_FAILED', init: { retryable?: boolean } = {}): StoreError {
  return new StoreError({ code, operation: 'put', ...at, message: 'no luck', ...init });
}

/** Refuses documents by their text; what a real store does is behind it. */
function refuse(refuses: (body: string, attempt: number) => Error | undefined): ReturnType<typeof vi.spyOn> {
  const put = store.put.bind(store);
  let attempt = 0;
  return vi.spyOn(store, 'put').mockImplementation(async (where, body, options) => {
    attempt += 1;
    const error = refuses(body, attempt);
    if (error !== undefined) throw error;
    return put(where, body, options);
  });
}

function wholeLines(): Record<string, unknown>[] {
  return lines.filter((line) => typeof line['document'] === 'string');
}

async function stored(): Promise<Payload> {
  return JSON.parse((await store.get(at)) ?? 'null') as Payload;
}

describe('storeResult', () => {
  it('stores only where nothing is', async () => {
    const put = vi.spyOn(store, 'put');
    expect(await save()).toEqual('stored');
    expect(put.mock.calls[0]?.[2]).toMatchObject({ ifAbsent: true });
    expect(await save()).toEqual('exists');
  });

  it('tries again with growing pauses', async () => {
    const put = refuse((_body, attempt) => (attempt <= 3 ? failure() : undefined));
    const saving = save();
    await vi.advanceTimersByTimeAsync(249);
    expect(put).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(put).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(put).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await saving).toEqual('stored');
    expect(wholeLines()).toEqual([]);
  });

  it('takes its own document for stored when a try that seemed to fail had stored it', async () => {
    const put = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementationOnce(async (...args) => {
      await put(...args);
      throw failure();
    });
    const saving = save();
    await vi.advanceTimersByTimeAsync(250);
    expect(await saving).toEqual('stored');
    expect(await stored()).toMatchObject({ rewards: 1 });
  });

  it.each([
    ['denied', failure('ART_STORE_DENIED', { retryable: false }), true],
    ['too large', failure('ART_STORE_FAILED', { retryable: false }), false],
    [
      'at a key that no store takes',
      new ArtError({ code: 'ART_INVALID_RESULT_KEY', message: 'no key' }),
      false,
    ],
  ])('stores an error document at once where the result is %s', async (_name, error, isOfStore) => {
    const put = refuse((body) => (body.includes('rewards') ? error : undefined));
    expect(await save()).toEqual('replaced');
    expect(put).toHaveBeenCalledTimes(2);
    expect(await stored()).toMatchObject({
      status_code: isOfStore ? 503 : 500,
      stop_reason: isOfStore
        ? 'infrastructure_error'
        : (expect.stringContaining('The result could not be stored') as string),
      result_key: at.key,
    });
    expect(wholeLines()).toHaveLength(1);
  });

  it('stores one after all tries where the reason is unclear', async () => {
    const put = refuse((body) => (body.includes('rewards') ? new Error('no') : undefined));
    const saving = save();
    await vi.advanceTimersByTimeAsync(5_250);
    expect(await saving).toEqual('replaced');
    expect(put).toHaveBeenCalledTimes(5);
  });

  it('does not give the result up for an error document while the store is only busy', async () => {
    let isBusy = true;
    refuse((body) => (isBusy && body.includes('rewards') ? failure('ART_STORE_BUSY') : undefined));
    const saving = save();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(wholeLines()).toHaveLength(1);
    isBusy = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await saving).toEqual('stored');
    expect(await stored()).toMatchObject({ rewards: 1 });
  });

  it.each([
    [
      'keeps a small payload',
      { prompt: 'hi', _rollout: { exp_id: 'e' } },
      { prompt: 'hi', _rollout: { exp_id: 'e' } },
    ],
    [
      'keeps only _rollout of a large one',
      { prompt: 'x'.repeat(20_000), _rollout: { a: 1 } },
      { _rollout: { a: 1 } },
    ],
    ['keeps nothing of one whose _rollout is large', { _rollout: { a: 'x'.repeat(20_000) } }, {}],
  ])('%s in the error document', async (_name, payload, kept) => {
    refuse((body) =>
      body.includes('rewards') ? failure('ART_STORE_DENIED', { retryable: false }) : undefined,
    );
    expect(await save({ payload })).toEqual('replaced');
    expect((await stored())['payload']).toEqual(kept);
  });

  it('leaves the whole document in one line of the log where nothing can be stored', async () => {
    refuse(() => failure('ART_STORE_DENIED', { retryable: false }));
    expect(await save({ unsavedHoldMs: 0 })).toEqual('unsaved');
    const [line, ...further] = wholeLines();
    expect(further).toEqual([]);
    expect(line).toMatchObject({ level: 'ERROR', resultKey: at.key, s3Bucket: 'results' });
    expect(line?.['document']).toContain('12345678901234567890');
    expect(JSON.parse(line?.['document'] as string)).toMatchObject({ rewards: 1, text: 'two\n  lines' });
  });

  it.each([
    ['at once of one that refuses', failure('ART_STORE_DENIED', { retryable: false }), 0],
    ['after half a minute of one that nobody explains', failure(), 5_250 + 30_000],
    ['at the end of one that is busy', failure('ART_STORE_BUSY'), 5_250 + 300_000],
  ])('says %s, and takes it back once the document is stored', async (_name, error, afterMs) => {
    let isRefused = true;
    refuse(() => (isRefused ? error : undefined));
    const told: (string | undefined)[] = [];
    const saving = save({ onUnsaved: (reason) => told.push(reason) });
    await vi.advanceTimersByTimeAsync(Math.max(0, afterMs - 1));
    expect(told).toHaveLength(afterMs === 0 ? 1 : 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual([expect.stringMatching(/could not be stored: .*no luck/)]);
    isRefused = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told.slice(1)).toEqual((await saving) === 'stored' ? [undefined] : []);
  });

  it('continues trying until it succeeds', async () => {
    let isFull = true;
    refuse(() => (isFull ? new ArtError({ code: 'ART_STORE_DENIED', message: 'no' }) : undefined));
    const saving = save();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(wholeLines()).toHaveLength(1);
    isFull = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await saving).toEqual('stored');
    expect(wholeLines()).toHaveLength(1);
  });

  it('gives up after unsavedHoldMs', async () => {
    const put = refuse(() => failure());
    let outcome: StoreOutcome | undefined;
    void save({ unsavedHoldMs: 25_000 }).then((given) => (outcome = given));
    await vi.advanceTimersByTimeAsync(5_250);
    const tries = put.mock.calls.length;
    await vi.advanceTimersByTimeAsync(24_999);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toEqual('unsaved');
    expect(put.mock.calls.length - tries).toBe(6);
    expect(wholeLines()).toHaveLength(1);
  });

  it('does not wait for a store that never answers, and takes no notice of its late end', async () => {
    const gate = Promise.withResolvers<never>();
    vi.spyOn(store, 'put').mockImplementation(() => gate.promise);
    const saving = save({ unsavedHoldMs: 0 });
    // Four tries with their pauses, and the error document.
    await vi.advanceTimersByTimeAsync(5 * 60_000 + 5_250);
    expect(await saving).toEqual('unsaved');
    gate.reject(new Error('late'));
    await vi.advanceTimersByTimeAsync(0);
  });

  it('hurries when the process is to end, in a pause and in the hold', async () => {
    const put = refuse(() => failure());
    const saving = save();
    await vi.advanceTimersByTimeAsync(0);
    terminating.abort();
    await vi.advanceTimersByTimeAsync(750);
    expect(await saving).toEqual('unsaved');
    expect(put.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(wholeLines()).toHaveLength(1);

    terminating = new AbortController();
    const holding = save();
    await vi.advanceTimersByTimeAsync(10_000);
    put.mockRestore();
    terminating.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(await holding).toEqual('stored');
  });

  it('stops at the deadline, with the document in the log', async () => {
    vi.spyOn(store, 'put').mockImplementation(() => new Promise(() => undefined));
    const saving = save();
    await vi.advanceTimersByTimeAsync(0);
    terminating.abort();
    outOfTime.abort(new Error('the end'));
    expect(await saving).toEqual('unsaved');
    expect(wholeLines()).toHaveLength(1);
  });
});
