/** The settings of a process that plays a clone, in the environment variable ART_PLAYED_SNAPSHOT. */
export interface PlaySettings {
  movedMs: number;
  recordFile?: string | undefined;
  warmupPath: string;
  /** Folders whose files are no code of the agent's author. */
  libraries: readonly string[];
}
