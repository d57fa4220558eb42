import type { JsonObject } from '@art/ground';
import type { RolloutClient } from '@art/rollout';
import type { CaptureReader } from '../transcript/transcript-gateway.ts';

/**
 * An agent behind a `RolloutClient`, and what else can be known of its sessions. `localAgent` of `@art/eval/local` makes one of a
 * file; for AgentCore give a client of `@art/client`.
 */
export interface EvaluatedAgent {
  /** For the record: a command, an ARN. @default 'agent' */
  name?: string | undefined;
  client: Pick<RolloutClient, 'runBatch' | 'resume'>;
  /**
   * True if its sessions end when this process does, however it ends. Otherwise a journal is kept, by which the next process finds the
   * sessions that were under way. @default false
   */
  endsWithProcess?: boolean | undefined;
  /** Where its model is, for the record. */
  model?: { baseUrl?: string | undefined; modelId?: string | undefined } | undefined;
  /**
   * Further settings of it that change what is measured, by name: sampling, further fields of `_rollout`, the wire. A run that continues needs the same. No
   * secrets. @default not on record, and not compared
   */
  settings?: JsonObject | undefined;
  /** Where its calls of the model are kept. @default nowhere: transcripts have no messages */
  capture?: CaptureReader | undefined;
  /** When the result of a session was stored, milliseconds since 1970. */
  storedAtMs?: ((sessionId: string) => number | undefined) | undefined;
  /** Last lines of what a session wrote. */
  logOf?: ((sessionId: string) => Promise<string | undefined>) | undefined;
}
