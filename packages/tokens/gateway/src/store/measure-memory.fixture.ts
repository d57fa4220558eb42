/**
 * Prints what a store takes for 1,000 sessions of 20 turns that grow to 32,000 tokens each, with 4 bytes of text for
 * a token, or as many words as are asked for, and a logprob for each sampled one. Messages are bytes, as calls bring them. Run it as
 * `node --expose-gc --conditions=@art/source src/store/measure-memory.fixture.ts [memory|disk] [sampled tokens a turn] [words a token]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleCapture } from '@art/trajectories/testing';
import { DiskCaptureStore } from './disk/disk-capture-store.ts';
import { MemoryCaptureStore } from './memory-capture-store.ts';

const [kind = 'memory', sampledText = '800', wordsText = '1'] = process.argv.slice(2);
const sessions = 1_000;
const turns = 20;
const tokens = 32_000;
const sampled = Number(sampledText);
const given = tokens / turns - sampled;

let seed = 1;
function random(below: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed % below;
}

function words(count: number): string {
  return Array.from({ length: Math.round(count * Number(wordsText)) }, () =>
    random(46_656).toString(36).padStart(3, 'a'),
  ).join(' ');
}

const directory = await mkdtemp(join(tmpdir(), 'art-measure-'));
const store = kind === 'disk' ? await DiskCaptureStore.open({ directory }) : new MemoryCaptureStore();
const before = process.memoryUsage.rss();
let appendMs = 0;
for (let session = 0; session < sessions; session += 1) {
  const sessionId = `session-${session}`;
  let prompt = new Int32Array(0);
  const messages: Buffer[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const promptTokenIds = new Int32Array(prompt.length + given);
    promptTokenIds.set(prompt);
    for (let index = prompt.length; index < promptTokenIds.length; index += 1)
      promptTokenIds[index] = random(151_643);
    messages.push(Buffer.from(JSON.stringify({ role: 'user', content: words(given) })));
    const completionTokenIds = Int32Array.from({ length: sampled }, () => random(151_643));
    const responseMessage = JSON.stringify({ role: 'assistant', content: words(sampled) });
    const capture = sampleCapture({
      captureId: `${sessionId}-${turn}`,
      sessionId,
      responseMessage,
      promptTokenIds,
      completionTokenIds,
      logprobs: Float64Array.from({ length: sampled }, () => Math.fround(-random(1_000_000) / 1e6)),
    });
    const start = performance.now();
    await store.append([{ ...capture, messages: [...messages] }]);
    appendMs += performance.now() - start;
    messages.push(Buffer.from(responseMessage));
    prompt = new Int32Array(promptTokenIds.length + sampled);
    prompt.set(promptTokenIds);
    prompt.set(completionTokenIds, promptTokenIds.length);
  }
}
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 100));
globalThis.gc?.();
const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;
const start = performance.now();
const read = await store.capturesOf('session-7');
console.log({
  kind,
  rssGrowth: mebibytes(process.memoryUsage.rss() - before),
  storeBytes: mebibytes(store.stats().bytes),
  heapUsed: mebibytes(process.memoryUsage().heapUsed),
  heapTotal: mebibytes(process.memoryUsage().heapTotal),
  external: mebibytes(process.memoryUsage().external),
  appendMsEach: (appendMs / (sessions * turns)).toFixed(3),
  readMsSession: (performance.now() - start).toFixed(1),
  lastPrompt: read.at(-1)?.promptTokenIds.length,
});
await store.close();
await rm(directory, { recursive: true, maxRetries: 10 });
