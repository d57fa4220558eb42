import { dataPlane, payloads } from './fuzz-data-plane.fixture.ts';
import { chunkedBodies, smallTexts, xmlDocuments } from './fuzz-parsers.fixture.ts';
import { s3Hostile } from './fuzz-s3-hostile.fixture.ts';
import { s3Files, s3Memory } from './fuzz-s3-model.fixture.ts';
import type { FuzzTarget } from './fuzz-target.fixture.ts';

export const fuzzTargets: readonly FuzzTarget[] = [
  s3Hostile,
  s3Memory,
  s3Files,
  dataPlane,
  payloads,
  xmlDocuments,
  chunkedBodies,
  smallTexts,
];
