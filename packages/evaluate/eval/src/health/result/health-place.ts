/** Where a finding can be looked at. */
export interface HealthPlace {
  /** Id of the rollout. */
  id: string;
  /** Which call of the model, from 1 in the order in which they began; undefined for the whole rollout. */
  call?: number | undefined;
}
