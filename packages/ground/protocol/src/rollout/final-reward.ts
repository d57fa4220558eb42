import { describeValue } from '@art/ground';
import type { ResultDocument } from './result-document.ts';

/** Why a document has no reward. */
export interface RewardProblem {
  /**
   * - `absent`: it has neither `rewards` nor `reward`, or null.
   * - `empty`: the list of rewards is empty.
   * - `not_a_number`: a text, an object, or a list that ends with one.
   * - `not_finite`: `NaN` or an infinity, as Python agents can write them.
   */
  kind: 'absent' | 'empty' | 'not_a_number' | 'not_finite';
  /** The expected value and the given one, to be shown. */
  message: string;
}

/** The reward of a document, or why it has none. */
export type RewardReading = { reward: number } | { reward: undefined; problem: RewardProblem };

/** The rewards that a document states: `rewards`, else the scalar `reward` that newer trainers read. */
export function documentRewards(document: ResultDocument): unknown {
  return document.rewards ?? document['reward'] ?? undefined;
}

/**
 * Reads the one number by which trainers judge a rollout: `rewards` itself, or its last element where it is a list; where
 * there is no `rewards`, the scalar `reward`. It is never made up.
 */
export function readReward(document: ResultDocument): RewardReading {
  const given = documentRewards(document);
  if (given === undefined) {
    // Null also stands for numbers that JSON does not have: our server writes it for them.
    const isNull = document.rewards === null || document['reward'] === null;
    return none('absent', isNull ? 'got null' : 'it has neither');
  }
  if (Array.isArray(given) && given.length === 0) return none('empty', 'got an empty list');
  const last: unknown = Array.isArray(given) ? given.at(-1) : given;
  const place = Array.isArray(given) ? ' at the end of the list' : '';
  if (typeof last !== 'number') return none('not_a_number', `got ${describeValue(last)}${place}`);
  return Number.isFinite(last) ? { reward: last } : none('not_finite', `got ${last}${place}`);
}

/** The number that {@link readReward} finds; undefined where there is none. */
export function finalReward(document: ResultDocument): number | undefined {
  return readReward(document).reward;
}

function none(kind: RewardProblem['kind'], got: string): RewardReading {
  const message = `Expected \`rewards\` (or \`reward\`) of the document to be a finite number or a list of them, ${got}.`;
  return { reward: undefined, problem: { kind, message } };
}
