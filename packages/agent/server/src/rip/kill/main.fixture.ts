/** Kills an agent at many instants: `pnpm --filter @art/server run kill --instants 50`. */
import { parseArgs } from 'node:util';
import { killAgent } from './kill-agent.fixture.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { instants: { type: 'string', default: '50' } },
});
const startedMs = performance.now();
const tally = await killAgent(Number(values.instants), Math.random);
const seconds = Math.round((performance.now() - startedMs) / 1_000);
console.log(`${values.instants} kills in ${seconds} s, no finding: ${JSON.stringify(tally)}`);
