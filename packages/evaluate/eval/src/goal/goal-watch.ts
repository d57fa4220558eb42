import type { GoalResult } from '../records/results-record.ts';
import type { SampleRecord } from '@art/trajectories';
import { boundedMeanInterval } from '../statistics/bounded-mean.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { claimEnds, SequentialClaim } from '../statistics/sequential-claim.ts';
import type { Task } from '../tasks/task.ts';
import type { GoalScale } from './goal-scale.ts';
import type { Goal } from './goal.ts';

/** An interval takes longer the more there is. */
const lookEachUpTo = 100;
const laterLooks = 50;

export interface GoalWatchInit {
  goal: Goal;
  scale: GoalScale;
  /** Wanted samples of each task. */
  samples: number;
  /** Tasks that there are at most; undefined where that is not known. */
  tasks: number | undefined;
  /** Tasks that may be asked before those in front of them have ended. */
  ahead: number;
  /** Scores of each task in the run of the baseline; undefined without one. */
  baseline: ReadonlyMap<string, readonly number[]> | undefined;
  /** Runs that are asked side by side: the baseline is the first of two. */
  sides: 1 | 2;
}

/** The part of a goal that a run needs. */
export type RunGoal = Pick<GoalWatch, 'ask' | 'add' | 'cut'>;

interface AskedTask {
  taskId: string;
  /** Scores of the samples that have ended, of each side; null for those that have none. */
  ended: readonly Map<number, number | null>[];
}

/**
 * Watches a run, or two side by side, until the question of a goal is answered. Tasks count in the order in which they were asked, each once all of its samples have
 * ended, on both sides: in the order in which they end, quick ones would count first, and those are not like the others.
 */
export class GoalWatch {
  readonly #init: GoalWatchInit;
  readonly #claim: SequentialClaim | undefined;
  readonly #ended = new Map<string, AskedTask['ended']>();
  readonly #waiting: AskedTask[] = [];
  readonly #figures: number[] = [];
  #end: GoalResult['end'] | undefined;
  #problem: string | null = null;
  #isCut = false;
  /** Sides that have read what they have, and tasks that every side gets. */
  #ready = 0;
  #released = 0;
  #changed = Promise.withResolvers<void>();

