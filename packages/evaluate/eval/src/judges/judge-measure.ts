import type { Estimate } from '../records/results-record.ts';
import type { KappaEstimate, KappaWeights } from '../statistics/cohen-kappa.ts';
import type { Difference } from '../statistics/estimate-difference.ts';
import type { Category } from './read-labels.ts';

/** The measure of a judge: how far it agrees with labels, and with itself. */
export interface JudgeMeasure {
  /** Labelled samples with a reward: all figures rest on them. */
  samples: number;
  tasks: number;
  /** The share of equal classes; null without samples. */
  agreement: Estimate | null;
  kappa: KappaEstimate & { weights: KappaWeights };
  /** Why kappa says nothing; null where it does. */
  problem: string | null;
  /** About how many labels more the interval needs to be so wide; null where it has none. */
  missing: { labels: number; width: number } | null;
  /** Reward and label from which a sample has passed; null where each value is a class. */
  passReward: number | null;
  categories: Category[];
  /** Rows are labels, columns rewards, both in the order of `categories`. */
  confusion: number[][];
  /** Farthest apart first. */
  disagreements: { id: string; label: Category; reward: Category; remark: string | null }[];
  /** Labelled samples that are in no figure. */
  leftOut: {
    /** The judge failed, or gave no reward. */
    unjudged: string[];
    /** The agent or its machine failed: there is nothing to judge. */
    failed: string[];
    /** The run has no such sample. */
    unknown: string[];
    /** Labels of one sample disagree. */
    contradictory: string[];
    /** Rows without a label. */
    unlabelled: number;
    /** Further rows with the same label. */
    duplicates: number;
  };
  drift: JudgeDrift | null;
}

/** Two judgings of the same samples. */
export interface JudgeDrift {
  samples: number;
  /** Samples whose reward changed, the largest change first. */
  changed: { id: string; first: number; second: number }[];
  /** Samples that one of both did not judge. */
  unjudged: number;
  /** Change of the mean reward; null without samples. */
  difference: Difference | null;
}

/** A sample and its reward by a judge. */
export interface Judged {
  id: string;
  taskId: string;
  reward: Category | null;
  hasFailed: boolean;
  remark: string | null;
}

export type Judgings = Map<string, Judged>;
