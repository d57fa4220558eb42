import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type Clock, systemClock } from '@art/async';
import { checkNumber, refuseOption, runtimeHeaders } from '@art/protocol';
import type { LocalAgentOptions, LocalRuntimeOptions } from './local-runtime-options.ts';
import { type S3Settings, resolveS3Settings } from '@art/local-s3';
import type { AgentProgram } from './process/local-agent.ts';
import type { ServiceLimitOptions } from './service/service-limits.ts';
import type { RuntimeFaults } from './session/runtime-faults.ts';

/** The options that are whole numbers: the default and the range of each. Longer timers wrap around to 1 ms. */
const wholeNumbers = {
  port: { fallback: 0, min: 0, max: 65_535 },
  pingIntervalMs: { fallback: 2_000, min: 1, max: 2 ** 31 - 1 },
  idleTimeoutMs: { fallback: 900_000, min: 1, max: 2 ** 31 - 1 },
  maxLifetimeMs: { fallback: 28_800_000, min: 1, max: 2 ** 31 - 1 },
  stopGraceMs: { fallback: 10_000, min: 0, max: 2 ** 31 - 1 },
  coldStartDelayMs: { fallback: 0, min: 0, max: 2 ** 31 - 1 },
  initTimeoutMs: { fallback: 120_000, min: 1, max: 2 ** 31 - 1 },
  requestTimeoutMs: { fallback: 900_000, min: 1, max: 2 ** 31 - 1 },
  streamTimeoutMs: { fallback: 3_600_000, min: 1, max: 2 ** 31 - 1 },
  maxFailedPings: { fallback: 15, min: 1, max: Number.MAX_SAFE_INTEGER },
  warmPoolSize: { fallback: 0, min: 0, max: 1_000 },
  maxConcurrentStarts: { fallback: availableParallelism(), min: 1, max: 1_000 },
  endpointLogEntries: { fallback: 20_000, min: 1, max: 10_000_000 },
} satisfies { [Name in keyof LocalRuntimeOptions]?: { fallback: number; min: number; max: number } };

type WholeNumbers = Record<keyof typeof wholeNumbers, number>;

/** All options after the check, defaults filled in. */
export interface ResolvedOptions extends WholeNumbers {
  agents: readonly AgentProgram[];
  region: string;
  accountId: string;
  logDir: string | undefined;
  strictPing: boolean;
  limits: ServiceLimitOptions;
  /** Undefined where there is to be no S3 endpoint. */
  s3: S3Settings | undefined;
  /** Whether that is the default one. */
  isDefaultS3: boolean;
  allowCommands: boolean;
  faults: RuntimeFaults | undefined;
  clock: Clock;
}

/** @throws ArtError `ART_INVALID_OPTION`, naming the option. */
export function resolveOptions(options: LocalRuntimeOptions): ResolvedOptions {
  if (typeof options !== 'object' || options === null) refuseOption('options', 'an object', options);
  const { limits = {}, clock = systemClock } = options;
  if (typeof clock?.nowMs !== 'function') refuseOption('clock', 'an object with nowMs()', clock);
  const region = matching(
    'region',
    options.region,
    'us-west-2',
    /^[a-z]{2,}(-[a-z0-9]+)+$/,
    'a region like us-west-2',
  );
  return {
    ...resolveWholeNumbers(options),
    agents: resolveAgents(options.agents),
    region,
    accountId: matching('accountId', options.accountId, '123456789012', /^\d{12}$/, '12 digits'),
    logDir: options.logDir === undefined ? undefined : resolve(text('logDir', options.logDir)),
    strictPing: flag('strictPing', options.strictPing, true),
    limits: resolveLimits(limits),
    s3: resolveS3(options.s3, region),
    isDefaultS3: options.s3 === undefined,
    allowCommands: flag('allowCommands', options.allowCommands, false),
    faults: resolveFaults(options.faults),
    clock: { ...systemClock, nowMs: () => clock.nowMs() },
  };
}

function resolveWholeNumbers(options: LocalRuntimeOptions): WholeNumbers {
  const names = Object.keys(wholeNumbers) as (keyof WholeNumbers)[];
  const resolved = names.map((name) => {
    const { fallback, ...range } = wholeNumbers[name];
    checkNumber(name, options[name], { ...range, integer: true });
    return [name, options[name] ?? fallback];
  });
  return Object.fromEntries(resolved) as WholeNumbers;
}

