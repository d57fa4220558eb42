import { type ReachLimits, reachLimitRules } from '../wire/reach-limits.ts';
import { badWire } from '../wire/record.ts';
import { readObject } from './read-object.ts';

/** The one version of the wire that there is. */
export const reachVersion = 1;

/** First message of the trainer's end. */
export interface Hello {
  sessionId: string;
  /** Secret in the payload that started the rollout. */
  secret: string;
  /** True if earlier sockets are gone; else their calls run out on them. */
  isOnly: boolean;
  limits: ReachLimits;
}

/** As it stands on the wire. */
export function writeHello({ sessionId, secret, isOnly, limits }: Hello): object {
  return {
    version: reachVersion,
    session_id: sessionId,
    secret,
    is_only: isOnly,
    message_bytes: limits.messageBytes,
    message_interval_ms: limits.messageIntervalMs,
  };
}

/** @throws ArtError `ART_REACH_WIRE` */
export function readHello(bytes: Buffer): Hello {
  const hello = ofThisVersion(bytes);
  const { session_id: sessionId, secret, is_only: isOnly } = hello;
  if (typeof sessionId !== 'string' || typeof secret !== 'string' || typeof isOnly !== 'boolean')
    throw badWire('a hello with session_id, secret and is_only');
  const limits = {
    messageBytes: reachLimitRules.messageBytes(hello['message_bytes'], 'message_bytes'),
    messageIntervalMs: reachLimitRules.messageIntervalMs(hello['message_interval_ms'], 'message_interval_ms'),
  };
  return { sessionId, secret, isOnly, limits };
}

/** Answer of the agent's end. */
export interface Welcome {
  /** Names in the query of the handshake as it came to the agent; undefined where the agent does not say. */
  queryNames?: readonly string[] | undefined;
}

/** As it stands on the wire. */
export function writeWelcome({ queryNames }: Welcome): object {
  return { version: reachVersion, query_names: queryNames };
}

/** @throws ArtError `ART_REACH_WIRE` */
export function readWelcome(bytes: Buffer): Welcome {
  const { query_names: names } = ofThisVersion(bytes);
  const isList = Array.isArray(names) && names.every((name) => typeof name === 'string');
  return { queryNames: isList ? names : undefined };
}

function ofThisVersion(bytes: Buffer): Record<string, unknown> {
  const hello = readObject(bytes, 'hello');
  if (hello['version'] !== reachVersion)
    throw badWire(`version ${reachVersion} of the wire, got ${String(hello['version'])}`);
  return hello;
}
