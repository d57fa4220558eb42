import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  type Clock,
  systemClock,
  aBoolean,
  aNumber,
  anObject,
  anyObject,
  aText,
  custom,
  isRegion,
  matching,
  oneOf,
  optional,
  type OptionRule,
  type OptionRules,
  type ReadOptions,
  readOptions,
  refuseOption,
  regionExpected,
  withMethod,
} from '@art/ground';
import { runtimeHeaders } from '@art/protocol';
import { execLine } from './exec-line.ts';
import type { LocalAgentOptions, LocalRuntimeOptions } from './local-runtime-options.ts';
import { type S3Settings } from './s3/operations/s3-call.ts';
import { resolveS3Settings } from './s3/operations/s3-settings.ts';
import type { AgentProgram } from './process/local-agent.ts';
import type { ServiceLimitOptions } from './service/service-limits.ts';
import type { WebSocketLimitOptions } from './socket/frame-meter.ts';
import type { RuntimeFaults } from './session/runtime-faults.ts';

// Source: AgentCore developer guide, Runtime V2: the snapshot is taken within this time.
const longestSnapshotMs = 120_000;

// Longer timers wrap around to 1 ms.
const aDuration = (min = 1): OptionRule<number> => aNumber({ min, max: 2 ** 31 - 1, integer: true });

const limitRules = {
  newSessionsPerSecond: optional(aNumber({ above: 0 })),
  callsPerSecond: optional(aNumber({ above: 0 })),
  maxLiveSessions: optional(aNumber({ min: 1, integer: true })),
  conflictDuringTransition: optional(aBoolean),
} satisfies OptionRules<ServiceLimitOptions>;

const webSocketRules = {
  maxFrameBytes: optional(aNumber({ min: 1, integer: true }), 32_768),
  framesPerSecond: optional(aNumber({ min: 1, integer: true }), 250),
  maxDurationMs: optional(aDuration(), 3_600_000),
} satisfies OptionRules<WebSocketLimitOptions>;

const agentRules = {
  command: aCommand,
  cwd: optional(anExistingFolder),
  env: optional(anEnvironment, {}),
  invocationPath: optional(matching('a path that begins with "/"', /^\/[\w\-.~/%]*$/), '/invocations'),
  warmupPath: optional(
    matching('a path of up to 32 letters, digits and "._~/-" that begins with "/"', /^\/[\w.~/-]{0,31}$/),
  ),
  requestHeaderAllowlist: optional(anAllowlist, []),
} satisfies OptionRules<LocalAgentOptions>;

const rules = {
  pingIntervalMs: optional(aDuration(), 2_000),
  pingTimeoutMs: optional(aDuration(), 2_000),
  idleTimeoutMs: optional(aDuration(), 900_000),
  maxLifetimeMs: optional(aDuration(), 28_800_000),
  stopGraceMs: optional(aDuration(0), 10_000),
  coldStartDelayMs: optional(aDuration(0), 0),
  strictPing: optional(aBoolean, true),
  maxFailedPings: optional(aNumber({ min: 1, integer: true }), 15),
  agents: resolveAgents,
  port: optional(aNumber({ min: 0, max: 65_535, integer: true }), 0),
  region: optional(
    custom(regionExpected, (value) => typeof value === 'string' && isRegion(value)),
    'us-west-2',
  ),
  accountId: optional(matching('12 digits', /^\d{12}$/), '123456789012'),
  logDir: optional(aFolder),
  initTimeoutMs: optional(aDuration(), 120_000),
  requestTimeoutMs: optional(aDuration(), 900_000),
  streamTimeoutMs: optional(aDuration(), 3_600_000),
  warmPoolSize: optional(aNumber({ min: 0, max: 1_000, integer: true }), 0),
  maxConcurrentStarts: optional(
    aNumber({ min: 1, max: 1_000, integer: true }),
    Math.min(1_000, availableParallelism()),
  ),
  platformVersion: optional(oneOf('V1', 'V2'), 'V1'),
  limits: optional(anObject(limitRules), {}),
  webSocket: (given, option) => anObject(webSocketRules)(given ?? {}, option),
  s3: anS3,
  allowCommands: optional(aBoolean, false),
  faults: optional(
    withMethod<RuntimeFaults>(
      'a FaultInjection of @art/local/faults, as `new FaultInjection(plan)`',
      'attach',
    ),
  ),
  endpointLogEntries: optional(aNumber({ min: 1, max: 10_000_000, integer: true }), 20_000),
  clock: optional(withMethod<Pick<Clock, 'nowMs'>>('an object with nowMs()', 'nowMs'), systemClock),
} satisfies OptionRules<LocalRuntimeOptions, 'agents' | 's3'>;

