import type { FaultOperation } from './fault-target.ts';

/** A fixed time, or one drawn evenly from a range, both ends included. */
export type FaultDuration = number | readonly [number, number];

/**
 * On which side of its effect a request is struck: `before` means that the agent or the store never gets it, `after` that it
 * was done and only its caller does not learn of it.
 */
export type FaultMoment = 'before' | 'after';

/**
 * SIGKILL for the session's process group.
 * `start`: `afterMs` after its program was started, before it could become healthy when that is 0.
 * `invoke`: `after` (the default) `afterMs` after the agent accepted the request; `before` when it is about to get it.
 * `s3_put`: `before` (the default) instead of storing, `after` when it is stored and not yet answered.
 */
export interface KillFault {
  kind: 'kill';
  moment?: FaultMoment | undefined;
  /** @default 0 */
  afterMs?: FaultDuration | undefined;
}

/** The connection stays open and no answer ever comes. @default moment `before` */
export interface DropFault {
  kind: 'drop';
  moment?: FaultMoment | undefined;
}

/** Everything goes well, later. @default moment `before` */
export interface DelayFault {
  kind: 'delay';
  ms: FaultDuration;
  moment?: FaultMoment | undefined;
}

/** The agent gets the same request several times at once; the caller sees the first answer. */
export interface DuplicateFault {
  kind: 'duplicate';
  /** Further deliveries. @default 1 */
  copies?: number | undefined;
}

/** The connection is reset (TCP RST). @default moment `before` */
export interface ResetFault {
  kind: 'reset';
  moment?: FaultMoment | undefined;
}

/** An error answer as AWS spells it. @default moment `before` */
export interface ErrorFault {
  kind: 'error';
  /** Status of the data plane: 400 402 403 404 409 424 429 500 502 503 504. Of S3: 400 403 404 409 412 500 503. */
  status: number;
  /** Sent as `retry-after` in whole seconds, rounded up. */
  retryAfterMs?: number | undefined;
  /** @default the service's own words */
  message?: string | undefined;
  moment?: FaultMoment | undefined;
}

/** The object is stored, and missing from lists for so long. */
export interface HideFromListsFault {
  kind: 'hide_from_lists';
  forMs: FaultDuration;
}

/** The object is stored and listed, and GET and HEAD answer 404 for so long. */
export interface HideFromReadsFault {
  kind: 'hide_from_reads';
  forMs: FaultDuration;
}

/** PUT is answered with 200, and the object is not there: never with `afterMs` 0, gone after that time otherwise. */
export interface ForgetFault {
  kind: 'forget';
  /** @default 0 */
  afterMs?: FaultDuration | undefined;
}

/** The body comes slowly: of the request for PUT, of the answer for GET. */
export interface SlowBodyFault {
  kind: 'slow_body';
  bytesPerSecond: number;
}

/** The runtime hears no ping of the session that was struck, from this one on. */
export interface LosePingsFault {
  kind: 'lose_pings';
  /** @default until the session ends */
  forMs?: FaultDuration | undefined;
}

/** Fault of a plan. */
export type Fault =
  | KillFault
  | DropFault
  | DelayFault
  | DuplicateFault
  | ResetFault
  | ErrorFault
  | HideFromListsFault
  | HideFromReadsFault
  | ForgetFault
  | SlowBodyFault
  | LosePingsFault;

export type FaultKind = Fault['kind'];

/** Which faults make sense where; a plan that asks for another combination is refused. */
export const faultsByOperation: Record<FaultOperation, readonly FaultKind[]> = {
  start: ['kill'],
  invoke: ['kill', 'drop', 'delay', 'duplicate', 'reset', 'error'],
  stop: ['drop', 'delay', 'reset', 'error'],
  command: ['drop', 'delay', 'reset', 'error'],
  ping: ['lose_pings'],
  s3_put: [
    'kill',
    'drop',
    'delay',
    'reset',
    'error',
    'hide_from_lists',
    'hide_from_reads',
    'forget',
    'slow_body',
  ],
  s3_get: ['drop', 'delay', 'reset', 'error', 'slow_body'],
  s3_head: ['drop', 'delay', 'reset', 'error'],
  s3_list: ['drop', 'delay', 'reset', 'error'],
  s3_delete: ['drop', 'delay', 'reset', 'error'],
};

/** A fault on a command ends before its output begins. */
export const operationsWithoutAfter: readonly FaultOperation[] = ['command'];
