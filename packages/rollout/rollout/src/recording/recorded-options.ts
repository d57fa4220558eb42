import { isJsonObject, refuseOption, stringifyJson } from '@art/ground';
import type { RunHeader } from '@art/journal';

// Limits and policies: plain numbers, names and records of them. Nothing that could hold a secret is on this list.
const kept = [
  'maxConcurrentSessions',
  'timeoutMs',
  'batchTimeoutMs',
  'maxBufferedItems',
  'maxUnacknowledged',
  'retry',
  'maxFailures',
  'acknowledge',
  'rolloutsPerInput',
  'keepFirst',
  'minGroupSize',
  'fallback',
  'hedge',
  'rewardRule',
  'advantages',
] as const;
// Functions that decide what is sent and what comes out; without them a run would silently continue as another one.
const needed = ['inputId', 'sessionId', 'overrides', 'deadlineAtMs', 'rewardRule'] as const;
const unlimited = 'unlimited';

/** The options of a run as its journal keeps them. */
export function recordOptions(options: object): Pick<RunHeader, 'options' | 'callbacks'> {
  const given = options as Record<string, unknown>;
  const recorded: Record<string, unknown> = {};
  for (const name of kept) {
    const value = given[name];
    if (value !== undefined && typeof value !== 'function') recorded[name] = withoutInfinity(value);
  }
  // A copy: what the caller changes later is not what the run was started with.
  const copy = JSON.parse(stringifyJson(recorded)) as Record<string, unknown>;
  return { options: copy, callbacks: needed.filter((name) => typeof given[name] === 'function') };
}

/**
 * The options of a resumed run: those it was started with, where none are given anew.
 * @throws ArtError `ART_INVALID_OPTION` where a function that the run was started with is missing
 */
export function restoreOptions(run: RunHeader, given: object): Record<string, unknown> {
  const anew = Object.entries(given).filter(([, value]) => value !== undefined);
  const options: Record<string, unknown> = {
    ...(withInfinity(run.options) as Record<string, unknown>),
    ...Object.fromEntries(anew),
  };
  for (const name of run.callbacks) {
    if (typeof options[name] !== 'function')
      refuseOption(
        name,
        `the function that run ${JSON.stringify(run.runId)} was started with, which a journal cannot keep`,
        undefined,
      );
  }
  return options;
}

function withoutInfinity(value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY) return unlimited;
  return mapped(value, withoutInfinity);
}

function withInfinity(value: unknown): unknown {
  if (value === unlimited) return Number.POSITIVE_INFINITY;
  return mapped(value, withInfinity);
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}
