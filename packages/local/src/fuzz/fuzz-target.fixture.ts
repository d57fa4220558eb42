/** Something that is fed with what nobody would send on purpose. */
export interface FuzzTarget {
  name: string;
  /** Its part of all cases; the parts of all targets add up to 1. */
  share: number;
  /** Throws, with the smallest case it can find, where a property does not hold. */
  run(options: { numRuns: number; seed: number }): Promise<void>;
}