  constructor(init: GoalWatchInit) {
    this.#init = init;
    const { goal, tasks } = init;
    if (goal.kind === 'claim')
      this.#claim = new SequentialClaim(
        goal.side === 'above' ? this.#share(goal.bound) : 1 - this.#share(goal.bound),
        tasks,
      );
  }

  /** The run of one of two sides. */
  side(side: 0 | 1): RunGoal {
    return {
      ask: (tasks, signal) => this.ask(tasks, signal),
      add: (sample) => this.add(sample, side),
      cut: () => this.cut(),
    };
  }

  /**
   * Passes tasks on while the question is open, and no further ahead than {@link GoalWatchInit.ahead}. Two sides begin together, when both have added
   * what they had, and get the same tasks.
   */
  async *ask(tasks: AsyncIterable<Task>, signal: AbortSignal): AsyncGenerator<Task, void, undefined> {
    const { ahead, sides } = this.#init;
    const isOver = (): boolean => this.#end !== undefined || this.#isCut || signal.aborted;
    const hasRoom = (): boolean => this.#ready >= sides && this.#waiting.length < ahead;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    this.#ready += 1;
    this.#wake();
    let at = 0;
    for await (const task of tasks) {
      while (at === this.#released && !hasRoom() && !isOver()) await this.#changed.promise;
      if (at === this.#released) {
        if (isOver()) return;
        this.#released += 1;
        this.#waiting.push({ taskId: task.id, ended: this.#endedOf(task.id) });
        this.#look();
        this.#wake();
      }
      at += 1;
      yield task;
    }
  }

  /** Takes a sample that has ended, of this process or of an earlier one. */
  add({ taskId, sample, score }: Pick<SampleRecord, 'taskId' | 'sample' | 'score'>, side = 0): void {
    this.#endedOf(taskId)[side]!.set(sample, score);
    this.#look();
    this.#wake();
  }

  /** Asks no further task: a sample that is missing will not come. */
  cut(): void {
    this.#isCut = true;
    this.#wake();
  }

  /** @param costOfSample in the currency of the price table */
  result(costOfSample: number | null): GoalResult {
    const { goal, samples, sides } = this.#init;
    const figures = this.#figures;
    const end = this.#end ?? 'ceiling';
    const wanted = end === 'decided' ? undefined : this.#wanted();
    const missing = wanted === undefined ? null : Math.max(1, wanted - figures.length) * samples * sides;
    return {
      goal: goal.text,
      end,
      problem: this.#problem,
      tasks: figures.length,
      value: figures.length === 0 ? null : plainMean(figures),
      ...this.#interval(),
      missingSamples: missing,
      missingCost: missing === null || costOfSample === null ? null : missing * costOfSample,
    };
  }

  #endedOf(taskId: string): AskedTask['ended'] {
    const { sides } = this.#init;
    const known =
      this.#ended.get(taskId) ?? Array.from({ length: sides }, () => new Map<number, number | null>());
    this.#ended.set(taskId, known);
    return known;
  }

  /** Takes tasks from the front as long as all of their samples have ended. */
  #look(): void {
    for (
      let first = this.#waiting[0];
      first !== undefined && this.#end === undefined;
      first = this.#waiting[0]
    ) {
      if (first.ended.some(({ size }) => size < this.#init.samples)) return;
      this.#waiting.shift();
      this.#take(first);
    }
  }

  #take({ taskId, ended }: AskedTask): void {
    const { scale, goal, baseline } = this.#init;
    const [scores = [], before = baseline?.get(taskId) ?? []] = ended
      .map((side) => [...side.values()].filter((score) => score !== null))
      .toReversed();
    const outside = scale.outsider(scores) ?? scale.outsider(before);
    if (outside !== undefined) {
      this.#end = 'futile';
      this.#problem = `A score of ${outside} lies outside of the rewards that a task can give, and nothing holds for rewards without bounds. Say which rewards a task can give (--reward-range).`;
      return;
    }
    const figure = scale.figureOf(scores, before);
    if (figure === undefined) return;
    this.#figures.push(figure);
    if (goal.kind === 'width') {
      if (this.#isNarrow(goal.width)) this.#end = 'decided';
      return;
    }
    const answer = this.#claim!.add(goal.side === 'above' ? this.#share(figure) : 1 - this.#share(figure));
    if (answer !== undefined)
      this.#end = answer === 'yes' ? 'decided' : answer === 'no' ? 'refuted' : 'futile';
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #isNarrow(width: number): boolean {
    const count = this.#figures.length;
    if (count > lookEachUpTo && count % Math.ceil(count / laterLooks) !== 0) return false;
    const { low, high } = this.#interval();
    return low !== null && high !== null && high - low < width;
  }

  #wanted(): number | undefined {
    const { goal } = this.#init;
    if (goal.kind === 'claim') return this.#claim!.wanted;
    const { low, high } = this.#interval();
    // The width falls with the root of the number.
    return low === null || high === null
      ? undefined
      : Math.ceil(this.#figures.length * ((high - low) / goal.width) ** 2);
  }

  #interval(): Pick<GoalResult, 'low' | 'high'> {
    if (this.#figures.length === 0) return { low: null, high: null };
    const shares = this.#figures.map((figure) => this.#share(figure));
    const { low, high } = boundedMeanInterval(shares, this.#init.goal.kind === 'claim' ? claimEnds : {});
    return { low: this.#unshare(low), high: this.#unshare(high) };
  }

  #share(figure: number): number {
    const { least, greatest } = this.#init.scale;
    return Math.min(1, Math.max(0, (figure - least) / (greatest - least)));
  }

  #unshare(share: number): number {
    const { least, greatest } = this.#init.scale;
    return least + share * (greatest - least);
  }
}
