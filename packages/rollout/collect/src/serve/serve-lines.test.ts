import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { CollectService } from '../run/collect-service.ts';
import { serveLines } from './serve-lines.ts';

const service = { requests: () => Promise.resolve([]) } as unknown as CollectService;

it('answers a call whose texts have line separators of Unicode', async () => {
  const lines: string[] = [];
  const write = (line: string): Promise<void> => Promise.resolve(void lines.push(line));
  const input = (async function* () {
    yield `{"op":"requests","call":"a\u2028b\u2029c"}\n{"op":"requests",`;
    yield '"call":2}';
  })();
  await serveLines({ service, input, write, signal: new AbortController().signal });
  expect(lines.map((line) => (JSON.parse(line) as { call: unknown }).call)).toEqual(['a\u2028b\u2029c', 2]);
});

it('ends with its signal while it waits for a line', async () => {
  const controller = new AbortController();
  const input = new PassThrough();
  const serving = serveLines({ service, input, write: () => Promise.resolve(), signal: controller.signal });
  controller.abort(new Error('enough'));
  expect(await serving).toBeUndefined();
});
