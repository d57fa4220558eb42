/** How a rollout begins: anew, or where an earlier process left it. Times are milliseconds since 1970. */
export type RolloutBeginning =
  | { kind: 'new' }
  /** It may have been sent: looked for in the store, then sent again with the same ids. */
  | { kind: 'unsure'; submittedAtMs: number }
  /** The agent has accepted it: its result is waited for. */
  | { kind: 'accepted'; submittedAtMs: number; answersState: boolean }
  /** Its result is in the store. `hasSession`: it may still have to be stopped. */
  | { kind: 'stored'; submittedAtMs: number; hasSession: boolean };
