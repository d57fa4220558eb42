import type { Lag } from '../rows/measure-lag.ts';

/** By how much a step moved the logprobs of rows that it trained on. */
export interface UpdateMeasures {
  /** The sum of advantage times change over the rows that were asked for: above 0 where the step did what it should. */
  gain: number;
  /** Mean of the change of a trained token, without its sign. */
  change: number;
  rows: number;
}

/** One version, measured. */
export interface StepEvaluation {
  /** Optimizer steps that the measured weights have had. */
  step: number;
  /** Mean over the tasks that were asked; undefined where too little could be judged. */
  score: number | undefined;
  /** How many those are: with `evaluation.until` not the same ones for each version. Absent in runs of earlier versions. */
  tasks?: number | undefined;
  /** Folder of the run, for `art compare` and `art view`. */
  folder: string;
  isBest: boolean;
}

/** Why a run ended in good order. */
export interface TrainingEnd {
  reason: 'steps' | 'score' | 'no_progress' | 'budget' | 'finished_early';
  /** For a person. */
  message: string;
}

/** A task that a step took a group of. */
export interface DrawnTask {
  /** Its place among the tasks, from 0. */
  task: number;
  /** The name of its part, where the tasks are a mixture. */
  part?: string | undefined;
  /** The mean of its group; undefined where no member has one. */
  reward: number | undefined;
  /** The variance of the rewards of its group: 0 taught nothing. */
  spread: number;
}

/** The input and the result of one step. A line of `metrics.jsonl`. */
export interface TrainingStep {
  /** From 1. */
  step: number;
  /** Mean over the rollouts that have one; undefined where none has. */
  reward: number | undefined;
  /** Mean of the last ten steps. */
  rewardOfTen: number | undefined;
  rollouts: number;
  /** Rollouts that failed, or that nothing was captured of that can be trained on. */
  withoutRows: number;
  /** `trained`: groups with two different rewards. `refilled`: how many came in place of such that taught nothing. */
  groups: { trained: number; withoutSpread: number; failed: number; refilled: number };
  /** The tasks of these groups. What is drawn next follows from it. */
  drawn: readonly DrawnTask[];
  /** Rows that trained. */
  rows: number;
  /** Rows that were left out by `maxVersionLag`. */
  staleRows: number;
  /** Targets that trained. */
  trainedTokens: number;
  /** Undefined where no row trained. */
  learningRate: number | undefined;
  /** Undefined where the gateway does not say what sampled each token. */
  lag: Lag | undefined;
  /** By how much sampler and trainer differ in the logprob of a token of the newest weights, on average. Undefined where the service does not tell. */
  logprobGap: number | undefined;
  /** How much likelier tokens are than under the base model, in nats; only with `klCoefficient`. */
  klToBase: number | undefined;
  /** How much likelier tokens are than under the teacher, in nats: it falls to 0 as the policy becomes the teacher. Only with one. */
  klToTeacher: number | undefined;
  /** How the step moved some of the rows that it trained on; undefined where it was not judged. */
  update: UpdateMeasures | undefined;
  /** As the service names them. */
  metrics: Readonly<Record<string, number>>;
  /** Everything up to here. */
  spent: { promptTokens: number; sampledTokens: number; trainedTokens: number; money: number | undefined };
  /** Waiting for groups, and making the step. */
  rolloutMs: number;
  trainMs: number;
  /** Evaluations that ended since the step before. */
  evaluations: readonly StepEvaluation[];
  /** True if a state was saved. */
  isCheckpoint: boolean;
  /** The step of the best version, where the run goes back to it. The steps behind that are made anew. */
  goesBackTo: number | undefined;
  /** Only of the last step. */
  end: TrainingEnd | undefined;
}
