import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { fileAdvice } from './file-advice.ts';

const here = import.meta.dirname;

it.each([
  ['a file for a folder', () => mkdir(import.meta.filename), /choose another place/],
  ['a place below a file', () => writeFile(`${import.meta.filename}/x`, ''), /A file is where a folder/],
  ['a folder for a file', () => readFile(here), /A folder is where a file/],
  ['a name that is too long', () => stat(`${here}/${'n'.repeat(300)}`), /shorter names/],
])('says what to do about %s', async (_what, act, advice) => {
  expect(fileAdvice(await act().catch((error: unknown) => error))).toMatch(advice);
});

it.each(['ENOSPC', 'EROFS', 'EDQUOT', 'EACCES'])('knows %s of a write', (code) => {
  expect(fileAdvice(Object.assign(new Error('no'), { code, syscall: 'write' }))).toMatch(
    /choose another place/,
  );
});

it('says nothing about what no file refused', async () => {
  const port = createServer().listen({ port: 0, host: '256.0.0.1' });
  const refusal = await new Promise((resolve) => port.once('error', resolve));
  const privileged = Object.assign(new Error('no'), { code: 'EACCES', syscall: 'listen' });
  for (const other of [refusal, privileged, new TypeError('oops'), { code: 'EROFS' }, 'EROFS', undefined])
    expect(fileAdvice(other)).toBeUndefined();
});
