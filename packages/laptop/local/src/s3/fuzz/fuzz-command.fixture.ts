import { fuzzCommand } from '@art/tooling/fuzz';
import { fuzzTargets } from './fuzz-targets.fixture.ts';

await fuzzCommand(fuzzTargets);
