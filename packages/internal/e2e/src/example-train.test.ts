import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scriptedReply } from '@art/example-quickstart/scripted-model';
import { startGateway } from '@art/gateway';
import { startLocalRuntime } from '@art/local';
import { startMockModel } from '@art/mock-model';
import { expect, it, onTestFinished } from 'vitest';

const example = (entry: string): string =>
  fileURLToPath(import.meta.resolve(`@art/example-math-agent/${entry}`));

it("the example's training loop gets groups with rewards and rows", async () => {
  const model = await startMockModel({ reply: scriptedReply({ errorRate: 0.3, seed: 5 }) });
  onTestFinished(() => model.close());
  const worker = { url: model.baseUrl, flavour: 'vllm' } as const;
  const gateway = await startGateway({ port: 0, logLevel: 'error', workers: [worker] });
  onTestFinished(() => gateway.close());
  const runtime = await startLocalRuntime({
    agents: { math: { command: [process.execPath, '--conditions=@art/source', example('agent')] } },
    s3: { autoCreateBuckets: true },
  });
  onTestFinished(() => runtime.close());

  const folder = await mkdtemp(join(tmpdir(), 'art-example-train-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // Every rollout starts an agent: two groups of four are enough.
  const problems = (await readFile(join(example('train'), '../../problems.jsonl'), 'utf8')).split('\n');
  await writeFile(join(folder, 'two.jsonl'), problems.slice(0, 2).join('\n'));

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@art/source', example('train'), join(folder, 'two.jsonl')],
    {
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: runtime.endpoint,
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AGENT_RUNTIME_ARN: runtime.arnOf('math'),
        RESULTS_BUCKET: 'results',
        GATEWAY_URL: gateway.url,
        MODEL_ID: 'scripted-math',
      },
      timeout: 200_000,
    },
  );
  const groups = stdout.trimEnd().split('\n').slice(0, -1);
  expect(groups).toHaveLength(2);
  expect(
    groups.every((line) => /^problem \d+: mean reward [\d.]+, 4 rows, 0 rollouts without$/.test(line)),
  ).toBe(true);
  expect(stdout).toMatch(/^8 rows, \d{3,} tokens$/m);
}, 240_000);
