import { isAbove } from '@art/ground/figures';
import { EpochBatches } from './epoch-batches.ts';
import { chooseCandidate, paretoFronts } from './pareto-front.ts';
import { scoreMean, scoreSum } from './score-sum.ts';

/** Texts of an agent's prompts by their names. */
export type Prompts = Readonly<Record<string, string>>;

/** Prompts that were measured on all validation tasks. */
export interface Candidate {
  prompts: Prompts;
  /** Number of the candidate whose prompts were changed; null for the prompts in the agent's code. */
  parent: number | null;
  /** By validation task. */
  scores: ReadonlyMap<string, number>;
  mean: number;
}

/** Start of an iteration. */
export interface SearchStep {
  /** Number of a candidate. */
  parent: number;
  /** Positions of the training tasks of its minibatch. */
  batch: number[];
}

/**
 * Decisions of GEPA: which candidate is changed next, in which prompt, by which tasks, and which one is the best. Runs
 * nothing.
 */
export class PromptSearch {
  readonly #candidates: Candidate[] = [];
  /** By candidate: which of its prompts is changed next. */
  readonly #turns: number[] = [];
  readonly #batches: EpochBatches;
  readonly #random: () => number;

  /** @param random numbers from 0 up to 1 */
  constructor(trainingTasks: number, minibatch: number, random: () => number) {
    this.#random = random;
    this.#batches = new EpochBatches(trainingTasks, minibatch, random);
  }

  get candidates(): readonly Candidate[] {
    return this.#candidates;
  }

  /** Number of the candidate with the highest mean; of several, the first. */
  get best(): number {
    return this.#means.reduce((best, mean, at, means) => (isAbove(mean, means[best]!) ? at : best), 0);
  }

  /** @returns its number */
  add(candidate: Omit<Candidate, 'mean'>): number {
    const { parent, scores } = candidate;
    this.#turns.push(parent === null ? 0 : this.#turns[parent]!);
    return this.#candidates.push({ ...candidate, mean: scoreMean([...scores.values()]) }) - 1;
  }

  /** @param iteration from 0; each is begun once, in order */
  begin(iteration: number): SearchStep {
    const fronts = paretoFronts(this.#candidates.map(({ scores }) => scores));
    const parent = chooseCandidate(fronts, this.#means, this.#random);
    return { parent, batch: this.#batches.at(iteration) };
  }

  /** Name of the prompt that is changed now: the prompts of a candidate take turns, and its children continue where it is. */
  takeTurn(candidate: number): string {
    const names = Object.keys(this.#candidates[candidate]!.prompts);
    const turn = this.#turns[candidate]!;
    this.#turns[candidate] = (turn + 1) % names.length;
    return names[turn]!;
  }

  get #means(): number[] {
    return this.#candidates.map(({ mean }) => mean);
  }
}

/** True if a child is worth measuring on all validation tasks: on the minibatch it must do better than its parent. */
export function isImproved(parent: readonly number[], child: readonly number[]): boolean {
  return isAbove(scoreSum(child), scoreSum(parent));
}
