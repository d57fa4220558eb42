import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { readAnnotations } from '@art/eval/records';
import { holdFolder } from '@art/ground';
import { RunReader } from './run-reader.ts';
import { serveView } from './serve-view.ts';

// The page is built once for all.
beforeAll(async () => {
  const { pageParts } = await import('./page-parts.ts');
  await pageParts();
});

async function servedRun(folder?: string): Promise<string> {
  folder ??= await temporaryFolder();
  await writeEvaluation(folder, { tasks: 2, samples: 2 });
  const view = await serveView({ folders: [folder] });
  onTestFinished(() => view.close());
  return view.url;
}

async function ask(url: string, headers: Record<string, string> = {}, method = 'GET', given?: unknown) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    body: string;
    policy: string;
  }>();
  request(url, { headers, method }, (response) => {
    text(response).then(
      (body) =>
        resolve({
          status: response.statusCode!,
          body,
          policy: String(response.headers['content-security-policy']),
        }),
      reject,
    );
  })
    .on('error', reject)
    .end(given === undefined ? undefined : JSON.stringify(given));
  return promise;
}

it('sends a page that may run nothing but itself and ask nobody but its server', async () => {
  const { status, policy, body } = await ask(await servedRun());
  expect(status).toBe(200);
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; /);
  expect(policy).toMatch(/connect-src 'self'.*frame-ancestors 'none'$/);
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(body).not.toMatch(/(?:src|href)="(?!data:)/);
});

it('answers only to its own name and its own page', async () => {
  const url = await servedRun();
  const refused = [
    { host: 'rebound.example' },
    { host: '127.0.0.1.example' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ];
  for (const headers of refused)
    expect({ headers, status: (await ask(`${url}runs`, headers)).status }).toEqual({ headers, status: 403 });
  expect((await ask(`${url}runs`, {}, 'POST')).status).toBe(405);
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect((await ask(url, link)).status).toBe(200);
  expect((await ask(`${url}runs`, { host: `localhost:${new URL(url).port}` })).status).toBe(200);
});

it('has runs, rows and samples, and nothing else', async () => {
  const url = await servedRun();
  const json = async (path: string): Promise<unknown> =>
    JSON.parse((await ask(`${url}${path}`)).body) as unknown;
  // The folder is read while it is served.
  await vi.waitFor(async () =>
    expect(await json('runs')).toMatchObject([
      { kind: 'evaluation', title: 'flight desk', read: 4, isLive: false },
    ]),
  );
  expect(await json('runs/0/rows?from=3')).toMatchObject({ at: [3] });
  expect(await json('runs/0/samples/1')).toMatchObject({ record: { schema: 'art.rollout.v1' } });
  expect(await json('runs/0/said?text=LOOK%20at&from=1')).toEqual({ found: [1, 2, 3], next: null });
  for (const path of [
    'runs/0/said',
    'runs/0/samples/9',
    'runs/0/samples/-1',
    'runs/0/samples/x',
    'runs/1/rows',
    'runs/0/steps',
    'etc',
    'runs/0/rows?from=-1',
  ])
    expect({ path, status: (await ask(`${url}${path}`)).status }).toEqual({ path, status: 404 });
});

it('keeps an annotation of its own page, and refuses all others before anything is written', async () => {
  const folder = await temporaryFolder();
  const url = await servedRun(folder);
  const path = `${url}runs/0/annotations`;
  const { record } = JSON.parse((await ask(`${url}runs/0/samples/1`)).body) as { record: { id: string } };
  const given = { folder, at: 1, id: record.id, label: 0.5, remark: 'Half.', replaces: 0 };
  const json = { 'content-type': 'application/json' };
  const own = { ...json, origin: url.slice(0, -1), 'sec-fetch-site': 'same-origin' };
  const statusOf = async (headers: Record<string, string>, body: unknown): Promise<number> =>
    (await ask(path, headers, 'POST', body)).status;
  expect(await statusOf({ ...own, origin: 'http://127.0.0.1:1' }, given)).toBe(403);
  expect(await statusOf({ ...own, origin: 'null' }, given)).toBe(403);
  expect(await statusOf({ ...json, 'sec-fetch-site': 'cross-site' }, given)).toBe(403);
  expect(await statusOf({ ...own, host: 'rebound.example' }, given)).toBe(403);
  expect(await statusOf({ ...own, 'content-type': 'text/plain' }, given)).toBe(415);
  expect((await ask(`${url}runs/0/samples/1`, own, 'POST', given)).status).toBe(405);
  expect((await ask(path, own, 'PUT', given)).status).toBe(405);
  for (const wrong of [
    { folder: 'elsewhere' },
    { id: 'other#0' },
    { at: 99 },
    { at: null },
    { label: '1' },
    { remark: 'x'.repeat(100_000) },
    { replaces: '0' },
  ])
    expect(await statusOf(own, { ...given, ...wrong })).toBeGreaterThanOrEqual(400);
  expect(await statusOf(own, ['no object'])).toBe(400);
  {
    await using _ = await holdFolder(folder);
    const { status, body } = await ask(path, own, 'POST', given);
    expect({ status, body }).toEqual({
      status: 409,
      body: expect.stringContaining('ART_FOLDER_HELD') as string,
    });
  }
  expect(await readAnnotations(folder)).toEqual(new Map());
  // Two tabs at once: one of a sample, and both of two.
  const both = await Promise.all([given, given].map((body) => statusOf(own, body)));
  expect(both.toSorted()).toEqual([200, 409]);
  const second = JSON.parse((await ask(`${url}runs/0/samples/2`)).body) as { record: { id: string } };
  const others = [
    { ...given, label: 1, replaces: 1 },
    { ...given, at: 2, id: second.record.id },
  ];
  expect(await Promise.all(others.map((body) => statusOf(own, body)))).toEqual([200, 200]);
  expect([...(await readAnnotations(folder)).values()]).toMatchObject([
    { id: record.id, label: 1, revision: 2 },
    { id: second.record.id, label: 0.5, revision: 1 },
  ]);
  expect(JSON.parse((await ask(`${url}runs/0/samples/1`)).body)).toMatchObject({ annotation: { label: 1 } });
});

it('what is too large for one answer is an error with its reason, and no answer that breaks off', async () => {
  const url = await servedRun();
  const tooLarge = {
    toJSON: () => {
      throw new RangeError('Invalid string length');
    },
  };
  const find = vi.spyOn(RunReader.prototype, 'find').mockResolvedValue(tooLarge);
  onTestFinished(() => find.mockRestore());
  expect(await ask(`${url}runs/0/samples/0`)).toMatchObject({
    status: 413,
    body: expect.stringContaining('Invalid string length') as string,
  });
});

it('says that a port is taken', async () => {
  const url = await servedRun();
  const folder = await temporaryFolder();
  await writeEvaluation(folder, { tasks: 1, samples: 1 });
  await expect(serveView({ folders: [folder], port: Number(new URL(url).port) })).rejects.toMatchObject({
    code: 'ART_PORT_TAKEN',
  });
});
