import { JsonSyntaxError, objectMembers } from '@art/json-bytes';
import type { ResolvedGatewayOptions } from '../../options/resolve-gateway-options.ts';
import { callLimits } from '../../trajectories/stored-trajectory.ts';
import type { Call } from '../call/call.ts';

/** How the parameters of a session are called on a wire. */
export interface SamplingNames {
  /** Of what the session sets. @default as they are */
  enforced?: (name: string) => string;
  /** Of what the session sets for calls that do not say it. @default as they are */
  defaults?: (name: string) => string;
}

const tokenLimits = ['max_tokens', 'max_completion_tokens', 'max_new_tokens', 'max_output_tokens'];

/** Whether a parameter is one of the names for the limit on new tokens. */
export function isTokenLimit(name: string): boolean {
  return tokenLimits.includes(name);
}

/** The session's parameters for a call: over what the body says, or only for what it does not say. */
export function callSampling(
  options: Pick<ResolvedGatewayOptions, 'samplingEnforcement'>,
  call: Call,
  body: Uint8Array,
  names: SamplingNames,
): Readonly<Record<string, unknown>> {
  const given = renamed(call.session?.samplingParams ?? {}, names.enforced);
  const defaults = unnamedDefaults(callLimits(call.session).samplingDefaults, body);
  const enforced = options.samplingEnforcement === 'client' ? withoutNamed(given, body) : given;
  return { ...renamed(defaults, names.defaults), ...enforced };
}

function renamed(
  params: Readonly<Record<string, unknown>>,
  rename: ((name: string) => string) | undefined,
): Readonly<Record<string, unknown>> {
  if (rename === undefined) return params;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [rename(name), value]));
}

/** Defaults for what a call does not say, where the limit on new tokens has several names. */
function unnamedDefaults(
  defaults: Readonly<Record<string, unknown>>,
  body: Uint8Array,
): Readonly<Record<string, unknown>> {
  if (Object.keys(defaults).length === 0) return defaults;
  const named = namesIn(body);
  const isLimited = tokenLimits.some((name) => named.has(name));
  const entries = Object.entries(defaults).filter(
    ([name]) => !named.has(name) && !(isLimited && isTokenLimit(name)),
  );
  return Object.fromEntries(entries);
}

function withoutNamed(
  params: Readonly<Record<string, unknown>>,
  body: Uint8Array,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(params);
  if (entries.length === 0) return params;
  const named = namesIn(body);
  return Object.fromEntries(entries.filter(([name]) => !named.has(name)));
}

function namesIn(body: Uint8Array): ReadonlySet<string> {
  try {
    return new Set(objectMembers(body)?.byName.keys());
  } catch (error) {
    if (error instanceof JsonSyntaxError) return new Set();
    throw error;
  }
}
