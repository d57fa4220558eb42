/** A process that races for keys: waits for a line on standard input, then has several writers try every key at once. */
import { once } from 'node:events';
import { FileResultStore } from './file-result-store.ts';

const [root = '', name = '', writers = '0', keys = '0'] = process.argv.slice(2);
const store = new FileResultStore({ root });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const won: { key: number; body: string }[] = [];
for (let key = 0; key < Number(keys); key += 1) {
  const tries = Array.from({ length: Number(writers) }, async (_, writer) => {
    const body = `${name}, writer ${writer}`;
    const at = { bucket: 'bucket', key: `race/${key}.json` };
    const outcome = await store.put(at, body.repeat(10_000), { ifAbsent: true });
    if (outcome.kind === 'stored') won.push({ key, body });
  });
  await Promise.all(tries);
}
process.stdout.write(`${JSON.stringify(won)}\n`);
process.stdin.destroy();
