import { writeFileSync } from 'node:fs';
import { makeTasks } from './make-tasks.ts';

// `npm run tasks -- 7 50` makes 50 of each kind with the seed 7, for trainers that read JSON lines.
const [seed = '1', rounds = '2'] = process.argv.slice(2);
const tasks = await makeTasks(Number(seed), Number(rounds));
const lines = tasks.map(({ id, tags, payload }) => `${JSON.stringify({ id, tags, payload })}\n`);
writeFileSync(new URL('../../tasks.jsonl', import.meta.url), lines.join(''));
console.log(`${lines.length} tasks are in tasks.jsonl.`);
