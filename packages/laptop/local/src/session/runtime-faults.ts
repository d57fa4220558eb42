import type { Clock } from '@art/ground';
import type { S3Settings } from '../s3/operations/s3-call.ts';
import type { EndpointEvent } from '../service/endpoint-log.ts';

/** Faults of a runtime on purpose; `FaultInjection` of `@art/local/faults` is one. */
export interface RuntimeFaults {
  /** Called before the runtime listens. Nothing is to happen any more once the hooks were closed. */
  attach(runtime: FaultyRuntime): RuntimeFaultHooks;
}

/** Members of a runtime that its faults can read and change. */
export interface FaultyRuntime {
  readonly clock: Clock;
  /** The session whose result an object's key names, and its process while it has one. */
  ownerOf(key: string): { sessionId?: string | undefined; session?: FaultySession | undefined };
  note(event: EndpointEvent): void;
}

export interface FaultySession {
  readonly id: string;
  readonly agent: { readonly name: string };
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
  /** SIGKILL; `false` where there is no process. */
  kill(): boolean;
}

/** Where something can go wrong: the runtime asks at each of these moments. */
export interface RuntimeFaultHooks {
  /** A request was admitted. */
  onRequest(
    operation: 'invoke' | 'stop' | 'command',
    agent: string,
    sessionId: string,
  ): RequestFault | undefined;
  /** A session begins: how long after its start its program is to be killed. */
  onStart(agent: string, sessionId: string): number | undefined;
  /** True if the runtime is not to hear the ping that it is about to send. */
  losesPing(session: FaultySession): boolean;
  aroundS3(settings: S3Settings): S3Settings;
  /** For `GET /_art/faults`. */
  injected(afterSeq?: number): readonly object[];
  close(): void;
}

/**
 * Faults of one request. `before` and `after` throw what ends it: a ServiceFault is answered, a ConnectionFault leaves it without an
 * answer.
 */
export interface RequestFault {
  before(hangUp: AbortSignal): Promise<void>;
  /** Its session is ready and is about to get it: how many copies more it gets. */
  onDelivery(session: FaultySession): number;
  /** It was done, and its caller has not been told. */
  after(hangUp: AbortSignal, session?: FaultySession): Promise<void>;
  /** It failed by itself. */
  missed(): void;
}
