/** How far a search is. */
export interface ImproveStatus {
  /** From 1; 0 while the prompts in the agent's code are measured. */
  iteration: number;
  /** Present phase. */
  phase: 'validation' | 'parent' | 'reflection' | 'child' | 'held_out';
  /** Rollouts that are written down, those under way aside. */
  rollouts: number;
  budget: number;
  /** How many candidates were measured on all validation tasks. */
  candidates: number;
  /** Mean of the prompts in the agent's code on the validation tasks; null until it is known. */
  startMean: number | null;
  /** Mean of the best candidate there. */
  bestMean: number | null;
}
