import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { writeEvaluation } from '../testing/evaluation.fixture.ts';
import { temporaryFolder } from '../testing/temporary-folder.fixture.ts';
import { RunReader } from './run-reader.ts';
import { serveView } from './serve-view.ts';

// The page is built once for all.
beforeAll(async () => {
  const { pageParts } = await import('./page-parts.ts');
  await pageParts();
});

async function servedRun(): Promise<string> {
  const folder = await temporaryFolder();
  await writeEvaluation(folder, { tasks: 2, samples: 2 });
  const view = await serveView({ folders: [folder] });
  onTestFinished(() => view.close());
  return view.url;
}

async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
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
    .end();
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
