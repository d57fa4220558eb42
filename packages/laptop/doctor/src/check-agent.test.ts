import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import type { AgentCheck } from './agent-check.ts';
import { agentChecks, checkAgent } from './check-agent.ts';
import type { Finding } from './finding.ts';
import type { Room } from './room/room.ts';

const folder = join(import.meta.dirname, 'test-agents');
const payload = { prompt: 'What is 6 times 7?', answer: '42' };

/** Each in its own folder: what one leaves there is not what another one has written. */
async function agent(
  file: string,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
): Promise<{ command: string[]; cwd: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'art-doctor-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
  return { command: [process.execPath, '--conditions=@art/source', join(folder, file)], cwd };
}

type Verdicts = Record<string, Finding['verdict']>;

/** Checks that take time, which is a matter of what else this machine does: looked at only where something is to be found. */
const timed = [
  'start.fast',
  'ping.fast',
  'production.ping-meanwhile',
  'rollout.at-once',
  'rollout.ping-meanwhile',
  'stop.signal',
];

/** As they are, but that a slow machine is no fault, and nothing is skipped because of one. */
function atAnySpeed(checks: readonly AgentCheck[], expected: Verdicts = {}): AgentCheck[] {
  return checks.map((check) =>
    !timed.includes(check.id) || check.id in expected
      ? check
      : {
          ...check,
          run: async (room) => {
            const seen = await check.run(room);
            return seen.verdict === 'skipped' ? seen : { ...seen, verdict: 'ok' };
          },
        },
  );
}

/** Findings about the agent that has these faults, by the checks whose ids begin so, and by what they come after. */
async function wrong(
  test: Pick<TestContext, 'onTestFinished'>,
  planted: string,
  groups: readonly string[],
  expected: Verdicts,
): Promise<Verdicts> {
  const findings = await checkAgent({
    agent: await agent('faulty-agent.mjs', test),
    payload,
    env: { ...process.env, FAULTS: planted },
    checks: atAnySpeed(
      agentChecks.filter(({ id }) => ['start.answers', ...groups].some((group) => id.startsWith(group))),
      expected,
    ),
  });
  return Object.fromEntries(
    findings
      .filter(({ verdict }) => verdict === 'fault' || verdict === 'warning')
      .map(({ id, verdict }) => [id, verdict]),
  );
}

it('has at least 60 checks, each with its own name and words for people', () => {
  expect(agentChecks.length).toBeGreaterThanOrEqual(60);
  expect(new Set(agentChecks.map(({ id }) => id)).size).toBe(agentChecks.length);
  for (const [index, { id, title, why, todo, after }] of agentChecks.entries()) {
    for (const text of [title, why, todo]) expect(`${id}: ${text}`).toMatch(/: .{4}/);
    const before = agentChecks.slice(0, index).map((check) => check.id);
    expect(before).toEqual(expect.arrayContaining([after ?? []].flat()));
  }
});

it('finds nothing wrong with an agent of this toolkit', async (test) => {
  const told: string[] = [];
  const findings = await checkAgent({
    agent: await agent('good-agent.fixture.ts', test),
    payload,
    checks: atAnySpeed(agentChecks),
    onFinding: ({ id }) => told.push(id),
  });
  const notOk = findings.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'skipped');
  expect(notOk).toEqual([]);
  expect(findings.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)).toEqual(
    // A machine without a network has no other address to look at.
    findings.find(({ id }) => id === 'start.all-addresses')?.verdict === 'skipped'
      ? ['start.all-addresses']
      : [],
  );
  expect(told).toEqual(agentChecks.map(({ id }) => id));
});

it('finds nothing wrong with an agent by hand, but that it does not speak RIP', async (test) => {
  const expected: Verdicts = { 'rip.speaks': 'warning', 'stop.document': 'warning' };
  expect(await wrong(test, 'none', [''], expected)).toEqual(expected);
});

