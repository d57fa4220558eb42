import { JsonSyntaxError, objectMembers } from '@art/json-bytes';
import type { AdmittedCall } from '../call/call.ts';
import type { CallContext } from '../call/call-context.ts';

/** How the parameters of a session are called on a wire. */
interface SamplingNames {
  /** Of what the session sets. @default as they are */
  enforced?: (name: string) => string;
  /** Of what the session sets for calls that do not say it. */
  defaults: (name: string) => string;
}

type Parameters = Readonly<Record<string, unknown>>;

const tokenLimits = ['max_tokens', 'max_completion_tokens', 'max_new_tokens', 'max_output_tokens'];

/** Whether a parameter is one of the names for the limit on new tokens. */
export function isTokenLimit(name: string): boolean {
  return tokenLimits.includes(name);
}

/** The session's parameters for a call: over what the body says, or only for what it does not say. */
export function callSampling(
  { options }: CallContext,
  { session }: AdmittedCall,
  body: Uint8Array,
  names: SamplingNames,
): Parameters {
  const set = renamed(session?.samplingParams ?? {}, names.enforced);
  const defaults = session?.init.samplingDefaults ?? {};
  const respectsBody = options.samplingEnforcement === 'client' && Object.keys(set).length > 0;
  if (!respectsBody && Object.keys(defaults).length === 0) return set;
  const named = namesIn(body);
  const isUnnamed = (name: string): boolean => !named.has(name);
  // The limit on new tokens has several names.
  const isLimited = tokenLimits.some((name) => named.has(name));
  const unnamed = only(defaults, (name) => isUnnamed(name) && !(isLimited && isTokenLimit(name)));
  return { ...renamed(unnamed, names.defaults), ...(respectsBody ? only(set, isUnnamed) : set) };
}

function renamed(params: Parameters, rename: ((name: string) => string) | undefined): Parameters {
  if (rename === undefined) return params;
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [rename(name), value]));
}

function only(params: Parameters, isMeant: (name: string) => boolean): Parameters {
  return Object.fromEntries(Object.entries(params).filter(([name]) => isMeant(name)));
}

function namesIn(body: Uint8Array): ReadonlySet<string> {
  try {
    return new Set(objectMembers(body)?.byName.keys());
  } catch (error) {
    if (error instanceof JsonSyntaxError) return new Set();
    throw error;
  }
}
