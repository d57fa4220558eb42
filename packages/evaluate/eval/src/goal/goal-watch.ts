import type { GoalResult } from '../records/results-record.ts';
import type { SampleRecord } from '@art/trajectories';
import { boundedMeanInterval } from '../statistics/bounded-mean.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { SequentialClaim } from '../statistics/sequential-claim.ts';
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
}

interface AskedTask {
  taskId: string;
  /** Scores of the samples that have ended; null for those that have none. */
  ended: Map<number, number | null>;
}

/**
 * Watches a run until the question of a goal is answered. Tasks count in the order in which they were asked, each once all of its samples have
 * ended: in the order in which they end, quick ones would count first, and those are not like the others.
 */
export class GoalWatch {
  readonly #init: GoalWatchInit;
  readonly #claim: SequentialClaim | undefined;
  readonly #ended = new Map<string, AskedTask['ended']>();
  readonly #waiting: AskedTask[] = [];
  readonly #figures: number[] = [];
  #end: GoalResult['end'] | undefined;
  #problem: string | null = null;
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

  /** Passes tasks on while the question is open, and no further ahead than {@link GoalWatchInit.ahead}. */
  async *ask(tasks: AsyncIterable<Task>, signal: AbortSignal): AsyncGenerator<Task, void, undefined> {
    const isOver = (): boolean => this.#end !== undefined || signal.aborted;
    signal.addEventListener('abort', () => this.#changed.resolve(), { once: true });
    for await (const task of tasks) {
      this.#waiting.push({ taskId: task.id, ended: this.#endedOf(task.id) });
      this.#look();
      if (isOver()) return;
      yield task;
      while (this.#waiting.length >= this.#init.ahead && !isOver()) await this.#changed.promise;
      if (isOver()) return;
    }
  }

  /** Takes a sample that has ended, of this process or of an earlier one. */
  add({ taskId, sample, score }: Pick<SampleRecord, 'taskId' | 'sample' | 'score'>): void {
    this.#endedOf(taskId).set(sample, score);
    this.#look();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** @param costOfSample in the currency of the price table */
  result(costOfSample: number | null): GoalResult {
    const { goal, samples } = this.#init;
    const figures = this.#figures;
    const end = this.#end ?? 'ceiling';
    const wanted = end === 'decided' ? undefined : this.#wanted();
    const missing = wanted === undefined ? null : Math.max(1, wanted - figures.length) * samples;
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
    const known = this.#ended.get(taskId) ?? new Map<number, number | null>();
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
      if (first.ended.size < this.#init.samples) return;
      this.#waiting.shift();
      this.#take(first);
    }
  }

  #take({ taskId, ended }: AskedTask): void {
    const { scale, goal } = this.#init;
    const scores = [...ended.values()].filter((score) => score !== null);
    const outside = scale.outsider(scores);
    if (outside !== undefined) {
      this.#end = 'futile';
      this.#problem = `A score of ${outside} lies outside of the rewards that a task can give, and nothing holds for rewards without bounds. Say which rewards a task can give (--reward-range).`;
      return;
    }
    const figure = scale.figureOf(taskId, scores);
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
    const { low, high } = boundedMeanInterval(this.#figures.map((figure) => this.#share(figure)));
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
