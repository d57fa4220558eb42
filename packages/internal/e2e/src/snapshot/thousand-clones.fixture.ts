// A thousand sessions of one snapshot in one process: before each the generators of the process are set to the same place.
import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freshId, freshNumber } from '@art/ground';
import { replaceDraws } from '@art/ground/draws';
import { replaceFile } from '@art/store';
import { S3ResultStore } from '@art/store-s3';

let count = 0;
replaceDraws({
  fill: (view) => {
    for (let offset = 0; offset < view.length; offset += 32) {
      const block = createHash('sha256').update(`snapshot ${count}`).digest();
      view.set(block.subarray(0, view.length - offset), offset);
      count += 1;
    }
  },
});

const writeIds: string[] = [];
const client = {
  send: async ({ input }: { input: { Metadata?: Record<string, string> } }) => {
    writeIds.push(...Object.values(input.Metadata ?? {}));
    return {};
  },
};
const store = new S3ResultStore({ client: client as never });
const folder = await mkdtemp(join(tmpdir(), 'art-clones-'));
const [ids, numbers, former, jitters]: [string[], number[], string[], number[]] = [[], [], [], []];
for (let session = 0; session < 1_000; session += 1) {
  count = 0;
  ids.push(freshId(), freshId());
  numbers.push(freshNumber());
  former.push(randomUUID({ disableEntropyCache: true }));
  jitters.push(Math.random());
  await store.put({ bucket: 'results', key: `${session}` }, '{}', { ifAbsent: true });
}
await replaceFile(join(folder, 'one'), 'text');
const left = await readdir(folder);
await rm(folder, { recursive: true });
console.log(JSON.stringify({ ids, numbers, former, jitters, writeIds, left }));
