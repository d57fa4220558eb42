import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalRuntime } from '@art/local';
import { startMockModel } from '@art/mock-model';
import { S3Client, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, it, onTestFinished } from 'vitest';
import { awsEnvironment } from '../aws/aws-environment.fixture.ts';
import { runArt } from './art-eval.fixture.ts';

const agent = join(import.meta.dirname, 'eval-agent.fixture.ts');

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'art-stored-baseline-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

it('keeps a run in S3 under a name, and another machine compares with it', async () => {
  const s3 = await startLocalRuntime({
    agents: { idle: { command: 'exit 1' } },
    s3: { autoCreateBuckets: true },
  });
  onTestFinished(() => s3.close());
  let reply = 'yes';
  const model = await startMockModel({ reply: () => reply });
  onTestFinished(() => model.close());
  const env = {
    ...awsEnvironment(s3.endpoint),
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
  const machine = async () => {
    const cwd = await emptyFolder();
    const tasks = Array.from({ length: 12 }, (_, at) => ({
      id: `t${at}`,
      payload: { prompt: 'say', answer: 'yes' },
    }));
    await writeFile(join(cwd, 'tasks.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
    return { cwd, env };
  };
  const [one, other] = [await machine(), await machine()];
  const baselines = ['--baselines', 's3://my-bucket/evals'];
  const evaluated = [
    'eval',
    agent,
    '--tasks',
    'tasks.jsonl',
    '--sessions',
    'server',
    '--base-url',
    model.baseUrl,
  ];
  evaluated.push('--model-id', 'mock', '--out', 'run');

  const compare = ['compare', 'run', '--baseline', 'main', '--max-drop', '0.1', ...baselines];
  const kept = await runArt(one, ...evaluated, '--save-as', 'main', ...baselines);
  expect(kept).toMatchObject({ code: 0 });
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: 'us-west-2',
    forcePathStyle: true,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  onTestFinished(() => client.destroy());
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'my-bucket' }));
  expect(Contents.map(({ Key }) => Key).filter((key) => key?.startsWith('evals/names/'))).toEqual([
    'evals/names/main.json',
  ]);

  reply = 'no';
  await runArt(other, ...evaluated);
  const worse = await runArt(other, ...compare);
  expect(worse.output).toContain('worse: the whole interval lies below 0');
  expect(worse.code).toBe(1);
  const unknown = await runArt(other, ...compare.with(3, 'release'));
  expect(unknown.errors).toContain('kept in s3://my-bucket/evals, got "release"');
  expect(unknown.code).toBe(2);
});
