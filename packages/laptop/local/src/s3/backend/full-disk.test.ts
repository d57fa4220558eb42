import type * as FileSystem from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { rawRequest } from '@art/tooling/raw-http';
import {
  makeTestDirectory,
  startTestEndpoint,
  type TestDirectory,
  type TestEndpoint,
} from '../s3-endpoint.fixture.ts';
import { FileObjectBackend } from './file-object-backend.ts';

/** Which function of the file system meets a full disk, at which of its calls from now on. */
const disk = vi.hoisted(() => ({
  full: undefined as { at: string; call: number; code: string } | undefined,
}));

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof FileSystem>();
  const meter = (name: string): void => {
    if (disk.full?.at !== name) return;
    disk.full.call -= 1;
    if (disk.full.call > 0) return;
    throw Object.assign(new Error(`${disk.full.code}: no space left on device, ${name}`), {
      code: disk.full.code,
    });
  };
  const metered =
    <Args extends unknown[], Result>(name: string, act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      meter(name);
      return act(...args);
    };
  return {
    ...actual,
    link: metered('link', actual.link),
    rename: metered('rename', actual.rename),
    mkdir: metered('mkdir', actual.mkdir as (...args: unknown[]) => Promise<unknown>),
    open: async (...args: Parameters<typeof actual.open>) => {
      if (args[1] === 'wx') meter('open');
      const handle = await actual.open(...args);
      const { appendFile, datasync } = handle;
      handle.appendFile = metered('appendFile', appendFile.bind(handle));
      handle.datasync = metered('datasync', datasync.bind(handle));
      return handle;
    },
  };
});

let directory: TestDirectory;
let endpoint: TestEndpoint;
beforeEach(async () => {
  directory = await makeTestDirectory();
  endpoint = await startTestEndpoint({ backend: new FileObjectBackend({ root: directory.path }) });
});
afterEach(async () => {
  disk.full = undefined;
  await endpoint.close();
  await directory.remove();
});

const put = (key: string, body: string, headers: Record<string, string> = {}) =>
  rawRequest(endpoint.port, 'PUT', `/bucket/${key}`, { 'content-type': 'text/plain', ...headers }, body);
const get = (key: string) => rawRequest(endpoint.port, 'GET', `/bucket/${key}`);

/** Every file below the root that is no object. */
async function leftovers(): Promise<string[]> {
  const names = await readdir(join(directory.path, '.s3'), { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe.each(['ENOSPC', 'EDQUOT'])('a disk that is full (%s)', (code) => {
  it.each(['open', 'appendFile', 'datasync', 'rename', 'link'])(
    'at %s answers 503, keeps the object that was there, and leaves no temporary file',
    async (at) => {
      const headers: Record<string, string> = at === 'link' ? { 'if-none-match': '*' } : {};
      if (at !== 'link') expect((await put('exp/k', 'old')).status).toBe(200);
      disk.full = { at, call: 1, code };
      const refused = await put('exp/k', 'new, and longer', headers);
      expect(refused.status).toBe(503);
      expect(refused.body).toContain('<Code>ServiceUnavailable</Code>');
      expect(refused.body).toContain(code);
      expect(await leftovers()).toEqual([]);
      const kept = await get('exp/k');
      expect([kept.status, kept.status === 200 && kept.body]).toEqual(
        at === 'link' ? [404, false] : [200, 'old'],
      );

      disk.full = undefined;
      expect((await put('exp/k', 'new, and longer', headers)).status).toBe(200);
      expect(await get('exp/k')).toMatchObject({
        body: 'new, and longer',
        headers: { 'content-type': 'text/plain' },
      });
    },
  );
});

it('a disk that fills up in the middle of a body leaves nothing of it', async () => {
  await put('warm-up', 'x');
  disk.full = { at: 'appendFile', call: 2, code: 'ENOSPC' };
  expect((await put('k', 'x'.repeat(5_000_000))).status).toBe(503);
  expect((await get('k')).status).toBe(404);
  expect(await leftovers()).toEqual([]);
});

it('a folder for uploads that could not be made is made at the next try', async () => {
  disk.full = { at: 'mkdir', call: 1, code: 'ENOSPC' };
  expect((await put('k', 'x')).status).toBe(503);
  disk.full = undefined;
  expect((await put('k', 'x')).status).toBe(200);
  expect((await get('k')).body).toBe('x');
});
