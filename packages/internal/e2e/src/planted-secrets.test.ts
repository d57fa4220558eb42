import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { FileJournal, RolloutClient, StoreJournal, type BatchItem } from '@art/client';
import { FaultInjection } from '@art/local/faults';
import { FileObjectBackend, startLocalRuntime } from '@art/local';
import { S3ResultStore } from '@art/store-s3';
import { shortlist } from '@art/tooling/thorough';
import { expect, it, onTestFinished } from 'vitest';

const planted = {
  key: 'sk-planted-7f3a9c51d2e84b60',
  header: 'Bearer planted-token-0c4d1e8f22',
  password: 'planted-password-5b6c7d',
  query: 'planted-query-91ab23cd',
};

it('no secret of _rollout is in any stored byte, log or journal, whatever fails', async () => {
  const root = await mkdtemp(join(tmpdir(), 'art-secrets-'));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  const local = await startLocalRuntime({
    logDir: join(root, 'logs'),
    s3: { backend: new FileObjectBackend({ root: join(root, 'objects') }), autoCreateBuckets: true },
    agents: {
      scripted: {
        command: [
          process.execPath,
          '--conditions=@art/source',
          join(import.meta.dirname, 'agents/scripted-agent.ts'),
        ],
        env: { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-west-2' },
      },
    },
    faults: new FaultInjection({
      seed: 1,
      rules: [
        { when: { operation: 'invoke' }, fault: { kind: 'error', status: 503, moment: 'after' }, nth: 2 },
        {
          when: { operation: 's3_put', keyPrefix: 'secrets-' },
          fault: { kind: 'error', status: 403 },
          nth: [2, 5],
        },
        {
          when: { operation: 's3_put', keyPrefix: 'secrets-' },
          fault: { kind: 'reset', moment: 'after' },
          nth: 3,
        },
      ],
    }),
  });
  onTestFinished(() => local.close());
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const store = new S3ResultStore({
    endpoint: local.endpoint,
    region: 'us-west-2',
    clientConfig: { credentials },
  });
  const said: string[] = [];
  const items: BatchItem[] = [];
  const journals = {
    file: new FileJournal({ directory: join(root, 'journal') }),
    store: new StoreJournal({ store, bucket: 'results', commitIntervalMs: 10 }),
  };
  for (const [name, journal] of shortlist(Object.entries(journals), 1)) {
    await using client = new RolloutClient({
      runtime: local.runtime('scripted'),
      store,
      bucket: 'results',
      expId: `secrets-${name}`,
      baseUrl: `https://user:${planted.password}@gateway.test/v1?api_key=${planted.query}`,
      extraConfig: { api_key: planted.key, headers: { authorization: planted.header } },
      liveness: { firstAfterMs: 300, everyMs: 300, callsPerSecond: 20 },
      onWarning: (message) => said.push(message),
    });
    const payloads = ['leak', 'reward', 'exit', 'leak'].map((task) => ({ do: task, value: 1 }));
    const batch = client.runBatch(payloads, {
      maxConcurrentSessions: 2,
      timeoutMs: 100_000,
      retry: { lost: 1 },
      retryDelayMs: () => 10,
      journal: { journal, runId: name },
      overrides: () => ({ extra: { api_key: planted.key } }),
      onEvent: (event) => said.push(inspect(event, { depth: 4 })),
    });
    for await (const item of batch) items.push(item);
  }
  await store.close();
  // The agent had the secrets, and used them.
  const leaks = items.filter(({ outcome }) => inspect(outcome).includes('wrong credentials'));
  expect(leaks.length).toBeGreaterThanOrEqual(2);
  expect(inspect(leaks, { depth: 9 })).toContain('[redacted]');

  await local.close();
  const stored = await filesUnder(root);
  for (const kind of ['logs', 'objects', 'journal'])
    expect(stored.filter(({ path }) => path.startsWith(join(root, kind))).length).toBeGreaterThan(0);
  const texts = [
    ...stored,
    ...said.map((text) => ({ path: 'said', text })),
    { path: 'items', text: inspect(items, { depth: 9 }) },
  ];
  const spellings = Object.values(planted).flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ]);
  const found = texts.flatMap(({ path, text }) =>
    spellings.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${path}`),
  );
  expect(found).toEqual([]);
});

async function filesUnder(root: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map(async (path) => ({ path, text: await readFile(path, 'latin1') })),
  );
}
