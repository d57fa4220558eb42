import type { FuzzTarget } from '@art/tooling/fuzz';
import { chunkedBodies, objectPaths, xmlDocuments } from './fuzz-parsers.fixture.ts';
import { s3Hostile } from './fuzz-s3-hostile.fixture.ts';
import { s3Files, s3Memory } from './fuzz-s3-model.fixture.ts';

export const fuzzTargets: readonly FuzzTarget[] = [
  s3Hostile,
  s3Memory,
  s3Files,
  xmlDocuments,
  chunkedBodies,
  objectPaths,
];
