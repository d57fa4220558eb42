import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentChecks, checkAgent } from './check-agent.ts';
import type { Finding } from './finding.ts';

const folder = join(import.meta.dirname, 'test-agents');
const payload = { prompt: 'What is 6 times 7?', answer: '42' };

function agent(file: string): { command: string[]; cwd: string } {
  return { command: [process.execPath, '--conditions=@art/source', join(folder, file)], cwd: folder };
}

/** What is wrong with the agent that has a fault, by the checks whose ids begin so, and by what they come after. */
async function wrong(planted: string, ...groups: string[]): Promise<Record<string, Finding['verdict']>> {
  const findings = await checkAgent({
    agent: agent('faulty-agent.mjs'),
    payload,
    env: { ...process.env, FAULT: planted },
    checks: agentChecks.filter(({ id }) =>
      ['start.answers', ...groups].some((group) => id.startsWith(group)),
    ),
  });
  return Object.fromEntries(
    findings
      .filter(({ verdict }) => verdict === 'fault' || verdict === 'warning')
      .map(({ id, verdict }) => [id, verdict]),
  );
}

it('has at least 60 checks, each with a name of its own and words for people', () => {
  expect(agentChecks.length).toBeGreaterThanOrEqual(60);
  expect(new Set(agentChecks.map(({ id }) => id)).size).toBe(agentChecks.length);
  for (const [index, { id, title, why, todo, after }] of agentChecks.entries()) {
    for (const text of [title, why, todo]) expect(`${id}: ${text}`).toMatch(/: .{4}/);
    const before = agentChecks.slice(0, index).map((check) => check.id);
    if (after !== undefined) expect(before).toContain(after);
  }
});

it('finds nothing wrong with an agent of this toolkit', { timeout: 120_000 }, async () => {
  const told: string[] = [];
  const findings = await checkAgent({
    agent: agent('good-agent.fixture.ts'),
    payload,
    onFinding: ({ id }) => told.push(id),
  });
  // How long a start takes is a matter of what else this machine does.
  const notOk = findings.filter(
    ({ id, verdict }) => verdict !== 'ok' && verdict !== 'skipped' && id !== 'start.fast',
  );
  expect(notOk).toEqual([]);
  expect(findings.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)).toEqual(
    // A machine without a network has no other address to look at.
    findings.find(({ id }) => id === 'start.all-addresses')?.verdict === 'skipped'
      ? ['start.all-addresses']
      : [],
  );
  expect(told).toEqual(agentChecks.map(({ id }) => id));
});

it(
  'finds nothing wrong with an agent by hand, but that it does not speak RIP',
  { timeout: 120_000 },
  async () => {
    expect(await wrong('none', '')).toEqual({ 'rip.speaks': 'warning', 'stop.document': 'warning' });
  },
);

const planted: [fault: string, groups: string[], expected: Record<string, Finding['verdict']>][] = [
  ['status-words', ['ping.'], { 'ping.status': 'fault' }],
  ['always-busy', ['ping.'], { 'ping.idle': 'fault' }],
  ['no-time', ['ping.'], { 'ping.time': 'fault' }],
  ['time-as-text', ['ping.'], { 'ping.time-is-whole': 'fault' }],
  ['milliseconds', ['ping.'], { 'ping.time-in-seconds': 'fault', 'ping.time-stays': 'fault' }],
  ['time-is-now', ['ping.'], { 'ping.time-stays': 'fault' }],
  ['ping-as-text', ['ping.'], { 'ping.content-type': 'fault' }],
  [
    'wants-json-type',
    ['production.'],
    { 'production.no-content-type': 'fault', 'production.octet-stream': 'fault' },
  ],
  [
    'wants-session',
    ['production.'],
    {
      'production.no-content-type': 'fault',
      'production.octet-stream': 'fault',
      'production.accept-stream': 'fault',
      'production.no-session': 'fault',
      'production.unknown-headers': 'fault',
      'production.host': 'fault',
    },
  ],
  ['small-body', ['production.'], { 'production.body-2-mb': 'fault' }],
  ['any-bytes', ['input.'], { 'input.not-utf-8': 'fault' }],
  ['takes-lists', ['input.'], { 'input.not-an-object': 'fault' }],
  ['answers-everything', ['input.'], { 'input.unknown-path': 'fault' }],
  [
    'ignores-rollouts',
    ['rollout.'],
    {
      'rollout.processing': 'fault',
      'rollout.stored': 'fault',
      'rollout.busy': 'fault',
      'rollout.endpoint': 'fault',
      'rollout.model-id': 'fault',
    },
  ],
  ['waits', ['rollout.'], { 'rollout.at-once': 'fault' }],
  ['never-busy', ['rollout.'], { 'rollout.busy': 'fault' }],
  ['stays-busy', ['rollout.'], { 'rollout.idle-again': 'fault', 'rollout.failure-idle': 'fault' }],
  [
    'other-key',
    ['rollout.'],
    { 'rollout.result-key': 'fault', 'rollout.stored': 'fault', 'rollout.failure-stored': 'fault' },
  ],
  ['static-endpoint', ['rollout.'], { 'rollout.endpoint': 'fault', 'rollout.own-endpoint': 'fault' }],
  ['static-model', ['rollout.'], { 'rollout.model-id': 'fault' }],
  ['static-key', ['rollout.'], { 'rollout.api-key': 'warning' }],
  ['no-sampling', ['rollout.'], { 'rollout.sampling': 'warning' }],
  ['stores-secrets', ['rollout.'], { 'rollout.no-secret': 'warning' }],
  ['reward-as-text', ['rollout.'], { 'rollout.reward': 'fault' }],
  ['no-failure-document', ['rollout.'], { 'rollout.failure-stored': 'fault' }],
  ['swallowed-failure', ['rollout.'], { 'rollout.failure-told': 'fault' }],
  ['blocks', ['rollout.'], { 'rollout.at-once': 'fault', 'rollout.ping-meanwhile': 'fault' }],
  ['loopback-only', ['start.'], { 'start.all-addresses': 'fault' }],
  ['ignores-sigterm', ['stop.ends'], { 'stop.ends': 'fault' }],
];

describe.concurrent('a planted fault is found', () => {
  it.for(planted)('%s', { timeout: 120_000 }, async ([fault, groups, expected]) => {
    expect(await wrong(fault, ...groups)).toEqual(expected);
  });
});

it('tells what an agent wrote that does not start, and skips the rest', { timeout: 60_000 }, async () => {
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
