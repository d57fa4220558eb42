/** Runs every property with many cases: `pnpm --filter @art/protocol run fuzz -- --cases 1000000 --seed 7`. */
import { parseArgs } from 'node:util';
import { fuzzProperties } from './properties.fixture.ts';
import { runFuzz } from './run-fuzz.fixture.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
runFuzz(fuzzProperties, {
  cases: Number(values.cases),
  seed: Number(values.seed ?? Date.now() % 2 ** 31),
});
