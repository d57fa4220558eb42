import { ArtError } from '@art/ground';
import type { UpdateMeasures } from '../run/training-step.ts';
import type { StepRow, TrainingSteps, WeightsRef } from '../steps/index.ts';

/** Rows of each quarter of a pass that are asked for: its halves by place, and each by every second row. */
const rowsOfPart = 3;
/** How likely a step that is right moves the rows the wrong way, by chance; by measurement it is one in a hundred at a high rate. */
const wrongByChance = 0.03;
/** How likely one that is not does. */
const wrongOtherwise = 0.5;
/** How much likelier "not right" has to be than "right": about 250 times, which is two steps in a row, or three of five. */
const mostEvidence = 5.5;
/**
 * When a part of a pass counts as lost: its difference to the rest in standard errors, and as a share of all. From `suspected` errors on each step is
 * judged, for `most` checks. A spread that came out small by chance is no certainty: `leastSpread` is what was measured of steps that were right.
 */
const lostPart = { errors: 4.5, share: 0.25, suspected: 1.5, most: 40, checks: 3, leastSpread: 0.35 };

/**
 * The least share of the greatest gradient so far at which a step is judged. A policy that has learnt leaves little to learn: then the optimizer continues
 * by what it remembers of earlier steps, and the rows of this one say nothing of it.
 */
const leastGradient = 0.25;

/** A row by which a step is judged. */
interface JudgedRow {
  row: StepRow;
  name: string;
  isFirstHalf: boolean;
  isEven: boolean;
}

/**
 * Judges whether steps went the right way: the logprobs of some trained rows are asked of the weights before a step and of those behind it. What
 * turns advantages around, trains other rows, loses a part of a pass, or serves other weights, is seen by nothing else.
 */
export class UpdateGuard {
  readonly #every: number;
  #evidence = 0;
  #mostGradient = 0;
  readonly #halves = new RunningMean();
  readonly #alternate = new RunningMean();

  /** @param every so many steps it is asked, and at each step while there is a suspicion; 0: never */
  constructor(every: number) {
    this.#every = every;
  }

