import type { ErrorCode } from '@art/ground';
import type { RolloutOutcomeKind } from '@art/protocol';

/** Line that a client process writes down durably, in the order of events; `life` numbers the processes of a round. */
export type ClientLine = { life: number; atMs: number } & (
  | { event: 'began'; pid: number; as: 'run' | 'resume' }
  /** Written before the item is acknowledged. */
  | {
      event: 'yielded';
      n: number;
      outcome: RolloutOutcomeKind;
      code?: ErrorCode | undefined;
      message?: string | undefined;
      attempt: number;
      sessionId: string;
      resultKey?: string | undefined;
      attemptId?: string | undefined;
      proof?: string | undefined;
    }
  /** Written when the acknowledgement was durable. */
  | { event: 'acknowledged'; n: number }
  | {
      event: 'ended';
      how: 'complete' | 'locked' | 'failed';
      code?: string | undefined;
      message?: string | undefined;
    }
);

export type YieldedLine = Extract<ClientLine, { event: 'yielded' }>;
