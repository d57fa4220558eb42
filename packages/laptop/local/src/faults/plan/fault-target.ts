/**
 * Where a fault can strike. `start` is a session that begins, `ping` a health check that the runtime makes; the others are
 * requests that arrive.
 */
export const faultOperations = [
  'start',
  'invoke',
  'stop',
  'command',
  'ping',
  's3_put',
  's3_get',
  's3_head',
  's3_list',
  's3_delete',
] as const;

export type FaultOperation = (typeof faultOperations)[number];

export type S3FaultOperation = Extract<FaultOperation, `s3_${string}`>;

export function isS3Operation(operation: FaultOperation): operation is S3FaultOperation {
  return operation.startsWith('s3_');
}

/** A request, or another moment, at which a fault could strike. */
export interface FaultTarget {
  operation: FaultOperation;
  agent?: string | undefined;
  sessionId?: string | undefined;
  /** Number of the session id, in the order of their first appearance. */
  sessionNumber?: number | undefined;
  bucket?: string | undefined;
  /** The object's key, or the prefix that is listed. */
  key?: string | undefined;
}

/** Which requests a rule looks at. What is left out does not matter. */
export interface FaultMatch {
  operation: FaultOperation | readonly FaultOperation[];
  /** Name of the agent. */
  agent?: string | undefined;
  /**
   * The number of the session, in the order in which session ids appeared (0 is the first), or its id, in which `*` stands
   * for any text. An S3 request belongs to the session whose id is in its key.
   */
  session?: number | string | undefined;
  /** Beginning of the object's key; of the prefix that is listed for `s3_list`. S3 operations only. */
  keyPrefix?: string | undefined;
}

/** The operations of a rule as a list. */
export function operationsOf(when: FaultMatch): readonly FaultOperation[] {
  return typeof when.operation === 'string' ? [when.operation] : when.operation;
}

/** True if a rule is about a target, its time and number aside. */
export function matchesTarget(when: FaultMatch, target: FaultTarget): boolean {
  return (
    operationsOf(when).includes(target.operation) &&
    (when.agent === undefined || when.agent === target.agent) &&
    (when.keyPrefix === undefined || target.key?.startsWith(when.keyPrefix) === true) &&
    matchesSession(when.session, target)
  );
}

function matchesSession(session: FaultMatch['session'], target: FaultTarget): boolean {
  switch (typeof session) {
    case 'number':
      return session === target.sessionNumber;
    case 'string':
      return target.sessionId !== undefined && matchesPattern(session, target.sessionId);
    default:
      return true;
  }
}

/** `*` stands for any text. The pieces are looked for from left to right, so that no pattern can be slow. */
function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
