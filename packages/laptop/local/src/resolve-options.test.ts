import { describe, expect, it } from 'vitest';
import { ArtError } from '@art/ground';
import type { LocalRuntimeOptions } from './local-runtime-options.ts';
import { resolveOptions } from './resolve-options.ts';

const agents = { math: { command: 'node agent.js' } };

function refusal(options: unknown): string {
  try {
    resolveOptions(options as LocalRuntimeOptions);
  } catch (error) {
    if (ArtError.isInstance(error) && error.code === 'ART_INVALID_OPTION') return error.message;
    throw error;
  }
  return 'accepted';
}

describe('resolveOptions', () => {
  it('fills in the defaults of the service', () => {
    const options = resolveOptions({ agents });
    expect(options).toMatchObject({
      port: 0,
      region: 'us-west-2',
      accountId: '123456789012',
      warmPoolSize: 0,
      initTimeoutMs: 120_000,
      requestTimeoutMs: 900_000,
      pingIntervalMs: 2_000,
      pingTimeoutMs: 2_000,
      idleTimeoutMs: 900_000,
      maxLifetimeMs: 28_800_000,
      stopGraceMs: 10_000,
      strictPing: true,
    });
    expect(options.agents[0]).toMatchObject({
      argv: ['/bin/sh', '-c', 'exec node agent.js'],
      cwd: process.cwd(),
    });
  });

  it('leaves a list as it is', () => {
    const [agent] = resolveOptions({ agents: { a: { command: ['node', 'a b.js'] } } }).agents;
    expect(agent?.argv).toEqual(['node', 'a b.js']);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, '`options`'],
    ['no agents', { agents: {} }, '`agents`'],
    ['a bad name', { agents: { '9': { command: 'x' } } }, 'got "9"'],
    ['an empty command', { agents: { a: { command: ' ' } } }, '`agents.a.command`'],
    ['a misspelt option', { agents: { a: { command: 'x', cmd: 'y' } } }, 'options of agents.a'],
    ['an empty list', { agents: { a: { command: [] } } }, '`agents.a.command`'],
    [
      'a missing folder',
      { agents: { a: { command: 'x', cwd: '/no/such' } } },
      '`agents.a.cwd` to be an existing folder',
    ],
    ['a number in env', { agents: { a: { command: 'x', env: { A: 1 } } } }, '`agents.a.env.A`'],
    [
      'a reserved header',
      { agents: { a: { command: 'x', requestHeaderAllowlist: ['X-Amzn-Foo'] } } },
      'got "X-Amzn-Foo"',
    ],
    [
      '21 headers',
      { agents: { a: { command: 'x', requestHeaderAllowlist: Array(21).fill('a') } } },
      'at most 20',
    ],
    ['a port', { agents, port: 70_000 }, '`port` to be an integer from 0 to 65535, got 70000'],
    ['a region', { agents, region: 'mars' }, '`region`'],
    ['a whole region', { agents, region: 'us-west' }, '`region`'],
    ['an account', { agents, accountId: '12' }, '`accountId` to be 12 digits'],
    ['a fraction', { agents, idleTimeoutMs: 0.5 }, '`idleTimeoutMs`'],
    ['a timer that would wrap', { agents, maxLifetimeMs: 2 ** 31 }, '`maxLifetimeMs`'],
    ['NaN', { agents, stopGraceMs: Number.NaN }, '`stopGraceMs`'],
    ['a pool', { agents, warmPoolSize: -1 }, '`warmPoolSize`'],
    ['a flag', { agents, strictPing: 'yes' }, '`strictPing`'],
    ['a rate', { agents, limits: { newSessionsPerSecond: 0 } }, '`limits.newSessionsPerSecond`'],
    ['a quota', { agents, limits: { maxLiveSessions: 0.5 } }, '`limits.maxLiveSessions`'],
    ['a clock', { agents, clock: {} }, '`clock`'],
    ['an S3 switch', { agents, s3: true }, '`s3`'],
    ['a bare plan', { agents, faults: { seed: 1, rules: [] } }, '`faults` to be a FaultInjection'],
  ])('refuses %s', (_name, options, part) => {
    expect(refusal(options)).toContain(part);
  });

  it('accepts the custom headers of AgentCore', () => {
    const requestHeaderAllowlist = ['X-Amzn-Bedrock-AgentCore-Runtime-Custom-Tenant', 'X-Mine'];
    const [agent] = resolveOptions({ agents: { a: { command: 'x', requestHeaderAllowlist } } }).agents;
    expect(agent?.allowedHeaders).toEqual(['x-amzn-bedrock-agentcore-runtime-custom-tenant', 'x-mine']);
  });
});
