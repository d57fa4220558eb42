import {
  aNumber,
  custom,
  isJsonObject,
  type JsonObject,
  oneOf,
  optional,
  type OptionRules,
  jsonIn,
  matching,
  readOptions,
  refuseOption,
} from '@art/ground';
import { mergeFileSystems } from './merge-file-systems.ts';
import type { AgentCoreOptions } from './agentcore-files.ts';

/** Settings of a runtime that AWS's CLI (0.30.0) does not know, and its control plane does. What is left out stays as it is. */
export interface RuntimeSettingsOptions {
  /** V2 starts sessions from a snapshot of the process at its first healthy ping. @default that of an earlier call, else V2 */
  platformVersion?: 'V1' | 'V2' | undefined;
  /** Memory that a session has at least, in MiB. AWS publishes no bounds. */
  minimumMemoryMib?: number | undefined;
  /** One to five ports, or ranges of them, that session endpoints lead to: `8081`, `9000-9010`. From 8000 to 12000, without 8443. */
  allowedPorts?: readonly string[] | undefined;
  /** Where the agent listens, from 8000 to 12000, without 8443. The agent is told in `PORT`. */
  port?: number | undefined;
  /** Where the agent gets its invocations. The agent is told in `ART_INVOCATION_PATH`. */
  invocationPath?: string | undefined;
  /** Called once when the runtime is made, before the snapshot: `/warmup` with the `warmupHandler` of `@art/server`. Needs V2. */
  warmupPath?: string | undefined;
  /** Folder of the session, below `/mnt`, where the bucket of results is mounted. The agent is told in `ART_RESULT_STORE`. */
  resultsMount?: string | undefined;
}

const [lowestPort, highestPort, reservedPort] = [8_000, 12_000, 8_443];
const aPort = `from ${lowestPort} to ${highestPort} without ${reservedPort}`;
const ownRoutes = ['/ping', '/ws'];

// Source: API model of "bedrock-agentcore-control", in botocore 1.44.8.
const rules = {
  platformVersion: optional(oneOf('V1', 'V2')),
  minimumMemoryMib: optional(aNumber({ min: 1, integer: true })),
  allowedPorts: optional(
    custom<readonly string[]>(
      `one to five ports or ranges such as 8081 and 9000-9010, ${aPort}, that do not overlap`,
      (value) => Array.isArray(value) && value.length >= 1 && value.length <= 5 && areRanges(value),
    ),
  ),
  port: optional(custom<number>(`a port ${aPort}`, (value) => isPort(value as number))),
  invocationPath: optional(
    custom<string>(
      'a path of up to 2,048 letters, digits and "-._~/%" that begins with "/", and is neither /ping nor /ws',
      (value) => isPath(value, /^\/[A-Za-z0-9\-._~/%]{0,2047}$/),
    ),
  ),
  warmupPath: optional(
    custom<string>(
      'a path of up to 32 letters, digits and "._~/-" that begins with "/", and is none of the other routes',
      (value) => isPath(value, /^\/[A-Za-z0-9._~/-]{0,31}$/) && value !== '/invocations',
    ),
  ),
  resultsMount: optional(
    matching('a folder of /mnt, such as /mnt/results', /^\/mnt\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,195}$/),
  ),
} satisfies OptionRules<RuntimeSettingsOptions>;

/** The names of these options: an option of `art deploy` each. */
export const runtimeSettingNames = Object.keys(rules) as (keyof RuntimeSettingsOptions)[];

