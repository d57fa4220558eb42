import { JsonSyntaxError } from '../../json-bytes/json-syntax-error.ts';
import { objectMembers } from '../../json-bytes/object-members.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { StageServices } from '../call/gateway-services.ts';

type Parameters = Readonly<Record<string, unknown>>;

const tokenLimits = ['max_tokens', 'max_completion_tokens', 'max_new_tokens', 'max_output_tokens'];

/** True if a parameter is one of the names for the limit on new tokens. */
export function isTokenLimit(name: string): boolean {
  return tokenLimits.includes(name);
}

/**
 * Parameters that the session sets for a call: its sampling parameters replace those of the body, its defaults fill in
 * what the body leaves out. A parameter that is null counts as left out.
 * @param nameOf gives the name of a session's parameter on the wire of the body
 */
export function callSampling(
  { options }: StageServices,
  { session }: AdmittedCall,
  body: Uint8Array,
  nameOf: (name: string) => string,
): Parameters {
  const enforced = renamed(session?.samplingParams ?? {}, nameOf);
  const defaults = renamed(session?.init.samplingDefaults ?? {}, nameOf);
  if (isEmpty(enforced) && isEmpty(defaults)) return {};
  const said = saidIn(body);
  const saidLimits = tokenLimits.filter((name) => said.has(name));
  // The limit on new tokens has several names, and engines do not agree on which of two counts.
  const isUnsaid = (name: string): boolean =>
    !said.has(name) && !(isTokenLimit(name) && saidLimits.length > 0);
  if (options.samplingEnforcement === 'client') return only({ ...defaults, ...enforced }, isUnsaid);
  const isLimited = Object.keys(enforced).some((name) => isTokenLimit(name));
  const unsaid = only(defaults, (name) => isUnsaid(name) && !(isLimited && isTokenLimit(name)));
  const spelled = Object.entries(enforced).flatMap(([name, value]) =>
    isTokenLimit(name) && saidLimits.length > 0 ? saidLimits.map((limit) => [limit, value]) : [[name, value]],
  );
  return { ...unsaid, ...(Object.fromEntries(spelled) as Parameters) };
}

function isEmpty(params: Parameters): boolean {
  return Object.keys(params).length === 0;
}

function renamed(params: Parameters, nameOf: (name: string) => string): Parameters {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [nameOf(name), value]));
}

function only(params: Parameters, isMeant: (name: string) => boolean): Parameters {
  return Object.fromEntries(Object.entries(params).filter(([name]) => isMeant(name)));
}

function saidIn(body: Uint8Array): ReadonlySet<string> {
  try {
    const members = objectMembers(body)?.byName ?? new Map<string, { valueStart: number }>();
    const said = [...members].filter(([, { valueStart }]) => body[valueStart] !== 0x6e);
    return new Set(said.map(([name]) => name));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return new Set();
    throw error;
  }
}
