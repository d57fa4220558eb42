/** `ROOT`: a process that is killed while it puts a result and replaces a file, between its first byte and the last name. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FileResultStore } from './file-result-store.ts';
import { replaceFile } from './unfinished-file.ts';

const [root = ''] = process.argv.slice(2);
// As long as this is written, the loop below has many turns.
const text = 'x'.repeat(64 * 1_024 * 1_024);
void new FileResultStore({ root }).put({ bucket: 'bucket', key: 'result.json' }, text);
void replaceFile(join(root, 'state/state.json'), text);

const unfinished = (): number =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(\.temporary|state)\/.*[-.][0-9a-f]{12}$/.test(path),
  ).length;
while (unfinished() < 2) await nextTurn();
process.kill(process.pid, 'SIGKILL');
