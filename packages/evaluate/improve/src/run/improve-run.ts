import { join } from 'node:path';
import { compareRuns, type Comparison, evaluatePair, type EvaluateOptions, type Task } from '@art/eval';
import { readResults } from '@art/eval/records';
import { randomSource } from '@art/eval/statistics';
import { ArtError, type JsonObject } from '@art/ground';
import { replaceFile } from '@art/store';
import type { Reflect } from '../reflect/reflect.ts';
import { type Candidate, type Prompts, PromptSearch } from '../search/prompt-search.ts';
import { scoreMean } from '../search/score-sum.ts';
import { askedPrompts } from './asked-prompts.ts';
import { evaluationsFolder, heldOutName, iterationName } from './evaluation-names.ts';
import type { readImproveOptions } from './improve-options.ts';
import type { ImproveStatus } from './improve-status.ts';
import type { IterationLog, IterationRecord } from './iteration-record.ts';
import { isWholeMeasure, type Measured, measure } from './measure.ts';
import { makeChild } from './make-child.ts';
import { heldOutRollouts, type RolloutBudget } from './rollout-budget.ts';
import type { SplitTasks } from './split-tasks.ts';

/** A search for better prompts that has ended, or whose budget is spent. */
export interface Improvement {
  folder: string;
  /** In the order in which they were found; the first are the prompts in the agent's code. */
  candidates: readonly Candidate[];
  /** Number of the candidate with the highest mean on the validation tasks; of several, the first. */
  best: number;
  /** Rollouts that were run, in all processes together. */
  rollouts: number;
  /** The prompts in the code against the best ones on the held-out tasks; null without such tasks, and where the best are those in the code. */
  heldOut: { baseline: string; candidate: string; comparison: Comparison } | null;
}

interface ImproveRunInit {
  options: ReturnType<typeof readImproveOptions>;
  tasks: SplitTasks;
  budget: RolloutBudget;
  /** Ceilings of what the agent asks of its model; undefined without a ceiling. */
  spending: EvaluateOptions['sharedBudget'];
  log: IterationLog;
  reflect: Reflect;
}

/** One process's work on a search. Iterations that are written down are taken as they are, so that a search continues as it began. */
export class ImproveRun {
  readonly #init: ImproveRunInit;
  readonly #search: PromptSearch;
  /** Without the tasks that the prompts in the code have no score of. */
  #validation: Task[] = [];
  #iteration = 0;
  /** Rollouts of the iteration that is under way. */
  #underWay = 0;

  constructor(init: ImproveRunInit) {
    this.#init = init;
    const { seed, minibatch } = init.options;
    this.#search = new PromptSearch(init.tasks.training.length, minibatch, randomSource(seed));
  }