/** Several in one agent where neither hides the other. */
const planted: [faults: string, groups: string[], expected: Verdicts][] = [
  [
    'status-words wants-json-type any-bytes',
    ['ping.', 'production.', 'input.'],
    {
      'ping.status': 'fault',
      'production.no-content-type': 'fault',
      'input.not-utf-8': 'fault',
    },
  ],
  [
    'always-busy small-body takes-lists',
    ['ping.', 'production.', 'input.'],
    { 'ping.idle': 'fault', 'production.body-2-mb': 'fault', 'input.not-an-object': 'fault' },
  ],
  [
    'no-time wants-session answers-everything',
    ['ping.', 'production.', 'input.unknown-path'],
    {
      'ping.time': 'fault',
      'production.no-session': 'fault',
      'input.unknown-path': 'fault',
    },
  ],
  [
    'time-as-text loopback-only no-key cold-warmup',
    ['ping.', 'start.', 'production.'],
    { 'ping.time-is-whole': 'fault', 'start.all-addresses': 'fault', 'start.warmup': 'fault' },
  ],
  [
    'milliseconds dies-of-bad-json',
    ['ping.', 'input.'],
    { 'ping.time-in-seconds': 'fault', 'input.not-json': 'fault' },
  ],
  [
    'time-is-now ping-as-text stream-of-errors',
    ['ping.', 'production.'],
    { 'ping.time-stays': 'fault', 'ping.content-type': 'fault', 'production.answers': 'fault' },
  ],
  ['ignores-rollouts', ['rollout.'], { 'rollout.processing': 'fault' }],
  // The doctor itself lives on.
  ['dies-at-work', ['rollout.accepts', 'rollout.stored'], { 'rollout.accepts': 'fault' }],
  [
    'static-key no-sampling stores-secrets reward-as-text swallowed-failure keeps-history leaks-environment writes-files ignores-signal',
    ['rollout.', 'stop.'],
    {
      'rollout.no-files': 'warning',
      'rollout.no-environment': 'fault',
      'rollout.own-history': 'fault',
      'stop.signal': 'warning',
      'stop.document': 'warning',
      'rollout.api-key': 'warning',
      'rollout.sampling': 'warning',
      'rollout.no-secret': 'warning',
      'rollout.reward': 'fault',
      'rollout.failure-told': 'fault',
    },
  ],
  [
    'never-busy static-model other-key',
    ['rollout.'],
    { 'rollout.busy': 'fault', 'rollout.model-id': 'fault', 'rollout.result-key': 'fault' },
  ],
  [
    'stays-busy static-endpoint',
    ['rollout.'],
    { 'rollout.idle-again': 'fault', 'rollout.own-endpoint': 'fault' },
  ],
  [
    'waits no-failure-document',
    ['rollout.'],
    { 'rollout.at-once': 'fault', 'rollout.failure-stored': 'fault' },
  ],
  [
    'blocks ignores-sigterm',
    ['rollout.accepts', 'rollout.ping-meanwhile', 'stop.ends'],
    { 'rollout.ping-meanwhile': 'fault', 'stop.ends': 'fault' },
  ],
  // Whether its document is there when it is stopped is a matter of speed: it waits for no model.
  [
    'no-model-call',
    ['rollout.', 'stop.ends', 'stop.busy', 'stop.signal', 'stop.not-good'],
    { 'rollout.endpoint': 'fault' },
  ],
];

it('does not take one slow answer to a ping for a slow agent', async () => {
  const tookMs = [1_200, 5];
  const room = { ping: async () => ({ tookMs: tookMs.shift() }) } as unknown as Room;
  const fast = agentChecks.find(({ id }) => id === 'ping.fast')!;
  expect(await fast.run(room)).toMatchObject({ verdict: 'ok' });
});

