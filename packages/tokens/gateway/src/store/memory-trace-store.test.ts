import { expect, it } from 'vitest';
import { appended } from './conformance/trace-store-check.ts';
import { conversation } from '@art/trajectories/testing';
import { MemoryTraceStore } from './memory-trace-store.ts';

it('counts what its traces add, and nothing when they are gone', async () => {
  const store = new MemoryTraceStore();
  const text = JSON.stringify({ role: 'user', content: 'what the agent says again and again. '.repeat(300) });
  const traces = conversation('s', 12).map((trace) => ({
    ...trace,
    messages: [text, ...trace.messages, text],
  }));
  await store.append([traces[0]!]);
  const { bytes } = store.stats();
  await store.append(traces.slice(1));
  expect(store.stats().bytes).toBeGreaterThan(bytes);
  expect(store.stats().bytes).toBeLessThan(traces.length * bytes);
  expect(appended(await store.tracesOf('s'))).toEqual(traces);
  expect(appended(await store.trace(traces[3]!.traceId))).toEqual(traces[3]);
  await store.deleteSessions(['s']);
  expect(store.stats().bytes).toBe(0);
});