function resolveS3(s3: LocalRuntimeOptions['s3'], region: string): S3Settings | undefined {
  if (s3 === false) return undefined;
  if (s3 !== undefined && (typeof s3 !== 'object' || s3 === null))
    refuseOption('s3', 'an object or false', s3);
  return resolveS3Settings({ region, ...s3 });
}

function resolveFaults(faults: LocalRuntimeOptions['faults']): RuntimeFaults | undefined {
  if (faults === undefined || typeof faults?.attach === 'function') return faults;
  refuseOption('faults', 'a FaultInjection of @art/faults, as `new FaultInjection(plan)`', faults);
}

function resolveLimits(limits: ServiceLimitOptions): ServiceLimitOptions {
  if (typeof limits !== 'object' || limits === null) refuseOption('limits', 'an object', limits);
  for (const name of ['newSessionsPerSecond', 'callsPerSecond'] as const)
    checkNumber(`limits.${name}`, limits[name], { above: 0 });
  checkNumber('limits.maxLiveSessions', limits.maxLiveSessions, { min: 1, integer: true });
  flag('limits.conflictDuringTransition', limits.conflictDuringTransition, false);
  return limits;
}

function resolveAgents(agents: LocalRuntimeOptions['agents']): AgentProgram[] {
  if (typeof agents !== 'object' || agents === null || Object.keys(agents).length === 0) {
    refuseOption('agents', 'an object with at least one agent', agents);
  }
  return Object.entries(agents).map(([name, agent]) => {
    if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,47}$/.test(name)) {
      refuseOption('agents', 'names of a letter and up to 47 letters, digits, "_" and "-"', name);
    }
    return resolveAgent(name, agent);
  });
}

function resolveAgent(name: string, agent: LocalAgentOptions): AgentProgram {
  const at = `agents.${name}`;
  if (typeof agent !== 'object' || agent === null) refuseOption(at, 'an object with a command', agent);
  const cwd = resolve(agent.cwd === undefined ? '.' : text(`${at}.cwd`, agent.cwd));
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    refuseOption(`${at}.cwd`, 'an existing folder', cwd);
  }
  const env = agent.env ?? {};
  for (const [variable, value] of Object.entries(env)) {
    if (typeof value !== 'string') refuseOption(`${at}.env.${variable}`, 'text', value);
  }
  return {
    name,
    argv: resolveCommand(`${at}.command`, agent.command),
    cwd,
    env,
    allowedHeaders: resolveAllowlist(`${at}.requestHeaderAllowlist`, agent.requestHeaderAllowlist ?? []),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function resolveCommand(name: string, command: LocalAgentOptions['command']): readonly string[] {
  if (isText(command)) return ['/bin/sh', '-c', command];
  const isList = Array.isArray(command) && command.every((word) => typeof word === 'string');
  if (isList && isText(command[0])) return command;
  refuseOption(name, 'a command line, or a list of texts with the program first', command);
}

// Source: AgentCore developer guide, header allowlist.
function resolveAllowlist(name: string, headers: readonly string[]): string[] {
  if (!Array.isArray(headers) || headers.length > 20)
    refuseOption(name, 'a list of at most 20 headers', headers);
  return headers.map((header: unknown) => {
    const lower = typeof header === 'string' ? header.toLowerCase() : '';
    const isReserved = /^x-amzn?-/.test(lower) && !lower.startsWith(runtimeHeaders.customPrefix);
    if (!/^[a-z0-9_-]+$/.test(lower) || isReserved) {
      refuseOption(
        name,
        `header names, of x-amz-* and x-amzn-* only ${runtimeHeaders.customPrefix}*`,
        header,
      );
    }
    return lower;
  });
}

function flag(name: string, value: boolean | undefined, fallback: boolean): boolean {
  const chosen = value ?? fallback;
  if (typeof chosen !== 'boolean') refuseOption(name, 'true or false', value);
  return chosen;
}

function text(name: string, value: string): string {
  if (typeof value !== 'string' || value === '') refuseOption(name, 'text', value);
  return value;
}

function matching(
  name: string,
  value: string | undefined,
  fallback: string,
  pattern: RegExp,
  expected: string,
): string {
  const chosen = value ?? fallback;
  if (typeof chosen === 'string' && pattern.test(chosen)) return chosen;
  refuseOption(name, expected, value);
}
