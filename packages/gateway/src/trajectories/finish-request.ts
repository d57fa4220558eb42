/** With what a trajectory is finished. */
export interface FinishRequest {
  /** @default null: unknown, which is not 0 */
  reward?: number | null | undefined;
  /** Over what the trajectory was created with. */
  rolloutId?: string | undefined;
  /** Over what the trajectory was created with. */
  groupId?: string | null | undefined;
  /** Goes into the metadata of every row, over that of the trajectory. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}
