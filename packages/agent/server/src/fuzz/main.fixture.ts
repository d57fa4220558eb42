/** Sends many strange requests: `pnpm --filter @art/server run fuzz --cases 1000000 --seed 7`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { requestProperty } from './request-property.fixture.ts';
import { secretProperty } from './secret-property.fixture.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const cases = Number(values.cases);
const firstSeed = Number(values.seed ?? Date.now() % 2 ** 31);
const startedMs = performance.now();
// A process answers one session in production; a fresh app now and then keeps its memory as small here.
const casesOfOneApp = 20_000;
for (let done = 0; done < cases; done += casesOfOneApp) {
  const stateDir = await mkdtemp(join(tmpdir(), 'art-fuzz-'));
  const { app, property } = requestProperty(stateDir);
  const numRuns = Math.min(casesOfOneApp, cases - done);
  const seed = firstSeed + done / casesOfOneApp;
  await fc.assert(property, { numRuns, seed });
  await app.close();
  await rm(stateDir, { recursive: true, force: true });
  console.log(`${done + numRuns} requests, the last ${numRuns} with seed ${seed}`);
}
fc.assert(secretProperty, { numRuns: cases, seed: firstSeed });
const seconds = Math.round((performance.now() - startedMs) / 1_000);
console.log(`${cases} requests and documents with seed ${firstSeed} in ${seconds} s, no finding`);
