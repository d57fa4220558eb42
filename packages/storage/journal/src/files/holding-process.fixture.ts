/** Holds a run until it is killed: says "held" once a line is written. */
import { FileJournal } from './file-journal.ts';

const [directory, runId] = process.argv.slice(2);
const log = await new FileJournal({ directory: directory! }).open(runId!);
await log.commit(JSON.stringify({ type: 'acknowledged', item: 'item-1', at_ms: 1 }));
console.log('held');
setInterval(() => undefined, 1_000);
