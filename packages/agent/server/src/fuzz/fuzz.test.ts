import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { isThorough } from '@art/tooling/thorough';
import { expect, it, onTestFinished } from 'vitest';
import { requestProperty } from './request-property.fixture.ts';
import { secretProperty } from './secret-property.fixture.ts';

// A fixed seed, so that a run says something about the code and not about luck; `pnpm run fuzz` looks further.
it('strange requests are answered or refused with a code, and only those that are answered start something', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'art-fuzz-'));
  onTestFinished(() => rm(stateDir, { recursive: true, force: true }));
  const { app, property } = requestProperty(stateDir);
  const details = await fc.check(property, { numRuns: isThorough ? 2_000 : 400, seed: 20_261_121 });
  await app.close();
  expect(details.failed ? fc.defaultReportMessage(details) : 'no finding').toBe('no finding');
});

it('a planted secret is in no text of the document, and the payload stays as it was', () => {
  const details = fc.check(secretProperty, { numRuns: 400, seed: 20_261_121 });
  expect(details.failed ? fc.defaultReportMessage(details) : 'no finding').toBe('no finding');
});
