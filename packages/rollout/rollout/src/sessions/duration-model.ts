const firstEdgeMs = 250;
const growth = 1.25;
// The last edge lies past the 8 hours that a session can live.
const binCount = 56;
// As many ends as this are believed before any was seen, at a rate that falls with the age: anyone who has worked for long
// will most likely continue for long.
const believedEnds = 0.3;
// What was seen long ago fades, so that the model follows a run whose rollouts grow longer.
const mostEnds = 2_000;
const fewestToJudge = 8;

const edges = Array.from({ length: binCount }, (_, bin) => firstEdgeMs * growth ** bin);

/**
 * At what age rollouts end, as far as sessions have told: how many of those that reached an age ended there. Ages are cut
 * into bins that grow with them, so that it serves rollouts of one second and of one hour alike.
 */
export class DurationModel {
  readonly #livedMs = new Float64Array(binCount + 1);
  readonly #ends = new Float64Array(binCount + 1);
  #endCount = 0;

  /** A rollout was at work from one age to another. */
  lived(fromMs: number, toMs: number): void {
    for (let bin = binAt(fromMs); fromMs < toMs; bin += 1) {
      const untilMs = Math.min(toMs, edges[bin] ?? toMs);
      this.#livedMs[bin]! += untilMs - fromMs;
      fromMs = untilMs;
    }
  }

  /** A rollout ended at this age. */
  ended(atMs: number): void {
    this.#ends[binAt(atMs)]! += 1;
    this.#endCount += 1;
    if (this.#endCount <= mostEnds) return;
    this.#endCount /= 2;
    for (let bin = 0; bin <= binCount; bin += 1) {
      this.#livedMs[bin]! /= 2;
      this.#ends[bin]! /= 2;
    }
  }

  /**
   * The age at which a rollout that was at work at `ageMs` should be looked at again: when, by what is known, it is to be
   * expected that its result lies there unnoticed for `lagMs`. This spends looks where rollouts end, and none before.
   */
  nextLookMs(ageMs: number, lagMs: number): number {
    let endedShare = 0;
    let expectedMs = 0;
    for (let atMs = ageMs, bin = binAt(ageMs); ; bin += 1) {
      const rate = this.#endsPerMs(bin);
      const edgeMs = edges[bin] ?? Number.POSITIVE_INFINITY;
      const stayMs = edgeMs - atMs;
      // Over a stay d at rate r the expected lag grows by (share ended before) * d + r * d² / 2.
      const untilLagMs = (Math.sqrt(endedShare ** 2 + 2 * rate * (lagMs - expectedMs)) - endedShare) / rate;
      if (untilLagMs <= stayMs) return atMs + untilLagMs;
      expectedMs += endedShare * stayMs + (rate * stayMs ** 2) / 2;
      endedShare += rate * stayMs;
      atMs = edgeMs;
    }
  }

  /** The age that half of those that ended did not exceed, within a bin; undefined while too little is known. */
  get medianMs(): number | undefined {
    const count = this.#ends.reduce((sum, ends) => sum + ends, 0);
    if (count < fewestToJudge) return undefined;
    let before = 0;
    for (let bin = 0, fromMs = 0; bin < binCount; fromMs = edges[bin]!, bin += 1) {
      const ends = this.#ends[bin]!;
      if (before + ends >= count / 2) return fromMs + ((count / 2 - before) / ends) * (edges[bin]! - fromMs);
      before += ends;
    }
    return edges.at(-1);
  }

  #endsPerMs(bin: number): number {
    const believedMs = believedEnds * (edges[bin] ?? edges[binCount - 1]!);
    return (this.#ends[bin]! + believedEnds) / (this.#livedMs[bin]! + believedMs);
  }
}

function binAt(ageMs: number): number {
  if (ageMs < firstEdgeMs) return 0;
  const bin = 1 + Math.floor(Math.log(ageMs / firstEdgeMs) / Math.log(growth));
  return Math.min(binCount, edges[bin - 1]! > ageMs ? bin - 1 : bin);
}
