import type { SessionEnd } from './retention.ts';
import type { SessionInit } from './capture-store.ts';

/** Events of a session. */
export type LoggedSession =
  | { event: 'create'; atMs: number; init: SessionInit }
  | {
      event: 'finish';
      atMs: number;
      sessionId: string;
      metadata?: Readonly<Record<string, unknown>> | undefined;
    }
  | { event: 'end'; atMs: number; sessionId: string; end: SessionEnd };

/** A record: a capture as its bytes, or an event. */
export type LogRecord = Buffer | LoggedSession;

/** Where everything of one session is put away, in the order in which it came. One writer at a time. */
export interface CaptureSessionLog {
  /**
   * Adds records, all or none. They are as safe as the store promises when it resolves.
   * @throws ArtError `ART_GATEWAY_STORE_FULL`, `ART_GATEWAY_STORE_FAILED`, `ART_JSON_WRITE`
   */
  append(records: readonly LogRecord[]): Promise<void>;
  /** The first so many captures, as they were added. @throws ArtError `ART_GATEWAY_STORE_FAILED` where there are fewer */
  captures(count: number): Promise<Buffer[]>;
  /** Lets go of everything. @throws ArtError `ART_GATEWAY_STORE_FAILED` */
  remove(): Promise<void>;
}