/**
 * The members of `UpdateAgentRuntime` that settings come to, on top of those of an earlier call. The platform version is always named: AWS's
 * own default differs between Regions.
 * @param earlier text of `agentcore/runtime-settings.json`
 * @param results where results go, which `resultsMount` needs
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function runtimeSettings(
  options: RuntimeSettingsOptions,
  earlier: string | undefined,
  results: Pick<AgentCoreOptions, 'bucket' | 'keyPrefix'> = {},
): JsonObject {
  const { platformVersion, minimumMemoryMib, allowedPorts, port, invocationPath, warmupPath, resultsMount } =
    readOptions('art deploy', options, rules);
  const before = earlier === undefined ? {} : readSettings(earlier);
  const protocol = {
    ...(port !== undefined && { port }),
    ...(invocationPath !== undefined && { path: invocationPath }),
  };
  const mounted = resultsMount === undefined ? undefined : bucketMount(resultsMount, results);
  const variables = {
    ...(port !== undefined && { PORT: String(port) }),
    ...(invocationPath !== undefined && { ART_INVOCATION_PATH: invocationPath }),
    ...(mounted !== undefined && { ART_RESULT_STORE: mounted.url }),
  };
  const settings: JsonObject = {
    ...before,
    platformVersion: platformVersion ?? before['platformVersion'] ?? 'V2',
    ...(minimumMemoryMib !== undefined && {
      resourceConfigurations: [{ minimumMemoryInMiB: minimumMemoryMib }],
    }),
    ...(allowedPorts !== undefined && { allowedPorts: allowedPorts.map((text) => portEntry(rangeOf(text))) }),
    ...(Object.keys(protocol).length > 0 && {
      protocolConfiguration: {
        serverProtocol: 'HTTP',
        ...objectIn(before, 'protocolConfiguration'),
        ...protocol,
      },
    }),
    ...(Object.keys(variables).length > 0 && {
      environmentVariables: { ...objectIn(before, 'environmentVariables'), ...variables },
    }),
    ...(mounted !== undefined && {
      filesystemConfigurations: mergeFileSystems(before['filesystemConfigurations'], [
        { s3BucketMount: mounted.mount },
      ]),
    }),
    ...(warmupPath !== undefined && {
      hooksConfiguration: { build: { warmup: { action: { httpPost: { path: warmupPath } } } } },
    }),
  };
  if (settings['hooksConfiguration'] !== undefined && settings['platformVersion'] !== 'V2')
    refuseOption('platformVersion', 'V2 beside a warm-up', settings['platformVersion']);
  if (warmupPath !== undefined && warmupPath === objectIn(settings, 'protocolConfiguration')['path'])
    refuseOption('warmupPath', 'a path that is not that of the invocations', warmupPath);
  return settings;
}

/** The mount as the API takes it, and the URL by which the agent finds it. */
function bucketMount(
  mountPath: string,
  { bucket, keyPrefix = '' }: Pick<AgentCoreOptions, 'bucket' | 'keyPrefix'>,
): { mount: JsonObject; url: string } {
  // The API takes no ARN here; a bucket of another form is refused with the rest of the options.
  if (bucket === undefined || bucket.includes(':'))
    return refuseOption('bucket', 'the name of a bucket beside resultsMount', bucket);
  const url = `mount://${mountPath}?bucket=${bucket}`;
  const prefix = keyPrefix.replace(/\/*$/, '/');
  if (prefix === '/') return { mount: { bucket, mountPath }, url };
  // Within what the API takes: no "*" for many folders, and no session id, which a key has in the name of its file.
  if (!/^[A-Za-z0-9][A-Za-z0-9!_.'()/-]{0,1023}$/.test(prefix) || /(^|\/)\.{0,2}\//.test(prefix))
    refuseOption(
      'keyPrefix',
      'one folder, of letters, digits and "!_.\'()-", beside resultsMount',
      keyPrefix,
    );
  return { mount: { bucket, mountPath, prefix }, url: `${url}&prefix=${prefix}` };
}

function readSettings(text: string): JsonObject {
  const value = jsonIn(text, text);
  if (isJsonObject(value)) return value;
  return refuseOption('agentcore/runtime-settings.json', 'a JSON object', value, {
    advice: 'Mend the file, or remove it and give the settings again.',
  });
}

function objectIn(settings: JsonObject, name: string): JsonObject {
  const value = settings[name];
  return isJsonObject(value) ? value : {};
}

interface PortRange {
  from: number;
  to: number;
}

/** The union of the API: a port, or a range. */
function portEntry({ from, to }: PortRange): JsonObject {
  return from === to ? { port: from } : { portRange: { from, to } };
}

function rangeOf(text: unknown): PortRange {
  const [, from = 'NaN', to = from] = /^(\d+)(?:-(\d+))?$/.exec(String(text)) ?? [];
  return { from: Number(from), to: Number(to) };
}

function areRanges(texts: readonly unknown[]): boolean {
  const ranges = texts.map(rangeOf).toSorted((left, right) => left.from - right.from);
  return ranges.every(({ from, to }, at) => {
    const holdsReserved = from <= reservedPort && to >= reservedPort;
    const isAfterLast = at === 0 || from > ranges[at - 1]!.to;
    return isPort(from) && isPort(to) && from <= to && !holdsReserved && isAfterLast;
  });
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= lowestPort && value <= highestPort && value !== reservedPort;
}

function isPath(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value) && !ownRoutes.includes(value);
}
