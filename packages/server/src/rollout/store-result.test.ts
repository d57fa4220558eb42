import { MemoryResultStore, StoreError } from '@art/store';
import { fastify, type FastifyBaseLogger } from 'fastify';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loggerOptions } from '../logging/logger-options.ts';
import { lineCollector } from '../test-app.fixture.ts';
import { rolloutDocument } from './rollout-document.ts';
import { type ResultDestination, storeResult } from './store-result.ts';

let store: MemoryResultStore;
let lines: Record<string, unknown>[];
let log: FastifyBaseLogger;

const at = { bucket: 'results', key: 'e/i/s.json' };
const retryDelaysMs = [0, 0];

beforeEach(() => {
  store = new MemoryResultStore();
  const collector = lineCollector();
  lines = collector.lines;
  log = fastify({ logger: loggerOptions({ options: { stream: collector.stream } }) }).log;
});

function destination(payload: Record<string, unknown> = { big: 12345678901234567890n }): ResultDestination {
  return { store, at, documentContext: { inputId: 'i', s3Bucket: 'results', resultKey: at.key, payload } };
}

function document(payload?: Record<string, unknown>): ReturnType<typeof rolloutDocument> {
  return rolloutDocument(
    { kind: 'returned', value: { rewards: 1, text: 'two\n  lines' } },
    destination(payload).documentContext,
  );
}

function denied(): StoreError {
  return new StoreError({ operation: 'put', ...at, message: 'access denied' });
}

describe('storeResult', () => {
  it('stores only where nothing is', async () => {
    const put = vi.spyOn(store, 'put');
    expect(await storeResult(document(), destination(), { log })).toEqual({ kind: 'stored' });
    expect(put.mock.calls[0]?.[2]).toMatchObject({ ifAbsent: true });
    expect(await storeResult(document(), destination(), { log })).toEqual({ kind: 'exists' });
  });

  it('tries again', async () => {
    const put = vi.spyOn(store, 'put').mockRejectedValueOnce(denied()).mockRejectedValueOnce(denied());
    expect(await storeResult(document(), destination(), { log, retryDelaysMs })).toEqual({ kind: 'stored' });
    expect(put).toHaveBeenCalledTimes(3);
  });

  it('stores an error document where the store does not take the result', async () => {
    const put = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementation(async (where, body, options) => {
      if (body.includes('rewards')) throw denied();
      return put(where, body, options);
    });
    expect(await storeResult(document(), destination(), { log, retryDelaysMs })).toEqual({
      kind: 'replaced',
    });
    expect(JSON.parse((await store.get(at))!)).toMatchObject({
      status_code: 500,
      stop_reason: expect.stringContaining('access denied') as string,
      result_key: at.key,
    });
  });

  it('leaves a large payload out of that error document', async () => {
    const payload = { text: 'x'.repeat(2_000_000) };
    const put = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementation(async (where, body, options) => {
      if (body.length > 1_000_000) throw denied();
      return put(where, body, options);
    });
    const outcome = await storeResult(document(payload), destination(payload), { log, retryDelaysMs });
    expect(outcome).toEqual({ kind: 'replaced' });
    expect(JSON.parse((await store.get(at))!)).toMatchObject({ status_code: 500, payload: {} });
  });

  it('leaves the whole document in one log line where nothing can be stored', async () => {
    vi.spyOn(store, 'put').mockRejectedValue(denied());
    expect(await storeResult(document(), destination(), { log, retryDelaysMs })).toEqual({ kind: 'unsaved' });
    const line = lines.find((candidate) => typeof candidate['document'] === 'string');
    expect(line).toMatchObject({ level: 'ERROR', resultKey: at.key, s3Bucket: 'results' });
    expect(line?.['document']).toContain('12345678901234567890');
    expect(JSON.parse(line?.['document'] as string)).toMatchObject({ rewards: 1, text: 'two\n  lines' });
  });

  it('stops trying when told to', async () => {
    const controller = new AbortController();
    const put = vi.spyOn(store, 'put').mockImplementation(async () => {
      controller.abort();
      throw denied();
    });
    const options = { log, retryDelaysMs: [60_000], signal: controller.signal };
    expect(await storeResult(document(), destination(), options)).toEqual({ kind: 'unsaved' });
    expect(put).toHaveBeenCalledTimes(2);
  });
});
