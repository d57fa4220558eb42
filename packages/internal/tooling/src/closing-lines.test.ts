import { expect, it } from 'vitest';
import { closingLines } from './closing-lines.ts';
import type { TestReport } from './test-reporter.ts';

const good: TestReport = { passed: 5, skipped: 1, failed: [], missing: ['no redis-server'] };

it('sums up, and names what the machine lacks once', () => {
  const packages = [
    { name: '@art/a', folder: 'packages/a', report: good },
    { name: '@art/b', folder: 'packages/b', report: good },
  ];
  expect(closingLines(packages, 0)).toEqual({
    lines: ['skipped: no redis-server', '10 passed, 0 failed, 2 skipped'],
    exitCode: 0,
  });
  expect(closingLines(packages, 2)).toMatchObject({
    lines: [{}, {}, expect.stringContaining('"Failed:" above')],
    exitCode: 2,
  });
});

it('ends with each failed test, its file and the command that runs it alone', () => {
  const failed = [
    { file: 'src/x.test.ts', name: "isn't 1+1 (two)", error: 'expected 1 to be 2' },
    { file: 'src/y.test.ts', error: 'Cannot find module' },
    { error: 'outside of a test: boom' },
  ];
  const report = { ...good, missing: [], failed };
  expect(closingLines([{ name: '@art/a', folder: 'packages/a', report }], 1)).toEqual({
    lines: [
      '5 passed, 3 failed, 1 skipped',
      `FAILED packages/a/src/x.test.ts > isn't 1+1 (two)
  expected 1 to be 2
  npx pnpm --filter @art/a exec vitest run src/x.test.ts -t 'isn'\\''t 1\\+1 \\(two\\)'`,
      `FAILED packages/a/src/y.test.ts
  Cannot find module
  npx pnpm --filter @art/a exec vitest run src/y.test.ts`,
      `FAILED packages/a
  outside of a test: boom
  npx pnpm --filter @art/a exec vitest run`,
    ],
    exitCode: 1,
  });
});

it('asks for what pnpm thorough plays where that has failed', () => {
  const report = { ...good, failed: [{ file: 'src/x.test.ts', name: 'x', error: 'no' }] };
  const { lines } = closingLines([{ name: '@art/a', folder: 'packages/a', report }], 1, true);
  expect(lines.at(-1)).toContain('\n  ART_THOROUGH=1 npx pnpm --filter @art/a exec vitest run');
});

it.each([0, 137])('takes tests that left no report for failed, after exit code %i', (exitCode) => {
  const packages = [
    { name: '@art/a', folder: 'packages/a', report: good },
    { name: '@art/b', folder: 'packages/b', report: undefined },
  ];
  expect(closingLines(packages, exitCode)).toMatchObject({
    lines: [{}, {}, expect.stringContaining('packages/b: its tests ended without a report')],
    exitCode: exitCode || 1,
  });
});

it('names the part that left no report, and counts the others', () => {
  const e2e = { name: '@art/e2e', folder: 'packages/internal/e2e' };
  const parts = [
    { ...e2e, part: 'gateway', report: good },
    { ...e2e, part: 'shape', report: undefined },
  ];
  expect(closingLines(parts, 0)).toEqual({
    lines: [
      'skipped: no redis-server',
      '5 passed, 0 failed, 1 skipped',
      `FAILED packages/internal/e2e: its tests of shape ended without a report
  npx pnpm --filter @art/e2e run test:shape`,
    ],
    exitCode: 1,
  });
});

it('does not take a run without a single test for a good one', () => {
  expect(closingLines([], 0).exitCode).toBe(1);
});
