import { expect, it } from 'vitest';
import { readClosure } from './read-closure.ts';

const own = 'packages/internal/e2e/src/';

it('follows what a test starts as a process, and what that imports when it is asked for', () => {
  const closure = readClosure([`${own}eval/killed-eval.test.ts`]);
  expect(closure).toContain(`${own}eval/noting-agent.fixture.ts`);
  expect(closure).toContain('packages/command/cli/src/main.ts');
  // `art view` loads it.
  expect(closure).toContain('packages/evaluate/view/src/index.ts');
});

it('follows a script in another language, and no types', () => {
  const closure = readClosure([`${own}sagemaker/python-referees.test.ts`]);
  expect(closure).toContain(`${own}sagemaker/drive-boto3.py`);
  expect([...closure].filter((place) => place.includes('/store-s3/'))).toEqual([]);
});

it('knows a pattern for files of the workspace', () => {
  expect(readClosure([`${own}doors/every-server.test.ts`])).toContain('*/*/src/**/*.ts');
});
