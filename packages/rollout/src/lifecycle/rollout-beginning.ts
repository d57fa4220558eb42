import type { ReadResult } from './result-source.ts';

/** How a rollout begins: anew, or where an earlier process left it. Times are milliseconds since 1970. */
export type RolloutBeginning =
  | { kind: 'new' }
  /** It may have been sent: looked for, then sent again with the same ids. */
  | { kind: 'unsure'; submittedAtMs: number }
  /** The agent has accepted it: its result is waited for. */
  | { kind: 'accepted'; submittedAtMs: number; speaksRip: boolean }
  /** Its result is there. `hasSession`: it may still have to be stopped. */
  | { kind: 'ready'; submittedAtMs: number; hasSession: boolean; read: ReadResult };
