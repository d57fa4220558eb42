import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startVitest } from 'vitest/node';
import { TestReporter } from './test-reporter.ts';

it('reports failed tests, broken files, errors outside of tests and missing parts of the machine', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '../.test-reporter-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = (name: string, text: string) =>
    writeFile(join(folder, name), `import { expect, it } from 'vitest';\n${text}`);
  await file(
    'mixed.test.ts',
    `console.warn('SKIPPED: no gadget');
it('passes', () => {});
it.skip('is skipped', () => {});
it('fails', () => { expect(1).toBe(2); });`,
  );
  await file('broken.test.ts', `throw new Error('cannot be loaded');`);
  await file(
    'late.test.ts',
    `it('leaves something behind', () => new Promise((resolve) => { setImmediate(() => { resolve(); throw new Error('too late'); }); }));`,
  );
  const exitCode = process.exitCode;
  const reporter = new TestReporter(join(folder, 'report.json'));
  const run = await startVitest('test', [], {
    root: folder,
    config: false,
    watch: false,
    reporters: [reporter],
  });
  await run.close();
  process.exitCode = exitCode;
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as { failed: unknown[] };
  expect(report).toMatchObject({ passed: 2, skipped: 1, missing: ['no gadget'] });
  expect(report.failed).toHaveLength(3);
  expect(report.failed).toEqual(
    expect.arrayContaining([
      { file: 'mixed.test.ts', name: 'fails', error: 'expected 1 to be 2 // Object.is equality' },
      { file: 'broken.test.ts', error: 'cannot be loaded' },
      { error: 'outside of a test: too late' },
    ]),
  );
});
