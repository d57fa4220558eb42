import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scriptedModelId, startScriptedModel } from '@art/demo/scripted-model';
import { startGateway } from '@art/gateway';
import { startLocalRuntime } from '@art/local';
import { expect, it, onTestFinished } from 'vitest';

const example = (entry: string): string =>
  fileURLToPath(import.meta.resolve(`@art/example-math-agent/${entry}`));

it("the example's training loop gets groups with rewards and rows", { timeout: 120_000 }, async () => {
  const model = await startScriptedModel({ errorRate: 0.3, seed: 5 });
  onTestFinished(() => model.close());
  const worker = { url: model.baseUrl, flavour: 'vllm' } as const;
  const gateway = await startGateway({ port: 0, logLevel: 'error', workers: [worker] });
  onTestFinished(() => gateway.close());
  const runtime = await startLocalRuntime({
    agents: { math: { command: [process.execPath, '--conditions=@art/source', example('agent')] } },
    s3: { autoCreateBuckets: true },
  });
  onTestFinished(() => runtime.close());

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@art/source', example('train')],
    {
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: runtime.endpoint,
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AGENT_RUNTIME_ARN: runtime.arnOf('math'),
        RESULTS_BUCKET: 'results',
        GATEWAY_URL: gateway.url,
        MODEL_ID: scriptedModelId,
      },
      timeout: 100_000,
    },
  );
  const groups = stdout.trimEnd().split('\n').slice(0, -1);
  expect(groups).toHaveLength(5);
  expect(
    groups.every((line) => /^problem \d+: mean reward [\d.]+, 4 rows, 0 rollouts without$/.test(line)),
  ).toBe(true);
  expect(stdout).toMatch(/^20 rows, \d{4,} tokens$/m);
});
