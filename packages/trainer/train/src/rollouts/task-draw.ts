import { createHash } from 'node:crypto';
import type { DrawnTask } from '../run/training-step.ts';

/** Passes over the tasks after which half of what was seen of one counts: it comes back to be seen again. */
const halfLifePasses = 4;
/** The weight of a task that taught nothing, as a share of one that teaches most. */
const leastShare = 0.02;
/** The share of the last group in the running spread of a task. */
const newest = 0.5;

/** A part of a mixture: tasks that follow one another, and how often one of them is drawn. */
export interface TaskPart {
  name: string;
  /** How many tasks there are. */
  tasks: number;
  weight: number;
}

export interface TaskDrawOptions {
  parts: readonly TaskPart[];
  /** Decides about the order. */
  seed: number;
  /** `in_turn`: all tasks of a part once, then all again in another order. `teaching`: behind the first pass those come more often that teach more. */
  draw: 'in_turn' | 'teaching';
}

interface SeenTask {
  /** Running mean of the spread of its groups. */
  spread: number;
  /** The number of groups of the part that were seen up to it. */
  at: number;
}

/**
 * Decides which task is at each position of endless data. Everything follows from the seed and from what the steps of a run have drawn, which are
 * in its record: a run that is gone on with draws as one that was not broken off.
 */
export class TaskDraw {
  readonly #options: TaskDrawOptions;
  readonly #parts: PartDraw[];
  readonly #weight: number;
  #next = 0;

  /** @param drawn the tasks that steps have taken so far, in their order */
  constructor(options: TaskDrawOptions, drawn: readonly DrawnTask[]) {
    this.#options = options;
    let first = 0;
    this.#parts = options.parts.map((part, at) => {
      const own = new PartDraw(part, first, `${options.seed}${at === 0 ? '' : `.${at}`}`);
      first += part.tasks;
      return own;
    });
    this.#weight = options.parts.reduce((sum, { weight }) => sum + weight, 0);
    for (const task of drawn) this.note(task);
  }

  /** The task at a position. @param position behind those of all calls before */
  at(position: number): number {
    for (; this.#next < position; this.#next += 1) this.#partAt(this.#next).skip();
    this.#next += 1;
    return this.#partAt(position).draw(position, this.#options.draw);
  }

  /** A step has taken this task. */
  note(drawn: DrawnTask): void {
    this.#parts.find((part) => part.has(drawn.task))?.note(drawn);
  }

  /** The name of the part that a task is of. */
  partOf(task: number): string {
    return this.#parts.find((part) => part.has(task))!.name;
  }

  #partAt(position: number): PartDraw {
    if (this.#parts.length === 1) return this.#parts[0]!;
    let left = chanceOf(`${this.#options.seed} part ${position}`) * this.#weight;
    return this.#parts.find((_, at) => (left -= this.#options.parts[at]!.weight) < 0) ?? this.#parts.at(-1)!;
  }
}

/** The draws of one part. */
class PartDraw {
  readonly name: string;
  readonly #first: number;
  readonly #count: number;
  readonly #inTurn: (nth: number) => number;
  readonly #seed: string;
  readonly #seen = new Map<number, SeenTask>();
  readonly #underWay = new Map<number, number>();
  #drawn = 0;
  #noted = 0;

  constructor({ name, tasks }: TaskPart, first: number, seed: string) {
    this.name = name;
    this.#first = first;
    this.#count = tasks;
    this.#seed = seed;
    this.#inTurn = inTurn(tasks, seed);
  }

  has(task: number): boolean {
    return task >= this.#first && task < this.#first + this.#count;
  }

  /** A draw of a process before. */
  skip(): void {
    this.#drawn += 1;
  }

  draw(position: number, how: TaskDrawOptions['draw']): number {
    const isFirstPass = this.#drawn < this.#count;
    const item = how === 'in_turn' || isFirstPass ? this.#inTurn(this.#drawn) : this.#teaching(position);
    this.#drawn += 1;
    this.#underWay.set(item, (this.#underWay.get(item) ?? 0) + 1);
    return this.#first + item;
  }

  note({ task, spread }: DrawnTask): void {
    const item = task - this.#first;
    this.#noted += 1;
    const known = this.#seen.get(item)?.spread ?? spread;
    this.#seen.set(item, { spread: known + newest * (spread - known), at: this.#noted });
    const left = (this.#underWay.get(item) ?? 1) - 1;
    if (left > 0) this.#underWay.set(item, left);
    else this.#underWay.delete(item);
  }

  /** By spread: what nobody knows, or not any more, counts as what teaches most. One that is under way waits. */
  #teaching(position: number): number {
    const most = Math.max(0, ...Array.from(this.#seen.values(), ({ spread }) => spread));
    const isFree = this.#underWay.size < this.#count;
    const weights = Array.from({ length: this.#count }, (_, item) => {
      if (isFree && this.#underWay.has(item)) return 0;
      const seen = this.#seen.get(item);
      if (seen === undefined || most === 0) return 1;
      const trust = 0.5 ** ((this.#noted - seen.at) / this.#count / halfLifePasses);
      return leastShare + trust * (seen.spread / most) + (1 - trust);
    });
    let left = chanceOf(`${this.#seed} draw ${position}`) * weights.reduce((sum, weight) => sum + weight, 0);
    const drawn = weights.findIndex((weight) => (left -= weight) < 0);
    return drawn < 0 ? weights.findLastIndex((weight) => weight > 0) : drawn;
  }
}

/** All items once, in an order that the seed decides, then all again in another. */
function inTurn(items: number, seed: string): (nth: number) => number {
  let pass = -1;
  let order: number[] = [];
  return (nth) => {
    const wanted = Math.floor(nth / items);
    if (wanted !== pass) {
      pass = wanted;
      const ranks = Array.from({ length: items }, (_, item) => chanceOf(`${seed} ${wanted} ${item}`));
      order = Array.from(ranks.keys()).toSorted((one, other) => ranks[one]! - ranks[other]!);
    }
    return order[nth % items]!;
  };
}

/** A number from 0 to below 1 that follows from a text. */
export function chanceOf(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}