/** All options after the check, defaults filled in. */
export interface ResolvedOptions extends Omit<ReadOptions<typeof rules>, 's3' | 'clock'> {
  /** Undefined where there is to be no S3 endpoint. */
  readonly s3: S3Settings | undefined;
  /** True if that is the default one. */
  readonly isDefaultS3: boolean;
  readonly clock: Clock;
}

/** @throws ArtError `ART_INVALID_OPTION`, naming the option. */
export function resolveOptions(options: LocalRuntimeOptions): ResolvedOptions {
  const read = readOptions('startLocalRuntime', options, rules);
  const { region, s3, clock, platformVersion, initTimeoutMs } = read;
  if (platformVersion === 'V2' && initTimeoutMs > longestSnapshotMs)
    refuseOption('initTimeoutMs', `up to ${longestSnapshotMs} with platform version V2`, initTimeoutMs);
  return {
    ...read,
    s3: s3 === false ? undefined : resolveS3Settings({ region, ...s3 }),
    isDefaultS3: s3 === undefined,
    clock: { ...systemClock, nowMs: () => clock.nowMs() },
  };
}

function aFolder(given: unknown, option: string): string {
  return resolve(aText(given, option));
}

function anS3(given: unknown, option: string): LocalRuntimeOptions['s3'] {
  if (given === undefined || given === false || (typeof given === 'object' && given !== null)) return given;
  refuseOption(option, 'an object or false', given);
}

function resolveAgents(agents: unknown): AgentProgram[] {
  if (typeof agents !== 'object' || agents === null || Object.keys(agents).length === 0) {
    refuseOption('agents', 'an object with at least one agent', agents);
  }
  return Object.entries(agents).map(([name, agent]: [string, unknown]) => {
    if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,47}$/.test(name)) {
      refuseOption('agents', 'names of a letter and up to 47 letters, digits, "_" and "-"', name);
    }
    const {
      command: argv,
      requestHeaderAllowlist: allowedHeaders,
      cwd = process.cwd(),
      env,
      invocationPath,
      warmupPath,
    } = anObject(agentRules)(agent, `agents.${name}`);
    // `@art/server` reads it; on AgentCore it is set beside the runtime's own setting.
    const ownPath = invocationPath === '/invocations' ? {} : { ART_INVOCATION_PATH: invocationPath };
    return { name, argv, cwd, env: { ...ownPath, ...env }, invocationPath, warmupPath, allowedHeaders };
  });
}

function aCommand(given: unknown, option: string): readonly string[] {
  if (isText(given)) return ['/bin/sh', '-c', execLine(given)];
  const isList = Array.isArray(given) && given.every((word) => typeof word === 'string');
  if (isList && isText(given[0])) return given;
  refuseOption(option, 'a command line, or a list of texts with the program first', given);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function anExistingFolder(given: unknown, option: string): string {
  const folder = aFolder(given, option);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  refuseOption(option, 'an existing folder', folder);
}

function anEnvironment(given: unknown, option: string): Readonly<Record<string, string>> {
  const env = anyObject<object>()(given, option) as Record<string, string>;
  for (const [variable, value] of Object.entries(env)) {
    if (typeof value !== 'string') refuseOption(`${option}.${variable}`, 'text', value);
  }
  return env;
}

// Source: AgentCore developer guide, header allowlist.
function anAllowlist(given: unknown, option: string): string[] {
  if (!Array.isArray(given) || given.length > 20) refuseOption(option, 'a list of at most 20 headers', given);
  return given.map((header: unknown) => {
    const lower = typeof header === 'string' ? header.toLowerCase() : '';
    const isReserved = /^x-amzn?-/.test(lower) && !lower.startsWith(runtimeHeaders.customPrefix);
    if (/^[a-z0-9_-]+$/.test(lower) && !isReserved) return lower;
    const expected = `header names, of x-amz-* and x-amzn-* only ${runtimeHeaders.customPrefix}*`;
    return refuseOption(option, expected, header);
  });
}
