/** Report of a client process: JSON on its standard output. */
export interface ClientResult {
  /** Rollouts by outcome, in the client's own words. */
  outcomes: Record<string, number>;
  /** Time of its processor, from the first call to the last item. */
  cpuMs: number;
  wallMs: number;
  /** Resident memory when the modules were loaded, and at most. */
  startRssBytes: number;
  peakRssBytes: number;
  /** Resident memory along the way. */
  memory: MemorySample[];
}

export interface MemorySample {
  /** Items consumed so far. */
  items: number;
  rssBytes: number;
}
