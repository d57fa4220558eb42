import type { FuzzTarget } from '@art/tooling/fuzz';
import { dataPlane, payloads } from './fuzz-data-plane.fixture.ts';
import { smallTexts } from './fuzz-parsers.fixture.ts';

export const fuzzTargets: readonly FuzzTarget[] = [dataPlane, payloads, smallTexts];
