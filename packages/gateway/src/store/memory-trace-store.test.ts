import { expect, it } from 'vitest';
import { conversation } from './conformance/sample-trace.ts';
import { MemoryTraceStore } from './memory-trace-store.ts';

it('counts what its traces take once they are packed, and nothing when they are gone', async () => {
  const store = new MemoryTraceStore();
  const text = JSON.stringify({ role: 'user', content: 'what the agent says again and again. '.repeat(300) });
  const traces = conversation('s', 12).map((trace) => ({
    ...trace,
    messages: [text, ...trace.messages, text],
  }));
  let largest = 0;
  for (const trace of traces) {
    await store.append([trace]);
    largest = Math.max(largest, store.stats().bytes);
  }
  expect(store.stats().bytes).toBeLessThan(largest);
  expect(await store.tracesOf('s')).toEqual(traces);
  expect(await store.trace(traces[3]!.traceId)).toEqual(traces[3]);
  await store.deleteSession('s');
  expect(store.stats().bytes).toBe(0);
});
