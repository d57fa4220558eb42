/** Samples in whose transcripts a text stands, of those that one answer had the time to look at. */
export interface Said {
  /** Their positions. */
  found: number[];
  /** Where the next answer begins; null where all have been looked at. */
  next: number | null;
}