  async run(): Promise<Improvement> {
    const { options, budget, log } = this.#init;
    await this.#start();
    const { folder, minibatch, onNotice } = options;
    const most = 2 * minibatch + this.#validation.length;
    for (this.#iteration = 1; ; this.#iteration += 1) {
      const isKnown = this.#iteration < log.records.length;
      if (!isKnown && (budget.left < most || this.#isLearnt)) break;
      await this.#iterate();
    }
    if (budget.left >= most) onNotice?.('All training tasks pass, so that nothing can be learnt any more.');
    const heldOut = await this.#compare();
    const { candidates, best } = this.#search;
    const rollouts = budget.spent + (await heldOutRollouts(folder));
    return { folder, candidates, best, rollouts, heldOut };
  }

  /** Measures the prompts in the agent's code, and so learns which there are. */
  async #start(): Promise<void> {
    const { tasks, log, budget } = this.#init;
    const record = log.records[0] ?? (await this.#measureStart());
    const scores = new Map(Object.entries(record.validation!));
    this.#validation = tasks.validation.filter(({ id }) => scores.has(id));
    this.#search.add({ prompts: record.prompts!, parent: null, scores });
    budget.spent += record.rollouts;
    await this.#keepBest();
  }

  async #measureStart(): Promise<IterationRecord> {
    const { tasks, options, budget } = this.#init;
    const { validation } = tasks;
    const name = iterationName(0, 'validation');
    // One rollout tells whether there is anything to improve.
    const first = await this.#measure(name, validation.slice(0, 1), {}, 1);
    await askedPrompts(first);
    const spare = budget.left - validation.length - 2 * options.minibatch;
    const measured = await this.#measure(name, validation, {}, spare);
    const prompts = await askedPrompts(measured);
    const scores = [...measured.scores].filter((entry): entry is [string, number] => entry[1] !== null);
    const isKnown = Object.keys(prompts).length > 0;
    if (scores.length === 0 || !isKnown) {
      throw new ArtError({
        code: 'ART_NOT_JUDGED',
        message: `Expected validation tasks that end well and have a score, before anything is improved, got ${isKnown ? 'none with a score' : 'none that ends well'} of ${validation.length}. The samples in ${measured.folder} tell why.`,
      });
    }
    if (scores.length < validation.length) {
      options.onNotice?.(
        `${validation.length - scores.length} of ${validation.length} validation tasks have no score after several rollouts, and are left out of the search.`,
      );
    }
    return this.#write({
      verdict: 'start',
      candidate: 0,
      prompts,
      validation: Object.fromEntries(scores),
      mean: scoreMean(scores.map(([, score]) => score)),
      rollouts: measured.rollouts,
    });
  }

  /** True if as many minibatches as an epoch has, one after the other, were perfect. */
  get #isLearnt(): boolean {
    const { log, options, tasks } = this.#init;
    const epoch = Math.ceil(tasks.training.length / options.minibatch);
    const last = log.records.slice(1).slice(-epoch);
    return last.length === epoch && last.every(({ verdict }) => verdict === 'perfect');
  }

  async #iterate(): Promise<void> {
    const { log, budget, tasks, options } = this.#init;
    const step = this.#search.begin(this.#iteration - 1);
    const batch = distinct(step.batch.map((at) => tasks.training[at]!));
    this.#underWay = 0;
    const known = log.records[this.#iteration];
    if (known?.prompt != null) this.#search.takeTurn(step.parent);
    const record = known ?? (await this.#propose(step.parent, batch));
    if (record.verdict === 'accepted') {
      const scores = new Map(Object.entries(record.validation!));
      this.#search.add({ prompts: record.prompts!, parent: record.parent, scores });
      await this.#keepBest();
    }
    this.#underWay = 0;
    budget.spent += record.rollouts;
    if (record.verdict === 'excluded' && known === undefined) {
      options.onNotice?.(
        `Iteration ${record.iteration} is dropped: the infrastructure or the judge failed for some of its tasks, and no score is made of that.`,
      );
    }
  }

  async #propose(parent: number, batch: readonly Task[]): Promise<IterationRecord> {
    const { options, budget, reflect } = this.#init;
    const { minibatch, passReward, folder } = options;
    const { prompts } = this.#search.candidates[parent]!;
    const ended = { parent, tasks: batch.map(({ id }) => id) };
    const child = await makeChild({
      parent: prompts,
      batch,
      passReward,
      childFolder: join(folder, evaluationsFolder, iterationName(this.#iteration, 'child')),
      takeTurn: () => this.#search.takeTurn(parent),
      reflect: async (message) => {
        this.#tell('reflection');
        return reflect(message, options.signal);
      },
      measure: (part, told, notes) => {
        const later = this.#validation.length + (part === 'parent' ? minibatch : 0);
        return this.#measurePart(part, batch, told, budget.left - later, notes);
      },
    });
    if (child.verdict !== 'accepted') return this.#write({ ...ended, ...child });
    const measured = await this.#measurePart('validation', this.#validation, child.prompts!, budget.left);
    if (!isWholeMeasure(measured)) return this.#write({ ...ended, ...child, verdict: 'excluded' });
    const scores = Object.fromEntries(measured.scores) as Record<string, number>;
    const mean = scoreMean(Object.values(scores));
    const candidate = this.#search.candidates.length;
    return this.#write({ ...ended, ...child, candidate, validation: scores, mean });
  }

  /** The best prompts against those in the code, on tasks by which nothing was decided. */
  async #compare(): Promise<Improvement['heldOut']> {
    const { tasks, budget } = this.#init;
    const { best, candidates } = this.#search;
    const { heldOut } = tasks;
    if (heldOut.length === 0 || best === 0) return null;
    const numbers = [0, best];
    const names = numbers.map(heldOutName);
    const [baseline, candidate] = names.map((name) =>
      join(this.#init.options.folder, evaluationsFolder, name),
    ) as [string, string];
    const { until } = this.#init.options;
    if (until !== undefined) {
      // Asked again, it would only repeat what the infrastructure has spoilt.
      const known = await readResults(candidate);
      if (known?.goal == null || known.isComplete !== true)
        await this.#askPair(until, names, candidates[best]!.prompts);
    } else {
      // For what the infrastructure spoils.
      let spare = budget.left;
      for (const number of numbers) {
        const prompts = number === 0 ? {} : candidates[number]!.prompts;
        const allowance = heldOut.length + spare;
        const { rollouts } = await this.#measure(heldOutName(number), heldOut, prompts, allowance);
        spare -= Math.max(0, rollouts - heldOut.length);
      }
    }
    return { baseline, candidate, comparison: await compareRuns({ baseline, candidate }) };
  }

  /** Asks the prompts in the code and the best ones side by side. */
  async #askPair(until: string, [first, second]: readonly string[], best: Prompts): Promise<void> {
    const { options, tasks } = this.#init;
    const { agent, ...evaluating } = this.#evaluating();
    this.#tell('held_out');
    const done = [0, 0];
    const sideOf = (side: 0 | 1, name: string, prompts: Prompts) => ({
      name,
      agent,
      prompts,
      onStatus: ({ done: ofSide }: { done: number }): void => {
        done[side] = ofSide;
        this.#tell('held_out', done[0]! + done[1]!);
      },
    });
    await evaluatePair({
      ...evaluating,
      until,
      rewardRange: options.rewardRange,
      seed: options.seed,
      tasks: tasks.heldOut,
      folder: join(options.folder, evaluationsFolder),
      baseline: sideOf(0, first!, {}),
      candidate: sideOf(1, second!, best),
      // Each of them counts, and there is no budget for more.
      retry: { lost: 0, infra_error: 0 },
    });
    this.#checkSpending();
  }

  async #measurePart(
    part: 'parent' | 'child' | 'validation',
    tasks: readonly Task[],
    prompts: Prompts,
    allowance: number,
    notes?: JsonObject,
  ): Promise<Measured> {
    const name = iterationName(this.#iteration, part);
    const measured = await this.#measure(name, tasks, prompts, allowance - this.#underWay, notes);
    this.#underWay += measured.rollouts;
    return measured;
  }

  async #measure(
    name: string,
    tasks: readonly Task[],
    prompts: Prompts,
    allowance: number,
    notes?: JsonObject,
  ): Promise<Measured> {
    const { folder } = this.#init.options;
    const phase = name.startsWith('held-out') ? 'held_out' : (name.slice(4) as ImproveStatus['phase']);
    this.#tell(phase);
    const measured = await measure(
      {
        ...this.#evaluating(),
        prompts,
        notes,
        tasks,
        name,
        folder: join(folder, evaluationsFolder, name),
        onStatus: ({ done }) => this.#tell(phase, done),
      },
      allowance,
    );
    this.#checkSpending();
    return measured;
  }

  /** Options of every evaluation. */
  #evaluating() {
    const { options, spending: sharedBudget } = this.#init;
    const { agent, reward, concurrency, judgeConcurrency, timeoutMs, passReward, failureReward } = options;
    const { prices, control, signal, onSample, onNotice } = options;
    const measuring = { agent, reward, concurrency, judgeConcurrency, timeoutMs, passReward, failureReward };
    return { ...measuring, prices, control, signal, onSample, onNotice, sharedBudget };
  }

  #checkSpending(): void {
    const { spending } = this.#init;
    spending?.keep();
    if (spending?.reached !== undefined)
      throw new ArtError({ code: 'ART_RUN_CEILING_REACHED', message: spending.reached.message });
  }

  #tell(phase: ImproveStatus['phase'], done = 0): void {
    const { options, budget } = this.#init;
    const { candidates, best } = this.#search;
    options.onStatus?.({
      iteration: this.#iteration,
      phase,
      rollouts: budget.spent + this.#underWay + done,
      budget: options.budget,
      candidates: candidates.length,
      startMean: candidates[0]?.mean ?? null,
      bestMean: candidates[best]?.mean ?? null,
    });
  }

  async #write({
    verdict,
    ...ended
  }: Pick<IterationRecord, 'verdict'> & Partial<IterationRecord>): Promise<IterationRecord> {
    const { log, options } = this.#init;
    const record: IterationRecord = {
      schema: 'art.improve-iteration.v1',
      iteration: this.#iteration,
      verdict,
      candidate: null,
      parent: null,
      prompt: null,
      prompts: null,
      tasks: [],
      parentScores: null,
      childScores: null,
      validation: null,
      mean: null,
      reflection: null,
      rollouts: this.#underWay,
      ...ended,
    };
    await log.append(record);
    options.onIteration?.(record);
    return record;
  }

  async #keepBest(): Promise<void> {
    const { candidates, best } = this.#search;
    const text = `${JSON.stringify(candidates[best]!.prompts, undefined, 2)}\n`;
    await replaceFile(join(this.#init.options.folder, 'prompts.json'), text, { isDurable: true });
  }
}

/** Two samples of one task are two tasks of a run. */
function distinct(tasks: readonly Task[]): Task[] {
  const seen = new Map<string, number>();
  return tasks.map((task) => {
    const count = (seen.get(task.id) ?? 0) + 1;
    seen.set(task.id, count);
    return count === 1 ? task : { ...task, id: `${task.id} (${count})` };
  });
}