  /** True if a step is to be judged. Steps count from 1. */
  isDue(step: number): boolean {
    if (this.#every === 0) return false;
    const isSuspected = this.#evidence > 0 || this.#halves.isSuspected || this.#alternate.isSuspected;
    return isSuspected || (step - 1) % this.#every === 0;
  }

  /**
   * @param fresh of each row, whether the newest weights sampled all of it: others may have no gradient
   * @throws ArtError `ART_TRAIN_WRONG_WAY`; what the service throws
   */
  async judge(
    trained: { rows: readonly StepRow[]; names: readonly string[]; fresh: readonly boolean[] },
    weights: { before: WeightsRef; after: WeightsRef },
    {
      steps,
      step,
      signal,
    }: { steps: Pick<TrainingSteps, 'logprobs'>; step: number; signal?: AbortSignal | undefined },
  ): Promise<UpdateMeasures | undefined> {
    const gradient = trained.rows.reduce((sum, row) => sum + sizeOf(row), 0);
    this.#mostGradient = Math.max(this.#mostGradient, gradient);
    const judged = gradient < leastGradient * this.#mostGradient ? [] : choose(trained);
    if (judged.length === 0) return undefined;
    const moves = await Promise.all(
      judged.map(async ({ row }) => {
        const tokens = [...row.tokens, ...row.targets.slice(-1)];
        const [before, after] = await Promise.all([
          steps.logprobs(tokens, weights.before, signal),
          steps.logprobs(tokens, weights.after, signal),
        ]);
        return moveOf(row, before, after);
      }),
    );
    const gain = moves.reduce((sum, move) => sum + move.gain, 0);
    const tokens = moves.reduce((sum, move) => sum + move.tokens, 0);
    // Without a logprob nothing was observed.
    if (tokens === 0) return undefined;
    const change = moves.reduce((sum, move) => sum + move.change, 0) / tokens;
    this.#weigh(gain, change, step);
    const gains = moves.map((move) => move.gain);
    // The ratio of stale rows may be cut, and then they have no gradient: off policy that is the older half.
    if (trained.fresh.includes(true)) this.#compare(judged, gains, step);
    return { gain, change, rows: judged.length };
  }

  #weigh(gain: number, change: number, step: number): void {
    const isRight = gain > 0;
    const evidence = isRight
      ? Math.log((1 - wrongOtherwise) / (1 - wrongByChance))
      : Math.log(wrongOtherwise / wrongByChance);
    this.#evidence = Math.max(0, this.#evidence + evidence);
    if (this.#evidence < mostEvidence) return;
    const why =
      change === 0
        ? 'the logprobs of trained rows are the same before and behind it. The new weights are not the ones that answer, or the optimizer did not move them'
        : `the sum of advantage times change of logprob over trained rows is ${gain.toPrecision(3)}, and was not above 0 in the checks before. Advantages are turned around on the way, the service trains other rows, or other weights answer`;
    throw wrongWay(
      `Expected step ${step} to make good answers likelier and bad ones less likely, but ${why}.`,
    );
  }

  #compare(judged: readonly JudgedRow[], gains: readonly number[], step: number): void {
    const quarters = Map.groupBy(judged.keys(), (at) => {
      const { isFirstHalf, isEven } = judged[at]!;
      return `${isFirstHalf} ${isEven}`;
    });
    // Of each the same number of rows: off policy older groups come first, and of these fewer are fresh.
    const most = quarters.size < 4 ? 0 : Math.min(...Array.from(quarters.values(), ({ length }) => length));
    const compared = [...quarters.values()].flatMap((places) => places.slice(0, most));
    const all = compared.reduce((sum, at) => sum + Math.abs(gains[at]!), 0);
    if (all === 0) return;
    const difference = (isOne: (row: JudgedRow) => boolean): number =>
      compared.reduce((sum, at) => sum + (isOne(judged[at]!) ? gains[at]! : -gains[at]!), 0) / all;
    this.#halves.add(difference(({ isFirstHalf }) => isFirstHalf));
    this.#alternate.add(difference(({ isEven }) => isEven));
    for (const [mean, names] of [
      [this.#halves, ['first half', 'second half']],
      [this.#alternate, ['rows at even places', 'rows at odd places']],
    ] as const) {
      if (Math.abs(mean.value) < lostPart.share || mean.errors < lostPart.errors) continue;
      throw wrongWay(
        `Expected all rows of a pass to train, but in ${mean.count} checks up to step ${step} the ${names[mean.value > 0 ? 1 : 0]} of them hardly moved. The service loses a part of each pass.`,
      );
    }
  }
}

/** The mean of differences that come one by one, and how far it is from nothing. */
class RunningMean {
  count = 0;
  value = 0;
  #squares = 0;

  add(number: number): void {
    this.count += 1;
    const away = number - this.value;
    this.value += away / this.count;
    this.#squares += away * (number - this.value);
  }

  /** In standard errors. */
  get errors(): number {
    if (this.count < lostPart.checks) return 0;
    const spread = Math.max(lostPart.leastSpread, Math.sqrt(this.#squares / (this.count - 1)));
    return (Math.abs(this.value) * Math.sqrt(this.count)) / spread;
  }

  get isSuspected(): boolean {
    return this.count < lostPart.most && this.errors > lostPart.suspected;
  }
}

/** From each part of a pass the rows whose advantages weigh most. */
function choose({
  rows,
  names,
  fresh,
}: {
  rows: readonly StepRow[];
  names: readonly string[];
  fresh: readonly boolean[];
}): JudgedRow[] {
  const known = fresh.includes(true) ? fresh : rows.map(() => true);
  const weighed = rows
    .map((row, at) => ({
      row,
      name: names[at]!,
      isFirstHalf: at < rows.length / 2,
      isEven: at % 2 === 0,
      size: known[at] === true ? sizeOf(row) : 0,
    }))
    .filter(({ size }) => size > 0)
    .toSorted((one, other) => other.size - one.size);
  return [true, false].flatMap((isFirstHalf) =>
    [true, false].flatMap((isEven) =>
      weighed.filter((row) => row.isFirstHalf === isFirstHalf && row.isEven === isEven).slice(0, rowsOfPart),
    ),
  );
}

/** How much of the gradient is of a row. A token that was certain has none. */
function sizeOf({ weights, advantages = [], logprobs = [] }: StepRow): number {
  return weights.reduce(
    (sum, weight, at) => sum + Math.abs(weight * (advantages[at] ?? 0) * Math.expm1(logprobs[at] ?? -1)),
    0,
  );
}

function moveOf(
  { weights, advantages = [] }: StepRow,
  before: readonly (number | null)[],
  after: readonly (number | null)[],
): { gain: number; change: number; tokens: number } {
  const move = { gain: 0, change: 0, tokens: 0 };
  for (const [at, weight] of weights.entries()) {
    const [old, next] = [before[at + 1], after[at + 1]];
    if (weight === 0 || typeof old !== 'number' || typeof next !== 'number') continue;
    move.gain += weight * (advantages[at] ?? 0) * (next - old);
    move.change += Math.abs(next - old);
    move.tokens += 1;
  }
  return move;
}

function wrongWay(message: string): ArtError {
  return new ArtError({ code: 'ART_TRAIN_WRONG_WAY', message });
}
