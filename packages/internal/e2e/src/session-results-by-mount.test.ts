import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RolloutClient } from '@art/client';
import { type LocalRuntime, startLocalRuntime } from '@art/local';
import { FileObjectBackend } from '@art/local/s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hideAwsEnvironment, stubAwsEnvironment } from './aws/aws-environment.fixture.ts';

const otherDevice = '/dev/shm';
const hasOtherDevice = existsSync(otherDevice) && statSync(otherDevice).dev !== statSync(tmpdir()).dev;
const agent = join(import.meta.dirname, 'agents/scripted-agent.ts');
const withoutSdk = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => {
    if (name.startsWith('@aws-sdk')) throw new Error('there is no SDK here');
    return next(name, context);
  } });
`)}`;

/**
 * The bucket is a folder of the local S3. A session sees it at a path of another file system than the folder above it, as it sees a mount.
 * The refusals of a mount are not played here.
 */
describe.runIf(hasOtherDevice)('an agent whose session has the bucket as a folder', () => {
  let local: LocalRuntime;
  let root: string;
  let parent: string;

  beforeAll(async () => {
    root = mkdtempSync(join(otherDevice, 'art-s3-'));
    parent = mkdtempSync(join(tmpdir(), 'art-mount-'));
    const path = join(parent, 'results');
    mkdirSync(join(root, 'my-results/math'), { recursive: true });
    symlinkSync(join(root, 'my-results/math'), path);
    const ART_RESULT_STORE = `mount://${path}?bucket=my-results&prefix=math/`;
    const node = [process.execPath, '--conditions=@art/source'];
    hideAwsEnvironment();
    local = await startLocalRuntime({
      stopGraceMs: 5_000,
      s3: { backend: new FileObjectBackend({ root }), buckets: ['my-results'] },
      agents: {
        // No credentials, and an endpoint at which nobody listens.
        plain: {
          command: [...node, '--import', withoutSdk, agent],
          env: { ART_RESULT_STORE, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' },
        },
        both: { command: [...node, agent], env: { ART_RESULT_STORE } },
      },
    });
    stubAwsEnvironment(local.endpoint);
  });
  afterAll(async () => {
    await local.close();
    vi.unstubAllEnvs();
    for (const path of [root, parent]) rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  });

  const outcomesOf = async (name: string, expId: string, payloads: Record<string, unknown>[]) => {
    await using client = new RolloutClient({ runtime: local.runtime(name), bucket: 'my-results', expId });
    const options = { maxConcurrentSessions: 4, timeoutMs: 100_000, retry: { lost: 0 } };
    const items = await Array.fromAsync(client.runBatch(payloads, options));
    return items.toSorted((a, b) => a.index - b.index).map(({ outcome }) => outcome);
  };

  it('has its results where the client looks for objects, without SDK and keys', async () => {
    const payloads = [{ do: 'return', value: { reward: 0.5, text: 'é 日本 😀' } }, { do: 'throw' }];
    const [returned, thrown] = await outcomesOf('plain', 'math/exp', payloads);
    expect(returned).toMatchObject({ kind: 'ok', reward: 0.5, document: { text: 'é 日本 😀' } });
    expect(thrown).toMatchObject({ kind: 'agent_error' });
    expect(globSync('math/exp/*/*.json', { cwd: join(root, 'my-results') })).toHaveLength(2);
    expect(local.endpointLog().filter(({ kind }) => kind === 's3_write')).toEqual([]);
  });

  it('puts what is outside of the mount into S3', async () => {
    const payload = { do: 'return', value: { reward: 1 } };
    const [outside] = await outcomesOf('both', 'other/exp', [payload]);
    expect(outside).toMatchObject({ kind: 'ok', reward: 1 });
    const written = local.endpointLog().filter(({ kind }) => kind === 's3_write');
    expect(written).toMatchObject([{ bucket: 'my-results', key: expect.stringMatching(/^other\/exp\//) }]);
  });
});
