import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectBackend, startLocalRuntime, type S3EndpointOptions } from '@art/local';
import type { ResultStore } from '@art/store';
import { resultStoreChecks, whySkipped, type ResultStoreCheck } from '@art/store/conformance';
import { S3ResultStore } from '@art/store-s3';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isPythonMissing, pythonExecutable } from '../interop/provided-python.fixture.ts';
import { stubAwsEnvironment } from './aws-environment.fixture.ts';
import { startMotoServer } from './moto-server.fixture.ts';

/** Checks that moto fails because it is not S3; one that passes all the same fails the test. */
const motoDifferences: Record<string, string> = {
  'checksum.mismatch': 'moto stores a body without looking at the checksum that came with it',
};

interface OpenStore extends AsyncDisposable {
  store: ResultStore;
}

const bucket = 'conformance-bucket';

async function onLocalEndpoint(s3: S3EndpointOptions): Promise<OpenStore> {
  // The agent is never started; a runtime without any would have nothing to serve.
  const local = await startLocalRuntime({
    agents: { idle: { command: 'exit 1' } },
    s3: { autoCreateBuckets: true, ...s3 },
  });
  stubAwsEnvironment(local.endpoint);
  const store = new S3ResultStore();
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await local.close();
      vi.unstubAllEnvs();
    },
  };
}

async function inDirectory(open: (root: string) => OpenStore | Promise<OpenStore>): Promise<OpenStore> {
  const root = await mkdtemp(join(tmpdir(), 'art-conformance-'));
  const opened = await open(root);
  return {
    store: opened.store,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function onMoto(executable: string): Promise<OpenStore> {
  const moto = await startMotoServer(executable);
  stubAwsEnvironment(moto.endpoint);
  const client = new S3Client();
  await client.send(
    new CreateBucketCommand({
      Bucket: bucket,
      CreateBucketConfiguration: { LocationConstraint: 'us-west-2' },
    }),
  );
  client.destroy();
  const store = new S3ResultStore();
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await moto[Symbol.asyncDispose]();
      vi.unstubAllEnvs();
    },
  };
}

/** Check of what S3 owes its callers beyond the port: a body that was damaged on the way is refused. */
const checksumCheck: ResultStoreCheck = {
  id: 'checksum.mismatch',
  name: 'refuses a body that does not match its checksum',
  timeoutMs: 100_000,
  run: async () => {
    const client = new S3Client();
    const put = new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: '{}', ChecksumCRC32: 'AAAAAA==' });
    const refusal = await client.send(put).catch((error: unknown) => error);
    client.destroy();
    expect(refusal).toMatchObject({ name: 'BadDigest', $metadata: { httpStatusCode: 400 } });
  },
};

// S3 has nothing that pushes.
const s3Checks = [checksumCheck, ...resultStoreChecks.filter((check) => check.requires !== 'watch')];

describe('S3ResultStore on the local endpoint, in memory', () => {
  // How both backends list more keys than fit on a page is tested in @art/local/s3, with the SDK that the store calls.
  runSuite(
    () => onLocalEndpoint({}),
    s3Checks.filter(({ id }) => id !== 'list.many'),
  );
});

describe('S3ResultStore on the local endpoint, in files', () => {
  runSuite(
    () => inDirectory((root) => onLocalEndpoint({ backend: new FileObjectBackend({ root }) })),
    shortlist(s3Checks, 20),
  );
});

describe.skipIf(isPythonMissing)("S3ResultStore on moto's S3", () => {
  runSuite(
    () => onMoto(pythonExecutable),
    // moto looks for the object and writes it in two steps, so it is chance whether two of its threads win.
    shortlist(
      s3Checks.filter(({ id }) => id !== 'if-absent.race'),
      20,
    ),
    motoDifferences,
  );
});

function runSuite(
  open: () => OpenStore | Promise<OpenStore>,
  checks: readonly ResultStoreCheck[],
  differences: Record<string, string> = {},
): void {
  let opened: OpenStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
  });

  it('has what every check needs', () => {
    expect(checks.flatMap((check) => whySkipped(check, opened.store) ?? [])).toEqual([]);
    expect(Object.keys(differences).filter((id) => !checks.some((check) => check.id === id))).toEqual([]);
  });

  for (const check of checks) {
    const reason = differences[check.id];
    const title = reason === undefined ? check.name : `differs, ${reason}`;
    it(`${check.id}: ${title}`, { timeout: check.timeoutMs }, async () => {
      const failure = await check.run({ store: opened.store, bucket }).catch((error: unknown) => error);
      if (reason === undefined) expect(failure).toBeUndefined();
      else expect(failure).toBeInstanceOf(Error);
    });
  }
}