it('does not take an agent that begins late for one that is never busy', async (test) => {
  const findings = await checkAgent({
    agent: await agent('faulty-agent.mjs', test),
    payload,
    env: { ...process.env, FAULTS: 'begins-late' },
    checks: agentChecks.filter(({ id }) => ['start.answers', 'rollout.busy'].includes(id)),
  });
  expect(findings.map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
});

describe.concurrent('planted faults are found', () => {
  it.for(planted)('%s', async ([faults, groups, expected], test) => {
    expect(await wrong(test, faults, groups, expected)).toEqual(expected);
  });
});

it('says of an agent that streams and returns nothing what to write', async (test) => {
  const groups = ['start.answers', 'production.', 'rollout.', 'rip.'];
  const findings = await checkAgent({
    agent: await agent('silent-stream-agent.fixture.ts', test),
    payload,
    checks: atAnySpeed(agentChecks.filter(({ id }) => groups.some((group) => id.startsWith(group)))),
  });
  const faults = findings.filter(({ verdict }) => verdict === 'fault');
  expect(faults).toMatchObject([
    { id: 'rollout.stream-result', seen: expect.stringContaining('return { text, reward }') as string },
  ]);
});

it("asks an agent that answers with events alone as AgentCore's clients do", async (test) => {
  const ids = [
    'start.answers',
    'production.answers',
    'production.readable',
    'production.unknown-headers',
    'production.host',
  ];
  const findings = await checkAgent({
    agent: await agent('events-only-agent.mjs', test),
    payload,
    checks: agentChecks.filter(({ id }) => ids.includes(id)),
  });
  expect(findings.map(({ verdict }) => verdict)).toEqual(ids.map(() => 'ok'));
});

it('tells what an agent wrote that does not start, and skips the rest', async () => {
  const findings = await checkAgent({
    agent: { command: 'echo no module named soon >&2; exit 3', cwd: folder },
    payload,
  });
  expect(findings[0]).toMatchObject({
    id: 'start.answers',
    verdict: 'fault',
    seen: expect.stringMatching(/code 3.*no module named soon/s) as string,
  });
  expect(new Set(findings.slice(1).map(({ verdict }) => verdict))).toEqual(new Set(['skipped']));
});

it('says once of a server that knows nothing of rollouts where to begin', async (test) => {
  const findings = await checkAgent({
    agent: await agent('bare-agent.mjs', test),
    payload,
    checks: agentChecks.filter(({ id }) =>
      /^(?:start\.answers|production\.answers|rollout\.|rip\.)/.test(id),
    ),
  });
  const found = findings.filter(({ verdict }) => verdict === 'fault' || verdict === 'warning');
  expect(found).toMatchObject([
    {
      id: 'rollout.processing',
      seen: expect.stringContaining('knows nothing of rollouts') as string,
      todo: expect.stringContaining('adapt.md') as string,
    },
  ]);
});

describe('the AI SDK', () => {
  const install = async (
    { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
    packages: Record<string, [version: string, specification: string]>,
  ): Promise<Finding | undefined> => {
    const cwd = await mkdtemp(join(tmpdir(), 'art-doctor-ai-'));
    onTestFinished(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }));
    const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, '*']));
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies }));
    for (const [name, [version, specification]] of Object.entries(packages)) {
      const folder = join(cwd, 'node_modules', name);
      await mkdir(folder, { recursive: true });
      const manifest = { name, version, dependencies: { '@ai-sdk/provider': specification } };
      await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    }
    const checks = agentChecks.filter(({ id }) => id === 'packages.ai-sdk');
    const command = [process.execPath, '--eval', ''];
    return (await checkAgent({ agent: { command, cwd }, payload, checks }))[0];
  };

  it('has a provider that is too new', async (test) => {
    const packages: Record<string, [string, string]> = {
      ai: ['6.0.31', '3.0.8'],
      '@ai-sdk/openai': ['3.0.4', '3.0.8'],
      '@ai-sdk/openai-compatible': ['3.0.92', '4.0.38'],
    };
    expect(await install(test, packages)).toMatchObject({
      verdict: 'fault',
      seen: '@ai-sdk/openai-compatible 3.0.92 beside ai 6.0.31, which takes models of specification 3 at most, not 4',
    });
  });

  it.each<[string, Record<string, [string, string]>]>([
    ['of one generation', { ai: ['7.0.173', '4.0.38'], '@ai-sdk/openai': ['4.0.118', '4.0.38'] }],
    ['that is older', { ai: ['7.0.173', '4.0.38'], '@ai-sdk/openai': ['3.0.4', '^3.0.8'] }],
    ['without the SDK', { '@ai-sdk/openai': ['3.0.4', '3.0.8'] }],
    ['none', {}],
  ])('has a provider %s', async (_what, packages) => {
    expect(await install({ onTestFinished }, packages)).toMatchObject({ verdict: 'ok' });
  });
});

it('tells once of a server that an agent cannot reach', async (test) => {
  const findings = await checkAgent({
    agent: await agent('lonely-agent.fixture.ts', test),
    payload,
    checks: atAnySpeed(
      agentChecks.filter(({ id }) => /^(?:start\.answers|production\.|rollout\.|rip\.)/.test(id)),
    ),
  });
  const faults = findings.filter(({ verdict }) => verdict === 'fault');
  expect(faults).toMatchObject([
    {
      id: 'production.answers',
      seen: expect.stringMatching(/MCP server does not answer[\s\S]*start it.*InfrastructureError/) as string,
    },
  ]);
});
