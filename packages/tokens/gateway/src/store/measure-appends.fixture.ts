/**
 * Prints what an append costs, for traces of 2,000 + 200 tokens and 8 KB of messages, 64 at the same time. Run it as
 * `node --conditions=@art/source src/store/measure-appends.fixture.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleTrace } from '@art/trajectories/testing';
import { DiskTraceStore } from './disk/disk-trace-store.ts';
import { MemoryTraceStore } from './memory-trace-store.ts';
import type { TraceStore } from './trace-store.ts';

const total = 6_400;
const messages = [JSON.stringify({ role: 'user', content: 'some words '.repeat(730) })];
const promptTokenIds = Int32Array.from({ length: 2_000 }, (_, index) => index * 71);
const completionTokenIds = Int32Array.from({ length: 200 }, (_, index) => index * 701);
const logprobs = Float64Array.from(completionTokenIds, (_, index) => Math.fround(-index / 300));

async function measure(name: string, store: TraceStore): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 64 }, async (_, lane) => {
      for (let index = 0; index < total / 64; index += 1) {
        const traceId = `${lane}-${index}`;
        const base = { messages, promptTokenIds, completionTokenIds, logprobs };
        await store.append([sampleTrace({ ...base, traceId, sessionId: traceId })]);
      }
    }),
  );
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  console.log(
    `${name}: ${Math.round((total / elapsedMs) * 1_000)} appends/s, ${Math.round((user + system) / total)} us CPU each`,
  );
  await store.close();
}

const directory = await mkdtemp(join(tmpdir(), 'art-measure-'));
await measure('memory', new MemoryTraceStore());
await measure(
  'disk, durability process',
  await DiskTraceStore.open({ directory: join(directory, 'process') }),
);
await measure(
  'disk, durability disk',
  await DiskTraceStore.open({ directory: join(directory, 'disk'), durability: 'disk' }),
);
await rm(directory, { recursive: true, maxRetries: 10 });
