/** A group of rollouts of one input, as far as the page shows it. */
export interface GroupRow {
  index: number;
  inputId: string;
  /** `complete`, `degraded` or `failed`. */
  kind: string;
  meanReward: number | null;
  /** How many members have no reward. */
  missing: number;
  elapsedMs: number | null;
  members: GroupMemberRow[];
}

export interface GroupMemberRow {
  /** `kept`, `masked`, `dropped` or `surplus`. */
  status: string;
  reward: number | null;
  advantage: number | null;
  outcome: string | null;
  /** Why it has no reward. */
  problem: string | null;
}
