import { mergeFileSystems } from '@art/deploy';
import { type Clock, pause, ArtError, describeValue, isJsonObject, type JsonObject } from '@art/ground';
import type { ControlCall } from './signed-control.ts';

const [pollMs, longestMs] = [2_000, 600_000];

/** Fields that a runtime reports and does not take back. */
const told = new Set(
  'agentRuntimeArn agentRuntimeName agentRuntimeId agentRuntimeVersion createdAt lastUpdatedAt status failureReason workloadIdentityDetails'.split(
    ' ',
  ),
);

export interface ApplySettingsOptions {
  /** Name of the runtime on AWS. */
  name: string;
  /** Members of `UpdateAgentRuntime`. */
  settings: JsonObject;
  call: ControlCall;
  clock: Clock;
  signal: AbortSignal;
  /** Called with each status that is new. */
  onStatus: (status: string) => void;
}

/**
 * Gives a runtime settings on top of all that it has: an update takes back what it does not name. The environment is kept but for the variables that are
 * named, and so are file systems at other paths. Waits until the update is done; a warm-up that fails makes it fail.
 * @returns the version that has them; that of today where it has them already
 * @throws ArtError `ART_AGENTCORE_CONTROL`, `ART_INVALID_OPTION`; the signal's reason
 */
export async function applySettings(options: ApplySettingsOptions): Promise<{ version: string }> {
  const { settings, call, signal } = options;
  const path = `/runtimes/${await idOf(options)}/`;
  const today = await untilReady(path, options);
  const kept = Object.fromEntries(Object.entries(today).filter(([member]) => !told.has(member)));
  const { environmentVariables: variables, filesystemConfigurations: fileSystems } = settings;
  const body = {
    ...kept,
    ...settings,
    ...(isJsonObject(variables) && {
      environmentVariables: { ...(kept['environmentVariables'] as JsonObject), ...variables },
    }),
    ...(fileSystems !== undefined && {
      filesystemConfigurations: mergeFileSystems(kept['filesystemConfigurations'], fileSystems),
    }),
  };
  await call({ method: 'PUT', path, body }, signal);
  return { version: textIn(await untilReady(path, options), 'agentRuntimeVersion') };
}

async function idOf({ name, call, signal }: ApplySettingsOptions): Promise<string> {
  let nextToken: unknown;
  do {
    const query = { maxResults: '100', ...(typeof nextToken === 'string' && { nextToken }) };
    const page = await call({ method: 'POST', path: '/runtimes/', query }, signal);
    const list = page['agentRuntimes'];
    const found = (Array.isArray(list) ? list : []).find(
      (one) => isJsonObject(one) && one['agentRuntimeName'] === name,
    );
    if (isJsonObject(found)) return encodeURIComponent(textIn(found, 'agentRuntimeId'));
    nextToken = page['nextToken'];
  } while (typeof nextToken === 'string');
  throw refused(`Expected a runtime of the name ${name} in this account and region, got none.`);
}

async function untilReady(
  path: string,
  { call, clock, signal, onStatus }: ApplySettingsOptions,
): Promise<JsonObject> {
  const givenUpAtMs = clock.nowMs() + longestMs;
  let last: string | undefined;
  for (;;) {
    const runtime = await call({ method: 'GET', path }, signal);
    const status = textIn(runtime, 'status');
    if (status !== last) onStatus(status);
    last = status;
    if (status === 'READY') return runtime;
    if (status.endsWith('FAILED') || status === 'DELETING')
      throw refused(
        `Expected the runtime to become READY, got ${status}: ${textIn(runtime, 'failureReason')}.`,
      );
    if (clock.nowMs() > givenUpAtMs)
      throw refused(
        `Expected the runtime to become READY within ${longestMs / 60_000} minutes, got ${status}.`,
      );
    await pause(pollMs, { clock, signal });
  }
}

function textIn(value: Readonly<Record<string, unknown>>, member: string): string {
  const text = value[member];
  return typeof text === 'string' ? text : describeValue(text);
}

function refused(message: string): ArtError {
  return new ArtError({ code: 'ART_AGENTCORE_CONTROL', message });
}
