import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RolloutClient } from '@art/client';
import { agentChecks, checkAgent, type Finding } from '@art/doctor';
import { evaluate, TranscriptGateway } from '@art/eval';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import { startAgentServer } from '@art/local';
import { type MockModel, readScript, startMockModel } from '@art/mock-model';
import type { CaptureRecord } from '@art/trajectories';
import { shortlist } from '@art/tooling/thorough';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceRoot } from '../workspace-root.ts';

const agents = {
  openai: 'examples/openai/agent.ts',
  'vercel-ai': 'examples/vercel-ai/agent.ts',
  strands: 'examples/strands/agent.ts',
  mastra: 'examples/mastra/agent.ts',
  langgraph: 'examples/langgraph/agent.ts',
  'openai-agents': 'examples/openai-agents/agent.ts',
  'claude-agent-sdk': 'examples/claude-agent-sdk/agent.ts',
};
type Framework = keyof typeof agents;
const frameworks = Object.keys(agents) as Framework[];
/** The one whose handler is a generator. */
const streams = 'vercel-ai';
const folderOf = (name: Framework): string => join(workspaceRoot, dirname(agents[name]));

const stack = new AsyncDisposableStack();
let root: string;
let model: MockModel;
let capture: TranscriptGateway;
let tasks: { prompt: string; answer: string }[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'art-examples-'));
  stack.defer(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
  model = await startMockModel({ reply: await readScript(join(workspaceRoot, 'examples/openai/model.ts')) });
  stack.defer(() => model.close());
  const gateway = await startGateway({ port: 0, logLevel: 'error', workers: [{ url: model.baseUrl }] });
  stack.defer(() => gateway.close());
  capture = new TranscriptGateway(new GatewayClient({ url: gateway.url }));
  const lines = (await readFile(join(folderOf('openai'), 'tasks.jsonl'), 'utf8')).trimEnd().split('\n');
  tasks = lines.map((line) => JSON.parse(line) as (typeof tasks)[number]);
});

afterAll(() => stack.disposeAsync());

/** An example's agent, as the machine of its users would start it. */
function agentOf(name: Framework) {
  return {
    command: [process.execPath, '--conditions=@art/source', 'agent.ts'],
    cwd: folderOf(name),
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'key-of-the-users',
      OPENAI_AGENTS_DISABLE_TRACING: '1',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'key-of-the-users',
    },
  };
}

/** The program of the Claude Agent SDK has 364 MB and is not installed here; the command `templates` installs it. */
function canRun(name: Framework): boolean {
  if (name !== 'claude-agent-sdk') return true;
  const require = createRequire(join(folderOf(name), 'package.json'));
  try {
    return (
      require.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/package.json`) !==
      ''
    );
  } catch {
    return false;
  }
}

describe.each(shortlist(frameworks.filter(canRun), 2))('examples/%s', (name) => {
  it('solves ten problems, each captured for itself, and has no fault', async () => {
    // At the same time, for the doctor spends most of its own waiting.
    const [{ results, captures }, findings] = await Promise.all([
      evaluateExample(name),
      examineExample(name),
    ]);

    expect(results).toMatchObject({ outcomes: { ok: 10 }, mean: { value: 0.8 } });
    const calls = captures.flat();
    expect(calls).toHaveLength(30);
    const wire = name === 'claude-agent-sdk' ? 'messages' : 'chat';
    expect(
      new Set(calls.map((call) => `${call.wire} ${call.model} ${call.temperature} ${call.capture}`)),
    ).toEqual(new Set([`${wire} policy 0.375 complete`]));
    // Ten at once in one process: a session has all calls of one problem, and of no other.
    const problems = captures.map((own) => [
      ...new Set(own.map(({ messages }) => tasks.findIndex(({ prompt }) => said(messages).includes(prompt)))),
    ]);
    expect(problems.toSorted(([a], [b]) => a! - b!)).toEqual(tasks.map((_, index) => [index]));

    // Two at once with different endpoints, key, model name, sampling parameters, what happens when the model refuses.
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
  });
});

/** Runs the example's ten tasks in one process. */
async function evaluateExample(name: Framework) {
  await using server = await startAgentServer({ ...agentOf(name), logDir: join(root, name, 'logs') });
  await using client = new RolloutClient({
    runtime: server.runtime,
    gateway: capture,
    modelId: 'policy',
    samplingParams: { temperature: 0.375 },
    watch: { lagBoundMs: 100 },
  });
  const captures: (readonly CaptureRecord[])[] = [];
  const { results } = await evaluate({
    agent: {
      name,
      client,
      capture: {
        captures: async (sessionId) => {
          const own = await capture.captures(sessionId);
          captures.push(own);
          return own;
        },
        callCounts: (sessionId) => capture.callCounts(sessionId),
        drop: (sessionId) => capture.drop(sessionId),
      },
    },
    tasks: join(folderOf(name), 'tasks.jsonl'),
    folder: join(root, name, 'run'),
    control: false,
  });
  return { results, captures };
}

function examineExample(name: Framework): Promise<Finding[]> {
  const { command, cwd } = agentOf(name);
  // As on the machine of a newcomer, who has no key for the model of users yet.
  const keys = Object.keys(process.env).filter((key) => /^(?:OPENAI|ANTHROPIC)_/.test(key));
  return checkAgent({
    agent: { command, cwd },
    payload: tasks[0]!,
    initTimeoutMs: 120_000,
    env: { ...process.env, ...Object.fromEntries(keys.map((key) => [key, undefined])) },
    // How long an answer takes is a matter of what else this machine does.
    checks: agentChecks.filter(({ id }) =>
      /^(start\.answers|production\.answers|rollout\.(?!ping-meanwhile|at-once)|stop\.(document|not-good))/.test(
        id,
      ),
    ),
  });
}

it.each(frameworks)('examples/%s: the same task, and an agent that is read in five minutes', async (name) => {
  for (const file of ['tasks.jsonl', 'reward.ts', 'model.ts'])
    expect(await readFile(join(folderOf(name), file), 'utf8')).toBe(
      await readFile(join(folderOf('openai'), file), 'utf8'),
    );
  const agent = await readFile(join(folderOf(name), 'agent.ts'), 'utf8');
  expect(agent.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  const [handler] = /\nconst app = [\s\S]+$/.exec(agent)!;
  const awaiting = handler
    .replace(
      'async *process({ prompt, answer }, context) {',
      'process: async ({ prompt, answer }, context) => {',
    )
    .replace('yield* solve', 'await solve');
  expect(await readFile(join(folderOf('openai'), 'agent.ts'), 'utf8')).toContain(awaiting);
  expect(awaiting !== handler).toBe(name === streams);
});

function said(messages: readonly object[]): string {
  return messages.map((message) => text((message as { content?: unknown }).content)).join('\n');
}

function text(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => text((part as { text?: unknown }).text)).join('')
    : '';
}
