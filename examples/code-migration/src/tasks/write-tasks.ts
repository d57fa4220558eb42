import { writeFileSync } from 'node:fs';
import { makeTasks } from './make-tasks.ts';

// `npm run tasks -- 7` makes other ones.
const tasks = makeTasks(Number(process.argv[2] ?? 1));
const lines = tasks.map(({ id, tags, payload }) => `${JSON.stringify({ id, tags, payload })}\n`);
writeFileSync(new URL('../../tasks.jsonl', import.meta.url), lines.join(''));
console.log(`${lines.length} tasks are in tasks.jsonl.`);
