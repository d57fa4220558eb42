import { describeThrown, describeValue, isJsonObject } from '@art/ground';
import type { WireOutcome } from '@art/server';

/** The report of a rollout to the service. */
export interface Feedback {
  status: 'ready' | 'failed';
  /** Undefined where the handler has none. */
  rewards: number[] | undefined;
  /** Why it failed, or what is missing. */
  reason?: string;
}

/** Words of the service for a rollout that has been completed before. */
const alreadyDone = /not in valid status|Cannot transition trajectory/;

/**
 * The report about the outcome of a handler, by the rules of AWS's Python decorator. There is no report, only the
 * reason for it, if the result says `skipped` or is no object, or if an error says that the rollout was already
 * completed.
 */
export function readFeedback(outcome: WireOutcome): Feedback | { status: 'untold'; reason: string } {
  if (outcome.kind === 'failed') {
    const reason = describeThrown(outcome.error).message;
    return alreadyDone.test(reason) ? { status: 'untold', reason } : failed(reason);
  }
  const { value } = outcome;
  if (!isJsonObject(value)) {
    const reason = `The handler returned ${describeValue(value)}, so the trainer gets nothing and waits for its time-out. Return an object such as { reward: 1 }.`;
    return { status: 'untold', reason };
  }
  const { status, error } = value;
  if (status === 'skipped') return { status: 'untold', reason: 'The handler skipped the rollout.' };
  if (status === 'error') return failed(typeof error === 'string' ? error : 'The handler returned an error.');
  // A handler for other trainers has `rewards`, one or one a turn.
  const reward = value['reward'] ?? value['rewards'];
  if (reward === undefined || reward === null)
    return {
      status: 'ready',
      rewards: undefined,
      reason: 'The handler returned no reward, and the trainer waits for one.',
    };
  const rewards: unknown[] = Array.isArray(reward) ? reward : [reward];
  if (rewards.length > 0 && rewards.every((one) => typeof one === 'number' && Number.isFinite(one)))
    return { status: 'ready', rewards: rewards as number[] };
  return failed(`Expected reward to be a finite number or a list of them, got ${describeValue(reward)}.`);
}

function failed(reason: string): Feedback {
  return { status: 'failed', rewards: [0], reason };
}
