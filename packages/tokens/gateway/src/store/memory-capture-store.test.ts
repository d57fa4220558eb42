import { expect, it } from 'vitest';
import { appended } from './conformance/capture-store-check.ts';
import { conversation } from '@art/trajectories/testing';
import { MemoryCaptureStore } from './memory-capture-store.ts';

it('counts what its captures add, and nothing when they are gone', async () => {
  const store = new MemoryCaptureStore();
  const text = JSON.stringify({ role: 'user', content: 'what the agent says again and again. '.repeat(300) });
  const captures = conversation('s', 12).map((capture) => ({
    ...capture,
    messages: [text, ...capture.messages, text],
  }));
  await store.append([captures[0]!]);
  const { bytes } = store.stats();
  await store.append(captures.slice(1));
  expect(store.stats().bytes).toBeGreaterThan(bytes);
  expect(store.stats().bytes).toBeLessThan(captures.length * bytes);
  expect(appended(await store.capturesOf('s'))).toEqual(captures);
  expect(appended(await store.capture(captures[3]!.captureId))).toEqual(captures[3]);
  await store.deleteSessions(['s']);
  expect(store.stats().bytes).toBe(0);
});
