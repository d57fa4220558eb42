/**
 * Prints what an append costs, for captures of 2,000 + 200 tokens and 8 KB of messages, 64 at the same time. Run it as
 * `node --conditions=@art/source src/store/measure-appends.fixture.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleCapture } from '@art/trajectories/testing';
import { DiskCaptureStore } from './disk/disk-capture-store.ts';
import { MemoryCaptureStore } from './memory-capture-store.ts';
import type { CaptureStore } from './capture-store.ts';

const total = 6_400;
const messages = [JSON.stringify({ role: 'user', content: 'some words '.repeat(730) })];
const promptTokenIds = Int32Array.from({ length: 2_000 }, (_, index) => index * 71);
const completionTokenIds = Int32Array.from({ length: 200 }, (_, index) => index * 701);
const logprobs = Float64Array.from(completionTokenIds, (_, index) => Math.fround(-index / 300));

async function measure(name: string, store: CaptureStore): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 64 }, async (_, lane) => {
      for (let index = 0; index < total / 64; index += 1) {
        const captureId = `${lane}-${index}`;
        const base = { messages, promptTokenIds, completionTokenIds, logprobs };
        await store.append([sampleCapture({ ...base, captureId, sessionId: captureId })]);
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
await measure('memory', new MemoryCaptureStore());
await measure(
  'disk, durability process',
  await DiskCaptureStore.open({ directory: join(directory, 'process') }),
);
await measure(
  'disk, durability disk',
  await DiskCaptureStore.open({ directory: join(directory, 'disk'), durability: 'disk' }),
);
await rm(directory, { recursive: true, maxRetries: 10 });
